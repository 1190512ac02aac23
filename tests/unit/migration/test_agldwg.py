"""AGLDWG's persistent identifiers as registrations: their proxy, their register, their tests."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.agldwg.conversion import import_agldwg
from ginuri.migration.entries import ConvertedEntry, RefusedEntry

L, B = "https://linked.data.gov.au", "https://b.example"
NAME = "http://linked.data.gov.au/def/x"
RULES = f"""\
RewriteCond %{{QUERY_STRING}} ^_mediatype=text/turtle$ [OR]
RewriteCond %{{HTTP:Accept}} text/turtle [NC]
RewriteRule ^/def/x($|/.*)$ {B}/object?uri={L}/def/x$1&_mediatype=text/turtle [R=302,L]
RewriteRule ^/def/x($|/.*)$ {B}/object?uri={L}/def/x$1 [R=302,NE,L]"""
TEST = {"label": "A label", "from": f"{L}/def/x/a", "to": f"{B}/object?uri={L}/def/x/a", "headers": {}}


def _pid(name: str = "x", rules: str = RULES, status: str = "stable", **others: str) -> bytes:
    properties = {
        "url": f'"{L}/def/{name}"',
        "name": f'"The {name}"',
        "dateCreated": '"2020-01-02"',
        **others,
    }
    if rules:
        properties["location"] = f'"""{rules}"""'
    stated = " ;\n".join(f"    schema:{key} {value}" for key, value in properties.items())
    return f"""PREFIX schema: <https://schema.org/>
<{L}/pid/def-{name}>
    a <{L}/def/pid/PID> ;
    schema:status <{L}/def/reg-statuses/{status}> ;
{stated} .
""".encode()


def _lines(files: dict[str, bytes]) -> list[dict[str, Any]]:
    outcomes = list(import_agldwg(files))
    assert not [outcome for outcome in outcomes if isinstance(outcome, RefusedEntry)]
    return [
        dict(line) for each in outcomes if isinstance(each, ConvertedEntry) for line in each.registrations
    ]


def test_a_persistent_identifier_has_its_metadata_and_its_rules() -> None:
    host, name, *rules = _lines({"x.ttl": _pid(sponsor=f"<{L}/org/gsq>")})

    assert host == {
        "record": "host",
        "identifier": "http://linked.data.gov.au/",
        "query_arguments": {"_mediatype": "media_type", "_format": "media_type", "_profile": "profile"},
    }
    assert (name["identifier"], name["title"]) == (NAME, "The x")
    assert name["properties"] == {"created": "2020-01-02", "publisher": f"{L}/org/gsq"}
    assert name["representations"] == [
        {
            "media_type": "text/turtle",
            "location": f"{B}/object?uri={L}/def/x&_mediatype=text/turtle",
            "status_code": 302,
        },
        {"location": f"{B}/object?uri={L}/def/x", "status_code": 302, "role": "default"},
    ]
    assert [(rule["pattern"], rule["title"]) for rule in rules] == [("x/[{+rest}]", "The x")]


@pytest.mark.parametrize(
    ("status", "stated"),
    [
        ("stable", None),
        ("experimental", None),
        ("submitted", "reserved"),
        ("notAccepted", "reserved"),
        ("invalid", "retired"),
        ("deprecated", "superseded"),
    ],
)
def test_a_status_of_the_register_becomes_one_here(status: str, stated: str | None) -> None:
    [line] = _lines({"x.ttl": _pid(rules="", status=status)})

    assert line.get("status") == stated


def test_longer_names_of_the_register_come_first() -> None:
    short = f"RewriteRule ^/def/x(.*)$ {B}/x$1 [R=302,L]"
    long = f"RewriteRule ^/def/x-y$ {B}/long [R=302,L]"

    lines = _lines({"x.ttl": _pid(rules=short), "y.ttl": _pid("x-y", rules=long)})

    locations = {line["identifier"]: line.get("location") for line in lines if "pattern" not in line}
    assert locations[f"{NAME}-y"] == f"{B}/long"


def test_the_place_of_a_rule_is_its_line_in_the_file() -> None:
    places = [outcome.place for outcome in import_agldwg({"x.ttl": _pid()})]

    text = _pid().decode().splitlines()
    assert ["RewriteRule" in text[place.line - 1] for place in places] == [True, True]


def test_tests_belong_to_the_persistent_identifier_of_their_name() -> None:
    lines = _lines({"x.ttl": _pid(), "x.json": json.dumps([TEST]).encode()})

    assert next(line["tests"] for line in lines if line["identifier"] == NAME) == [
        {"path": "/a", "target": TEST["to"], "label": "A label"}
    ]


def test_tests_of_the_proxy_are_grouped_by_name() -> None:
    files = {
        "site.conf": f"RewriteEngine on\n{RULES}\n".encode(),
        "x.ttl": _pid(),
        "x.json": json.dumps({f"{L}/def/x": [TEST | {"headers": {"accept": "text/turtle"}}]}).encode(),
    }

    tests = next(line["tests"] for line in _lines(files) if line["identifier"] == NAME)

    assert tests[0]["headers"] == {"Accept": "text/turtle"}


def test_the_rules_of_the_proxy_precede_those_of_the_register() -> None:
    files = {
        "site.conf": f"RewriteEngine on\nRewriteRule ^/def/x$ {B}/proxy [R=302,L]\n".encode(),
        "x.ttl": _pid(),
    }

    [_, name] = _lines(files)

    assert (name["location"], name["title"]) == (f"{B}/proxy", "The x")


def test_an_identifier_of_another_host_keeps_it() -> None:
    text = _pid(rules="").replace(f'"{L}/def/x"'.encode(), b'"http://environment.data.gov.au/def/ba"')

    [line] = _lines({"ba.ttl": text})

    assert line["identifier"] == "http://environment.data.gov.au/def/ba"


def test_a_file_of_tests_that_is_no_json_is_refused() -> None:
    with pytest.raises(UnreadableFile, match=r"x\.json"):
        list(import_agldwg({"x.json": b"{"}))
