"""Registers of registry-core as registrations, or the reasons for refusing their entities."""

from __future__ import annotations

from typing import Any

import pytest

from ginuri.identifiers.errors import UnreadableFile
from ginuri.migration.entries import ConvertedEntry, Outcome
from ginuri.migration.ukgovld.conversion import import_ukgovld

PREFIXES = """
@prefix reg: <http://purl.org/linked-data/registry#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
"""
R = "http://reg.example.org/def/colours"
B = "https://b.example"
ITEM = f"""<{R}/_red> a reg:RegisterItem ; rdfs:label "Red" ; reg:register <{R}> ; reg:status reg:{{status}} ;
  reg:notation "red" ; dct:dateAccepted "2015-01-02" ; reg:definition [ reg:entity <{{entity}}> ] ."""


def _outcomes(turtle: str, base: str = "") -> list[Outcome]:
    return list(import_ukgovld({"a.ttl": f"{PREFIXES}{turtle}".encode()}, base))


def _import(turtle: str, base: str = "") -> list[list[dict[str, Any]] | str]:
    return [
        [dict(line) for line in each.registrations] if isinstance(each, ConvertedEntry) else str(each.reason)
        for each in _outcomes(turtle, base)
    ]


def _taken(turtle: str, base: str = "") -> list[dict[str, Any]]:
    [lines] = _import(turtle, base)
    assert isinstance(lines, list)
    return lines


def _listed(entity: str = f"{R}/red", status: str = "statusStable") -> str:
    return ITEM.format(entity=entity, status=status)


def _forward(kind: str = "NamespaceForward", target: str = f"{B}/doc/", code: str = "") -> str:
    stated = f"; reg:forwardingCode {code}" if code else ""
    return (
        f'<{R}/red> a reg:{kind} ; rdfs:label "Red" ; reg:delegationTarget <{target}> {stated} .{_listed()}'
    )


def test_an_entity_is_part_of_its_register_and_its_item_an_alias() -> None:
    entity, item = _taken(f'{_listed()} <{R}/red> a skos:Concept ; skos:prefLabel "Rot"@de .')

    triples = entity.pop("triples")
    assert entity == {
        "identifier": f"{R}/red",
        "title": {"de": "Rot"},
        "kind": "thing",
        "properties": {"dateAccepted": "2015-01-02", "notation": "red"},
        "part_of": R,
    }
    assert triples.count("\n") == 1
    assert item == {
        "record": "alias",
        "identifier": f"{R}/_red",
        "stands_for": f"{R}/red",
        "status_code": 302,
    }


def test_an_item_alone_gives_the_title_of_its_entity() -> None:
    entity, _ = _taken(_listed())

    assert (entity["identifier"], entity["title"]) == (f"{R}/red", "Red")


@pytest.mark.parametrize(
    ("stated", "status"),
    [
        ("statusSubmitted", "reserved"),
        ("statusReserved", "reserved"),
        ("statusExperimental", None),
        ("statusValid", None),
        ("statusDeprecated", "superseded"),
        ("statusRetired", "retired"),
        ("statusInvalid", "retired"),
    ],
)
def test_a_status_of_an_item_is_that_of_its_entity(stated: str, status: str | None) -> None:
    entity, _ = _taken(_listed(status=stated))

    assert entity.get("status") == status


def test_an_unknown_status_is_valid_with_a_remark() -> None:
    [outcome] = _outcomes(_listed(status="statusOurs"))

    assert isinstance(outcome, ConvertedEntry)
    assert [str(each) for each in outcome.remarks] == ["The status statusOurs is imported as valid."]


@pytest.mark.parametrize(
    "link", ["<{R}/_red> reg:successor <{R}/_rot> .", "<{R}/_rot> reg:predecessor <{R}/_red> ."]
)
def test_the_successor_of_an_item_is_an_entity(link: str) -> None:
    other = _listed(f"{R}/rot").replace("/_red", "/_rot")

    first, _ = _import(f"{_listed(status='statusSuperseded')} {other} {link.format(R=R)}")

    assert isinstance(first, list)
    assert (first[0]["status"], first[0]["successor"]) == ("superseded", f"{R}/rot")


def test_an_entity_elsewhere_is_a_document_named_after_its_item() -> None:
    [line] = _taken(_listed(f"{B}/black"))

    assert {name: line[name] for name in ("identifier", "kind", "location", "status_code", "part_of")} == {
        "identifier": f"{R}/_red",
        "kind": "document",
        "location": f"{B}/black",
        "status_code": 302,
        "part_of": R,
    }


@pytest.mark.parametrize(("code", "status"), [("", 307), ("303", 303), ('"301"', 301), ("200", 307)])
def test_a_forwarded_namespace_is_a_rule_and_a_document(code: str, status: int) -> None:
    rule, itself = _taken(_forward(code=code))

    assert rule == {
        "record": "rule",
        "identifier": f"{R}/red/",
        "location": f"{B}/doc/{{+rest}}",
        "title": "Red",
        "kind": "document",
        "status_code": status,
    }
    assert (itself["identifier"], itself["location"], itself["status_code"]) == (
        f"{R}/red",
        f"{B}/doc/",
        status,
    )


def test_a_proxied_namespace_has_a_remark() -> None:
    [outcome] = _outcomes(_forward(code="200"))

    assert isinstance(outcome, ConvertedEntry)
    assert "Here a request is redirected" in str(outcome.remarks[0])


@pytest.mark.parametrize(
    ("target", "record"), [("https://b.example/def/colours/red", "delegation"), (f"{B}/doc", "rule")]
)
def test_a_federated_register_of_the_same_path_is_a_delegation(target: str, record: str) -> None:
    line, *_ = _taken(_forward("FederatedRegister", target))

    assert line["record"] == record
    assert line.get("answered_by") == ("b.example" if record == "delegation" else None)


@pytest.mark.parametrize(
    ("turtle", "why"),
    [
        (_forward("DelegatedRegister"), "SPARQL endpoint"),
        (_forward(code="404"), "404 is not the status code of a redirect."),
        (_forward(target="ftp://b.example/"), "is not a URL that starts with"),
        (f'<{B}/black> a skos:Concept ; rdfs:label "Black" .', "belongs to no register of this file"),
        (_listed(f"{R}/a%zz"), "is not an identifier"),
        (_listed("urn:x:y"), "is not a URL that starts with"),
    ],
)
def test_an_entity_without_equivalent_is_refused(turtle: str, why: str) -> None:
    [told] = _import(turtle)

    assert isinstance(told, str)
    assert why in told


def test_relative_names_belong_to_the_given_register() -> None:
    turtle = '<> a reg:Register ; rdfs:label "Colours" . <red> a skos:Concept ; rdfs:label "Red" .'

    register, entity = _import(turtle, f"{R}/")

    assert isinstance(register, list)
    assert isinstance(entity, list)
    assert (register[0]["identifier"], entity[0]["identifier"]) == (f"{R}/", f"{R}/red")
    with pytest.raises(UnreadableFile, match="with --base"):
        _outcomes(turtle)


def test_the_root_register_is_the_host() -> None:
    root = "http://reg.example.org/"
    turtle = f"""<{root}> a reg:Register . <{root}_> a reg:RegisterItem ; rdfs:label "Root" ;
      reg:register <{root}> ; reg:definition [ reg:entity <{root}> ] ."""

    assert _taken(turtle) == [{"record": "host", "identifier": root, "title": "Root"}]


def test_a_reserved_entity_has_no_successor() -> None:
    newer = _listed().replace("_red", "_new").replace("colours/red", "colours/new")
    turtle = f"{_listed(status='statusSubmitted')} {newer} <{R}/_new> reg:predecessor <{R}/_red> ."

    lines, _ = _import(turtle)

    assert isinstance(lines, list)
    assert (lines[0]["status"], "successor" in lines[0]) == ("reserved", False)


def test_versions_are_no_entities_and_each_has_its_line() -> None:
    outcomes = _outcomes(f'{_listed()}\n<{R}/_red:1> a reg:RegisterItem .\n<{R}/red:1> rdfs:label "Red" .')

    assert [(each.place.line, each.place.name) for each in outcomes] == [(6, f"entity {R}/red")]


def test_a_file_that_is_no_rdf_is_unreadable() -> None:
    with pytest.raises(UnreadableFile, match=r"a\.txt is not an RDF file"):
        list(import_ukgovld({"a.txt": b""}))
