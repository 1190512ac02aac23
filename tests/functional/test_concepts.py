"""SKOS concepts are things, with or without a final slash."""

from __future__ import annotations

import re

import pytest

from ginuri.registry.model import Resource
from tests.front import Front
from tests.resolving import Service
from tests.steward import LINES, Steward, line, recent, settled

KEY = "uri-gin/azgs/rocks.ttl"
ROCK = "uri-gin/azgs/rocks/granite"
PREFIXES = (
    "@prefix s: <http://www.w3.org/2004/02/skos/core#> . @prefix f: <http://xmlns.com/foaf/0.1/> . "
    "@prefix r: <http://r.org/uri-gin/azgs/rocks/> . "
)
CONCEPTS = ["a s:Concept", "s:inScheme r:", "s:topConceptOf r:"]


def _upload(steward: Steward, statement: str) -> None:
    report = steward.upload(KEY, f'{PREFIXES} r:granite {statement} ; s:prefLabel "granite" .')
    assert report.refused == {}


def _kind(steward: Steward) -> str | None:
    resource = steward.registry.fetch([ROCK])[ROCK]
    assert isinstance(resource, Resource)
    return resource.kind


@pytest.mark.parametrize("statement", CONCEPTS)
def test_a_new_concept_without_a_final_slash_is_a_thing(statement: str) -> None:
    steward = recent()

    _upload(steward, statement)

    assert _kind(steward) == "thing"
    assert Service(steward.memory).ask(f"/{ROCK}").status == 303


@pytest.mark.parametrize(
    "statement", ['s:note "no concept"', "a s:Concept, f:Document", "s:note [ a s:Concept ]"]
)
def test_a_resource_that_is_no_concept_keeps_the_kind_of_its_syntax(statement: str) -> None:
    steward = recent()

    _upload(steward, statement)

    assert _kind(steward) is None


def test_a_registered_concept_keeps_its_kind() -> None:
    steward = settled()
    _upload(steward, CONCEPTS[0])
    before = _kind(steward)
    steward.day = "2027-01-01"

    _upload(steward, f'{CONCEPTS[1]} ; s:note "more"')

    assert (before, _kind(steward)) == (None, None)


def test_the_same_concept_again_is_unchanged_and_a_thing() -> None:
    steward = recent()
    _upload(steward, CONCEPTS[0])

    report = steward.upload(KEY, f'{PREFIXES} r:granite {CONCEPTS[0]} ; s:prefLabel "granite" .')

    assert report.counts["unchanged"] == 1
    assert _kind(steward) == "thing"


def test_a_stated_kind_precedes_that_of_concepts() -> None:
    steward = recent()
    triples = f"<http://r.org/{ROCK}> <http://www.w3.org/2004/02/skos/core#inScheme> <u:x> ."

    steward.upload(LINES, line(ROCK, kind="document", triples=triples))

    assert _kind(steward) == "document"


VOCABULARY = f"""{PREFIXES}
r: a s:ConceptScheme ; s:prefLabel "Rocks"@en ; s:hasTopConcept r:igneous .
r:igneous a s:Concept ; s:inScheme r: ; s:prefLabel "igneous rock"@en ; s:narrower r:granite .
r:granite a s:Concept ; s:inScheme r: ; s:prefLabel "granite"@en ; s:broader r:igneous ; s:related r:basalt .
r:basalt a s:Concept ; s:inScheme r: ; s:prefLabel "basalt"@en ; s:broader r:igneous .
"""


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Front:
    steward = settled()
    steward.upload(KEY, VOCABULARY)
    steward.upload(
        "uri-gin/azgs/more.csv",
        "identifier,title,part_of,properties.broader\n"
        "uri-gin/azgs/rocks/top,top,uri-gin/azgs/rocks/,\n"
        "uri-gin/azgs/rocks/low,low,uri-gin/azgs/rocks/,uri-gin/azgs/rocks/top\n",
    )
    return Front(steward.memory, tmp_path_factory.mktemp("published"))


def _section(front: Front, path: str, heading: str) -> list[str]:
    page = front.ask(path, headers={"Accept": "text/html"}).content.decode()
    section = page.partition(f">{heading}</h2>")[2].partition("</section>")[0]
    return re.findall(r'<li><a href="/about/uri-gin/azgs/rocks/([a-z]*)">', section)


@pytest.mark.parametrize(
    ("concept", "broader", "narrower"),
    [
        ("igneous", [], ["basalt", "granite"]),
        ("granite", ["igneous"], []),
        ("top", [], ["low"]),
        ("low", ["top"], []),
    ],
)
def test_the_page_of_a_concept_shows_broader_and_narrower_ones(
    vocabulary: Front, concept: str, broader: list[str], narrower: list[str]
) -> None:
    path = f"/about/uri-gin/azgs/rocks/{concept}"

    assert _section(vocabulary, path, "Broader concepts") == broader
    assert sorted(_section(vocabulary, path, "Narrower concepts")) == narrower


def test_the_page_of_a_concept_scheme_shows_its_tree(vocabulary: Front) -> None:
    page = vocabulary.ask("/about/uri-gin/azgs/rocks/", headers={"Accept": "text/html"}).content.decode()
    tree = page.partition('<div class="tree">')[2].partition("</div>")[0]

    outline = re.sub(r"\s|<a[^>]*>|<span[^>]*>|</(a|span|li)>", "", tree)

    assert outline == "<ul><li>igneousrock<ul><li>basalt<li>granite</ul><li>top<ul><li>low</ul></ul>"
