"""Entries of OBO's PURLs as registrations, or the reasons for refusing them."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import ConvertedEntry
from ginuri.migration.obo.conversion import import_obo
from ginuri.migration.share import share_of

HEAD = "idspace: HP\nbase_url: /obo/hp\n"
AT = "http://purl.obolibrary.org/obo"
B = "https://b.example"
_DEV = f"- prefix: /dev/\n  replacement: {B}/\n"


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


def _patterns(lines: list[dict[str, Any]] | str) -> dict[str, str]:
    return {line["pattern"]: line["location"] for line in lines if isinstance(line, dict)}


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
    release = r"(?i)^/obo/hp/((\d|4[0-2])\.\d)\.?/(?=hp)(.*).obo$"
    text = (
        f"{HEAD}entries:\n"
        f"- regex: {release}\n  replacement: {B}/$1/hp.obo\n"
        f"- exact: /9.0/HP.obo\n  replacement: {B}/nine\n"
        f"- exact: /homepage\n  replacement: {B}/\n"
        f"- prefix: /about/\n  replacement: {B}/about/\n"
    )

    expression, matched, apart, prefix = _import(text)

    assert "cannot look ahead" in expression
    assert "regex" in matched
    assert "comes first and was refused" in matched
    assert apart == [
        {"identifier": f"{AT}/hp/homepage", "title": "HP: /homepage", "location": f"{B}/", "status_code": 302}
    ]
    assert "comes first and was refused" in prefix


@pytest.mark.parametrize("prefix", ["/", "/releases/", "/releases/201"])
def test_a_prefix_becomes_a_rule_that_ignores_case_and_a_resource(prefix: str) -> None:
    rule, itself = _taken(prefix=prefix)

    assert rule == {
        "identifier": f"{AT}/",
        "pattern": f"hp{prefix}{{+rest}}",
        "ignore_case": True,
        "location": f"{B}/x{{+rest}}",
        "record": "rule",
        "title": f"HP: {prefix}",
        "status_code": 302,
        "kind": "document",
        "pass_query": True,
    }
    assert (itself["identifier"], itself["location"]) == (f"{AT}/hp{prefix}", f"{B}/x")


def test_the_query_is_passed_on_unless_the_location_has_one() -> None:
    rule, _ = _taken(prefix="/about/", replacement=f"{B}/?iri=")

    assert "pass_query" not in rule


@pytest.mark.parametrize(
    ("regex", "replacement", "pattern", "location"),
    [
        (r"^/obo/hp/references/(\d+)$", f"{B}/R/$1", "hp/references/{id:digits}", f"{B}/R/{{+id}}"),
        (
            r"^/obo/hp/releases/([^\s/]+)/(\S+)$",
            f"{B}/v$1/$2",
            "hp/releases/{id}/{+rest}",
            f"{B}/v{{+id}}/{{+rest}}",
        ),
        (r"^/obo/hp/2015\-09\-15/hp\.(.+)$", f"{B}/$1", "hp/2015-09-15/hp.{+rest}", f"{B}/{{+rest}}"),
    ],
)
def test_a_simple_regex_is_a_rule_with_a_pattern(
    regex: str, replacement: str, pattern: str, location: str
) -> None:
    [rule] = _taken(regex=regex, replacement=replacement)

    assert (rule["identifier"], rule["pattern"], rule["location"]) == (f"{AT}/", pattern, location)


def test_a_regex_with_alternatives_is_several_rules() -> None:
    rules = _taken(regex=r"^/obo/hp/(\d+|T[0-9]{2})$", replacement=f"{B}/$1")

    assert [(each["pattern"], each["location"]) for each in rules] == [
        ("hp/{id:digits}", f"{B}/{{+id}}"),
        ("hp/T{id:digits(2)}", f"{B}/T{{+id}}"),
    ]


def test_a_regex_that_ignores_case_is_a_rule_that_does() -> None:
    [rule] = _taken(regex=r"(?i)^/obo/hp/rel/(\d+)\.obo$", replacement=f"{B}/$1")

    assert (rule["pattern"], rule["ignore_case"]) == ("hp/rel/{id:digits}.obo", True)


def test_a_regex_without_an_end_matches_longer_names() -> None:
    [rule] = _taken(regex=r"^/obo/hp/(\d+)", replacement=f"{B}/$1")

    assert (rule["pattern"], rule["location"]) == ("hp/{id:digits}[{+rest}]", f"{B}/{{+id}}")


def test_a_regex_of_one_name_is_a_resource() -> None:
    [line] = _taken(regex=r"^/obo/hp/x$")

    assert (line["identifier"], line.get("record")) == (f"{AT}/hp/x", None)


def test_a_prefix_may_lead_to_names_of_the_same_host() -> None:
    rule, itself = _taken(prefix="/", replacement=f"{AT}/go/")

    assert rule["location"] == f"{AT}/go/{{+rest}}"
    assert itself["stands_for"] == f"{AT}/go/"


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"regex": r"^/obo/hp/(?=ab)(.*)$"}, "cannot look ahead"),
        ({"regex": r"/obo/hp/(\d+)$"}, "does not start with ^/"),
        ({"regex": r"^/obo/go/(\d+)$"}, "only tried for paths under /obo/hp/"),
        (
            {"regex": r"^/obo/hp/(\d+)$", "replacement": f"{B}/$2"},
            "a piece that the expression does not have",
        ),
        ({"exact": "wiki"}, "must start with a slash"),
        ({"exact": "/a b"}, "must be percent-encoded"),
        ({"exact": "/wiki", "replacement": "ftp://b.example/"}, "not a URL that starts with http://"),
        ({"exact": "/wiki", "prefix": "/wiki"}, "one of `exact`, `prefix` and `regex`"),
        (
            {"exact": "/wiki", "status": "gone"},
            "`status` is gone, which is not one of permanent, temporary, see other",
        ),
        ({"exact": "/wiki", "replacement": "''"}, "and a `replacement`"),
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


def test_an_earlier_regex_keeps_the_names_that_a_later_one_matches_too() -> None:
    first, then = _import(
        f"{HEAD}entries:\n"
        f"- regex: ^/obo/hp/rel/(.*)/hp\\.owl$\n  replacement: {B}/$1/full\n"
        f"- regex: ^/obo/hp/rel/(.*)/hp-(.*)\\.owl$\n  replacement: {B}/$1/$2\n"
    )

    assert _patterns(first) == {"hp/rel/{+rest}/hp.owl": f"{B}/{{+rest}}/full"}
    assert _patterns(then) == {
        "hp/rel/{+id}/hp-[{+rest}].owl": f"{B}/{{+id}}/{{+rest}}",
        "hp/rel/{+rest}/hp-/hp.owl": f"{B}/{{+rest}}/hp-/full",
        "hp/rel/{+id}/hp-{+rest}/hp.owl": f"{B}/{{+id}}/hp-{{+rest}}/full",
    }


def test_a_regex_whose_names_an_earlier_prefix_shares_in_part_is_refused() -> None:
    _, then = _import(
        f"{HEAD}entries:\n"
        f"- prefix: /rel/v\n  replacement: {B}/\n"
        f"- regex: ^/obo/hp/rel/([a-z]+)/hp.owl$\n  replacement: {B}/$1\n"
    )

    assert isinstance(then, str)
    assert "Here the more literal one of the two would win" in then


def test_entries_behind_a_refused_regex_that_could_match_them_are_refused() -> None:
    told = _import(
        f"{HEAD}entries:\n"
        f"- regex: ^/obo/hp/v(?=12)(.*)/x$\n  replacement: {B}/\n"
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


def test_the_tests_of_an_entry_belong_to_its_rule() -> None:
    tests = f"  tests:\n  - from: /dev/a\n    to: {B}/a\n  - from: /dev/b\n"

    [lines] = _import(f"{HEAD}entries:\n{_DEV}{tests}")

    assert isinstance(lines, list)
    assert lines[0]["tests"] == [{"path": "hp/dev/a", "status": 302, "target": f"{B}/a"}]


def test_a_tested_name_with_two_slashes_has_its_own_location() -> None:
    [lines] = _import(f"{HEAD}entries:\n{_DEV}  tests:\n  - from: /dev/a//\n    to: {B}/a/\n")

    assert lines[2:] == [
        {
            "identifier": f"{AT}/hp/dev/a//",
            "title": "HP: /dev/",
            "location": f"{B}/a/",
            "status_code": 302,
            "kind": "document",
        }
    ]


def test_example_terms_are_tests_of_the_rule_for_terms() -> None:
    [lines] = _import(f"{HEAD}term_browser: ontobee\nexample_terms:\n- HP_17\n- GO_1\n")

    target = f"http://www.ontobee.org/browser/rdf.php?o=HP&iri={AT}/HP_17"
    assert isinstance(lines, list)
    assert lines[0]["tests"] == [{"path": "HP_17", "status": 303, "target": target}]


def test_the_tests_of_a_file_belong_to_the_prefix_that_answers() -> None:
    shared = (
        f"idspace: OBO\nbase_url: /obo\ntests:\n- from: /HP/dev/a\n  to: {B}/a\n- from: /x\n  to: {B}/x\n"
    )

    lines = _import(f"{HEAD}entries:\n{_DEV}- prefix: /\n  replacement: {B}/\n", obo=shared)

    assert [line[0].get("tests", []) for line in lines if isinstance(line, list)] == [
        [{"path": "HP/dev/a", "status": 302, "target": f"{B}/a"}],
        [],
    ]


def test_the_obstacle_of_an_entry_is_named_with_an_edit() -> None:
    contents = {"hp.yml": f"{HEAD}entries:\n{_DEV}- exact: /dev/a\n  replacement: {B}/\n".encode()}

    [obstacle] = share_of(contents, import_obo(contents)).obstacles

    assert (obstacle.obstacle.place.name, obstacle.entries) == ("prefix /dev/", 1)
    assert str(obstacle.obstacle.edit) == "Move the entries behind it before it, or delete them."


@pytest.mark.parametrize(
    "text", ["base_url: /obo/hp\n", "idspace: HP\n", "- x\n", "idspace: [1]\nbase_url: /obo\n"]
)
def test_a_file_without_idspace_and_base_is_no_configuration(text: str) -> None:
    with pytest.raises(UnreadableFile, match="is not a configuration of OBO"):
        list(import_obo({"hp.yml": text.encode()}))
