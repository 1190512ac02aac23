"""Vocabularies and other RDF, uploaded as they are."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import rdflib
from rdflib.compare import isomorphic

from ginuri.descriptions.rdf.stated_triples import subject_of
from ginuri.files.formats import SUFFIXES, stored_as
from ginuri.files.options import UploadOptions, write_options
from ginuri.registry.model import Resource
from tests.steward import Report, Steward, settled, write_registry

EXAMPLES = Path(__file__).parents[2] / "examples" / "uri-gin"
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
def test_a_vocabulary_is_the_same_registry_in_every_format(suffix: str, packed: str) -> None:
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


def test_the_concepts_of_a_real_vocabulary_are_part_of_it_and_labelled_in_their_languages() -> None:
    steward = _cgi()

    report = steward.upload("uri-gin/cgi/lithology.rdf", LITHOLOGY.read_bytes())

    granite = steward.registry.fetch([GRANITE])[GRANITE]
    assert report.counts["registered"] == 6
    assert isinstance(granite, Resource)
    assert granite.part_of == SCHEME
    assert granite.titles["de"] == "Granit"
    assert "http://www.w3.org/2004/02/skos/core#broader" in granite.links


def test_the_same_file_again_says_unchanged() -> None:
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


def test_what_nobody_mapped_is_told_of_once_and_what_was_mapped_is_registered() -> None:
    steward = settled()
    own = '<http://r.org/uri-gin/azgs/x> <http://purl.org/dc/terms/title> "x" .'

    report = steward.upload("uri-gin/azgs/lith.ttl", VOCABULARY + own)
    mapped = _mapped(steward, VOCABULARY + own)

    [remark] = [each for each in report.verdicts if ("identifier", "map") in each.warned]
    assert (report.counts["registered"], remark.lines, remark.identifier) == (1, (1,), None)
    assert (mapped.counts["registered"], mapped.counts["unchanged"]) == (3, 1)
    assert steward.values("uri-gin/azgs/lith/slate")


def test_a_file_in_which_nothing_is_ours_is_refused_once_with_a_mapping_to_try() -> None:
    report = settled().upload("uri-gin/azgs/lith.ttl", VOCABULARY)

    assert report.refused == {(1,): [("", "map")]}
    assert "--map 'http://vocab.example.org/lith#{+rest}=" in report.verdicts[0].findings[0]["message"]
    assert report.refused_lines is None


def test_the_refused_lines_of_rdf_are_json_lines_to_be_corrected_and_uploaded() -> None:
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


def test_a_dry_run_of_rdf_tells_what_the_upload_will_be_told() -> None:
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


@pytest.mark.parametrize(
    ("triples", "told"),
    [
        ("nonsense", "Line 1 is not a triple"),
        ('<a:b> <c:d> "e" .\n<f:g> <c:d> "e" .', "Line 2 is not about the subject"),
        ('<a:b> <c:d> "' + "e" * 40_000 + '" .', "at most 32,768 bytes"),
    ],
)
def test_triples_that_a_line_states_are_held_to_the_same(triples: str, told: str) -> None:
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
def test_rdflib_is_imported_for_rdf_only(name: str, *, imported: bool) -> None:
    read = (
        "import sys; from ginuri.files.formats import read_lines; "
        f"list(read_lines('uri-gin/azgs/{name}', [b'<http://r.org/uri-gin/azgs/x> <a:b> 1 .'])); "
        "print('rdflib' in sys.modules)"
    )
    environment = {"PYTHONPATH": str(Path(__file__).parents[2] / "functions")}

    told = subprocess.run(  # noqa: S603  our own words
        [sys.executable, "-c", read], capture_output=True, text=True, check=True, env=environment
    )

    assert told.stdout.strip() == str(imported)


def test_every_file_of_rdf_in_the_shared_data_is_registered_or_refused_with_a_reason(
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
