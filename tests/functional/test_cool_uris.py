"""Cool URIs for the Semantic Web, statement by statement, on the source's own examples."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
import rdflib
from rdflib import FOAF, RDFS, URIRef

from tests.example_hosts import ExampleHost

COMPANY, REFERENCE = "http://www.example.com", "//www.example.com"
RDF_XML, HTML = "application/rdf+xml", "text/html"
MIXED = "application/rdf+xml;q=0.7, text/html"
"""§4.7: the header of a browser that accepts both, and prefers HTML a little."""


@pytest.fixture(scope="module")
def company() -> ExampleHost:
    return ExampleHost("cool", "www.example.com")


def test_the_cool_uris_are_registered_without_a_refusal(company: ExampleHost) -> None:
    assert {key: report.refused for key, report in company.reports.items() if report.refused} == {}


# §2.1, HTTP and Content Negotiation


@pytest.mark.parametrize(
    ("languages", "language"), [("en, de", "en"), ("de", "de"), ("de;q=0.4, en;q=0.5", "en")]
)
def test_one_web_document_is_given_in_the_language_that_is_preferred(
    company: ExampleHost, languages: str, language: str
) -> None:
    asked = {"Accept": "text/html, application/xhtml+xml", "Accept_Language": languages}

    answered = company.ask(f"{COMPANY}/people/alice", **asked)

    assert answered.status == 200
    assert answered.headers["Content-Type"].partition(";")[0] == HTML
    assert answered.headers["Content-Language"] == language
    assert answered.headers["Content-Location"] == f"{COMPANY}/people/alice.{language}.html"


def test_a_server_may_redirect_to_the_representation_instead(company: ExampleHost) -> None:
    answered = company.ask(f"{COMPANY}/news/amplifier", Accept=HTML)

    assert (answered.status, answered.headers["Location"]) == (302, f"{COMPANY}/news/amplifier.html")


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_representation_can_be_linked_to_directly(company: ExampleHost, language: str) -> None:
    answered = company.ask(f"{COMPANY}/people/alice.{language}.html", Accept_Language="fr")

    assert (answered.status, answered.headers["Content-Language"]) == (200, language)


# §3, URIs for Real-World Objects


@pytest.mark.parametrize("thing", ["alice", "bob", "exampleinc"])
def test_a_real_world_object_is_never_answered_with_200(company: ExampleHost, thing: str) -> None:
    for accept in ("*/*", HTML, RDF_XML, MIXED):
        assert company.ask(f"{COMPANY}/id/{thing}", Accept=accept).status == 303


@pytest.mark.parametrize("document", ["people/alice", "people/bob", "data/bob", "doc/alice", "contacts"])
def test_a_uri_answered_with_200_is_a_web_document(company: ExampleHost, document: str) -> None:
    answered = company.ask(f"{COMPANY}/{document}")

    assert answered.status == 200
    assert "https://schema.org/CreativeWork" in answered.linked("type")


@pytest.mark.parametrize(("accept", "media_type"), [(RDF_XML, RDF_XML), (HTML, HTML), ("*/*", HTML)])
@pytest.mark.parametrize("thing", ["alice", "bob"])
def test_plain_uris_give_machines_rdf_and_people_html(
    company: ExampleHost, thing: str, accept: str, media_type: str
) -> None:
    where, answered = f"{COMPANY}/id/{thing}", company.ask(f"{COMPANY}/id/{thing}", Accept=accept)
    while answered.status in {302, 303}:
        where = answered.headers["Location"]
        answered = company.ask(where, Accept=accept)

    assert answered.status == 200
    assert answered.headers["Content-Type"].partition(";")[0] == media_type
    assert where != f"{COMPANY}/id/{thing}"


# §4.1, Hash URIs


@pytest.mark.parametrize("name", ["exampleinc", "alice", "bob"])
def test_the_fragment_of_a_hash_uri_is_kept_in_the_redirect(company: ExampleHost, name: str) -> None:
    answered = company.ask(f"http://any.example/resolve?uri={quote(f'{COMPANY}/contacts#{name}')}")

    assert (answered.status, answered.headers["Location"]) == (302, f"{COMPANY}/contacts#{name}")


@pytest.mark.parametrize(("accept", "form"), [(RDF_XML, "rdf"), (HTML, "html")])
def test_one_document_describes_all_that_its_hash_uris_name(
    company: ExampleHost, accept: str, form: str
) -> None:
    answered = company.ask(f"{COMPANY}/contacts", Accept=accept)

    assert answered.headers["Content-Location"] == f"{COMPANY}/contacts.{form}"
    for name in ("exampleinc", "alice", "bob"):
        assert name in answered.content.decode()
    if accept == RDF_XML:
        said = rdflib.Graph().parse(data=answered.content, format="xml")
        assert {str(each) for each in said.subjects(FOAF.name)} == {
            f"{COMPANY}/contacts#{name}" for name in ("exampleinc", "alice", "bob")
        }


def test_hash_uris_and_redirects_can_be_combined(company: ExampleHost) -> None:
    answered = company.ask(f"http://any.example/resolve?uri={quote(f'{COMPANY}/id/bob#this')}")

    assert answered.headers["Location"] == f"{COMPANY}/id/bob#this"


# §4.2, 303 URIs forwarding to One Generic Document


@pytest.mark.parametrize("accept", [HTML, RDF_XML, "*/*"])
def test_a_thing_leads_to_one_generic_document_for_any_accept_header(
    company: ExampleHost, accept: str
) -> None:
    answered = company.ask(f"{COMPANY}/id/alice", Accept=accept)

    assert (answered.status, answered.headers["Location"]) == (303, f"{COMPANY}/doc/alice")


@pytest.mark.parametrize(("accept", "form"), [(HTML, "html"), (RDF_XML, "rdf")])
def test_the_generic_document_is_negotiated_and_names_its_forms(
    company: ExampleHost, accept: str, form: str
) -> None:
    answered = company.ask(f"{COMPANY}/doc/alice", Accept=accept)

    assert (answered.status, answered.headers["Content-Location"]) == (200, f"{COMPANY}/doc/alice.{form}")


# §4.3, 303 URIs forwarding to Different Documents


@pytest.mark.parametrize(
    ("accept", "where"), [(HTML, "people/bob"), (RDF_XML, "data/bob"), (MIXED, "people/bob")]
)
def test_a_thing_leads_to_different_documents_by_negotiation(
    company: ExampleHost, accept: str, where: str
) -> None:
    answered = company.ask(f"{COMPANY}/id/bob", Accept=accept)

    assert (answered.status, answered.headers["Location"]) == (303, f"{COMPANY}/{where}")
    assert "Accept" in answered.headers["Vary"]


def test_a_thing_with_separate_documents_has_no_generic_one(company: ExampleHost) -> None:
    assert company.ask(f"{COMPANY}/doc/bob").status == 404


@pytest.mark.parametrize(("document", "thing"), [("data/bob", "id/bob"), ("doc/alice.rdf", "id/alice")])
def test_the_data_describe_the_thing_by_its_own_uri(company: ExampleHost, document: str, thing: str) -> None:
    said = rdflib.Graph().parse(data=company.ask(f"{COMPANY}/{document}").content, format="xml")
    subject = URIRef(f"{COMPANY}/{thing}")

    assert (subject, RDFS.isDefinedBy, URIRef(f"{COMPANY}/{document}")) in said
    assert (subject, FOAF.page, None) in said


# §4.5, Cool URIs: the URIs of one thing are linked with each other


def test_thing_page_and_data_are_linked_with_each_other(company: ExampleHost) -> None:
    thing = company.ask(f"{COMPANY}/id/bob")
    page = company.ask(f"{COMPANY}/people/bob")
    data = company.ask(f"{COMPANY}/data/bob")

    assert thing.linked("alternate") == [f"{REFERENCE}/people/bob", f"{REFERENCE}/data/bob"]
    assert page.linked("describes") == data.linked("describes") == [f"{COMPANY}/id/bob"]
    assert f"{COMPANY}/data/bob" in page.linked("alternate")
    assert f"{COMPANY}/people/bob" in data.linked("alternate")


def test_a_page_points_to_its_data_in_its_head(company: ExampleHost) -> None:
    page = company.ask(f"{COMPANY}/people/bob").content.decode()

    assert re.search('<link rel="alternate" type="application/rdf[+]xml" href="/data/bob">', page)


def test_thing_and_generic_document_are_linked_with_each_other(company: ExampleHost) -> None:
    assert f"{COMPANY}/doc/alice" in company.ask(f"{COMPANY}/id/alice").linked("describedby")
    assert company.ask(f"{COMPANY}/doc/alice").linked("describes") == [f"{COMPANY}/id/alice"]


# §4.7, Implementing Content Negotiation: both examples of source quality (qs)


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        # 0.7 × 1.0 for RDF against 1.0 × 0.5 for HTML
        (MIXED, "rdf"),
        # a very strong preference for HTML: 0.4 × 1.0 against 1.0 × 0.5
        ("application/rdf+xml;q=0.4, text/html", "html"),
        (HTML, "html"),
        (RDF_XML, "rdf"),
        ("*/*", "rdf"),
    ],
)
def test_data_are_preferred_to_a_page_of_half_the_quality(
    company: ExampleHost, accept: str, form: str
) -> None:
    answered = company.ask(f"{COMPANY}/doc/exampleinc", Accept=accept)

    assert answered.headers["Location"] == f"{COMPANY}/doc/exampleinc.{form}"


@pytest.mark.parametrize(
    ("accept", "form"),
    [
        # 0.7 × 0.1 for RDF against 1.0 × 1.0 for HTML
        (MIXED, "html"),
        ("application/rdf+xml, text/html;q=0.2", "html"),
        # a strong preference for RDF: 1.0 × 0.1 against 0.05 × 1.0
        ("application/rdf+xml, text/html;q=0.05", "rdf"),
        (RDF_XML, "rdf"),
        ("*/*", "html"),
    ],
)
def test_the_article_is_preferred_to_data_of_a_tenth_of_the_quality(
    company: ExampleHost, accept: str, form: str
) -> None:
    answered = company.ask(f"{COMPANY}/news/amplifier", Accept=accept)

    assert answered.headers["Location"] == f"{COMPANY}/news/amplifier.{form}"


@pytest.mark.parametrize(
    ("accept", "form"), [(MIXED, "html"), ("application/rdf+xml, text/html;q=0.9", "rdf")]
)
def test_the_client_decides_between_equally_good_forms(company: ExampleHost, accept: str, form: str) -> None:
    answered = company.ask(f"{COMPANY}/doc/alice", Accept=accept)

    assert answered.headers["Content-Location"] == f"{COMPANY}/doc/alice.{form}"
