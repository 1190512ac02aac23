"""Does a description contain the registered values, the same in every format?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ginuri.descriptions.composer import compose
from ginuri.descriptions.description import Description
from ginuri.descriptions.html.page import write_page
from ginuri.descriptions.html.ruler import parts_of_uri
from ginuri.descriptions.json.registration import write_json
from ginuri.descriptions.json.schema_org import write_schema_org
from ginuri.descriptions.labels import choose_label
from ginuri.descriptions.rdf.description import describe_in_rdf
from ginuri.descriptions.rdf.nodes import media_type
from ginuri.descriptions.rdf.serializations.json_ld import write_json_ld
from ginuri.descriptions.rdf.serializations.turtle import write_turtle
from ginuri.descriptions.rdf.vocabulary import DCMI_TERMS, LITERAL_TERMS, PREFIXES
from ginuri.descriptions.references import add_mentioned
from ginuri.files.rdf.graphs import read_graph
from ginuri.identifiers import Kind, parse
from ginuri.registry.model import (
    Host,
    NameAuthority,
    Registered,
    Representation,
    Resource,
    ResourceType,
    Scheme,
    Status,
    StoredFile,
)
from ginuri.registry.ports import Found
from ginuri.registry.texts.ntriples import BlankNode, Literal
from ginuri.resolution.descriptions.decision import Describe, decide_description
from ginuri.resolution.descriptions.formats import FORMATS, LIST_FORMATS
from ginuri.resolution.descriptions.paths import read_description_path
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES
from tests.builders import MAP, PUT, find, representation, resource, stored

IANA = "https://www.iana.org/assignments/media-types/"
MODIFIED = PUT.format(0)
URI = f"http://resources.usgin.org/{MAP}"
HOST = "resources.example.org"
AUTHORITY = NameAuthority(
    identifier="uri-gin/azgs/",
    modified=MODIFIED,
    titles={"en": "Arizona Geological Survey"},
    trusted_hosts=["resources.usgin.org", "geon.org:88"],
    homepage="https://azgs.arizona.edu/",
    contact="stewards@example.org",
)
TYPE = ResourceType(identifier="uri-gin/azgs/doc/map/", modified=MODIFIED, titles={"es": "Mapa", "en": "Map"})


def described(record: Registered, *around: Registered) -> Description:
    """Compose the description of a record among others."""
    found = find(record.identifier, record, *around)
    asked = read_description_path(f"/about.html/{record.identifier}")
    outcome = decide_description(asked, found, NO_PREFERENCES, HOST)
    assert isinstance(outcome, Describe)
    return compose(outcome)


def json_ld(record: Registered, *around: Registered) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(write_json_ld(describe_in_rdf(described(record, *around))))
    return document


def page(record: Registered, *around: Registered) -> str:
    return write_page(described(record, *around)).decode()


def names_used(node: Any) -> Iterator[str]:
    match node:
        case dict():
            for name, value in node.items():
                if name != "@context":
                    yield name
                    yield from names_used(value)
        case list():
            for value in node:
                yield from names_used(value)
        case _:
            return


def test_the_thing_is_the_subject_and_its_description_another_resource() -> None:
    document = json_ld(resource(), AUTHORITY)

    about = document["foaf:isPrimaryTopicOf"]
    assert document["@id"] == URI
    assert about["@id"] == f"http://{HOST}/about/{MAP}"
    assert about["foaf:primaryTopic"] == {"@id": URI}
    assert about["dcterms:publisher"]["@id"] == "http://resources.usgin.org/uri-gin/azgs/"


def test_json_ld_contains_its_context() -> None:
    record = resource(
        titles={"en": "Map", "es": "Mapa"},
        representations=[representation("application/pdf", part="m.pdf", file=stored(), language="en")],
        properties={"creator": "X", "county": "Y"},
        links={"license": [{"rel": "license", "href": "https://example.org/l"}]},
    )

    document = json_ld(record, AUTHORITY, TYPE)

    assert document["@context"] == PREFIXES
    names = set(names_used(document))
    assert {name.split(":")[0] for name in names if not name.startswith("@")} <= set(PREFIXES)


def test_without_trusted_hosts_the_configured_one_is_cited() -> None:
    assert json_ld(resource())["@id"] == f"http://{HOST}/{MAP}"


def test_the_hosts_of_the_scheme_are_the_fallback_for_citations() -> None:
    scheme = Scheme(identifier="uri-gin/", modified=MODIFIED, trusted_hosts=["ids.example.net"])

    assert json_ld(resource(), scheme)["@id"] == f"http://ids.example.net/{MAP}"


def test_texts_keep_their_language_tags() -> None:
    document = json_ld(resource(titles={"es": "Mapa", "": "Map"}))

    assert document["dcterms:title"] == [{"@value": "Mapa", "@language": "es"}, "Map"]


@pytest.mark.parametrize(
    ("status", "term"),
    [
        (Status.RESERVED, "reg:statusReserved"),
        (Status.VALID, "reg:statusValid"),
        (Status.SUPERSEDED, "reg:statusSuperseded"),
        (Status.RETIRED, "reg:statusRetired"),
    ],
)
def test_the_status_is_that_of_the_registration(status: Status, term: str) -> None:
    document = json_ld(resource(status=status))

    assert document["foaf:isPrimaryTopicOf"]["reg:status"] == {"@id": term}
    assert document.get("owl:deprecated", False) is (status in {Status.SUPERSEDED, Status.RETIRED})


def test_a_successor_replaces_a_superseded_identifier() -> None:
    later = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.2/"

    document = json_ld(
        resource(status=Status.SUPERSEDED, successor=later), resource(later, titles={"": "1.2"}), AUTHORITY
    )

    assert document["dcterms:isReplacedBy"] == {
        "@id": f"http://resources.usgin.org/{later}",
        "dcterms:title": "1.2",
    }


def test_a_form_is_a_distribution_with_media_type_and_location() -> None:
    form = representation("image/tiff", part="m.tif", location="https://example.org/m.tif", language="en")

    form_node = json_ld(resource(representations=[form]), AUTHORITY)["dcterms:hasFormat"]

    assert form_node == {
        "@id": f"{URI}m.tif",
        "@type": "dcat:Distribution",
        "dcat:mediaType": {"@id": "https://www.iana.org/assignments/media-types/image/tiff"},
        "dcterms:language": "en",
        "dcat:accessURL": {"@id": "https://example.org/m.tif"},
    }


@pytest.mark.parametrize(
    ("media_type", "stated"),
    [
        ("TEXT/CSV; header=present", {"dcat:mediaType": {"@id": f"{IANA}text/csv"}}),
        ("application/edi-x12", {"dcat:mediaType": {"@id": f"{IANA}application/EDI-X12"}}),
        ("application/x-msi", {"dcterms:format": "application/x-msi"}),
        ("image/jpg", {"dcterms:format": "image/jpg"}),
    ],
)
def test_a_media_type_is_written_as_iana_registers_it(media_type: str, stated: dict[str, Any]) -> None:
    form = representation(media_type, part="m")

    form_node = json_ld(resource(representations=[form]), AUTHORITY)["dcterms:hasFormat"]

    written = {name: form_node[name] for name in ("dcat:mediaType", "dcterms:format") if name in form_node}
    assert written == stated


def test_iana_registers_the_media_types_of_all_formats_but_citations() -> None:
    formats = {**FORMATS, **LIST_FORMATS}.values()

    unregistered = [row for row in formats if media_type(row.media_type)[0] == "dcterms:format"]
    assert unregistered == [row for row in formats if row.is_citation]


@pytest.mark.parametrize("record", [resource(), AUTHORITY, resource("uri-gin/azgs/doc/guide")])
def test_a_place_is_a_spatial_coverage_in_schema_org(record: Registered) -> None:
    place = {"type": "Point", "coordinates": [-110.3, 31.5]}

    document = json.loads(write_schema_org(replace(described(record, AUTHORITY), spatial=place)))

    assert document["spatialCoverage"]["geo"]["longitude"] == -110.3
    assert "location" not in document


def test_a_stored_form_has_its_size_and_its_checksum() -> None:
    form = representation("application/pdf", part="m.pdf", file=stored(length=11))

    form_node = json_ld(resource(representations=[form]), AUTHORITY)["dcterms:hasFormat"]

    assert form_node["dcat:downloadURL"] == {"@id": f"{URI}m.pdf"}
    assert form_node["dcat:byteSize"] == {"@value": "11", "@type": "xsd:nonNegativeInteger"}
    assert form_node["spdx:checksum"]["spdx:checksumValue"]["@value"] == "ab" * 32


def test_a_form_without_a_name_is_not_the_thing_itself() -> None:
    document = "uri-gin/azgs/doc/guide"

    document_node = json_ld(resource(document, representations=[representation("text/html", file=stored())]))

    assert "@id" not in document_node["dcterms:hasFormat"]


def test_the_forms_of_a_dataset_are_its_distributions() -> None:
    document = json_ld(
        resource(properties={"type": "Dataset"}, representations=[representation("text/csv", part="d.csv")])
    )

    assert document["@type"] == "dcat:Dataset"
    assert document["dcat:distribution"]["@type"] == "dcat:Distribution"
    assert "dcterms:hasFormat" not in document


def test_a_person_has_no_publisher() -> None:
    document = json_ld(resource(properties={"type": "Person"}), AUTHORITY)

    assert document["@type"] == "foaf:Person"
    assert "dcterms:publisher" not in document


def test_a_property_named_like_a_dublin_core_term_is_that_term() -> None:
    earlier = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.0/"
    properties = {
        "spatial": "Huachuca Mountains",
        "replaces": f"http://geon.org:88/{earlier}",
        "identifier": "urn:cgi:party:CGI:AZGS",
        "source": ["a book", "https://example.org/book"],
    }

    document = json_ld(resource(properties=properties), AUTHORITY)

    assert document["dcterms:spatial"] == "Huachuca Mountains"
    assert document["dcterms:replaces"] == {"@id": f"http://resources.usgin.org/{earlier}"}
    assert document["dcterms:identifier"] == [URI, "urn:cgi:party:CGI:AZGS"]
    assert document["dcterms:source"] == ["a book", {"@id": "https://example.org/book"}]


def test_any_other_property_is_not_lost() -> None:
    document = json_ld(resource(properties={"county": "Imperial"}))

    assert document["schema:additionalProperty"] == {
        "@type": "schema:PropertyValue",
        "schema:name": "county",
        "schema:value": "Imperial",
    }


def test_dublin_core_has_fifty_five_terms() -> None:
    assert len(DCMI_TERMS) == 55
    assert LITERAL_TERMS < DCMI_TERMS


@pytest.mark.parametrize(
    ("relation", "name"),
    [
        ("license", "dcterms:license"),
        ("latest-version", "iana:latest-version"),
        ("https://example.org/rel", "https://example.org/rel"),
        ("a b", "rdfs:seeAlso"),
    ],
)
def test_a_link_is_written_with_its_relation(relation: str, name: str) -> None:
    links = {relation: [{"rel": relation, "href": "https://example.org/t", "title": "T"}]}

    assert json_ld(resource(links=links))[name] == {"@id": "https://example.org/t"}


@pytest.mark.parametrize(
    ("record", "type_"),
    [
        (AUTHORITY, "foaf:Agent"),
        (TYPE, "skos:Concept"),
        (Scheme(identifier="uri-gin/", modified=MODIFIED), "dcterms:Standard"),
        (Host(identifier=str(parse("http://ids.example.net/")), modified=MODIFIED), "dcat:DataService"),
        (resource("uri-gin/azgs/doc/guide"), "foaf:Document"),
    ],
)
def test_every_kind_of_record_has_a_class(record: Registered, type_: str) -> None:
    assert json_ld(record)["@type"] == type_


def test_a_scheme_names_its_authority_hosts_and_normative_document() -> None:
    scheme = Scheme(
        identifier="uri-gin/",
        modified=MODIFIED,
        authority="uri-gin/azgs/",
        trusted_hosts=["resources.usgin.org"],
        specification="http://repository.usgin.org/uri-gin/usgin/dlio/331",
        contact="stewards@example.org",
    )

    document = json_ld(scheme, AUTHORITY)

    assert document["dcterms:publisher"]["dcterms:title"]["@value"] == "Arizona Geological Survey"
    assert document["rdfs:isDefinedBy"] == {"@id": "http://resources.usgin.org/uri-gin/usgin/dlio/331"}
    host = {
        "@id": "http://resources.usgin.org/",
        "@type": "dcat:DataService",
        "dcterms:conformsTo": {"@id": "http://resources.usgin.org/uri-gin/"},
    }
    assert host in document["rdfs:seeAlso"]
    assert document["dcat:contactPoint"]["vcard:hasEmail"] == {"@id": "mailto:stewards@example.org"}


def test_json_uses_the_fields_of_a_registration() -> None:
    record = resource(
        titles={"": "Map"},
        descriptions={"en": "A map", "es": "Un mapa"},
        representations=[
            representation("application/pdf", part="m.pdf", roles=frozenset({"default"}), quality=0.5)
        ],
        links={"license": [{"rel": "license", "href": "https://example.org/l"}]},
        properties={"source": ["a", "b"]},
        part_of="uri-gin/azgs/doc/map/DGM37/",
    )

    document = json.loads(write_json(described(record, AUTHORITY)))

    assert document == {
        "record": "resource",
        "identifier": MAP,
        "uri": URI,
        "status": "valid",
        "kind": "thing",
        "title": "Map",
        "description": {"en": "A map", "es": "Un mapa"},
        "properties": {"source": ["a", "b"]},
        "part_of": "uri-gin/azgs/doc/map/DGM37/",
        "representations": [
            {
                "part": "m.pdf",
                "media_type": "application/pdf",
                "role": ["default"],
                "location": "https://data.azgs.example/m.pdf",
                "quality": 0.5,
                "uri": f"{URI}m.pdf",
            }
        ],
        "links": [{"rel": "license", "href": "https://example.org/l"}],
        "modified": MODIFIED,
        "up": "/about/uri-gin/azgs/",
    }


def test_the_formats_agree() -> None:
    record = resource(
        titles={"en": "Map"}, status=Status.RETIRED, kind=Kind.DOCUMENT, part_of="uri-gin/azgs/x/"
    )
    description = described(record, AUTHORITY)

    plain, linked = (
        json.loads(write_json(description)),
        json.loads(write_json_ld(describe_in_rdf(description))),
    )

    assert plain["uri"] == linked["@id"]
    assert plain["title"]["en"] == linked["dcterms:title"]["@value"]
    assert linked["dcterms:isPartOf"]["@id"].endswith(f"/{plain['part_of']}")
    assert linked["foaf:isPrimaryTopicOf"]["dcterms:modified"]["@value"] == plain["modified"]


@pytest.mark.parametrize(
    ("identifier", "pieces"),
    [
        (
            f"{MAP}mapImageFile",
            {
                "host": "http://resources.usgin.org/",
                "scheme": "uri-gin/",
                "name authority": "azgs/",
                "resource path": "doc/map/",
                "resource-specific string": "DGM37-HuachucaMountainNv1.1/",
                "representation part": "mapImageFile",
            },
        ),
        (
            "uri-gin/azgs/doc/map/",
            {
                "host": "http://resources.usgin.org/",
                "scheme": "uri-gin/",
                "name authority": "azgs/",
                "resource path": "doc/map/",
            },
        ),
        (
            "uri-gin/azgs/",
            {"host": "http://resources.usgin.org/", "scheme": "uri-gin/", "name authority": "azgs/"},
        ),
    ],
)
def test_the_parts_of_the_ruler_concatenate_to_the_uri(identifier: str, pieces: dict[str, str]) -> None:
    around = {record.identifier: record for record in (AUTHORITY, TYPE)}
    record = around.pop(identifier, None) or resource(identifier)

    description = described(record, *around.values())

    assert {piece.name: piece.text for piece in parts_of_uri(description)} == pieces
    assert "".join(piece.text for piece in parts_of_uri(description)) == description.uri


def test_the_host_is_shown_outside_the_identifier() -> None:
    assert [piece.name for piece in parts_of_uri(described(resource())) if not piece.is_identity] == ["host"]


@pytest.mark.parametrize(
    ("record", "around", "sentence"),
    [
        (resource(), (TYPE,), "This names a map, not a file."),
        (resource(), (), "This names a thing, not a file."),
        (resource(kind=Kind.DOCUMENT), (TYPE,), "This is a document, whatever its format."),
        (resource(f"{MAP}a.pdf"), (TYPE,), "This is a file: a resource in one format."),
    ],
)
def test_a_page_names_the_kind_of_the_thing(
    record: Resource, around: tuple[Registered, ...], sentence: str
) -> None:
    assert f'<p class="kind">{sentence}' in write_page(described(record, *around)).decode()


def test_a_title_in_the_language_of_the_page_is_preferred() -> None:
    assert choose_label({"es": "Mapa", "en": "Map"}) == choose_label({"en": "Map"})
    assert choose_label({}) is None


def test_texts_carry_their_language_into_the_page() -> None:
    written = page(resource(titles={"es": "Mapa", "de": "Karte"}, descriptions={"fr": "Une carte"}))

    assert '<h1 lang="es" dir="auto">Mapa</h1>' in written
    assert '<p class="other" lang="de" dir="auto">Karte</p>' in written
    assert '<p lang="fr" dir="auto">Une carte</p>' in written


def test_registered_values_are_text_and_never_markup() -> None:
    evil = '<img src=x onerror=alert(1)>"'
    record = resource(
        titles={"en": evil},
        descriptions={"": evil},
        reason=evil,
        status=Status.RETIRED,
        properties={evil: evil},
        representations=[Representation(part="a.pdf", media_type="a/b", profile=evil, titles={"": evil})],
        links={evil: [{"rel": evil, "href": evil, "title": evil}]},
    )

    written = page(record, AUTHORITY, TYPE)

    assert written.count("<img") == written.count('<img src="/qr.svg/uri-gin/') == 1


@pytest.mark.parametrize(
    "target", ["javascript:alert(1)", "data:text/html,x", "JavaScript:alert(1)", "vbscript:x"]
)
def test_no_script_becomes_a_link(target: str) -> None:
    record = resource(
        links={"related": [{"rel": "related", "href": target}]},
        properties={"source": target},
        representations=[Representation(media_type="text/html", location=target)],
    )
    authority = NameAuthority(identifier="uri-gin/azgs/", modified=MODIFIED, contact=target, homepage=target)

    links = re.findall(r'href="([^"]*)"', page(record, authority))

    assert not [link for link in links if link.lower().startswith(("javascript:", "data:", "vbscript:"))]


def test_a_page_links_the_records_that_it_mentions() -> None:
    record = resource(part_of="uri-gin/azgs/doc/map/DGM37/")

    written = page(record, AUTHORITY, TYPE, resource("uri-gin/azgs/doc/map/DGM37/", titles={"en": "The map"}))

    whole = re.sub(r'<wbr>|<span class="whole">([^<]*)</span>', r"\1", written)
    assert f'<a href="/{MAP}">{URI}</a>' in whole
    assert '<a href="/about/uri-gin/azgs/doc/map/"><span lang="en" dir="auto">Map</span></a>' in written
    assert (
        '<a href="/about/uri-gin/azgs/doc/map/DGM37/"><span lang="en" dir="auto">The map</span></a>'
        in written
    )
    assert '<a href="mailto:stewards@example.org">stewards@example.org</a>' in written


def test_a_page_lists_the_forms_with_type_language_size_and_location() -> None:
    file = StoredFile("k", "v", 1500, "ab" * 32, MODIFIED)
    forms = [
        Representation(part="m.pdf", media_type="application/pdf", language="es", file=file),
        Representation(media_type="text/html", location="https://example.org/m"),
    ]

    written = page(resource(representations=forms), AUTHORITY)

    for words in ("application/pdf", "Spanish", "1.5 kB", "stored here", "https://example.org/m"):
        assert words in written


def test_a_resource_type_lists_its_inherited_values_and_their_sources() -> None:
    broader = ResourceType(
        identifier="uri-gin/usgin/doc/",
        modified=MODIFIED,
        titles={"en": "Document"},
        canonical_media_type="application/pdf",
        default_media_type="image/png",
    )
    narrower = ResourceType(
        identifier="uri-gin/azgs/doc/map/",
        modified=MODIFIED,
        broader="uri-gin/usgin/doc/",
        default_media_type="text/html",
        services=[{"href": "https://example.org/wms", "title": "Map service"}],
    )

    description = described(narrower, broader)

    assert [type_.title.text for type_ in description.types] == ["Document"]
    assert description.defaults["default_media_type"].values == ("text/html",)
    assert description.defaults["default_media_type"].source is None
    inherited = description.defaults["canonical_media_type"]
    assert inherited.source is not None
    assert (inherited.values, inherited.source.title.text) == (("application/pdf",), "Document")
    assert '<a href="https://example.org/wms" class="away">Map service</a>' in page(narrower, broader)


def test_a_resource_type_shows_the_syntax_and_the_formats_of_its_identifiers() -> None:
    broader = ResourceType(
        identifier="uri-gin/usgin/doc/",
        modified=MODIFIED,
        titles={"en": "Document"},
        pattern="{series:upper}{number:digits}",
        valid_media_types=["application/pdf", "image/*"],
        syntax="strict",
    )
    narrower = ResourceType(
        identifier="uri-gin/azgs/doc/map/", modified=MODIFIED, broader="uri-gin/usgin/doc/"
    )

    written = page(narrower, broader)

    assert "<code>{series:upper}{number:digits}</code>" in written
    assert "PDF <code>application/pdf</code>, <code>image/*</code>" in written
    assert written.count('<span class="quiet">from <a href="/about/uri-gin/usgin/doc/">') == 2
    assert "New identifiers and formats that do not fit are refused." in written


def test_headings_come_in_order_and_landmarks_have_names() -> None:
    record = resource(
        status=Status.RETIRED,
        representations=[representation("text/html", part="a.html")],
        properties={"source": "x"},
        links={"related": [{"rel": "related", "href": "https://example.org/"}]},
    )

    written = page(record, AUTHORITY, TYPE)

    levels = re.findall(r"<h([1-6])", written)
    assert levels[0] == "1"
    assert set(levels[1:]) == {"2"}
    labelled = re.findall(r'aria-labelledby="([^"]+)"', written)
    assert labelled
    assert all(f'id="{label}"' in written for label in labelled)
    assert len(labelled) == len(set(labelled))


class Counting:
    """A registry that records its calls."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def fetch(self, names: Any) -> dict[str, Registered]:
        self.asked.extend(names)
        return {}


def test_referenced_records_are_read_once_with_the_authority() -> None:
    record = resource(
        part_of="uri-gin/azgs/doc/map/DGM37/",
        properties={"relation": ["http://x.example/uri-gin/cgi/a/", "some words", "1.2", "uri-gin"]},
        links={"related": [{"rel": "related", "href": "https://example.org/"}]},
    )
    reader = Counting()

    add_mentioned(find(MAP, record, AUTHORITY), reader, HOST)

    assert reader.asked == ["uri-gin/azgs/doc/map/DGM37/", "uri-gin/cgi/a/", "uri-gin/cgi/"]


def test_without_references_no_record_is_read() -> None:
    reader = Counting()

    found = add_mentioned(find(MAP, resource()), reader, HOST)

    assert reader.asked == []
    assert found == Found(parse(MAP), {MAP: resource()})


def test_the_triples_of_a_subject_are_included_with_its_other_name() -> None:
    slate, p = "http://vocab.example.org/lith#slate", "http://example.org/p"
    kind = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
    triples = (
        f'<{slate}> <{p}> "slate"@en .\n<{slate}> {kind} <{p}T> .\n<{slate}> <{p}> _:b0 .\n'
        f'_:b0 <{p}> "1"^^<{p}D> .\n_:b0 <{p}> "plain" .\n_:b0 <{p}> <{slate}> .'
    )

    document = json_ld(resource(triples=triples))

    assert document["owl:sameAs"] == {"@id": slate}
    assert document["@included"] == [
        {
            "@id": slate,
            p: [{"@value": "slate", "@language": "en"}, {"@id": "_:tb0"}],
            "@type": f"{p}T",
        },
        {"@id": "_:tb0", p: [{"@value": "1", "@type": f"{p}D"}, "plain", {"@id": slate}]},
    ]


def test_a_reader_of_json_ld_finds_the_triples_in_a_description() -> None:
    triples = f'<{URI}> <{URI}p> _:b0 .\n_:b0 <{URI}q> "x"@en .'

    graph = read_graph(".jsonld", write_json_ld(describe_in_rdf(described(resource(triples=triples)))))

    [blank] = graph[URI][f"{URI}p"]
    assert isinstance(blank, BlankNode)
    assert list(graph[blank][f"{URI}q"]) == [Literal("x", "en")]


def test_triples_with_the_cited_name_add_no_alias() -> None:
    document = json_ld(resource(triples=f'<{URI}> <{URI}p> "x" .'), AUTHORITY)

    assert "owl:sameAs" not in document
    assert document["@included"] == [{"@id": URI, f"{URI}p": "x"}]


def test_a_property_may_have_a_language() -> None:
    document = json_ld(resource(properties={"alternative@de": ["Fels"], "hiddenLabel@de": "Felz"}))

    assert document["dcterms:alternative"] == {"@value": "Fels", "@language": "de"}
    assert document["schema:additionalProperty"]["schema:name"] == "hiddenLabel@de"


def schema_org(record: Registered, *around: Registered) -> dict[str, Any]:
    written = page(record, *around)
    [data] = re.findall('<script type="application/ld.json">(.*?)</script>', written, re.DOTALL)
    document: dict[str, Any] = json.loads(data)
    return document


def test_the_head_of_a_page_describes_a_dataset_in_schema_org() -> None:
    record = resource(
        titles={"en": "Wells"},
        properties={"type": "Dataset", "creator": "A. Geologist", "issued": "2011"},
        links={"license": [{"rel": "license", "href": "https://example.org/l"}]},
        representations=[representation("text/csv", part="w.csv", file=stored(length=11), language="en")],
    )

    assert schema_org(record, AUTHORITY) == {
        "@context": {"@vocab": "https://schema.org/"},
        "@id": URI,
        "@type": "Dataset",
        "identifier": URI,
        "url": URI,
        "name": {"@value": "Wells", "@language": "en"},
        "publisher": {
            "@type": "Organization",
            "@id": "http://resources.usgin.org/uri-gin/azgs/",
            "name": "Arizona Geological Survey",
        },
        "creator": ["A. Geologist"],
        "datePublished": ["2011"],
        "license": [{"@id": "https://example.org/l"}],
        "distribution": [
            {
                "@type": "DataDownload",
                "contentUrl": {"@id": f"{URI}w.csv"},
                "encodingFormat": "text/csv",
                "inLanguage": "en",
                "contentSize": "11 B",
                "sha256": "ab" * 32,
            }
        ],
    }


@pytest.mark.parametrize(
    ("record", "type_"),
    [
        (AUTHORITY, "Organization"),
        (TYPE, "DefinedTerm"),
        (resource(), "Thing"),
        (resource("uri-gin/azgs/doc/guide"), "CreativeWork"),
        (resource(properties={"type": "Person"}), "Person"),
    ],
)
def test_every_record_has_a_class_of_schema_org(record: Registered, type_: str) -> None:
    assert schema_org(record)["@type"] == type_


def test_no_title_ends_the_data_in_the_head() -> None:
    title = "</script><script>alert(1)</script><!-- &amp; \u2028"

    assert schema_org(resource(titles={"": title}))["name"] == title


def test_a_description_was_generated_by_the_upload_that_changed_it_last() -> None:
    about = json_ld(resource(), AUTHORITY)["foaf:isPrimaryTopicOf"]

    moment = {"@value": MODIFIED, "@type": "xsd:dateTime"}
    assert about["prov:generatedAtTime"] == about["dcterms:modified"] == moment
    assert about["prov:wasGeneratedBy"] == {"@type": "prov:Activity", "prov:endedAtTime": moment}
    assert about["prov:wasAttributedTo"] == {"@id": "http://resources.usgin.org/uri-gin/azgs/"}


@pytest.mark.parametrize(
    "fields",
    [
        {"links": {"predecessor-version": [{"href": "https://example.org/1"}]}},
        {"properties": {"replaces": "https://example.org/1"}},
    ],
)
def test_it_is_a_revision_of_its_predecessor(fields: dict[str, Any]) -> None:
    assert json_ld(resource(**fields))["prov:wasRevisionOf"] == {"@id": "https://example.org/1"}


def test_each_version_has_its_forms_and_revises_the_one_before() -> None:
    forms = [
        representation("text/html", valid_from="1997-06-01", file=stored()),
        representation("application/pdf", valid_from="1991-02-01", part="old.pdf"),
        representation("text/html", valid_from="1991-02-01", file=stored()),
        representation("text/html", valid_from="prospective"),
        representation("image/png", part="a.png"),
    ]

    document = json_ld(resource(representations=forms), AUTHORITY)

    first, second, to_come = document["dcterms:hasVersion"]
    assert [version["@id"] for version in (first, second, to_come)] == [
        f"{URI}1991-02-01",
        f"{URI}1997-06-01",
        f"{URI}prospective",
    ]
    assert second["prov:wasRevisionOf"] == {"@id": f"{URI}1991-02-01"}
    assert second["dcterms:valid"] == {"@value": "1997-06-01", "@type": "xsd:date"}
    assert "prov:wasRevisionOf" not in first | to_come
    assert [form.get("@id") for form in first["dcterms:hasFormat"]] == [f"{URI}old.pdf", None]
    assert document["dcterms:hasFormat"]["@id"] == f"{URI}a.png"


def test_every_register_is_named_by_its_content() -> None:
    network = NameAuthority(
        identifier="uri-gin/usgin/", modified=MODIFIED, trusted_hosts=["resources.usgin.org"]
    )
    scheme = Scheme(
        identifier="uri-gin/",
        modified=MODIFIED,
        authority="uri-gin/usgin/",
        trusted_hosts=["resources.usgin.org"],
    )
    registers = {
        record.identifier: json_ld(record, *around).get("skos:inScheme", {}).get("@id")
        for record, around in ((TYPE, (AUTHORITY,)), (AUTHORITY, (scheme, network)), (scheme, (network,)))
    }

    assert registers == {
        "uri-gin/azgs/doc/map/": "http://resources.usgin.org/uri-gin/azgs/register/resourceType/",
        "uri-gin/azgs/": "http://resources.usgin.org/uri-gin/usgin/register/nameAuthority/",
        "uri-gin/": "http://resources.usgin.org/uri-gin/usgin/register/uriScheme/",
    }
    assert json_ld(TYPE, AUTHORITY)["skos:topConceptOf"] == {"@id": registers[TYPE.identifier]}


def test_the_rdf_of_a_resource_type_has_its_policy_and_services() -> None:
    type_ = ResourceType(
        identifier="uri-gin/azgs/doc/map/",
        modified=MODIFIED,
        default_media_type="text/html",
        services=[{"href": "https://example.org/wms", "title": "Map service", "type": "text/xml"}],
    )

    document = json_ld(type_, AUTHORITY)

    assert document["schema:additionalProperty"]["schema:name"] == "default_media_type"
    assert document["schema:additionalProperty"]["schema:value"] == "text/html"
    assert document["iana:service"] == {
        "@id": "https://example.org/wms",
        "@type": "dcat:DataService",
        "dcterms:title": "Map service",
        "dcat:mediaType": {"@id": "https://www.iana.org/assignments/media-types/text/xml"},
    }


def test_the_rdf_of_a_host_lists_its_schemes() -> None:
    host = Host(identifier=str(parse("http://ids.example.net/")), modified=MODIFIED)

    assert json_ld(host)["dcterms:conformsTo"]["@id"] == f"http://{HOST}/uri-gin/"


def test_turtle_is_readable() -> None:
    form = representation("application/pdf", part="m.pdf", file=stored(length=11))
    written = write_turtle(describe_in_rdf(described(resource(titles={"en": "Map"}, representations=[form]))))

    text = written.decode()
    assert text.startswith("@prefix adms: <http://www.w3.org/ns/adms#> .\n")
    assert f"\n\n<http://{HOST}/{MAP}> adms:status reg:statusValid ;\n" in text
    assert '\n  dcterms:title "Map"@en ;\n' in text
    assert "\n  spdx:checksum [ a spdx:Checksum ;\n    spdx:algorithm " in text
    assert "@prefix vcard:" not in text
