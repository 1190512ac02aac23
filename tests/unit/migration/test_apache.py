"""Directives of Apache httpd as registrations, or the reasons for refusing them."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.migration.apache.importer import Scope, import_apache
from ginuri.migration.entries import ConvertedEntry, Outcome, RefusedEntry

HOST, B = "w3id.example", "https://b.example"
BASE = f"http://{HOST}/ns/"
ON = "RewriteEngine on\n"
TURTLE = "RewriteCond %{HTTP_ACCEPT} text/turtle\n"
HTML = "RewriteCond %{HTTP_ACCEPT} text/html\n"


def _import(text: str, file: str = "ns/.htaccess", **others: str) -> list[Outcome]:
    files = {file: ON + text, **{f"{name}/.htaccess": ON + other for name, other in others.items()}}
    return list(import_apache({name: content.encode() for name, content in files.items()}, HOST))


def _lines(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in line.items() if name != "tests"}
        for outcome in outcomes
        if isinstance(outcome, ConvertedEntry)
        for line in outcome.registrations
    ]


def _taken(text: str, **others: str) -> list[dict[str, Any]]:
    outcomes = _import(text, **others)
    assert not _reasons(outcomes)
    return _lines(outcomes)


def _reasons(outcomes: list[Outcome]) -> list[str]:
    return [str(outcome.reason) for outcome in outcomes if isinstance(outcome, RefusedEntry)]


def _remarks(outcomes: list[Outcome]) -> list[str]:
    return [
        str(words) for outcome in outcomes if isinstance(outcome, ConvertedEntry) for words in outcome.remarks
    ]


def test_a_literal_rule_is_a_resource() -> None:
    assert _taken(f"RewriteRule ^a$ {B}/a [R=302,L]") == [
        {"identifier": f"{BASE}a", "kind": "document", "location": f"{B}/a", "status_code": 302},
    ]


def test_a_rule_with_303_is_a_thing() -> None:
    assert _taken(f"RewriteRule ^a$ {B}/a [R=303,L]") == [
        {"identifier": f"{BASE}a", "kind": "thing", "location": f"{B}/a"}
    ]


def test_an_expression_is_a_rule_that_passes_on_the_query() -> None:
    assert _taken(f"RewriteRule ^item/([0-9]+)$ {B}/?id=$1 [R=302,L,QSA]") == [
        {
            "record": "rule",
            "identifier": BASE,
            "pattern": "item/{id:digits}",
            "kind": "document",
            "location": f"{B}/?id={{+id}}",
            "status_code": 302,
            "pass_query": True,
        },
    ]


def test_a_target_with_a_query_replaces_that_of_the_request() -> None:
    [line] = _taken(f"RewriteRule ^item/([0-9]+)$ {B}/?id=$1 [R=302,L]")

    assert "pass_query" not in line


def test_a_namespace_has_its_name_with_and_without_a_slash() -> None:
    form = {"identifier": BASE, "status_code": 301}

    assert _taken(f"RewriteRule ^$ {B}/ [R=302,L]") == [
        {"identifier": BASE, "kind": "document", "location": f"{B}/", "status_code": 302},
        {"identifier": BASE[:-1], "kind": "document", "representations": [form]},
    ]


def test_a_condition_on_accept_is_a_form() -> None:
    rules = f"{TURTLE}RewriteRule ^a$ {B}/a.ttl [R=303,L]\nRewriteRule ^a$ {B}/a [R=303,L]\n"

    [line] = _taken(rules)

    assert line["representations"] == [
        {"media_type": "text/turtle", "location": f"{B}/a.ttl"},
        {"location": f"{B}/a", "role": "default"},
    ]


def test_an_earlier_condition_is_a_form_of_a_later_literal_name() -> None:
    rules = f"{TURTLE}RewriteRule ^(.*)$ {B}/$1.ttl [R=303,L]\nRewriteRule ^a$ {B}/a [R=303,L]\n"

    line = next(line for line in _taken(rules) if line["identifier"] == f"{BASE}a")

    assert line["representations"][0] == {"media_type": "text/turtle", "location": f"{B}/a.ttl"}


def test_a_406_for_other_types_leaves_no_form_for_them() -> None:
    rules = (
        f"{HTML}RewriteRule ^a$ {B}/a.html [R=303,L]\n"
        f"RewriteCond %{{HTTP_ACCEPT}} .+\nRewriteRule ^a$ {B}/406.html [R=406,L]\n"
        f"RewriteRule ^a$ {B}/a.owl [R=303,L]\n"
    )

    [line] = _taken(rules)

    assert line["representations"] == [
        {"media_type": "text/html", "location": f"{B}/a.html"},
        {"media_type": "application/rdf+xml", "location": f"{B}/a.owl", "role": "default"},
    ]


def test_a_variable_of_the_request_is_replaced_by_its_value() -> None:
    rules = (
        "SetEnvIf Request_URI ^.*$ BASE=https://env.example\n"
        "SetEnvIf Accept text/turtle SYNTAX=ttl\n"
        "RewriteCond %{ENV:SYNTAX} ttl\n"
        "RewriteRule ^a$ %{ENV:BASE}/a.%{ENV:SYNTAX} [R=303,L]"
    )

    [line] = _taken(rules)

    assert line == {
        "identifier": f"{BASE}a",
        "kind": "thing",
        "media_type": "text/turtle",
        "location": "https://env.example/a.ttl",
    }


def test_an_internal_rewrite_has_the_answer_of_its_target() -> None:
    lines = _taken(f"RewriteRule ^a$ b [L]\nRewriteRule ^b$ {B}/b [R=302,L]")

    assert {line["identifier"]: line["location"] for line in lines} == {
        f"{BASE}a": f"{B}/b",
        f"{BASE}b": f"{B}/b",
    }


def test_a_relative_target_is_an_address_of_the_host() -> None:
    [line] = _taken("RewriteRule ^a$ b [R=302,L]")

    assert line["location"] == f"https://{HOST}/ns/b"


def test_an_alternative_with_several_answers_is_several_rules() -> None:
    lines = _taken(f"RewriteRule ^x($|/.*)$ {B}/x$1 [R=302,L]")

    assert [(line["identifier"], line.get("pattern"), line["location"]) for line in lines] == [
        (f"{BASE}x", None, f"{B}/x"),
        (BASE, "x/[{+rest}]", f"{B}/x/{{+rest}}"),
    ]


def test_common_names_of_two_rules_follow_the_earlier_one() -> None:
    rules = f"RewriteRule ^(.*)\\.ttl$ {B}/ttl/$1 [R=302,L]\nRewriteRule ^document/(.*)$ {B}/doc/$1 [R=302,L]"

    lines = {line.get("pattern", line["identifier"]): line["location"] for line in _taken(rules)}

    assert lines == {
        f"{BASE}document/.ttl": f"{B}/ttl/document/",
        "[{+rest}].ttl": f"{B}/ttl/{{+rest}}",
        "document/[{+rest}]": f"{B}/doc/{{+rest}}",
        "document/{+rest}.ttl": f"{B}/ttl/document/{{+rest}}",
    }


def test_a_tie_of_two_patterns_is_broken_by_their_options() -> None:
    rules = f"RewriteRule ^(.*)\\.ttl$ {B}/ttl/$1 [R=302,L]\nRewriteRule ^doc/(.*)$ {B}/doc/$1 [R=302,L]"

    lines = {line.get("pattern", line["identifier"]): line["location"] for line in _taken(rules)}

    assert lines == {
        f"{BASE}.ttl": f"{B}/ttl/",
        "{+id}.ttl": f"{B}/ttl/{{+id}}",
        "doc/[{+rest}]": f"{B}/doc/{{+rest}}",
    }


def test_names_of_a_folder_below_are_not_those_of_the_folder_above() -> None:
    lines = _taken(
        f"RewriteRule ^(.*)$ {B}/$1 [R=302,L]", **{"ns/sub": f"RewriteRule ^a$ {B}/sub/a [R=302,L]"}
    )

    rules = {line["identifier"]: line for line in lines if line.get("record") == "rule"}
    assert rules[f"{BASE}sub/"]["status_code"] == 404
    assert rules[BASE]["location"] == f"{B}/{{+rest}}"


def test_redirects_of_mod_alias_are_rules() -> None:
    lines = _taken(f"Redirect 301 /ns/a {B}/a\nRedirectMatch ^/ns/m/([^/]+)$ {B}/m#$1\nRedirect gone /ns/g\n")

    assert [(line["identifier"], line.get("pattern"), line["status_code"]) for line in lines] == [
        (f"{BASE}a", None, 301),
        (BASE, "a/[{+rest}]", 301),
        (BASE, "m/{id}", 302),
        (BASE, "g", 410),
        (BASE, "g/[{+rest}]", 410),
    ]


def test_a_rule_with_the_flag_nc_ignores_case() -> None:
    [line] = _taken(f"RewriteRule ^Case$ {B}/case [NC,R=302,L]")

    assert (line["pattern"], line["ignore_case"]) == ("Case", True)


def test_a_rule_that_no_request_reaches_is_remarked() -> None:
    outcomes = _import(f"RewriteRule ^(.*)$ {B}/all [R=302,L]\nRewriteRule ^a$ {B}/a [R=302,L]")

    assert "No request reaches it" in _remarks(outcomes)[0]
    assert [line["identifier"] for line in _lines(outcomes)] == [BASE, BASE, BASE[:-1]]


def test_an_expression_without_a_beginning_is_anchored_with_a_remark() -> None:
    outcomes = _import(f"RewriteRule a$ {B}/a [R=302,L]")

    assert [line["identifier"] for line in _lines(outcomes)] == [f"{BASE}a"]
    assert "has no ^" in _remarks(outcomes)[0]


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        (f"RewriteCond %{{QUERY_STRING}} x\nRewriteRule ^a$ {B}/a [R=302,L]", "depends on %{QUERY_STRING}"),
        (f"RewriteCond %{{REMOTE_ADDR}} ^10\nRewriteRule ^a$ {B}/a [R=302,L]", "depends on %{REMOTE_ADDR}"),
        (f"RewriteCond %{{HTTP_USER_AGENT}} Mozilla\nRewriteRule ^a$ {B}/a [R=302,L]", "`User-Agent` only"),
        (f"RewriteRule ^a/(.*)$ {B}/${{lower:$1}} [R=302,L]", "${lower:$1}"),
        (f"RewriteRule ^a$ {B}/a [P]", "another server"),
        ("RewriteRule ^([a-z]+)$ https://$1.b.example/ [R=302,L]", "is not a URL"),
        ("RewriteRule ^a$ ftp://b.example/a [R=302,L]", "is not a URL"),
        (f"RewriteRule !^a {B}/a [R=302,L]", "nothing like !"),
        (f"RewriteRule ^a(?!bc) {B}/a [R=302,L]", "look ahead"),
    ],
)
def test_a_rule_without_an_equivalent_is_refused(rules: str, reason: str) -> None:
    assert reason in " ".join(_reasons(_import(rules)))


def test_a_rule_that_is_imported_for_some_names_only_is_remarked() -> None:
    outcomes = _import("RewriteRule ^a(.*)$ https://b.example$1 [R=302,L]")

    names = {line["identifier"] + line.get("pattern", "") for line in _lines(outcomes)}
    assert names == {f"{BASE}a", f"{BASE}a/", f"{BASE}a/{{+rest}}"}
    assert "Some of its names are not imported. a{id}: " in _remarks(outcomes)[0]


def test_a_rule_for_all_names_leaves_those_with_another_first_character() -> None:
    lines = _taken(
        f"RewriteRule ^([0-9][^/]*)$ {B}/version/$1 [R=302,L]\nRewriteRule ^([^/]+)$ {B}/term/$1 [R=302,L]"
    )

    assert {line["pattern"]: line["location"] for line in lines if "pattern" in line} == {
        "{part1:digits(1)}[{part2}]": f"{B}/version/{{+part1}}{{+part2}}",
        "{id:[^0-9](1)}": f"{B}/term/{{+id}}",
        "{part1:[^0-9](1)}{part2}": f"{B}/term/{{+part1}}{{+part2}}",
    }


def test_a_line_that_apache_refuses_refuses_its_whole_folder() -> None:
    outcomes = _import(f"RewriteRule ^a$ {B}/a [R=302 L\nRewriteRule ^b$ {B}/b [R=302,L]")

    assert not _lines(outcomes)
    assert "answers 500 for the whole directory" in _reasons(outcomes)[0]


def test_a_conflict_of_order_names_the_other_rule_and_the_edit() -> None:
    rules = f"RewriteRule ^([a-z]+)/b$ {B}/$1 [R=302,L]\nRewriteRule ^a/([a-z]+)$ {B}/a/$1 [R=302,L]"

    [refused] = [outcome for outcome in _import(rules) if isinstance(outcome, RefusedEntry)]

    assert "matches /ns/a/b as well" in str(refused.reason)
    assert refused.obstacle is not None
    assert {refused.place.line, refused.obstacle.place.line} == {2, 3}


def test_a_server_has_whole_paths_in_its_expressions() -> None:
    text = f"{ON}RewriteRule ^/def/x($|/.*)$ {B}/x$1 [R=302,L]\n"

    lines = _lines(list(import_apache({"site.conf": text.encode()}, HOST, Scope.SERVER)))

    assert [(line["identifier"], line.get("pattern")) for line in lines] == [
        (f"http://{HOST}/def/x", None),
        (f"http://{HOST}/def/", "x/[{+rest}]"),
    ]


def test_included_files_of_a_server_are_read_where_they_are_included() -> None:
    files = {
        "site.conf": f"{ON}Include /etc/apache2/org/*.conf\nRewriteRule ^/(.*)$ {B}/last [R=302,L]\n",
        "org/a.conf": f"RewriteRule ^/a$ {B}/a [R=302,L]\n",
    }

    outcomes = list(import_apache({name: text.encode() for name, text in files.items()}, HOST, Scope.SERVER))

    assert [outcome.place.file for outcome in outcomes] == ["org/a.conf", "site.conf"]


def test_a_host_in_other_letters_is_written_in_ascii() -> None:
    [line] = _taken("RewriteRule ^basic$ https://slovník.example/základní [R=302,L]")

    assert line["location"] == "https://xn--slovnk-7va.example/z%c3%a1kladn%c3%ad"


def test_registrations_have_tests_of_what_apache_answers() -> None:
    [line] = [
        line
        for outcome in _import(
            f"{TURTLE}RewriteRule ^a$ {B}/a.ttl [R=303,L]\nRewriteRule ^a$ {B}/a [R=303,L]"
        )
        if isinstance(outcome, ConvertedEntry)
        for line in outcome.registrations
    ]

    assert line["tests"] == [
        {"status": 303, "target": f"{B}/a"},
        {"headers": {"Accept": "text/turtle"}, "status": 303, "target": f"{B}/a.ttl"},
    ]
