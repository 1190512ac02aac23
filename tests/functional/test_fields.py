"""Is every field in each format of its row in the table, and is a place read from every kind of file?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from ginuri.descriptions.rdf.vocabulary import PREFIXES
from ginuri.identifiers.service_paths import description_path, members_path
from ginuri.registry.metadata.fields import FIELDS, Field
from ginuri.registry.model import RecordType
from ginuri.resolution.descriptions.formats import FORMATS, LIST_FORMATS
from tests.front import Front
from tests.spreadsheets import written
from tests.steward import Steward, settled

DOC = "uri-gin/azgs/doc/"
NAMES = {
    RecordType.SCHEME: "hdl:",
    RecordType.HOST: "http://ids.example.org/",
    RecordType.AUTHORITY: "uri-gin/azgs/",
    RecordType.NAMESPACE: "info:doi/",
    RecordType.RESOURCE_TYPE: "uri-gin/azgs/map/",
    RecordType.RESOURCE: f"{DOC}78/",
    RecordType.ALIAS: f"{DOC}alias",
    RecordType.RULE: f"{DOC}ruled/",
    RecordType.DELEGATION: f"{DOC}handed/",
}
POINT = {"type": "Point", "coordinates": [-110.3, 31.5]}
# The stated value, the fields that it requires, and the expected output if it differs from the value.
SAMPLES: Mapping[str, tuple[Any, Mapping[str, str]]] = {
    "record": (None, {}),
    "identifier": (None, {}),
    "title": ("Quokka", {}),
    "description": ("Quokka country", {}),
    "kind": ("document", {}),
    "status": ("reserved", {"page": "Reserved", "rdf": "statusReserved"}),
    "successor": (f"{DOC}new/", {}),
    "reason": ("Quokkas", {}),
    "requested_by": ("Quokka court", {}),
    "until": ("2999-01-01", {}),
    "representations": ([{"media_type": "text/html", "location": "https://quokka.example/"}], {}),
    "location": (None, {}),
    "status_code": (302, {}),
    "media_type": (None, {}),
    "stands_for": (f"{DOC}new/", {}),
    "pattern": ("{quokka}", {}),
    "ignore_case": (None, {}),
    "captures": (None, {}),
    "pass_query": (None, {}),
    "document": (None, {}),
    "document_of": (None, {}),
    "dereference": ("content", {}),
    "canonical_media_type": ("image/quokka", {}),
    "default_media_type": ("image/quokka", {}),
    "valid_media_types": (["image/quokka"], {}),
    "broader": (DOC, {}),
    "definition": ("Quokkas", {}),
    "services": ([{"href": "https://quokka.example/"}], {}),
    "part_of": (f"{DOC}new/", {}),
    "spatial": (
        POINT,
        {
            "page": "31.5° N, 110.3° W",
            "rdf": "POINT (-110.3 31.5)",
            "schema.org": '"GeoCoordinates", "latitude": 31.5, "longitude": -110.3',
            "json": '"coordinates":[-110.3,31.5]',
            "csv": "POINT (-110.3 31.5)",
            "geojson": '"coordinates":[-110.3,31.5]',
        },
    ),
    "trusted_hosts": (["quokka.example"], {}),
    "homepage": ("https://quokka.example/", {}),
    "contact": ("quokka@example.org", {}),
    "syntax": ("lenient", {}),
    "answered_by": ("quokka.example", {}),
    "fallback": ("quokka.example", {}),
    "query_arguments": (
        {"_quokka": {"marsupial": "https://quokka.example/"}},
        {"page": "marsupial", "json": '{"marsupial":"https://quokka.example/"}'},
    ),
    "pages": (False, {"json": '"pages":false'}),
    "featured": ([f"{DOC}new/"], {}),
    "theme_color": ("#0a5a78", {}),
    "to": ("uri-gin/usgin/", {}),
    "valid_from": (None, {}),
    "may": (None, {}),
    "valid_until": (None, {}),
    "specification": ("https://quokka.example/", {}),
    "authority": ("uri-gin/usgin/", {}),
    "registrant": ("Quokka", {}),
    "grammar": ("Quokkas", {}),
    "normalization": ("Quokkas", {}),
    "case": ("upper", {}),
    "documentation": ([{"href": "https://quokka.example/"}], {}),
    "links": ([{"rel": "license", "href": "https://quokka.example/"}], {}),
    "triples": (
        f'<http://a.example/{DOC}78/> <http://purl.org/dc/terms/abstract> "Quokka" .',
        {"json": "Quokka"},
    ),
    "properties": ({"creator": "Quokka"}, {}),
    "tests": ([{"status": 303}], {}),
}
_NEEDED: Mapping[str, Mapping[str, Any]] = {
    "successor": {"status": "superseded"},
    "requested_by": {"status": "withheld"},
    "until": {"status": "embargoed"},
    "reason": {"status": "retired"},
}
_NEEDED_OF: Mapping[RecordType, Mapping[str, Any]] = {
    RecordType.SCHEME: {"authority": "uri-gin/usgin/"},
    RecordType.ALIAS: {"stands_for": f"{DOC}other/"},
    RecordType.DELEGATION: {"answered_by": "handed.example.org"},
    RecordType.RULE: {"location": "https://rules.example.org/{+rest}"},
}
# Rules and delegations are described with their prefix, which other tests check; grants are not described.
_NOT_DESCRIBED = {RecordType.RULE, RecordType.DELEGATION, RecordType.GRANT}
_DESCRIBED = [each for each in RecordType if each not in _NOT_DESCRIBED]


_UNSAID = {("trusted_hosts", RecordType.HOST, "page")}
"""The fields that a page leaves out: identifiers bound to a host are cited only there."""


def _cases() -> list[tuple[str, RecordType, str]]:
    return [
        (name, record_type, each)
        for name, field in FIELDS.items()
        for record_type in _DESCRIBED
        if record_type in field.on and SAMPLES[name][0] is not None
        for each in sorted(field.formats)
        if (name, record_type, each) not in _UNSAID
        if not (each == "schema.org" and name == "spatial" and record_type is not RecordType.RESOURCE)
        and not (each == "csv" and not _is_listed(field, record_type))
    ]


def _is_listed(field: Field, record_type: RecordType) -> bool:
    # A table has the columns of its members: those of a namespace are in the register of namespaces.
    is_general = len(field.on) > 1 or record_type is RecordType.RESOURCE_TYPE
    return record_type is not RecordType.HOST and (is_general or record_type is RecordType.NAMESPACE)


def _registered(fields: Mapping[str, Any], record_type: RecordType) -> Steward:
    steward = settled()
    steward.upload(
        "_host/schemes.jsonl",
        '{"record": "scheme", "identifier": "info:", "title": "info"}\n'
        '{"record": "scheme", "identifier": "uri-gin/", "title": "GIN", "authority": "uri-gin/usgin/"}',
    )
    line = {
        "record": record_type,
        "identifier": NAMES[record_type],
        "title": "It",
        **_NEEDED_OF.get(record_type, {}),
        **fields,
    }
    is_hosts = record_type in {*_DESCRIBED[:4]}
    report = steward.upload("_host/x.jsonl" if is_hosts else "uri-gin/azgs/x.jsonl", json.dumps(line))
    assert report.refused == {}
    return steward


def _document(front: Front, name: str, form: str) -> str:
    if form == "csv":
        above = {"hdl:": "uri-gin/usgin/register/uriScheme/", "info:doi/": "info:"}
        parent = above.get(name, f"{name.rstrip('/').rpartition('/')[0]}/")
        return front.ask(members_path(parent, extension="csv")).content.decode()
    extension = {"page": "html", "rdf": "ttl", "schema.org": "html"}.get(form, form)
    document = front.ask(description_path(name, extension=extension)).content.decode()
    if form == "json":
        return json.dumps(json.loads(document), separators=(",", ":"))
    if form == "schema.org":
        return document.partition("application/ld+json")[2].partition("</script>")[0]
    return document.partition("<body")[2].replace("<wbr>", "") if form == "page" else document


def test_fields_name_writers_of_the_table_of_formats() -> None:
    writers = {row.writer for row in (*FORMATS.values(), *LIST_FORMATS.values())}

    assert set().union(*(field.formats for field in FIELDS.values())) <= {*writers, "schema.org"}


def test_every_field_has_a_sample() -> None:
    assert SAMPLES.keys() == FIELDS.keys()


@pytest.mark.parametrize(("name", "record_type", "form"), _cases())
def test_every_format_shows_the_fields_of_the_table(
    name: str, record_type: RecordType, form: str, tmp_path: Any
) -> None:
    value, apart = SAMPLES[name]
    steward = _registered({name: value, **_NEEDED.get(name, {})}, record_type)
    identifier = NAMES[record_type].replace("http:", "")
    document = _document(Front(steward.memory, tmp_path), identifier, form)
    text = str(next(iter(value.values())) if isinstance(value, dict) else value)
    if isinstance(value, list):
        last = value[0]
        text = last.get("href") or last["location"] if isinstance(last, dict) else last

    assert apart.get(form, text) in document
    if form == "rdf" and FIELDS[name].property:
        prefix, _, term = FIELDS[name].property.partition(":")
        assert f"{prefix}:{term}" in document or f"{PREFIXES[prefix]}{term}" in document


_TURTLE = """
@prefix dcterms: <http://purl.org/dc/terms/> . @prefix geo: <http://www.opengis.net/ont/geosparql#> .
@prefix locn: <http://www.w3.org/ns/locn#> . @prefix wgs: <http://www.w3.org/2003/01/geo/wgs84_pos#> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
<http://resources.usgin.org/uri-gin/azgs/doc/78/> dcterms:title "It"@en ;
"""
PLACES = {
    "json lines": ("x.jsonl", json.dumps({"identifier": f"{DOC}78/", "spatial": POINT})),
    "a text in json lines": ("x.jsonl", json.dumps({"identifier": f"{DOC}78/", "spatial": "-110.3 31.5"})),
    "csv": ("x.csv", f"identifier,spatial\n{DOC}78/,POINT(-110.3 31.5)\n"),
    "geojson in csv": (
        "x.csv",
        f'identifier;spatial\n{DOC}78/;"{json.dumps(POINT).replace(chr(34), chr(34) * 2)}"\n',
    ),
    "dcat": ("x.ttl", f'{_TURTLE} dcterms:spatial [ locn:geometry "POINT(-110.3 31.5)"^^geo:wktLiteral ] .'),
    "a centroid": (
        "x.ttl",
        f'{_TURTLE} dcterms:spatial [ dcat:centroid "POINT(-110.3 31.5)"^^geo:wktLiteral ] .',
    ),
    "geosparql": ("x.ttl", f'{_TURTLE} geo:hasGeometry [ geo:asWKT "POINT(-110.3 31.5)"^^geo:wktLiteral ] .'),
    "wgs84": ("x.ttl", f"{_TURTLE} wgs:lat 31.5 ; wgs:long -110.3 ."),
    "a literal": ("x.ttl", f'{_TURTLE} dcterms:spatial "POINT(-110.3 31.5)"^^geo:wktLiteral .'),
}


@pytest.mark.parametrize("how", PLACES)
def test_a_place_is_read_from_an_upload(how: str) -> None:
    steward = settled()
    name, content = PLACES[how]

    assert steward.upload(f"uri-gin/azgs/{name}", content).refused == {}
    assert (steward.values(f"{DOC}78/") or {}).get("spatial") == POINT


def test_a_place_is_read_from_a_spreadsheet() -> None:
    steward = settled()
    steward.upload("uri-gin/azgs/x.xlsx", written([["identifier", "spatial"], [f"{DOC}78/", "-110.3, 31.5"]]))

    assert (steward.values(f"{DOC}78/") or {})["spatial"] == POINT


@pytest.mark.parametrize(
    "stated", [POINT, [-114, 31, -109, 37], "LINESTRING (0 0, 1 1)", [177, -20, -178, -16]]
)
def test_an_exported_place_is_read_back_the_same(stated: object) -> None:
    steward = settled()
    steward.upload(
        "uri-gin/azgs/x.jsonl", json.dumps({"identifier": f"{DOC}78/", "title": "It", "spatial": stated})
    )
    again = settled()
    again.upload("uri-gin/azgs/x.jsonl", "".join(steward.exported("uri-gin/azgs/")))

    assert again.values(f"{DOC}78/") == steward.values(f"{DOC}78/")


@pytest.mark.parametrize("record", ["resource-type", "alias", "rule"])
def test_only_resources_and_authorities_have_a_place(record: str) -> None:
    line = {"identifier": f"{DOC}78/", "record": record, "spatial": POINT, "stands_for": f"{DOC}79/"}
    (refused,) = settled().upload("uri-gin/azgs/x.jsonl", json.dumps(line)).refused.values()

    assert ("spatial", record) in refused


def test_an_invalid_place_is_refused_by_its_field() -> None:
    line = json.dumps({"identifier": f"{DOC}78/", "spatial": "31.5 -110.3"})
    (verdict,) = settled().upload("uri-gin/azgs/x.jsonl", line).verdicts

    assert verdict.broken == [("spatial", "value_error")]
    assert "Write the longitude first" in verdict.findings[0]["message"]


def test_json_has_no_size_in_memory(tmp_path: Any) -> None:
    steward = _registered({}, RecordType.RESOURCE)

    document = _document(Front(steward.memory, tmp_path), NAMES[RecordType.RESOURCE], "json")

    assert "size" not in json.loads(document)
