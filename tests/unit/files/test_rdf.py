"""The statements about a subject of RDF, as a registration."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.files.rdf.concepts import MOST_LINKS
from ginuri.files.rdf.graph_lines import MOST_REMARKS, read_graph_lines
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import from_data

_PREFIXES = """
@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dcterms: <http://purl.org/dc/terms/> .
@prefix dc: <http://purl.org/dc/elements/1.1/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <https://schema.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix e: <http://elsewhere.org/> . @prefix : <http://r.org/uri-gin/usgin/v/> .
"""
SKOS = "http://www.w3.org/2004/02/skos/core#"
LITHOLOGY = "http://elsewhere.org/rock"


def _lines(turtle: str, key: str = "uri-gin/usgin/v.ttl", columns: str = "") -> list[dict[str, Any]]:
    content = (_PREFIXES + turtle).encode()
    return [json.loads(line) for line in read_graph_lines(key, ".ttl", content, columns)]


def _registrations(turtle: str, **asked: str) -> dict[str, dict[str, Any]]:
    return {line["identifier"]: line for line in _lines(turtle, **asked) if "remark" not in line}


def _remarks(turtle: str, **asked: str) -> list[tuple[str, str, str]]:
    told = [line["remark"] for line in _lines(turtle, **asked) if "remark" in line]
    return [(rule, value, str(from_data(message))) for _, rule, value, message in told]


def _said(turtle: str) -> dict[str, Any]:
    told = _registrations(f":x {turtle} .")["uri-gin/usgin/v/x"]
    return {name: value for name, value in told.items() if name not in {"identifier", "triples"}}


@pytest.mark.parametrize(
    ("said", "registered"),
    [
        ('skos:prefLabel "rock"@en, "Gestein"@de', {"title": {"en": "rock", "de": "Gestein"}}),
        ('rdfs:label "b"@en, "d"@de ; skos:prefLabel "a"@en', {"title": {"en": "a", "de": "d"}}),
        ('dc:title "a"', {"title": {"": "a"}}),
        ('schema:name "a"', {"title": {"": "a"}}),
        ('foaf:name "a"', {"title": {"": "a"}}),
        ('skos:prefLabel "b"@en, "a"@en', {"title": {"en": "a"}}),
        ('skos:prefLabel " "@en', {}),
        (
            'skos:scopeNote "s"@en, "n"@de ; skos:definition "d"@en',
            {"description": {"en": "d", "de": "n"}},
        ),
        ('rdfs:comment "c"', {"description": {"": "c"}}),
        (
            'skos:altLabel "b"@en, "a"@en, "c"',
            {"properties": {"alternative": "c", "alternative@en": ["a", "b"]}},
        ),
        ('skos:hiddenLabel "h"@en', {"properties": {"hiddenLabel@en": "h"}}),
        ('skos:notation "01"^^e:code', {"properties": {"notation": "01"}}),
        ('dcterms:issued "2011"; dc:creator "N"', {"properties": {"issued": "2011", "creator": "N"}}),
        ("skos:inScheme :", {"part_of": "uri-gin/usgin/v/"}),
        ("skos:topConceptOf : ; skos:inScheme :", {"part_of": "uri-gin/usgin/v/"}),
        ("dcterms:isPartOf <http://any.host/uri-gin/azgs/x/>", {"part_of": "uri-gin/azgs/x/"}),
        (
            "skos:inScheme :, e:rock",
            {"part_of": "uri-gin/usgin/v/", "links": [{"rel": f"{SKOS}inScheme", "href": LITHOLOGY}]},
        ),
        ("skos:inScheme e:rock", {"links": [{"rel": f"{SKOS}inScheme", "href": LITHOLOGY}]}),
        ("skos:broader :y", {"links": [{"rel": f"{SKOS}broader", "href": "uri-gin/usgin/v/y"}]}),
        ("skos:closeMatch e:rock", {"links": [{"rel": f"{SKOS}closeMatch", "href": LITHOLOGY}]}),
        ("skos:related <urn:cgi:rock>", {"links": [{"rel": f"{SKOS}related", "href": "urn:cgi:rock"}]}),
        (
            "skos:related <http://elsewhere.org/grès>",
            {"links": [{"rel": f"{SKOS}related", "href": "http://elsewhere.org/gr%C3%A8s"}]},
        ),
        ("skos:related <javascript:alert(1)>", {}),
        ("dcterms:license e:by", {"links": [{"rel": "license", "href": "http://elsewhere.org/by"}]}),
        ("a skos:Concept", {}),
        ("owl:deprecated true", {"status": "retired"}),
        ("owl:deprecated false", {"status": "valid"}),
        (
            "owl:deprecated true ; dcterms:isReplacedBy :y",
            {"status": "superseded", "successor": "uri-gin/usgin/v/y"},
        ),
        (
            "owl:deprecated true ; dcterms:isReplacedBy e:rock",
            {
                "status": "retired",
                "links": [{"rel": "http://purl.org/dc/terms/isReplacedBy", "href": LITHOLOGY}],
            },
        ),
        (
            'dcat:distribution [dcat:downloadURL e:a; dcat:mediaType "text/csv"; dcterms:language "de"], []',
            {
                "representations": [
                    {"media_type": "text/csv", "language": "de", "location": "http://elsewhere.org/a"},
                ]
            },
        ),
        (
            "dcat:distribution [ dcat:accessURL e:page ]",
            {"representations": [{"location": "http://elsewhere.org/page"}]},
        ),
        (
            "dcat:downloadURL e:a ; dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv>",
            {
                "representations": [{"media_type": "text/csv", "location": "http://elsewhere.org/a"}],
            },
        ),
        (
            "dcat:distribution [ dcat:downloadURL e:a ], [ dcat:downloadURL e:a ]",
            {"representations": [{"location": "http://elsewhere.org/a"}]},
        ),
    ],
    ids=lambda value: str(value)[:50],
)
def test_rdf_statements_become_fields_of_a_registration(said: str, registered: dict[str, Any]) -> None:
    assert _said(said) == registered


def test_a_top_concept_is_part_of_its_scheme_without_a_link() -> None:
    told = _registrations(": skos:hasTopConcept :x, e:rock . :x skos:notation 1 .")

    assert told["uri-gin/usgin/v/x"]["part_of"] == "uri-gin/usgin/v/"
    assert [each["href"] for each in told["uri-gin/usgin/v/"]["links"]] == [LITHOLOGY]


VOCABULARIES = ["skos:ConceptScheme", "owl:Ontology"]
DATASETS = ["dcat:Dataset", "<http://rdfs.org/ns/void#Dataset>"]


@pytest.mark.parametrize("class_name", [*VOCABULARIES, *DATASETS])
@pytest.mark.parametrize(
    ("key", "form"),
    [
        ("v.ttl", {"part": "v.ttl", "media_type": "text/turtle", "file": "v.ttl"}),
        ("a v.ttl.gz", {"part": "a%20v.ttl.gz", "media_type": "application/gzip", "file": "a v.ttl.gz"}),
    ],
)
def test_the_file_is_a_form_of_its_scheme(class_name: str, key: str, form: dict[str, str]) -> None:
    [told] = _registrations(f": a {class_name} .", key=f"uri-gin/usgin/{key}").values()

    assert (told["representations"], told.get("kind")) == ([form], None)


@pytest.mark.parametrize("class_name", VOCABULARIES)
@pytest.mark.parametrize(
    ("key", "subject", "form"),
    [
        ("uri-gin/usgin/a v.TTL", ":x", {"part": ".ttl", "media_type": "text/turtle", "file": "a v.TTL"}),
        (
            "uri-gin/usgin/v.ttl.gz",
            ":x",
            {"part": ".ttl.gz", "media_type": "application/gzip", "file": "v.ttl.gz"},
        ),
        ("uri-gin/usgin/v.ttl", ":2016.01", {"part": ".ttl", "media_type": "text/turtle", "file": "v.ttl"}),
        ("h.org/v.ttl", "<http://h.org/x>", {"part": ".ttl", "media_type": "text/turtle", "file": "v.ttl"}),
    ],
)
def test_a_vocabulary_without_a_final_slash_is_a_thing_with_file(
    class_name: str, key: str, subject: str, form: dict[str, str]
) -> None:
    [told] = _registrations(f"{subject} a {class_name} .", key=key).values()

    assert (told["kind"], told["representations"]) == ("thing", [form])


@pytest.mark.parametrize(
    "turtle",
    [
        *(f":x a {name}, foaf:Document ." for name in VOCABULARIES),
        *(f":x.owl a {name} ." for name in VOCABULARIES),
        *(f":x a {name} ." for name in DATASETS),
    ],
)
def test_a_vocabulary_that_is_a_document_file_or_dataset_states_no_kind(
    turtle: str,
) -> None:
    [told] = _registrations(turtle).values()

    assert told["representations"] == [{"media_type": "text/turtle", "file": "v.ttl"}]
    assert "kind" not in told


@pytest.mark.parametrize(
    "turtle",
    [
        ":x owl:versionIRI :x1 . :x1 a owl:Ontology .",
        ":x owl:versionIRI :x . :x1 a owl:Ontology ; dcterms:isVersionOf :x .",
        ":x dcterms:hasVersion :x1 ; owl:priorVersion :x0 . :x0 a owl:Ontology . :x1 a owl:Ontology .",
        ":x owl:versionIRI :x1 .",
    ],
)
def test_the_file_of_several_versions_is_a_form_of_the_vocabulary(turtle: str) -> None:
    told = _registrations(f":x a owl:Ontology . {turtle}")

    assert [name for name in told if "representations" in told[name]] == ["uri-gin/usgin/v/x"]
    assert {line["kind"] for line in told.values()} == {"thing"}


@pytest.mark.parametrize("turtle", [": a skos:Concept .", ": a owl:Ontology . :x a dcat:Dataset ."])
def test_a_file_with_none_or_several_schemes_is_no_form(turtle: str) -> None:
    assert all("representations" not in told for told in _registrations(turtle).values())


def test_the_triples_of_a_subject_include_the_blank_nodes_they_reach() -> None:
    told = _registrations(':x e:p [ e:q "deep"@en ; e:r [ ] ] ; e:a "1"^^e:n . :y e:p "other" .')

    x = "<http://r.org/uri-gin/usgin/v/x>"
    assert told["uri-gin/usgin/v/x"]["triples"].split("\n") == [
        f'{x} <http://elsewhere.org/a> "1"^^<http://elsewhere.org/n> .',
        f"{x} <http://elsewhere.org/p> _:b0 .",
        '_:b0 <http://elsewhere.org/q> "deep"@en .',
        "_:b0 <http://elsewhere.org/r> _:b1 .",
    ]


def test_triples_have_one_order_for_any_order_of_the_file() -> None:
    one = _registrations(":x e:p [ e:q 1 ], [ e:q 2 ; e:r [ e:s 3 ] ] ; e:a 4 .")
    other = _registrations(":x e:a 4 ; e:p [ e:r [ e:s 3 ] ; e:q 2 ], [ e:q 1 ] .")

    assert one == other


def test_blank_nodes_in_a_cycle_are_written_once() -> None:
    told = _registrations(":x e:p _:a . _:a e:p _:b . _:b e:p _:a .")["uri-gin/usgin/v/x"]["triples"]

    assert [line.split(" ")[0] for line in told.split("\n")][1:] == ["_:b0", "_:b1"]


def test_oversized_triples_are_dropped_with_a_warning() -> None:
    turtle = f':x skos:prefLabel "x"@en ; e:p "{"long " * 7000}" .'

    assert "triples" not in _registrations(turtle)["uri-gin/usgin/v/x"]
    assert [rule for rule, _, _ in _remarks(turtle)] == ["size"]


@pytest.mark.untraced
def test_shared_blank_nodes_cannot_fill_the_memory() -> None:
    shared = " ".join(f'_:a e:p "{number}" .' for number in range(500))
    everybody = " ".join(f":x{number} e:p _:a ." for number in range(2000))

    with pytest.raises(UnreadableFile, match="same blank nodes"):
        _lines(f"{shared} {everybody}")


def test_links_over_the_limit_are_reported() -> None:
    turtle = "\n".join(f":x skos:related e:{number} ." for number in range(MOST_LINKS + 1))

    assert len(_registrations(turtle)["uri-gin/usgin/v/x"]["links"]) == MOST_LINKS
    assert [(rule, value) for rule, value, _ in _remarks(turtle)] == [
        ("size", "http://r.org/uri-gin/usgin/v/x"),
    ]


def test_unmapped_subjects_are_reported_once_with_a_suggested_mapping() -> None:
    turtle = (
        ':x skos:notation "x" . <http://x.org/v#A> skos:notation "a" . <http://x.org/v#B> skos:notation "b" .'
    )

    [(rule, value, message)] = _remarks(turtle)

    assert (rule, value) == ("map", "http://x.org/v#A")
    assert ": 2, such as http://x.org/v#A" in message
    assert "--map 'http://x.org/v#{+rest}=uri-gin/usgin/v/{+rest}'" in message
    assert "uri-gin/usgin/v/A" in message
    assert _remarks(turtle, columns="http://x.org/v#{+rest}=uri-gin/usgin/v/{+rest}") == []


def test_a_mapping_applies_to_links_too() -> None:
    turtle = "<http://x.org/v#A> skos:inScheme <http://x.org/v> ; skos:broader <http://x.org/v#B> ."

    told = _registrations(
        turtle,
        columns="http://x.org/v=uri-gin/usgin/w/ http://x.org/v#{+rest}=uri-gin/usgin/w/{+rest}",
    )["uri-gin/usgin/w/A"]

    assert told["part_of"] == "uri-gin/usgin/w/"
    assert [each["href"] for each in told["links"]] == ["uri-gin/usgin/w/B"]
    assert told["triples"].startswith("<http://x.org/v#A> ")


def test_subjects_under_another_folder_are_reported_once() -> None:
    turtle = ":x e:p 1 . <http://r.org/uri-gin/azgs/a> e:p 1 . <http://r.org/uri-gin/azgs/b> e:p 1 ."

    assert [(rule, value) for rule, value, _ in _remarks(turtle)] == [
        ("folder", "http://r.org/uri-gin/azgs/a"),
    ]


def test_a_subject_mapped_to_no_identifier_is_named() -> None:
    [(_, value, message)] = _remarks(
        "e:a%20b\\?q e:p 1 .", columns="http://elsewhere.org/{+rest}=uri-gin/usgin/{+rest}"
    )

    assert value == "http://elsewhere.org/a%20b?q"
    assert "uri-gin/usgin/a%20b?q" in message


@pytest.mark.parametrize(
    ("turtle", "rule", "told"),
    [
        ("e:rock e:p 1 .", "map", "--map 'http://elsewhere.org/"),
        ("<a> e:p 1 .", "map", "@base"),
        ("<http://r.org/uri-gin/azgs/a> e:p 1 .", "folder", "another folder"),
        ("[] e:p 1 .", "RDF", "has a name"),
        ("", "RDF", "has a name"),
    ],
)
def test_a_file_without_usable_subjects_is_refused_with_the_reason(turtle: str, rule: str, told: str) -> None:
    with pytest.raises(UnreadableFile, match=told) as caught:
        _lines(turtle)

    assert caught.value.rule == rule


def test_two_preferred_labels_in_one_language_are_warned_of() -> None:
    [(rule, value, message)] = _remarks(':x skos:prefLabel "b"@en, "a"@en, "c"@de .')

    assert (rule, value) == ("SKOS S14", "http://r.org/uri-gin/usgin/v/x")
    assert "'a'" in message


@pytest.mark.parametrize(
    ("turtle", "circles"),
    [
        (":x skos:broader :y . :y skos:broader :z .", 0),
        (":x skos:broader :x .", 1),
        (":x skos:broader :y . :y skos:broader :z, :w . :z skos:broader :x .", 1),
        (":x skos:broader :y ; skos:narrower :y .", 1),
        (":x skos:narrower :y . :y skos:narrower :x .", 1),
        (":a skos:broader :b . :b skos:broader :a . :x skos:broader :y, :a . :y skos:broader :x .", 2),
    ],
)
def test_each_cycle_of_broader_concepts_is_one_warning(turtle: str, circles: int) -> None:
    assert [rule for rule, _, _ in _remarks(turtle)] == ["circle"] * circles


@pytest.mark.untraced
def test_a_deep_hierarchy_is_no_cycle() -> None:
    assert _remarks("\n".join(f":x{n} skos:broader :x{n + 1} ." for n in range(20_000))) == []


def test_remarks_of_one_kind_are_limited() -> None:
    turtle = "\n".join(f":x{n} skos:broader :x{n} ." for n in range(MOST_REMARKS + 5))

    assert [rule for rule, _, _ in _remarks(turtle)] == ["circle"] * MOST_REMARKS + ["many"]
