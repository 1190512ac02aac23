"""Names that are bound to a host, over HTTP: by the requested `Host`, and described from any other."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from infra.local.stack import Stack

HTML, RDF_XML = "text/html", "application/rdf+xml"
SET, COMPANY, TERMS = "education.data.example.org", "www.example.com", "terms.example.org"


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.service, timeout=30) as client:
        yield client


@pytest.mark.parametrize(
    ("host", "path", "accept", "answer"),
    [
        (SET, "/id/school/78", "*/*", (303, f"http://{SET}/doc/school/78")),
        (SET, "/doc/school/79", "*/*", (303, f"/about/http://{SET}/id/school/79")),
        (SET, "/set/school", "*/*", (303, f"/about/http://{SET}/set/school")),
        (SET, "/id/school/80", "*/*", (404, None)),
        (COMPANY, "/id/alice", HTML, (303, f"http://{COMPANY}/doc/alice")),
        (COMPANY, "/id/bob", RDF_XML, (303, f"http://{COMPANY}/data/bob")),
        (
            COMPANY,
            "/doc/exampleinc",
            f"{RDF_XML};q=0.7, {HTML}",
            (302, f"http://{COMPANY}/doc/exampleinc.rdf"),
        ),
        (TERMS, "/dc/terms/title", "*/*", (303, f"/about/http://{TERMS}/dc/terms/title")),
        (TERMS, "/dc/terms/", "text/turtle", (303, f"http://{TERMS}/dc/terms/terms.ttl")),
        ("another.example", "/id/school/78", "*/*", (404, None)),
    ],
)
def test_a_name_is_answered_on_its_own_host(
    http: httpx.Client, host: str, path: str, accept: str, answer: tuple[int, str | None]
) -> None:
    answered = http.get(path, headers={"Host": host, "Accept": accept})

    assert (answered.status_code, answered.headers.get("location")) == answer


@pytest.mark.parametrize(("accept", "form"), [("text/html", "html"), ("application/rdf+xml", "rdf")])
def test_a_document_is_given_from_the_record_of_its_thing(http: httpx.Client, accept: str, form: str) -> None:
    answered = http.get("/doc/school/78", headers={"Host": SET, "Accept": accept})
    itself = http.get(f"/doc/school/78/doc.{form}", headers={"Host": SET})

    assert answered.headers["content-location"] == f"http://{SET}/doc/school/78/doc.{form}"
    assert answered.status_code == itself.status_code == 200
    assert answered.content == itself.content


@pytest.mark.parametrize("extension", ["html", "jsonld", "ttl", "rdf", "nt", "json", "linkset"])
@pytest.mark.parametrize(
    "uri", [f"http://{SET}/id/school/78", f"http://{SET}/doc/school/78", f"http://{TERMS}/dc/terms/title"]
)
def test_a_name_is_described_from_any_host(http: httpx.Client, uri: str, extension: str) -> None:
    answered = http.get(f"/about.{extension}/{uri}", headers={"Host": "another.example"})

    assert answered.status_code == 200
    assert uri in answered.text
