"""UK public sector URI sets: `id`, `doc`, `def` and `set`, from one record a thing."""

from __future__ import annotations

import json

import pytest
import rdflib
from rdflib import FOAF, RDF, URIRef

from tests.example_hosts import ExampleHost

SET = "http://education.data.example.org"
REFERENCE = "//education.data.example.org"
RDF_XML, HTML = "application/rdf+xml", "text/html"


@pytest.fixture(scope="module")
def education() -> ExampleHost:
    return ExampleHost("uk", "education.data.example.org")


def test_the_uri_sets_are_registered_without_a_refusal(education: ExampleHost) -> None:
    assert {key: report.refused for key, report in education.reports.items() if report.refused} == {}


def test_a_thing_is_the_only_record_of_its_set() -> None:
    registered = ExampleHost("uk", "education.data.example.org").steward.memory.standing(REFERENCE)

    assert [name for name, _ in registered if "school/78" in name] == [
        f"{REFERENCE}/id/school/78",
        f"{REFERENCE}/id/school/78/class/3",
    ]


@pytest.mark.parametrize("accept", ["*/*", HTML, RDF_XML, "image/png"])
def test_an_id_leads_to_its_doc_for_any_accept_header(education: ExampleHost, accept: str) -> None:
    answered = education.ask(f"{SET}/id/school/78", Accept=accept)

    assert (answered.status, answered.headers["Location"]) == (303, f"{SET}/doc/school/78")


@pytest.mark.parametrize(
    ("accept", "representation"), [("*/*", "doc.html"), (HTML, "doc.html"), (RDF_XML, "doc.rdf")]
)
def test_a_doc_is_given_in_the_representation_that_was_negotiated(
    education: ExampleHost, accept: str, representation: str
) -> None:
    answered = education.ask(f"{SET}/doc/school/78", Accept=accept)

    assert answered.status == 200
    assert answered.headers["Content-Location"] == f"{SET}/doc/school/78/{representation}"
    assert "Accept" in answered.headers["Vary"]


@pytest.mark.parametrize(("extension", "media_type"), [("html", HTML), ("rdf", RDF_XML)])
def test_a_representation_has_its_own_uri_under_the_doc(
    education: ExampleHost, extension: str, media_type: str
) -> None:
    answered = education.ask(f"{SET}/doc/school/78/doc.{extension}", Accept="image/png")

    assert answered.status == 200
    assert answered.headers["Content-Type"].partition(";")[0] == media_type


def test_a_doc_without_an_acceptable_form_lists_the_available_ones(education: ExampleHost) -> None:
    answered = education.ask(f"{SET}/doc/school/78", Accept="image/png")

    assert answered.status == 406


def test_the_doc_of_a_thing_without_files_is_its_description(education: ExampleHost) -> None:
    thing = education.ask(f"{SET}/id/school/79")
    document = education.ask(f"{SET}/doc/school/79")

    assert (thing.status, thing.headers["Location"]) == (303, f"{SET}/doc/school/79")
    assert (document.status, document.headers["Location"]) == (303, f"/about/{SET}/id/school/79")


@pytest.mark.parametrize(
    "path", ["/id/school/80", "/doc/school/80", "/doc/school/80/doc.rdf", "/id/hospital/1"]
)
def test_an_unregistered_name_is_a_404_without_a_redirect(education: ExampleHost, path: str) -> None:
    assert education.ask(f"{SET}{path}").status == 404


def test_a_thing_has_no_forms_under_its_own_name(education: ExampleHost) -> None:
    assert education.ask(f"{SET}/id/school/78/doc.rdf").status == 404


def test_concepts_and_references_alternate_along_a_path(education: ExampleHost) -> None:
    answered = education.ask(f"{SET}/id/school/78/class/3")

    assert (answered.status, answered.headers["Location"]) == (303, f"{SET}/doc/school/78/class/3")


def test_a_def_is_a_concept_which_leads_to_its_description(education: ExampleHost) -> None:
    answered = education.ask(f"{SET}/def/school/")
    other_writing = education.ask(f"{SET}/def/school")
    told = json.loads(education.describe(f"{SET}/def/school/", "json"))

    assert (answered.status, answered.headers["Location"]) == (303, f"/about/{SET}/def/school/")
    assert (other_writing.status, other_writing.headers["Location"]) == (302, f"{SET}/def/school/")
    assert told["title"] == "School"
    assert told["definition"].startswith("A place")


def test_a_thing_is_classified_by_the_concept_of_its_set(education: ExampleHost) -> None:
    types = education.ask(f"{SET}/id/school/78").linked("type")
    graph = rdflib.Graph().parse(data=education.describe(f"{SET}/id/school/", "ttl"), format="turtle")
    assert f"{REFERENCE}/id/school/" in types
    assert (None, None, URIRef(f"{SET}/def/school/")) in graph


def test_a_set_is_a_register_that_lists_its_things(education: ExampleHost) -> None:
    answered = education.ask(f"{SET}/set/school")
    told = json.loads(education.describe(f"{SET}/set/school", "json"))

    assert (answered.status, answered.headers["Location"]) == (303, f"/about/{SET}/set/school")
    assert [each["uri"] for each in told["members"]["members"]] == [
        f"{SET}/id/school/78",
        f"{SET}/id/school/79",
    ]


def test_the_concepts_of_a_host_are_listed_in_its_register_of_types(education: ExampleHost) -> None:
    register = f"{SET}/register/resourceType/"
    answered = education.ask(register)
    told = json.loads(education.describe(register, "json"))

    assert (answered.status, answered.headers["Location"]) == (303, f"/about/{register}")
    assert [each["title"] for each in told["members"]["members"]] == [
        "Class",
        "School",
        "School with a number",
    ]


def test_thing_document_and_representations_link_each_other(education: ExampleHost) -> None:
    thing = education.ask(f"{SET}/id/school/78")
    document = education.ask(f"{SET}/doc/school/78")

    assert f"{SET}/doc/school/78" in thing.linked("describedby")
    assert document.linked("describes") == [f"{SET}/id/school/78"]
    assert document.linked("alternate") == [
        f"{REFERENCE}/doc/school/78/doc.html",
        f"{REFERENCE}/doc/school/78/doc.rdf",
    ]


@pytest.mark.parametrize(
    ("extension", "syntax"), [("ttl", "turtle"), ("rdf", "xml"), ("nt", "nt"), ("jsonld", "json-ld")]
)
@pytest.mark.filterwarnings("ignore:(Dataset[.]|ConjunctiveGraph):DeprecationWarning")
def test_every_format_of_rdf_describes_the_thing_on_its_own_host(
    education: ExampleHost, extension: str, syntax: str
) -> None:
    thing, document = URIRef(f"{SET}/id/school/78"), URIRef(f"{SET}/doc/school/78")

    of_thing = rdflib.Graph().parse(data=education.describe(str(thing), extension), format=syntax)
    of_document = rdflib.Graph().parse(data=education.describe(str(document), extension), format=syntax)

    assert (thing, FOAF.page, document) in of_thing
    assert (thing, RDF.type, FOAF.Document) not in of_thing
    assert (document, FOAF.primaryTopic, thing) in of_document
    assert (document, RDF.type, FOAF.Document) in of_document


@pytest.mark.parametrize("path", ["/id/school/78", "/doc/school/78", "/set/school", "/def/school/"])
@pytest.mark.parametrize("extension", ["html", "json", "ttl", "linkset"])
def test_a_name_is_described_on_any_host_the_same(education: ExampleHost, path: str, extension: str) -> None:
    here = education.ask(f"{SET}/about.{extension}{path}")
    elsewhere = education.describe(f"{SET}{path}", extension, "another.example")

    assert here.status == 200
    assert here.content == elsewhere


def test_the_document_of_a_thing_without_files_is_described_as_the_thing(education: ExampleHost) -> None:
    answered = education.ask(f"http://any.example/about.json/{SET}/doc/school/79")

    assert (answered.status, answered.headers["Location"]) == (303, f"/about.json/{SET}/id/school/79")


def test_several_names_get_the_answers_of_single_requests(education: ExampleHost) -> None:
    asked = [f"{SET}/id/school/78", f"{SET}/doc/school/78", f"{SET}/doc/school/79", f"{SET}/doc/school/80"]

    assert [each["status"] for each in education.look_up(asked)] == [303, 200, 303, 404]
