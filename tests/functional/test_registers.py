"""The registers list the services of authorities, the host of schemes, and the canonical form of entries."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from ginuri.memory import MemoryRegistry
from tests.builders import register
from tests.front import Front

AUTHORITIES = "uri-gin/usgin/register/nameAuthority/"
SCHEMES = "uri-gin/usgin/register/uriScheme/"
TYPES = "uri-gin/azgs/register/resourceType/"
WMS = {"href": "https://maps.example/wms", "title": "Map service", "type": "application/xml"}
SEARCH = {"href": "https://maps.example/search"}
RDF_XML = "application/rdf+xml"
PDF = "application/pdf"
VOCABULARY = "uri-gin/azgs/set/lithology/"
_CANONICAL = re.compile(r"Canonical form of the members: .*?<code>(.*?)</code>")


@pytest.fixture
def registry() -> MemoryRegistry:
    """Two schemes, an authority with services, types with canonical forms, and a collection."""
    registry = MemoryRegistry()
    register(
        registry,
        "uri-gin/",
        record="scheme",
        title={"en": "The scheme"},
        authority="uri-gin/usgin/",
        trusted_hosts=["resources.usgin.org", "geon.example"],
    )
    register(registry, "hdl:", record="scheme", title={"en": "Handles"})
    register(registry, "uri-gin/usgin/", record="authority", title={"en": "Network"})
    register(registry, "uri-gin/azgs/", record="authority", title={"en": "Survey"}, services=[WMS, SEARCH])
    register(registry, "uri-gin/usgin/doc/", record="resource-type", canonical_media_type=PDF)
    register(registry, "uri-gin/azgs/doc/", record="resource-type", broader="uri-gin/usgin/doc/")
    register(registry, "uri-gin/azgs/concept/", record="resource-type", canonical_media_type="text/turtle")
    register(registry, "uri-gin/azgs/set/", record="resource-type")
    register(registry, VOCABULARY, title={"en": "Lithology"})
    for name in ("granite", "gneiss"):
        register(registry, f"uri-gin/azgs/concept/{name}/", title={"en": name}, part_of=VOCABULARY)
        register(registry, f"uri-gin/azgs/doc/{name}/", title={"en": name})
    return registry


@pytest.fixture
def front(registry: MemoryRegistry, tmp_path: Path) -> Front:
    """The front door of the registry."""
    return Front(registry, tmp_path)


def _text(front: Front, path: str) -> str:
    answered = front.ask(path)
    assert answered.status == 200
    return answered.content.decode()


def _json(front: Front, path: str) -> Any:
    return json.loads(_text(front, path))


def _rows(front: Front, name: str) -> dict[str, dict[str, str]]:
    rows = csv.DictReader(io.StringIO(_text(front, f"/members.csv/{name}")))
    return {row["identifier"]: row for row in rows}


def test_the_page_of_an_authority_and_of_the_register_link_its_services(front: Front) -> None:
    link = '<a href="https://maps.example/wms" class="away">Map service</a>'

    assert link in _text(front, "/about.html/uri-gin/azgs/")
    assert 'id="services"' not in _text(front, "/about.html/uri-gin/usgin/")
    assert link in _text(front, f"/members.html/{AUTHORITIES}")
    assert link in _text(front, f"/about.html/{AUTHORITIES}")
    assert link not in _text(front, "/members.html/uri-gin/")


def test_the_register_of_name_authorities_has_services_in_every_data_format(front: Front) -> None:
    listed = {each["identifier"]: each for each in _json(front, f"/members.json/{AUTHORITIES}")["members"]}
    features = _json(front, f"/members.geojson/{AUTHORITIES}")["features"]
    places = {each["properties"]["identifier"]: each["properties"] for each in features}
    rows = _rows(front, AUTHORITIES)

    assert listed["uri-gin/azgs/"]["services"] == [WMS, SEARCH]
    assert "services" not in listed["uri-gin/usgin/"]
    assert places["uri-gin/azgs/"]["services"] == "https://maps.example/wms, https://maps.example/search"
    assert rows["uri-gin/azgs/"]["services"] == "https://maps.example/wms https://maps.example/search"
    assert rows["uri-gin/usgin/"]["services"] == ""
    assert "<iana:service" in _text(front, f"/members.rdf/{AUTHORITIES}")


def test_the_authoritative_host_of_a_scheme_is_the_first_that_it_trusts(front: Front) -> None:
    page = _text(front, "/about.html/uri-gin/")

    assert re.search(r">resources\.usgin\.org</a> <span class=\"quiet\">authoritative</span>", page)
    assert page.count("authoritative</span>") == 1
    assert _json(front, "/about.json/uri-gin/")["authoritative_host"] == "resources.usgin.org"
    assert (
        _json(front, "/about.geojson/uri-gin/")["properties"]["authoritative_host"] == "resources.usgin.org"
    )
    assert "authoritative_host" not in _json(front, "/about.json/hdl:")
    assert '"authoritative_host"' in _text(front, "/about.ttl/uri-gin/")


def test_the_register_of_schemes_has_the_authoritative_host_in_every_format(front: Front) -> None:
    listed = {each["identifier"]: each for each in _json(front, f"/members.json/{SCHEMES}")["members"]}
    rows = _rows(front, SCHEMES)

    assert listed["uri-gin/"]["authoritative_host"] == "resources.usgin.org"
    assert "authoritative_host" not in listed["hdl:"]
    assert rows["uri-gin/"]["authoritative_host"] == "resources.usgin.org"
    assert rows["hdl:"]["authoritative_host"] == ""
    assert '"authoritative_host" ;' in _text(front, f"/members.ttl/{SCHEMES}")
    page = _text(front, f"/members.html/{SCHEMES}")
    assert 'data-label="Authoritative host"><a href="http://resources.usgin.org/">' in page


@pytest.mark.parametrize("name", [AUTHORITIES, SCHEMES, TYPES])
def test_every_format_of_a_register_states_the_canonical_form_of_its_entries(front: Front, name: str) -> None:
    assert _json(front, f"/members.json/{name}")["canonical_form_of_members"] == RDF_XML
    assert _json(front, f"/about.json/{name}")["members"]["canonical_form_of_members"] == RDF_XML
    assert _json(front, f"/members.geojson/{name}")["canonical_form_of_members"] == RDF_XML
    assert {row["canonical_form"] for row in _rows(front, name).values()} == {RDF_XML}
    for page in (f"/members.html/{name}", f"/about.html/{name}"):
        assert _CANONICAL.findall(_text(front, page)) == [RDF_XML]
    for data in (f"/members.ttl/{name}", f"/members.jsonld/{name}", f"/about.nt/{name}"):
        assert '"canonical_form_of_members"' in _text(front, data)


@pytest.mark.parametrize(
    ("name", "form"),
    [
        (VOCABULARY, "text/turtle"),
        ("uri-gin/azgs/concept/", "text/turtle"),
        ("uri-gin/azgs/doc/", PDF),
        ("uri-gin/azgs/set/", RDF_XML),
        ("uri-gin/azgs/", None),
    ],
)
def test_a_list_states_the_canonical_form_of_the_type_of_its_members(
    front: Front, name: str, form: str | None
) -> None:
    assert _json(front, f"/members.json/{name}").get("canonical_form_of_members") == form
    assert _CANONICAL.findall(_text(front, f"/members.html/{name}")) == ([form] if form else [])
    assert {row["canonical_form"] for row in _rows(front, name).values()} == {form or ""}


def test_members_of_several_types_have_no_common_canonical_form(
    registry: MemoryRegistry, tmp_path: Path
) -> None:
    register(registry, "uri-gin/azgs/doc/granite/", 9, part_of=VOCABULARY)
    front = Front(registry, tmp_path)

    assert "canonical_form_of_members" not in _json(front, f"/members.json/{VOCABULARY}")


@pytest.mark.functions
@pytest.mark.parametrize(("name", "calls"), [("uri-gin/azgs/concept/", 3), (VOCABULARY, 4)])
def test_the_canonical_form_of_a_collection_takes_one_call(
    registry: MemoryRegistry, front: Front, name: str, calls: int
) -> None:
    before = registry.calls
    _text(front, f"/members.json/{name}")

    assert registry.calls - before == calls
