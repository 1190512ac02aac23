"""`info:` from upload to answer: namespaces, their identifiers, and their register (RFC 4452)."""

from __future__ import annotations

import csv
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import parse_qs

import pytest
from rdflib import DCTERMS, RDF, SKOS, Graph, Literal, URIRef

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryRegistry
from ginuri.registry.lists.registers import NAMESPACES
from ginuri.registry.model import Registered
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators, answer
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import rest_event
from tests.example_registry import EXAMPLES, HOST
from tests.resolving import Service
from tests.steward import Steward

PMID, DOI = "info:pmid/12376099", "info:doi/10.1016/S0019-1035(03)00048-4"
RECORD = "info:lccn/2002022641"
NAMESPACE_FILE = "_host/info.jsonl"


def _steward() -> Steward:
    steward = Steward()
    reports = [
        steward.upload(path.relative_to(EXAMPLES).as_posix(), path.read_bytes())
        for path in (EXAMPLES / NAMESPACE_FILE, *sorted(EXAMPLES.glob("info:*/*.jsonl")))
    ]
    assert [report.refused for report in reports] == [{}] * len(reports)
    return steward


@pytest.fixture
def steward() -> Steward:
    """A steward whose registry has the namespaces and the identifiers of `examples/`."""
    return _steward()


@pytest.fixture
def service(steward: Steward) -> Service:
    return Service(steward.memory)


def _describe(registry: MemoryRegistry, path: str, query: str = "", **headers: str) -> Answer:
    sent = {"Host": HOST, **{name.replace("_", "-"): value for name, value in headers.items()}}
    event = rest_event(path, headers=sent)
    event["multiValueQueryStringParameters"] = parse_qs(query) or None
    answers = DescriptionResponses(DescriptionWriter().write)
    finder = RememberingFinder(registry, time.monotonic)
    using = Collaborators(finder, registry, registry, answers, HOST)
    return Answer(write_gateway(answer(read_request(event), using).response, "GET"))


def _json(registry: MemoryRegistry, path: str) -> Any:
    told = _describe(registry, path)
    assert told.status == 200, told.content
    return json.loads(told.content)


def test_an_unregistered_identifier_of_a_namespace_leads_to_its_description(service: Service) -> None:
    given = service.ask(f"/{PMID}")

    assert (given.status, given.headers["Location"]) == (303, f"/about/{PMID}")
    assert given.linked("describedby") == [f"/about/{PMID}"]


def test_a_registered_info_identifier_is_answered_like_any_other(service: Service) -> None:
    assert service.ask(f"/{RECORD}").headers["Location"] == "https://lccn.loc.gov/2002022641"
    described = service.ask("/info:ddc/22/eng//004.678")
    assert (described.status, described.headers["Location"]) == (303, "/about/info:ddc/22/eng//004.678")


@pytest.mark.parametrize("written", ["INFO:PMID/12376099", "info:pmid/1237609%39", "info:%50MID/12376099"])
def test_another_spelling_redirects_to_the_normal_form_of_section_5(service: Service, written: str) -> None:
    given = service.ask(f"/{written}")

    assert (given.status, given.headers["Location"]) == (301, f"/{PMID}")


@pytest.mark.parametrize(
    ("written", "normal_form"),
    [
        ("info:doi/10.1016/s0019-1035(03)00048-4", DOI),
        ("info:doi/10.1000/a%2fb%c3%a9", "info:doi/10.1000/a%2Fb%C3%A9"),  # the general form comes first …
        (
            "info:doi/10.1000/a%2Fb%C3%A9",
            "info:doi/10.1000/A%2FB%C3%A9",
        ),  # escapes keep their case
    ],
)
def test_another_case_redirects_to_the_normal_one_in_caseless_namespaces(
    service: Service, written: str, normal_form: str
) -> None:
    given = service.ask(f"/{written}")

    assert (given.status, given.headers["Location"]) == (301, f"/{normal_form}")
    assert service.ask(f"/{DOI}").status == 303


def test_another_case_is_another_identifier_in_case_sensitive_namespaces(
    service: Service, steward: Steward
) -> None:
    registered = _json(steward.memory, "/about.json/info:bibcode/2003Icar..163..263Z")
    other = _json(steward.memory, "/about.json/info:bibcode/2003icar..163..263z")

    assert registered["title"] == "Cratering rates in the outer Solar System"
    assert other["registered"] is False
    assert service.ask("/info:bibcode/2003icar..163..263z").headers["Location"].endswith("icar..163..263z")


def test_another_case_is_redirected_on_the_way_to_a_description_too(steward: Steward) -> None:
    for path in ("/about/info:doi/10.1000/x", "/about.json/info:doi/10.1000/x", "/members.csv/info:doi/x"):
        given = _describe(steward.memory, path)

        assert (given.status, given.headers["Location"]) == (301, path.replace("/x", "/X"))


def test_another_case_is_refused_at_registration_with_the_right_one(steward: Steward) -> None:
    lines = [
        {"identifier": "info:doi/10.1000/abc", "title": "A"},
        {"identifier": "info:doi/10.1000/DEF", "title": "B", "representations": [
            {"part": ".pdf", "location": "https://example.org/d.pdf"}]},
        {"identifier": "info:doi/10.1000/GHI", "title": "C", "representations": [
            {"part": ".PDF", "location": "https://example.org/g.pdf"}]},
    ]  # fmt: skip
    report = steward.upload("info:doi/x.jsonl", "\n".join(map(json.dumps, lines)))

    assert report.refused == {(1,): [("identifier", "case")], (2,): [("part", "case")]}
    assert "Register info:doi/10.1000/ABC" in str(report.verdicts)
    assert "Write .PDF" in str(report.verdicts)
    assert report.counts["registered"] == 1


@pytest.mark.functions
def test_an_unregistered_identifier_of_a_namespace_takes_one_call(steward: Steward) -> None:
    calls: list[Sequence[str]] = []

    class Counting(MemoryRegistry):
        def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
            calls.append(names)
            return steward.memory.fetch(names)

        def near(self, folded: str) -> Sequence[str]:
            raise AssertionError(folded)

    for path in (f"/{PMID}", "/info:doi/10.1000/x"):
        calls.clear()
        service = Service(Counting())
        calls.clear()
        service.ask(path)

        assert len(calls) == 1


def test_a_description_offers_the_services_of_the_namespace_as_not_authoritative(
    steward: Steward,
) -> None:
    told = _json(steward.memory, f"/about.json/{PMID}")
    page = _describe(steward.memory, f"/about.html/{PMID}").content.decode()
    spanish = _describe(steward.memory, f"/about.html/{PMID}", Accept_Language="es").content.decode()

    assert (told["registered"], told["up"]) == (False, "/about/info:pmid/")
    assert told["services"] == [
        {
            "href": "https://pubmed.ncbi.nlm.nih.gov/12376099/",
            "title": "The record in PubMed",
            "type": "text/html",
            "authoritative": False,
        },
        {
            "href": "https://www.ncbi.nlm.nih.gov/books/NBK25501/",
            "title": "Programs may ask the Entrez utilities",
            "type": "text/html",
            "authoritative": False,
        },
    ]
    assert '<a href="https://pubmed.ncbi.nlm.nih.gov/12376099/" class="away">The record in PubMed</a>' in page
    assert "none of them is authoritative" in page
    assert "It is not registered here" in page
    assert "ninguno de ellos es autoritativo" in spanish
    assert "No está registrado aquí" in spanish


def test_rdf_offers_the_services_of_a_namespace_as_not_authoritative(steward: Steward) -> None:
    graph = Graph().parse(data=_describe(steward.memory, f"/about.ttl/{PMID}").content, format="turtle")
    thing, service = URIRef(f"http://{HOST}/{PMID}"), URIRef("https://pubmed.ncbi.nlm.nih.gov/12376099/")

    assert (thing, URIRef("http://www.w3.org/2002/07/owl#sameAs"), URIRef(PMID)) in graph
    assert (thing, URIRef("http://www.iana.org/assignments/relation/service"), service) in graph
    assert "not authoritative" in str(graph.value(service, SKOS.note))


def test_slashes_in_a_name_are_expanded_as_the_template_states(steward: Steward) -> None:
    [service] = _json(steward.memory, "/about.json/info:doi/10.1000/182/%3C")["services"]

    assert service["href"] == "https://doi.org/10.1000/182/%3C"


def test_a_registered_identifier_has_the_services_of_its_namespace_too(steward: Steward) -> None:
    told = _json(steward.memory, f"/about.json/{RECORD}")

    assert "registered" not in told
    assert [each["href"] for each in told["services"]] == ["https://lccn.loc.gov/2002022641"]


def test_the_description_of_a_namespace_has_the_fields_of_section_3_2(steward: Steward) -> None:
    told = _json(steward.memory, "/about.json/info:pmid/")
    page = _describe(steward.memory, "/about.html/info:pmid/").content.decode().replace("<wbr>", "")

    assert told["record"] == "namespace"
    assert told["registrant"] == "National Library of Medicine"
    for field in ("title", "contact", "grammar", "normalization", "services", "documentation"):
        assert told[field], field
    assert "not_registered" not in told or told["not_registered"] == []
    for words in (
        "National Library of Medicine",
        "Digits, the first of them not 0.",
        "No blanks and no zeros before the number.",
        "<code>https://pubmed.ncbi.nlm.nih.gov/{rest}/</code>",
        "Help of PubMed",
        "https://support.nlm.nih.gov/",
    ):
        assert words in page, words


def test_the_missing_fields_of_a_namespace_are_listed(steward: Steward) -> None:
    told = _json(steward.memory, "/about.json/info:oclcnum/")

    assert told["not_registered"] == ["specification", "documentation"]


def test_an_unknown_namespace_is_not_found_and_links_the_register(service: Service, steward: Steward) -> None:
    for path in ("/info:nobody/1", "/info:nobody/"):
        given = service.ask(path)

        assert given.status == 404
        [advice] = [each for each in given.problem["advice"] if each["rel"] == "index"]
        assert advice["href"] == "/about/info:"
        assert "namespace nobody is not registered" in advice["title"]
    assert _describe(steward.memory, "/about/info:nobody/1").status == 404


def test_the_scheme_is_the_register_of_its_namespaces(service: Service, steward: Steward) -> None:
    assert service.ask("/info:").headers["Location"] == "/about/info:"
    told = _json(steward.memory, "/about.json/info:")
    listed = {each["identifier"]: each for each in told["members"]["members"]}

    assert told["members"]["register"] == NAMESPACES
    assert set(listed) == {
        f"info:{name}/" for name in ("bibcode", "ddc", "doi", "lccn", "oclcnum", "ofi", "pmid", "sici")
    }
    pmid = listed["info:pmid/"]
    for field in ("registrant", "contact", "grammar", "normalization", "services", "documentation"):
        assert pmid[field], field


def test_the_register_is_a_concept_scheme(steward: Steward) -> None:
    graph = Graph().parse(data=_describe(steward.memory, "/about.ttl/info:").content, format="turtle")
    # A URI scheme is a concept of another register, and no concept is a concept scheme (SKOS S9).
    register, pmid = URIRef(f"http://{HOST}/members/info:"), URIRef(f"http://{HOST}/info:pmid/")

    assert (register, RDF.type, SKOS.ConceptScheme) in graph
    assert (pmid, SKOS.inScheme, register) in graph
    assert (pmid, SKOS.notation, Literal("pmid")) in graph
    assert (pmid, SKOS.prefLabel, Literal("PubMed identifiers", "en")) in graph
    own = Graph().parse(data=_describe(steward.memory, "/about.ttl/info:pmid/").content, format="turtle")
    assert (pmid, SKOS.inScheme, register) in own
    assert "National Library of Medicine" in str(own.serialize(format="nt"))
    assert (pmid, DCTERMS.publisher, None) in own


def test_the_register_is_a_page_and_a_table(steward: Steward) -> None:
    page = _describe(steward.memory, "/about/info:", Accept="text/html").content.decode()
    led = _describe(steward.memory, "/about/info:", Accept="text/csv")
    table = _describe(steward.memory, led.headers["Location"]).content.decode()
    rows = {row["identifier"]: row for row in csv.DictReader(table.splitlines())}

    assert "PubMed identifiers" in page
    assert "National Library of Medicine" in page
    assert rows["info:doi/"]["case"] == "upper"
    assert rows["info:doi/"]["registrant"] == "International DOI Foundation"
    assert rows["info:pmid/"]["services"].startswith("https://pubmed.ncbi.nlm.nih.gov/{rest}/ ")


def test_the_page_of_a_host_leads_to_the_register(steward: Steward) -> None:
    page = _describe(steward.memory, "/about/", Accept="text/html").content.decode()

    assert '<a href="/about/info:"><span lang="en" dir="auto">The info identifier scheme</span></a>' in page


def test_a_namespace_can_be_registered_in_a_table(steward: Steward) -> None:
    """Services and documentation are JSON in their cells."""
    table = (
        "record,identifier,title,registrant,case,services,documentation\n"
        'namespace,info:hdl/,Handles,CNRI,upper,"[{""href"": ""https://hdl.handle.net/{+rest}""}]",'
        '"[{""href"": ""https://www.handle.net/""}]"\n'
    )
    assert steward.upload("_host/handles.csv", table).counts == {"registered": 1}

    [service] = _json(steward.memory, "/about.json/info:hdl/4263537/4000")["services"]

    assert service["href"] == "https://hdl.handle.net/4263537/4000"


def test_no_name_in_a_public_namespace_is_a_register(service: Service) -> None:
    for path in ("/info:pmid/register/resourceType/", "/info:pmid/authority/pmid.x/"):
        given = service.ask(path)

        assert (given.status, given.headers["Location"]) == (303, f"/about{path}")


def test_names_within_a_public_namespace_have_no_hierarchy(steward: Steward) -> None:
    steward.upload("info:ddc/x.jsonl", json.dumps({"identifier": "info:ddc/22/", "title": "Edition 22"}))

    told = _json(steward.memory, "/about.json/info:ddc/22/eng//004.678")

    assert told["up"] == "/about/info:ddc/"


def test_only_a_host_registers_namespaces_and_only_in_schemes_with_namespaces(steward: Steward) -> None:
    line = {"record": "namespace", "identifier": "info:new/", "title": "New"}
    assert steward.upload("info:new/x.jsonl", json.dumps(line)).refused == {(1,): [("record", "folder")]}
    line["identifier"] = "uri-gin/new/"
    broken = steward.upload("_host/y.jsonl", json.dumps(line)).refused
    assert broken == {(1,): [("identifier", "namespace")]}


def test_an_identifier_in_an_unknown_namespace_is_not_registered(steward: Steward) -> None:
    report = steward.upload("info:new/x.jsonl", json.dumps({"identifier": "info:new/1", "title": "One"}))

    assert report.refused == {(1,): [("identifier", "name authority")]}
    assert "Register it first, from the folder {host_folder}" in str(report.verdicts)


def test_a_dot_segment_is_a_warning_and_the_resource_type_optional(steward: Steward) -> None:
    lines = [{"identifier": f"info:pmid/{name}", "title": "x"} for name in ("1", "a/../b")]
    report = steward.upload("info:pmid/x.jsonl", "\n".join(map(json.dumps, lines)))

    assert [each.warned for each in report.verdicts] == [[], [("identifier", "dot-segment")]]


@pytest.mark.parametrize(
    ("href", "rule"),
    [
        ("https://{+rest}", "value_error"),
        ("https://example.org/{id}", "value_error"),
        ("javascript:x", "value_error"),
    ],
)
def test_a_template_that_could_leave_its_host_is_refused(steward: Steward, href: str, rule: str) -> None:
    line = {"record": "namespace", "identifier": "info:pmid/", "services": [{"href": href}]}

    assert steward.upload("_host/x.jsonl", json.dumps(line)).refused == {(1,): [("services.0.href", rule)]}


def test_only_a_namespace_expands_templates(steward: Steward) -> None:
    steward.upload(
        "_host/a.jsonl", '{"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"}'
    )
    line = {"record": "resource-type", "identifier": "uri-gin/azgs/map/", "title": "Map",
            "services": [{"href": "https://example.org/{rest}"}]}  # fmt: skip

    report = steward.upload("uri-gin/azgs/x.jsonl", json.dumps(line))

    assert report.refused == {(1,): [("services", "template")]}


def test_a_rule_of_a_namespace_precedes_its_description(steward: Steward, service: Service) -> None:
    line = {"record": "rule", "identifier": "info:pmid/", "title": "PubMed",
            "location": "https://pubmed.ncbi.nlm.nih.gov/{+rest}/"}  # fmt: skip
    steward.upload("info:pmid/rules.jsonl", json.dumps(line))

    given = service.ask(f"/{PMID}")

    assert given.headers["Location"] == "https://pubmed.ncbi.nlm.nih.gov/12376099/"


def test_a_reserved_namespace_resolves_no_names(steward: Steward, service: Service) -> None:
    steward.upload(
        "_host/x.jsonl",
        '{"record": "namespace", "identifier": "info:new/", "title": "New", "status": "reserved"}',
    )

    assert service.ask("/info:new/1").status == 404
    assert service.ask("/info:new/").status == 404


def test_a_namespace_is_exported_as_registered(steward: Steward) -> None:
    stated = [json.loads(line) for line in (EXAMPLES / NAMESPACE_FILE).read_text("utf-8").splitlines()]
    exported = [json.loads(line) for line in steward.exported("_host/")]

    assert {each["identifier"]: each for each in exported} == {each["identifier"]: each for each in stated}
