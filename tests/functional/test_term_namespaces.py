"""Terms of metadata: namespace and name are the URI, which leads to descriptions for people and machines."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
import rdflib
from rdflib import DCTERMS, OWL, RDF, RDFS, URIRef

from tests.example_hosts import EXAMPLES, ExampleHost

HOST = "http://terms.example.org"
DC = f"{HOST}/dc/"
TERMS = {
    "terms/": ("terms", 98),
    "elements/1.1/": ("elements", 15),
    "dcmitype/": ("dcmitype", 12),
    "dcam/": ("dcam", 4),
}
HASH = f"{HOST}/metadata/vocabs/color"
SYNTAX = {"ttl": "turtle", "rdf": "xml", "nt": "nt", "jsonld": "json-ld"}
_WARNS = pytest.mark.filterwarnings("ignore:(Dataset[.]|ConjunctiveGraph):DeprecationWarning")


@pytest.fixture(scope="module")
def terms() -> ExampleHost:
    return ExampleHost("terms", "terms.example.org")


def test_the_terms_are_registered_without_a_refusal(terms: ExampleHost) -> None:
    assert {key: report.refused for key, report in terms.reports.items() if report.refused} == {}


def _names(namespace: str) -> list[str]:
    path = EXAMPLES / "terms.example.org" / f"{TERMS[namespace][0]}.ttl"
    graph = rdflib.Graph().parse(path, format="turtle")
    return sorted(map(str, graph.subjects(RDFS.isDefinedBy, URIRef(DC + namespace))))


@pytest.mark.parametrize("namespace", TERMS)
def test_the_uri_of_a_term_is_its_namespace_and_its_name(namespace: str) -> None:
    named = [name.removeprefix(DC + namespace) for name in _names(namespace)]

    assert len(named) == TERMS[namespace][1]
    assert all("/" not in name and not name.startswith("http") for name in named)


@pytest.mark.parametrize("namespace", TERMS)
def test_every_term_leads_to_its_description(terms: ExampleHost, namespace: str) -> None:
    seen = {name: terms.ask(name) for name in _names(namespace)}

    assert {name: (each.status, each.headers.get("Location")) for name, each in seen.items()} == {
        name: (303, f"/about/{name}") for name in seen
    }


@pytest.mark.parametrize("namespace", TERMS)
def test_every_term_is_described_for_people_and_for_machines(terms: ExampleHost, namespace: str) -> None:
    for name in _names(namespace):
        page = terms.describe(name, "html").decode()
        told = json.loads(terms.describe(name, "json"))
        graph = rdflib.Graph().parse(data=terms.describe(name, "nt"), format="nt")

        assert (told["title"]["en"], told["kind"], told["status"]) == (
            str(graph.value(URIRef(name), RDFS.label)),
            "thing",
            "valid",
        )
        assert told["description"]["en"] == str(graph.value(URIRef(name), RDFS.comment))
        assert told["title"]["en"] in page
        assert (URIRef(name), RDFS.isDefinedBy, URIRef(DC + namespace)) in graph


@_WARNS
@pytest.mark.parametrize("extension", SYNTAX)
def test_title_is_a_property_of_a_name_in_every_format_of_rdf(terms: ExampleHost, extension: str) -> None:
    title = URIRef(f"{DC}terms/title")
    said = terms.describe(str(title), extension)

    graph = rdflib.Graph().parse(data=said, format=SYNTAX[extension])

    assert (title, RDF.type, RDF.Property) in graph
    assert (title, RDFS.comment, rdflib.Literal("A name given to the resource.", lang="en")) in graph
    assert (title, RDFS.subPropertyOf, URIRef(f"{DC}elements/1.1/title")) in graph
    assert (title, OWL.sameAs, DCTERMS.title) in graph
    assert (title, DCTERMS.issued, None) in graph


@pytest.mark.parametrize(
    ("accept", "status", "where"),
    [
        ("text/turtle", 303, "http://terms.example.org/dc/terms/terms.ttl"),
        ("text/html", 303, f"/about/{DC}terms/"),
        ("application/rdf+xml", 303, f"/about/{DC}terms/"),
    ],
)
def test_a_slash_namespace_leads_to_the_vocabulary_or_its_description(
    terms: ExampleHost, accept: str, status: int, where: str
) -> None:
    answered = terms.ask(f"{DC}terms/", Accept=accept)

    assert (answered.status, answered.headers["Location"]) == (status, where)


@pytest.mark.parametrize("namespace", TERMS)
def test_a_namespace_lists_its_terms_with_their_creator_and_license(
    terms: ExampleHost, namespace: str
) -> None:
    told = json.loads(terms.describe(DC + namespace, "json"))
    graph = rdflib.Graph().parse(data=terms.describe(DC + namespace, "ttl"), format="turtle")
    listed = json.loads(terms.ask(f"{HOST}/members.json/{DC}{namespace}").content)

    assert told["properties"]["creator"] == "Dublin Core Metadata Initiative"
    assert (
        URIRef(DC + namespace),
        DCTERMS.license,
        URIRef("https://creativecommons.org/licenses/by/4.0/"),
    ) in graph
    assert {*_names(namespace)} <= {each["uri"] for each in listed["members"]}


@pytest.mark.parametrize(("accept", "form"), [("text/html", "html"), ("text/turtle", "ttl"), ("*/*", "html")])
def test_a_hash_namespace_is_one_document_for_people_and_machines(
    terms: ExampleHost, accept: str, form: str
) -> None:
    answered = terms.ask(HASH, Accept=accept)

    assert (answered.status, answered.headers["Content-Location"]) == (
        200,
        f"http://terms.example.org/metadata/vocabs/color.{form}",
    )
    assert b"Red" in answered.content


def test_a_term_of_a_hash_namespace_resolves(terms: ExampleHost) -> None:
    answered = terms.ask(f"http://any.example/resolve?uri={quote(f'{HASH}#Red')}")
    said = rdflib.Graph().parse(data=terms.ask(HASH, Accept="text/turtle").content, format="turtle")

    assert (answered.status, answered.headers["Location"]) == (302, f"{HASH}#Red")
    assert (URIRef(f"{HASH}#Red"), RDF.type, URIRef(f"{HOST}/metadata/terms/Color")) in said


@pytest.mark.parametrize("name", ["terms/price", "metadata/terms/Color"])
def test_a_term_under_a_service_url_leads_to_its_description(terms: ExampleHost, name: str) -> None:
    answered = terms.ask(f"{HOST}/{name}")

    assert (answered.status, answered.headers["Location"]) == (303, f"/about/{HOST}/{name}")


def test_an_unknown_term_is_a_404(terms: ExampleHost) -> None:
    answered = terms.ask(f"{DC}terms/titel")

    assert answered.status == 404
    assert f"{DC}terms/" in answered.content.decode()
