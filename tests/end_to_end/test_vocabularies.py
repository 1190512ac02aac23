"""A vocabulary is uploaded, and its concepts are answered."""

from __future__ import annotations

import httpx
import rdflib

from infra.local.stack import Stack
from tests.end_to_end.uploading import upload

FOLDER = "uri-gin/azgs/"
SCHEME = f"{FOLDER}lithology/"
BROWSER = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,"
    "application/signed-exchange;v=b3;q=0.7"
)
OWLAPI = "application/rdf+xml, application/xml; q=0.7, text/xml; q=0.6, text/plain; q=0.1, */*; q=0.09"
TURTLE = f"""
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://elsewhere.org/{SCHEME}> .
: a skos:ConceptScheme ; skos:prefLabel "Lithology"@en .
:rock skos:inScheme : ; skos:prefLabel "rock"@en, "Gestein"@de .
:slate skos:inScheme : ; skos:prefLabel "slate"@en ; skos:broader :rock .
""".encode()


def test_a_vocabulary_is_uploaded_and_its_file_and_its_concepts_are_answered(stack: Stack) -> None:
    report = upload(stack, f"{FOLDER}lithology.ttl", TURTLE)
    assert (report["counts"]["registered"], report["counts"]["refused"]) == (3, 0)

    with httpx.Client(base_url=stack.service) as client:
        file = client.get(f"/{SCHEME}lithology.ttl", headers={"Host": "resources.usgin.org"})
        found = client.get(f"/{SCHEME}", headers={"Accept": "text/turtle"})
        told = client.get(f"/about.jsonld/{SCHEME}slate").json()
        page = client.get(f"/about.html/{SCHEME}slate")

    assert (file.status_code, file.content, file.headers["Content-Type"]) == (200, TURTLE, "text/turtle")
    assert (found.status_code, found.headers["Location"]) == (303, f"/{SCHEME}lithology.ttl")
    assert told["dcterms:isPartOf"]["dcterms:title"] == {"@value": "Lithology", "@language": "en"}
    assert told["owl:sameAs"] == {"@id": f"http://elsewhere.org/{SCHEME}slate"}
    assert [each["@id"] for each in told["@included"]] == [f"http://elsewhere.org/{SCHEME}slate"]
    assert "rock" in page.text


def test_the_gateway_serves_the_page_and_file_of_a_vocabulary(
    stack: Stack,
) -> None:
    name = f"{FOLDER}units"
    turtle = f"<http://elsewhere.org/{name}> a <http://www.w3.org/2002/07/owl#Ontology> .".encode()
    report = upload(stack, f"{FOLDER}second.ttl", turtle)
    assert (report["counts"]["registered"], report["counts"]["refused"]) == (1, 0)

    with httpx.Client(base_url=stack.service) as client:
        seen = client.get(f"/{name}", headers={"Accept": BROWSER})
        found = client.get(f"/{name}", headers={"Accept": "text/turtle"}, follow_redirects=True)
        page = client.get(seen.headers["Location"])

    assert (seen.status_code, seen.headers["Location"]) == (303, f"/about.html/{name}")
    assert (page.status_code, page.headers["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert [each.status_code for each in found.history] == [303]
    assert (found.url.path, found.content) == (f"/{name}.ttl", turtle)


def test_clients_of_rdf_load_the_ontology_that_browsers_see_as_a_page(stack: Stack) -> None:
    name = f"{FOLDER}ages"
    turtle = f"<http://elsewhere.org/{name}> a <http://www.w3.org/2002/07/owl#Ontology> .".encode()
    assert upload(stack, f"{FOLDER}third.ttl", turtle)["counts"]["registered"] == 1

    graphs = [rdflib.Graph().parse(f"{stack.service}/{name}", format=syntax) for syntax in ("turtle", None)]
    with httpx.Client(base_url=stack.service, follow_redirects=True) as client:
        loaded = client.get(f"/{name}", headers={"Accept": OWLAPI})
        page = client.get(f"/{name}", headers={"Accept": BROWSER})

    assert [len(graph) for graph in graphs] == [1, 1]
    assert (loaded.url.path, loaded.content) == (f"/{name}.ttl", turtle)
    assert (page.url.path, page.headers["Content-Type"]) == (
        f"/about.html/{name}",
        "text/html; charset=utf-8",
    )
