"""Uploaded rules that connect things with documents; and parts that begin with a slash."""

from __future__ import annotations

from typing import Any

import pytest

from tests.steward import Report, Steward, line, settled

HOST = "http://id.example.org/"
KEY = "id.example.org/all.jsonl"


@pytest.fixture
def steward() -> Steward:
    made = settled()
    made.upload("_host/hosts.jsonl", line(HOST, record="host"))
    return made


def _state(steward: Steward, prefix: str = "id/", **fields: Any) -> Report:
    return steward.upload(KEY, line(f"{HOST}{prefix}", record="rule", **fields))


def test_a_pair_of_rules_is_registered_and_exported(steward: Steward) -> None:
    things = line(f"{HOST}id/", record="rule", document=f"{HOST}doc/{{+rest}}")
    documents = line(f"{HOST}doc/", record="rule", document_of=f"{HOST}id/{{+rest}}")

    report = steward.upload(KEY, things + documents)

    assert report.counts == {"registered": 2}
    assert [each.warned for each in report.verdicts] == [[], []]
    exported = "".join(steward.exported("id.example.org/"))
    assert f'"document": "{HOST}doc/{{+rest}}"' in exported
    assert f'"document_of": "{HOST}id/{{+rest}}"' in exported


def test_a_pair_of_rules_may_use_pieces_of_its_pattern(steward: Steward) -> None:
    report = _state(steward, pattern="{concept}/{id}", document=f"{HOST}doc/{{concept}}/{{id}}")

    assert report.refused == {}


@pytest.mark.parametrize("field", ["document", "document_of"])
@pytest.mark.parametrize(
    ("template", "rule"),
    [
        ("http://other.example/doc/{+rest}", "same root"),
        ("http://id.example.org/uri-gin/azgs/{+rest}", "same root"),
        ("http://id.example.org/doc/{county}", "template"),
        ("http://id.example.org/doc/{", "value_error"),
        ("doc/{+rest}", "value_error"),
    ],
)
def test_a_template_that_leads_nowhere_under_the_host_is_refused(
    steward: Steward, field: str, template: str, rule: str
) -> None:
    report = _state(steward, **{field: template})

    assert report.refused == {(1,): [(field, rule)]}


@pytest.mark.parametrize(
    "fields",
    [
        {"document": f"{HOST}doc/{{+rest}}", "document_of": f"{HOST}id/{{+rest}}"},
        {"document": f"{HOST}doc/{{+rest}}", "location": "https://example.org/{+rest}"},
    ],
)
def test_a_rule_with_both_halves_of_a_pair_is_refused(steward: Steward, fields: dict[str, str]) -> None:
    assert _state(steward, **fields).refused == {(1,): [("document", "rule")]}


def test_only_a_rule_has_a_document_pattern(steward: Steward) -> None:
    report = steward.upload(KEY, line(f"{HOST}id/1", document=f"{HOST}doc/1"))

    assert report.refused == {(1,): [("document", "resource")]}


@pytest.mark.parametrize(
    ("identifier", "part", "broken"),
    [
        (f"{HOST}doc/1", "/data.xml", []),
        (f"{HOST}doc/1", "/a/data.xml", [("part", "place")]),
        (f"{HOST}doc/1", "/data", [("part", "normal form")]),
        (f"{HOST}doc/1", "data.xml", [("part", "place")]),
        (f"{HOST}doc/1/", "data.xml", []),
        (f"{HOST}doc/1/", "/data.xml", [("part", "normal form")]),
        ("uri-gin/azgs/doc/1", "/data.xml", [("part", "normal form")]),
    ],
)
def test_only_names_bound_to_a_host_have_parts_with_slashes(
    steward: Steward, identifier: str, part: str, broken: list[tuple[str, str]]
) -> None:
    key = "uri-gin/azgs/all.jsonl" if identifier.startswith("uri-gin") else KEY
    form = {"part": part, "media_type": "application/xml", "location": "https://example.org/1.xml"}

    report = steward.upload(key, line(identifier, representations=[form]))

    assert report.refused.get((1,), []) == broken


TURTLE = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://id.example.org/def/a> rdfs:label "A" ; rdfs:isDefinedBy <http://id.example.org/def/> .
<http://id.example.org/def/b> skos:prefLabel "B" ; skos:broader <http://ID.example.org/def/a> .
<http://other.example/def/c> rdfs:label "C" .
"""


def test_the_rdf_subjects_under_the_host_are_registered(steward: Steward) -> None:
    report = steward.upload("id.example.org/def.ttl", TURTLE)

    assert report.counts.get("registered") == 2, report.whole
    assert steward.values("//id.example.org/def/a") is not None
    assert steward.values("//other.example/def/c") is None
    told = steward.values("//id.example.org/def/b") or {}
    assert told["links"] == {
        "http://www.w3.org/2004/02/skos/core#broader": [
            {"rel": "http://www.w3.org/2004/02/skos/core#broader", "href": f"{HOST}def/a"}
        ]
    }


def test_a_term_of_a_vocabulary_under_a_host_is_a_thing(steward: Steward) -> None:
    steward.upload("id.example.org/def.ttl", TURTLE)

    kinds = [(steward.values(f"//id.example.org/def/{name}") or {}).get("kind") for name in "ab"]

    assert kinds == ["thing", None]


def test_foreign_names_need_a_mapping_to_the_host_which_is_suggested(steward: Steward) -> None:
    mapping = f"http://other.example/def/{{+rest}}={HOST}def/{{+rest}}"

    tried = steward.upload("id.example.org/def.ttl", TURTLE)
    mapped = steward.upload("id.example.org/def.ttl", TURTLE, map=mapping)

    assert mapping in str(tried.whole)
    assert mapped.counts["registered"] == 1
    assert (steward.values("//id.example.org/def/c") or {})["title"] == {"": "C"}
