"""The page of a thing's description before RDF that a browser accepts only as `*/*`."""

from __future__ import annotations

import pytest

from ginuri.registry.clock import BEGINNING
from ginuri.registry.model import Representation, Role
from ginuri.resolution.decision import Question, decide
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.negotiation.pages import RDF_TYPES
from ginuri.resolution.outcomes import NotAcceptable, SeeDescription, SeeRepresentation
from tests.builders import MAP, find, representation, resource

HTML, TURTLE, RDF_XML, PDF = "text/html", "text/turtle", "application/rdf+xml", "application/pdf"
DEFAULT, CANONICAL = frozenset({Role.DEFAULT}), frozenset({Role.CANONICAL})

CHROME = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,"
    "application/signed-exchange;v=b3;q=0.7"
)
FIREFOX = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
FIREFOX_130 = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/png,"
    "image/svg+xml,*/*;q=0.8"
)
SAFARI = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
BROWSERS = (CHROME, FIREFOX, FIREFOX_130, SAFARI)

OWLAPI = "application/rdf+xml, application/xml; q=0.7, text/xml; q=0.6, text/plain; q=0.1, */*; q=0.09"
JENA = (
    "text/turtle,application/n-triples;q=0.9,application/ld+json;q=0.8,application/rdf+xml;q=0.7,"
    "text/xml;q=0.6,*/*;q=0.1"
)
RDFLIB = (
    "application/rdf+xml, */*;q=0.1",
    "text/n3, */*;q=0.1",
    "text/turtle, application/x-turtle, */*;q=0.1",
    "text/plain, */*;q=0.1",
    "application/trig, */*;q=0.1",
    "application/ld+json, application/json;q=0.9, */*;q=0.1",
    # without a format: the type of every parser
    (
        "application/rdf+xml, text/n3, text/turtle, application/ld+json, text/plain, application/n-triples, "
        "application/n-quads, application/trix, application/trig, application/json"
    ),
)
CURL = "*/*"
TOOLS = (OWLAPI, JENA, *RDFLIB, CURL)


def _answer(
    accept: str | None,
    *offered: Representation,
    identifier: str = MAP,
    profile: str | None = None,
    language: str | None = None,
) -> str | None:
    """Return the media type of the form that a client is led to, or the path of a description."""
    record = resource(identifier, representations=list(offered))
    question = Question(
        find(identifier, record).identifier, BEGINNING, (), Preferences(accept, language, profile)
    )
    match decide(find(identifier, record), question):
        case SeeDescription(extension=extension, offered=forms):
            assert forms == offered
            return f"/about.{extension}" if extension else "/about"
        case SeeRepresentation(representation=form):
            return form.media_type
        case NotAcceptable():
            return "406"
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize("accept", BROWSERS)
@pytest.mark.parametrize("media_type", sorted("/".join(name) for name in RDF_TYPES))
def test_a_browser_gets_the_page_of_a_thing_that_has_only_rdf(accept: str, media_type: str) -> None:
    assert _answer(accept, representation(media_type)) == "/about.html"
    assert _answer(accept, representation(media_type, roles=CANONICAL)) == "/about.html"
    assert _answer(accept, representation(f"{media_type};version=1.2")) == "/about.html"


@pytest.mark.parametrize("accept", TOOLS)
@pytest.mark.parametrize("media_type", [TURTLE, RDF_XML, "application/n-triples"])
def test_a_client_of_rdf_gets_the_ontology(accept: str, media_type: str) -> None:
    if "*/*" in accept or media_type in accept:
        assert _answer(accept, representation(media_type)) == media_type


@pytest.mark.parametrize("accept", BROWSERS)
@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        ([representation(TURTLE), representation(HTML)], HTML),
        ([representation(TURTLE), representation("text/html;charset=utf-8")], "text/html;charset=utf-8"),
        ([representation(TURTLE), representation(None)], TURTLE),  # of equal forms the first
        ([representation(None), representation(TURTLE)], None),
        ([representation(TURTLE, roles=DEFAULT)], TURTLE),
        ([representation(RDF_XML), representation(TURTLE, roles=DEFAULT)], TURTLE),
        ([representation(PDF, roles=DEFAULT, quality=0.5), representation(TURTLE)], TURTLE),
        ([representation(TURTLE), representation("application/xhtml+xml")], "application/xhtml+xml"),
        ([representation(PDF), representation(TURTLE)], PDF),
        ([representation(TURTLE), representation(PDF)], "/about.html"),
        ([representation("application/json")], "application/json"),
        ([representation(TURTLE), representation(RDF_XML)], "/about.html"),
        ([representation(None)], None),
    ],
)
def test_a_form_that_fits_a_browser_precedes_the_page(
    accept: str, offered: list[Representation], chosen: str | None
) -> None:
    assert _answer(accept, *offered) == chosen


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, TURTLE),
        ("text/html, */*", TURTLE),  # a tie
        ("text/html;q=0.8, */*;q=0.8", TURTLE),
        ("text/html;q=0.7, */*;q=0.8", TURTLE),
        ("text/html;q=0.8, */*;q=0.7", "/about.html"),
        ("TEXT/HTML;q=0.8, */*;q=0.7", "/about.html"),
        ("text/html;level=1, */*;q=0.7", "/about.html"),
        ("text/html;q=0, */*;q=0.7", TURTLE),
        ("text/*, */*;q=0.7", TURTLE),  # accepts Turtle as well
        ("text/html, text/*;q=0.9, */*;q=0.7", TURTLE),
        ("text/html, text/turtle;q=0.1, */*;q=0.7", TURTLE),
        ("application/xhtml+xml, */*;q=0.7", TURTLE),  # does not name text/html
        ("text/html, text/turtle;version=2, */*;q=0.7", TURTLE),  # names its type, with an ignored parameter
        ("text/html, application/ld+json", "/about"),  # no form is acceptable
        (
            "text/html;q=0.2, application/ld+json, */*;q=0.1",
            "/about.html",
        ),  # never the RDF of the description
        ("text/html, */*;q=0", "/about"),
        ("image/png", "406"),
    ],
)
def test_the_page_needs_a_named_and_greater_preference(accept: str | None, chosen: str) -> None:
    assert _answer(accept, representation(TURTLE)) == chosen


def test_a_document_never_leads_to_its_page_before_its_own_form() -> None:
    for identifier in ("uri-gin/azgs/doc/report", "uri-gin/azgs/doc/report.ttl"):
        assert _answer(FIREFOX, representation(TURTLE), identifier=identifier) == TURTLE


def test_a_form_with_a_wanted_profile_precedes_the_page() -> None:
    dcat = representation(TURTLE, profile="http://www.w3.org/ns/dcat")

    assert _answer(FIREFOX, dcat, profile="<http://www.w3.org/ns/dcat>") == TURTLE
    assert _answer(FIREFOX, dcat, profile="<http://www.w3.org/ns/dcat>;q=0") == "/about.html"
    assert _answer(FIREFOX, dcat, profile="<urn:other>") == "/about.html"


def test_languages_choose_the_form_that_the_page_competes_with() -> None:
    forms = [representation(PDF, language="de"), representation(TURTLE, language="en")]

    assert _answer(FIREFOX, *forms, language="de") == PDF
    assert _answer(FIREFOX, *forms, language="en") == "/about.html"


def test_the_registered_quality_does_not_affect_the_comparison_with_the_page() -> None:
    for quality in (0.1, 1.0):
        assert _answer("text/html;q=0.8, */*;q=0.8", representation(TURTLE, quality=quality)) == TURTLE
        assert _answer("text/html;q=0.9, */*;q=0.8", representation(TURTLE, quality=quality)) == "/about.html"
