"""Vocabularies and other RDF, uploaded unchanged."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import rdflib
from rdflib.compare import isomorphic

from ginuri.descriptions.rdf.stated_triples import subject_of
from ginuri.files.formats import SUFFIXES, stored_as
from ginuri.files.options import UploadOptions, write_options
from ginuri.registry.model import Resource
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import rest_event
from tests.example_registry import Descriptions
from tests.steward import Report, Steward, line, settled, write_registry

EXAMPLES = Path(__file__).parents[2] / "layers/library/ginuri/examples" / "uri-gin"
LITHOLOGY = EXAMPLES / "cgi" / "SimpleLithology200811.skos.xml"
CGI = '{"record": "authority", "identifier": "uri-gin/cgi/", "title": "CGI"}\n'
SCHEME = "uri-gin/cgi/conceptScheme/simpleLithology200811/"
GRANITE = "uri-gin/cgi/classifier/simpleLithology200811.granite/"
FORMATS = {".ttl": "turtle", ".rdf": "xml", ".jsonld": "json-ld", ".nt": "nt"}
VOCABULARY = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://vocab.example.org/lith#> .
<http://vocab.example.org/lith> a skos:ConceptScheme ; skos:prefLabel "Lithology"@en .
:rock skos:inScheme <http://vocab.example.org/lith> ; skos:prefLabel "rock"@en .
:slate skos:inScheme <http://vocab.example.org/lith> ; skos:prefLabel "slate"@en ; skos:broader :rock .
"""
MAPPED = "http://vocab.example.org/lith=uri-gin/azgs/lith/ http://vocab.example.org/lith#{+rest}=uri-gin/azgs/lith/{+rest}"


def _cgi() -> Steward:
    steward = settled()
    steward.upload("_host/cgi.jsonl", CGI)
    return steward


def _written(suffix: str) -> bytes:
    graph = rdflib.Graph(bind_namespaces="none")
    graph.parse(LITHOLOGY, format="xml")
    text = graph.serialize(format=FORMATS[suffix])
    return text.encode()


def _mapped(
    steward: Steward, content: str, key: str = "uri-gin/azgs/lith.ttl", columns: str = MAPPED
) -> Report:
    return steward.deliver(steward.put(key, content, **write_options(UploadOptions(columns=columns))))


def _values(steward: Steward) -> dict[str, Any]:
    names = [name for name, _ in steward.memory.standing("uri-gin/cgi/")]
    told = {name: dict(steward.values(name) or {}) for name in names}
    told[SCHEME].pop("representations")
    return told


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("packed", ["", ".gz"])
@pytest.mark.untraced
def test_a_vocabulary_gives_the_same_registry_in_every_format(suffix: str, packed: str) -> None:
    expected, steward = _cgi(), _cgi()
    expected.upload("uri-gin/cgi/lithology.rdf", LITHOLOGY.read_bytes())
    content = _written(suffix)

    report = steward.upload(
        f"uri-gin/cgi/lithology{suffix}{packed}", gzip.compress(content) if packed else content
    )

    assert report.refused == {}
    assert _values(steward) == _values(expected)
    scheme = (steward.values(SCHEME) or {})["representations"].values()
    assert [(each["part"], each["file"]["key"]) for each in scheme] == [
        (f"lithology{suffix}{packed}", f"uri-gin/cgi/lithology{suffix}{packed}")
    ]


def test_a_real_vocabulary_keeps_its_concepts_and_their_labels() -> None:
    steward = _cgi()

    report = steward.upload("uri-gin/cgi/lithology.rdf", LITHOLOGY.read_bytes())

    granite = steward.registry.fetch([GRANITE])[GRANITE]
    assert report.counts["registered"] == 6
    assert isinstance(granite, Resource)
    assert granite.part_of == SCHEME
    assert granite.titles["de"] == "Granit"
    assert "http://www.w3.org/2004/02/skos/core#broader" in granite.links


def test_the_same_vocabulary_again_is_unchanged() -> None:
    steward = _cgi()
    steward.upload("uri-gin/cgi/lithology.ttl", _written(".ttl"))

    assert set(steward.upload("uri-gin/cgi/lithology.ttl", _written(".ttl")).counts) <= {
        "unchanged",
        "warned",
    }


def test_the_triples_in_a_description_are_those_of_the_file() -> None:
    steward = settled()
    turtle = (
        VOCABULARY + ':slate skos:note [ skos:note "deep"@en, "\\t\\"x\\\\" ; a :Note ] ; skos:notation 1 .'
    )
    _mapped(steward, turtle)
    stated, told = rdflib.Graph(bind_namespaces="none"), rdflib.Graph(bind_namespaces="none")
    stated.parse(data=turtle, format="turtle")
    for name in ("uri-gin/azgs/lith/", "uri-gin/azgs/lith/rock", "uri-gin/azgs/lith/slate"):
        record = steward.registry.fetch([name])[name]
        assert isinstance(record, Resource)
        told.parse(data=record.triples, format="nt")
        assert str(subject_of(record)).startswith("http://vocab.example.org/lith")

    assert isomorphic(stated, told)


def test_unmapped_subjects_are_reported_once_and_mapped_ones_registered() -> None:
    steward = settled()
    own = '<http://r.org/uri-gin/azgs/x> <http://purl.org/dc/terms/title> "x" .'

    report = steward.upload("uri-gin/azgs/lith.ttl", VOCABULARY + own)
    mapped = _mapped(steward, VOCABULARY + own)

    [remark] = [each for each in report.verdicts if ("identifier", "map") in each.warned]
    assert (report.counts["registered"], remark.lines, remark.identifier) == (1, (1,), None)
    assert (mapped.counts["registered"], mapped.counts["unchanged"]) == (3, 1)
    assert steward.values("uri-gin/azgs/lith/slate")


def test_a_file_without_own_identifiers_is_refused_with_a_suggested_mapping() -> None:
    report = settled().upload("uri-gin/azgs/lith.ttl", VOCABULARY)

    assert report.refused == {(1,): [("", "map")]}
    assert "--map 'http://vocab.example.org/lith#{+rest}=" in report.verdicts[0].findings[0]["message"]
    assert report.refused_lines is None


def test_refused_rdf_comes_back_as_json_lines_for_correction() -> None:
    steward = settled()
    columns = MAPPED.replace("lith/{+rest}", "lith//{+rest}")

    report = _mapped(steward, VOCABULARY, "uri-gin/azgs/lith.ttl", columns)

    assert report.counts["registered"] == 1
    assert report.whole["refused_lines"].endswith(".refused.jsonl")
    assert report.refused_lines
    assert b"remark" not in report.refused_lines
    corrected = report.refused_lines.replace(
        b'"identifier": "uri-gin/azgs/lith//', b'"identifier": "uri-gin/azgs/lith/'
    )
    again = steward.upload("uri-gin/azgs/corrected.jsonl", corrected)
    assert (again.counts["registered"], again.refused) == (2, {})
    assert (steward.values("uri-gin/azgs/lith/slate") or {})["triples"].startswith("<http://vocab")


def test_a_dry_run_of_rdf_has_the_report_of_the_upload() -> None:
    tried, done = _cgi(), _cgi()

    preview = tried.try_out("uri-gin/cgi/lithology.ttl", _written(".ttl"))
    report = done.upload("uri-gin/cgi/lithology.ttl", _written(".ttl"))

    assert preview.whole["verdicts"] == report.whole["verdicts"]
    assert tried.values(SCHEME) is None


def test_an_exported_vocabulary_registers_the_same_again() -> None:
    steward, fresh = _cgi(), _cgi()
    steward.upload("uri-gin/cgi/lithology.ttl", _written(".ttl"))
    lines = "\n".join(write_registry(steward.memory.standing("uri-gin/cgi/"), "uri-gin/cgi/"))
    fresh.put(stored_as("uri-gin/cgi/lithology.ttl"), _written(".ttl"))

    assert fresh.upload("uri-gin/cgi/export.jsonl", lines).refused == {}

    again = "\n".join(write_registry(fresh.memory.standing("uri-gin/cgi/"), "uri-gin/cgi/"))
    assert again == lines


ONTOLOGY = """
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
<http://r.org/uri-gin/azgs/onto> a owl:Ontology {also} ; <http://purl.org/dc/terms/title> "{title}" .
"""
ONTO = "uri-gin/azgs/onto"


def _ontology(title: str = "Units", also: str = "") -> str:
    return ONTOLOGY.format(title=title, also=also)


def _asked(
    steward: Steward, accept: str, path: str = f"/{ONTO}", host: str = "r.org"
) -> tuple[int, str, bytes]:
    event = rest_event(path, headers={"Accept": accept, "Host": host})
    responses = IdentifierResponses(steward.content, "ids.example.org")
    decided = resolve(
        read_request(event), RememberingFinder(steward.memory, time.monotonic), responses
    ).response
    answer = Answer(write_gateway(decided, "GET"))
    return answer.status, answer.headers.get("Location", ""), answer.content


def test_a_vocabulary_without_a_final_slash_has_a_page_and_a_file() -> None:
    steward = settled()

    report = steward.upload("uri-gin/azgs/onto.ttl", _ontology())

    assert (report.refused, (steward.values(ONTO) or {})["kind"]) == ({}, "thing")
    assert _asked(steward, "text/html")[:2] == (303, f"/about/{ONTO}")
    assert _asked(steward, "text/turtle")[:2] == (303, f"/{ONTO}.ttl")
    assert _asked(steward, "*/*")[:2] == (303, f"/{ONTO}.ttl")
    assert _asked(steward, "application/rdf+xml")[:2] == (303, f"/about/{ONTO}")
    assert _asked(steward, "text/turtle", f"/{ONTO}.ttl") == (200, "", _ontology().encode())


def test_a_later_file_of_a_vocabulary_replaces_the_earlier_one() -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/onto.ttl", _ontology())

    assert steward.upload("uri-gin/azgs/other.ttl", _ontology("Later")).counts["changed"] == 1

    assert _asked(steward, "text/turtle", f"/{ONTO}.ttl")[2] == _ontology("Later").encode()


@pytest.mark.parametrize("kind", [None, "document"])
def test_a_vocabulary_registered_as_a_document_stays_one_until_corrected(
    kind: str | None,
) -> None:
    steward = settled()
    form = {"media_type": "text/turtle", "location": "https://a.example/onto.ttl"}
    steward.upload("uri-gin/azgs/onto.jsonl", line(ONTO, kind=kind, representations=[form]))
    previewed = steward.try_out("uri-gin/azgs/onto.ttl", _ontology())

    refused = steward.upload("uri-gin/azgs/onto.ttl", _ontology())
    correction = write_options(UploadOptions(is_correction=True, reason="A vocabulary is a thing."))
    corrected = steward.deliver(steward.put("uri-gin/azgs/onto.ttl", _ontology(), **correction))

    assert previewed.refused == refused.refused == {(1,): [("kind", "never reused")]}
    assert "foaf:Document" in refused.verdicts[0].findings[0]["message"]
    assert (corrected.refused, corrected.verdicts[0].warned[0]) == ({}, ("kind", "corrected"))
    assert _asked(steward, "text/html")[:2] == (303, f"/about/{ONTO}")


def test_a_vocabulary_stated_as_a_document_stays_one() -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/onto.jsonl", line(ONTO, kind="document"))

    report = steward.upload("uri-gin/azgs/onto.ttl", _ontology(also=", foaf:Document"))

    assert report.refused == {}
    assert (steward.values(ONTO) or {})["kind"] == "document"
    assert _asked(steward, "text/turtle")[0] == 200


def test_a_corrected_document_no_longer_sends_its_file() -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/onto.ttl", _ontology("Earlier", also=", foaf:Document"))

    correction = write_options(UploadOptions(is_correction=True, reason="A vocabulary is a thing."))
    steward.deliver(steward.put("uri-gin/azgs/onto.ttl", _ontology(), **correction))

    assert _asked(steward, "text/turtle")[:2] == (303, f"/{ONTO}.ttl")
    assert _asked(steward, "text/turtle", f"/{ONTO}.ttl")[2] == _ontology().encode()


@pytest.mark.parametrize("name", ["contacttype", "faulttype", "simplelithology"])
def test_a_real_vocabulary_on_its_own_host_has_page_and_file(shared_data: Path, name: str) -> None:
    steward, host, scheme = settled(), "resource.geosciml.org", f"/classifierscheme/cgi/2016.01/{name}"
    steward.upload("_host/geosciml.jsonl", line(f"http://{host}/", record="host"))
    content = (shared_data / "skos" / f"geosciml__{name}.ttl").read_bytes()

    report = steward.upload(f"{host}/{name}.ttl", content)

    assert report.refused == {}
    assert (steward.values(f"//{host}{scheme}") or {})["kind"] == "thing"
    assert _asked(steward, "text/html", scheme, host)[:2] == (303, f"/about/http://{host}{scheme}")
    assert _asked(steward, "text/turtle", scheme, host)[:2] == (303, f"http://{host}{scheme}.ttl")
    assert _asked(steward, "*/*", f"{scheme}.ttl", host)[::2] == (200, content)


@pytest.mark.parametrize(
    ("triples", "told"),
    [
        ("nonsense", "Line 1 is not a triple"),
        ('<a:b> <c:d> "e" .\n<f:g> <c:d> "e" .', "Line 2 is not about the subject"),
        ('<a:b> <c:d> "' + "e" * 40_000 + '" .', "at most 32,768 bytes"),
    ],
)
def test_triples_stated_in_a_line_obey_the_same_rules(triples: str, told: str) -> None:
    stated = json.dumps({"identifier": "uri-gin/azgs/doc/x", "title": "x", "triples": triples})

    report = settled().upload("uri-gin/azgs/x.jsonl", stated)

    assert report.refused == {(1,): [("triples", "value_error")]}
    assert told in report.verdicts[0].findings[0]["message"]


def test_a_link_may_lead_to_an_identifier() -> None:
    link = {"rel": "related", "href": "uri-gin/azgs/doc/%79"}
    steward = settled()

    steward.upload("uri-gin/azgs/x.jsonl", json.dumps({"identifier": "uri-gin/azgs/doc/x", "links": [link]}))

    links = (steward.values("uri-gin/azgs/doc/x") or {})["links"]
    assert links == {"related": [{"rel": "related", "href": "uri-gin/azgs/doc/y"}]}


@pytest.mark.parametrize(("name", "imported"), [("x.csv", False), ("x.jsonl", False), ("x.ttl", True)])
def test_only_rdf_imports_rdflib(name: str, *, imported: bool) -> None:
    read = (
        "import sys; from ginuri.files.formats import read_lines; "
        f"list(read_lines('uri-gin/azgs/{name}', [b'<http://r.org/uri-gin/azgs/x> <a:b> 1 .'])); "
        "print('rdflib' in sys.modules)"
    )
    environment = {"PYTHONPATH": str(Path(__file__).parents[2] / "functions")}

    told = subprocess.run(  # noqa: S603  our own arguments
        [sys.executable, "-c", read], capture_output=True, text=True, check=True, env=environment
    )

    assert told.stdout.strip() == str(imported)


def test_each_sample_rdf_file_is_registered_or_refused_with_a_reason(
    shared_data: Path,
) -> None:
    endings = tuple(each for each in SUFFIXES if each.removesuffix(".gz") in FORMATS)
    found = [path for path in sorted(shared_data.rglob("*")) if path.name.lower().endswith(endings)]
    if not found:
        pytest.skip("../shared/data is not here")
    for path in found:
        report = settled().upload(f"uri-gin/azgs/{path.name}", path.read_bytes())
        [suggested] = [
            each["message"]
            for verdict in report.verdicts
            for each in verdict.findings
            if each["rule"] == "map"
        ] or [""]
        if "--map '" in suggested:
            mapping = suggested.partition("--map '")[2].partition("'")[0]
            report = _mapped(settled(), path.read_text("utf-8"), f"uri-gin/azgs/{path.name}", mapping)
            assert report.counts.get("registered"), path
        assert all(each.findings for each in report.verdicts if each.verdict == "refused"), path


@pytest.mark.parametrize("place", ["177 -20 -178 -16", "-114.8 31.3 -109 37", "-110.3 31.5"])
def test_a_described_place_is_read_back(place: str) -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/x.jsonl", line("uri-gin/azgs/x", spatial=place))
    before = (steward.values("uri-gin/azgs/x") or {})["spatial"]

    turtle = Descriptions(steward.memory).write("ttl", "uri-gin/azgs/x")
    steward.upload("uri-gin/azgs/x.ttl", turtle)

    assert (steward.values("uri-gin/azgs/x") or {})["spatial"] == before
    assert b"MULTIPOLYGON" not in turtle.partition(b"dcat:bbox")[2].partition(b"\n")[0]


def test_a_height_in_rdf_is_dropped_with_a_warning() -> None:
    turtle = (
        "@prefix w: <http://www.w3.org/2003/01/geo/wgs84_pos#> . <http://r.org/uri-gin/azgs/x> "
        'w:lat "31.5" ; w:long "-110.3" ; w:alt "1402" .'
    )
    steward = settled()

    report = steward.upload("uri-gin/azgs/x.ttl", turtle)

    assert ("spatial", "place") in [each for told in report.verdicts for each in told.warned]
    assert (steward.values("uri-gin/azgs/x") or {})["spatial"]["coordinates"] == [-110.3, 31.5]
