"""Entries of OBO's PURLs as registrations, or the reasons for refusing them."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import ConvertedEntry, RefusedEntry
from ginuri.migration.obo import import_obo
from ginuri.migration.share import share_of

HEAD = "idspace: HP\nbase_url: /obo/hp\n"
AT = "http://purl.obolibrary.org/obo"
B = "https://b.example"


def _import(text: str, **others: str) -> list[list[dict[str, Any]] | str]:
    files = {"hp.yml": text, **{f"{name}.yml": other for name, other in others.items()}}
    contents = {name: content.encode() for name, content in files.items()}
    outcomes = share_of(contents, import_obo(contents)).outcomes
    return [
        [dict(line) for line in each.registrations] if isinstance(each, ConvertedEntry) else str(each.reason)
        for each in outcomes
    ]


def _entry(**said: str) -> list[dict[str, Any]] | str:
    fields = "\n  ".join(f"{name}: {value}" for name, value in {"replacement": f"{B}/x", **said}.items())
    [outcome] = _import(f"{HEAD}entries:\n- {fields}\n")
    return outcome


def _taken(**said: str) -> list[dict[str, Any]]:
    lines = _entry(**said)
    assert isinstance(lines, list)
    return lines


@pytest.mark.parametrize(
    ("status", "code"), [({}, 302), ({"status": "permanent"}, 301), ({"status": "see other"}, 303)]
)
def test_an_exact_entry_is_a_resource_with_its_status(status: dict[str, str], code: int) -> None:
    line = {"identifier": f"{AT}/hp/wiki", "title": "HP: /wiki", "location": f"{B}/x", "status_code": code}

    assert _entry(exact="/wiki", **status) == [line]


def test_an_exact_entry_with_a_final_slash_is_a_document() -> None:
    [line] = _taken(exact="/wiki/", status="permanent")

    assert (line["kind"], line["status_code"]) == ("document", 301)


def test_an_entry_that_leads_to_another_name_is_an_alias() -> None:
    assert _entry(exact="/a.txt", replacement=f"{AT}/hp/a.tsv") == [
        {
            "identifier": f"{AT}/hp/a.txt",
            "title": "HP: /a.txt",
            "record": "alias",
            "stands_for": f"{AT}/hp/a.tsv",
            "status_code": 302,
        }
    ]


def test_an_exact_entry_is_refused_only_behind_an_expression_matching_it() -> None:
    release = r"(?i)^/obo/hp/((\d|4[0-2])\.\d)\.?/(hp|hp-asserted).obo$"
    text = (
        f"{HEAD}entries:\n"
        f"- regex: {release}\n  replacement: {B}/$1/hp.obo\n"
        f"- exact: /9.0/HP.obo\n  replacement: {B}/nine\n"
        f"- exact: /homepage\n  replacement: {B}/\n"
        f"- prefix: /about/\n  replacement: {B}/about/\n"
    )

    expression, matched, apart, prefix = _import(text)

    assert "ignores case" in expression
    assert "regex" in matched
    assert "comes first and was refused" in matched
    assert apart == [
        {"identifier": f"{AT}/hp/homepage", "title": "HP: /homepage", "location": f"{B}/", "status_code": 302}
    ]
    assert "comes first and was refused" in prefix


@pytest.mark.parametrize(
    ("prefix", "identifier", "pattern"),
    [
        ("/", "/hp/", None),
        ("/releases/", "/hp/releases/", None),
        ("/releases/201", "/hp/releases/", "201{+rest}"),
    ],
)
def test_a_prefix_becomes_a_rule_and_a_resource(prefix: str, identifier: str, pattern: str | None) -> None:
    rule, itself = _taken(prefix=prefix)

    assert rule == {
        "identifier": f"{AT}{identifier}",
        "location": f"{B}/x{{+rest}}",
        "record": "rule",
        "title": f"HP: {prefix}",
        "status_code": 302,
        "kind": "document",
        "pass_query": True,
    } | ({"pattern": pattern} if pattern else {})
    assert (itself["identifier"], itself["location"]) == (f"{AT}/hp{prefix}", f"{B}/x")


def test_the_query_is_passed_on_unless_the_location_has_one() -> None:
    rule, _ = _taken(prefix="/about/", replacement=f"{B}/?iri=")

    assert "pass_query" not in rule


@pytest.mark.parametrize(
    ("regex", "replacement", "identifier", "pattern", "location"),
    [
        (
            r"^/obo/hp/references/(\d+)$",
            f"{B}/R/$1",
            "/hp/references/",
            "{piece1:digits}",
            f"{B}/R/{{+piece1}}",
        ),
        (
            r"^/obo/hp/releases/([^\s/]+)/(\S+)$",
            f"{B}/v$1/$2",
            "/hp/releases/",
            "{piece1}/{+rest}",
            f"{B}/v{{+piece1}}/{{+rest}}",
        ),
        (r"^/obo/hp/2015\-09\-15/hp\.(.+)$", f"{B}/$1", "/hp/2015-09-15/", "hp.{+rest}", f"{B}/{{+rest}}"),
    ],
)
def test_a_simple_regex_is_a_rule_with_a_pattern(
    regex: str, replacement: str, identifier: str, pattern: str, location: str
) -> None:
    [rule] = _taken(regex=regex, replacement=replacement)

    assert {name: rule[name] for name in ("identifier", "pattern", "location")} == {
        "identifier": f"{AT}{identifier}",
        "pattern": pattern,
        "location": location,
    }


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"regex": r"^/obo/hp/(\d+|x)$"}, "cannot be restricted to"),
        ({"regex": r"(?i)^/obo/hp/(\d+)$"}, "ignores case"),
        ({"regex": r"/obo/hp/(\d+)$"}, "does not start with ^"),
        ({"regex": r"^/obo/hp/(\d+)"}, "end with $"),
        ({"regex": r"^/obo/go/(\d+)$"}, "only tried for paths under /obo/hp/"),
        ({"regex": r"^/obo/hp/x$"}, "Write the entry as `exact`"),
        ({"regex": r"^/obo/hp/(.*)/x-(\d+)-([^/]+)-([^/]+)$"}, ".* is allowed at the end only"),
        ({"exact": "wiki"}, "must start with a slash"),
        ({"exact": "/a b"}, "must be percent-encoded"),
        ({"exact": "/wiki", "replacement": "ftp://b.example/"}, "not a URL that starts with http://"),
        ({"exact": "/wiki", "prefix": "/wiki"}, "one of `exact`, `prefix` and `regex`"),
        (
            {"exact": "/wiki", "status": "gone"},
            "`status` is gone, which is not one of permanent, temporary, see other",
        ),
        ({"exact": "/wiki", "replacement": "''"}, "and a `replacement`"),
        ({"prefix": "/", "replacement": f"{AT}/go/"}, "leads to purl.obolibrary.org itself"),
    ],
)
def test_an_entry_that_no_rule_can_express_is_refused(said: dict[str, str], why: str) -> None:
    told = _entry(**said)

    assert isinstance(told, str)
    assert why in told


def test_an_impossible_entry_is_refused() -> None:
    told = _import(f"{HEAD}products:\n- hp.owl:\n- x\nterm_browser: other\nentries:\n- x\n")

    assert told == [
        "The entry has no location.",
        "A product is a file name and its location.",
        "`term_browser` is other, which is not one of ontobee, ols, custom.",
        "An entry needs one of `exact`, `prefix` and `regex`, and a `replacement`.",
    ]


def test_an_entry_behind_a_more_general_one_is_refused() -> None:
    prefix, exact = _import(
        f"{HEAD}entries:\n- prefix: /dev/\n  replacement: {B}/\n- exact: /dev/a\n  replacement: {B}/\n"
    )

    assert isinstance(prefix, list)
    assert exact == (
        "prefix /dev/ in line 4 of hp.yml comes first and matches all names of this entry, "
        "which was never reached."
    )


def test_entries_behind_a_refused_regex_that_could_match_them_are_refused() -> None:
    told = _import(
        f"{HEAD}entries:\n"
        f"- regex: (?i)^/obo/hp/v(1|2)/x$\n  replacement: {B}/\n"
        f"- prefix: /\n  replacement: {B}/\n"
        f"- exact: /wiki\n  replacement: {B}/\n"
        f"products:\n- hp.owl: {B}/hp.owl\n"
    )

    assert isinstance(told[1], str)
    assert "was refused. Here this entry would also answer for its names." in told[1]
    assert [isinstance(each, list) for each in told] == [False, False, True, True]


def test_a_prefix_with_a_name_already_used_is_only_a_rule() -> None:
    _, rule = _import(
        f"{HEAD}entries:\n- exact: /\n  replacement: {B}/\n- prefix: /\n  replacement: {B}/x/\n"
    )

    assert isinstance(rule, list)
    assert [each.get("record") for each in rule] == ["rule"]


def test_entries_of_a_project_come_before_shared_ones() -> None:
    shared = f"idspace: OBO\nbase_url: /obo\nentries:\n- exact: /hp/a\n  replacement: {B}/shared\n"

    [own, other] = _import(f"{HEAD}entries:\n- exact: /a\n  replacement: {B}/own\n", obo=shared)

    assert isinstance(own, list)
    assert isinstance(other, str)


def test_imported_rules_are_limited_as_in_a_prefix() -> None:
    rules = "".join(f"- prefix: /a{number:03}-\n  replacement: {B}/\n" for number in range(252))

    outcomes = import_obo({"hp.yml": f"{HEAD}entries:\n{rules}".encode()})

    refused = [each for each in outcomes if isinstance(each, RefusedEntry)]
    assert [each.place.name for each in refused] == ["prefix /a250-", "prefix /a251-"]
    assert str(refused[0].reason) == "/obo/hp/ already has 250 rules, and a prefix can have no more."


@pytest.mark.parametrize(
    "text", ["base_url: /obo/hp\n", "idspace: HP\n", "- x\n", "idspace: [1]\nbase_url: /obo\n"]
)
def test_a_file_without_idspace_and_base_is_no_configuration(text: str) -> None:
    with pytest.raises(UnreadableFile, match="is not a configuration of OBO"):
        list(import_obo({"hp.yml": text.encode()}))
