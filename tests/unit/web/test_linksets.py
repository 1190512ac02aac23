"""Linksets, by the rules of RFC 9264 and the recipes of FAIR signposting."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from ginuri.descriptions.linksets import gather_links
from ginuri.identifiers import parse_host
from ginuri.registry.model import Host, NameAuthority, Registered, Representation, Resource, ResourceType
from ginuri.registry.ports import Found
from ginuri.resolution.descriptions.decision import Describe
from ginuri.web.linksets import write_linkset, write_linkset_text
from tests.builders import MAP, find, read_links, representation, resource, stored

HOST = "resources.usgin.org"
HERE = f"http://{HOST}"
LICENSE = "https://creativecommons.org/licenses/by/4.0/"


def describe(record: Registered, *around: Registered, identifier: str = MAP) -> Describe:
    found = find(identifier, record, *around)
    return Describe(found.identifier, record, found, HOST, "linkset", negotiated=False)


def rich(**fields: Any) -> Resource:
    stated: dict[str, Any] = {
        "part_of": "uri-gin/azgs/doc/",
        "successor": "uri-gin/azgs/doc/map/DGM38/",
        "properties": {
            "type": "Dataset",
            "creator": ["uri-gin/azgs/person/jo/", "Mary Doe"],
            "replaces": f"{HERE}/uri-gin/azgs/doc/map/DGM36/",
        },
        "links": {
            "license": [{"href": LICENSE, "title": "Namensnennung für alle", "hreflang": "de"}],
            "https://a.example/Rel": [{"href": "https://a.example/x", "type": "text/html"}],
            "Cite": [{"href": "urn:isbn:0"}],
        },
        "representations": [
            representation("application/pdf", part="m.pdf", language="en", profile="https://a.example/p"),
            representation("text/html", location="https://data.azgs.example/map"),
            representation("image/png", file=stored()),
            representation("text/csv", location="javascript:alert(1)"),
        ],
    }
    return resource(**stated | fields)


def contexts(outcome: Describe) -> dict[str, dict[str, Any]]:
    document = json.loads(write_linkset(gather_links(outcome)))
    assert list(document) == ["linkset"]
    return {context["anchor"]: context for context in document["linkset"]}


def hrefs(context: dict[str, Any], relation: str) -> list[str]:
    return [target["href"] for target in context.get(relation, [])]


def test_each_anchor_has_one_context_object() -> None:
    document = json.loads(write_linkset(gather_links(describe(rich()))))

    anchors = [context["anchor"] for context in document["linkset"]]
    assert len(set(anchors)) == len(anchors)


# RFC 9264 §4.2.2: "anchor" is a string; every other member is a relation with an array of target objects.
def test_other_members_of_a_context_are_relations_with_targets() -> None:
    for context in contexts(describe(rich())).values():
        for relation, targets in context.items():
            if relation != "anchor":
                assert re.fullmatch(r"[a-z][a-z0-9.\-]*|[a-z]+:\S+", relation)
                assert targets
                assert all(isinstance(target["href"], str) for target in targets)


# RFC 9264 §4.2.4.1 and §4.2.4.3: "type" and "title" are strings, "hreflang" and extensions arrays of strings.
def test_attributes_have_the_types_of_the_specification() -> None:
    context = contexts(describe(rich()))[f"{HERE}/{MAP}"]

    assert context["alternate"][0] == {
        "href": f"{HERE}/{MAP}m.pdf",
        "type": "application/pdf",
        "hreflang": ["en"],
        "profile": ["https://a.example/p"],
        "formats": ["https://a.example/p"],
    }
    assert context["license"] == [{"href": LICENSE, "title": "Namensnennung für alle", "hreflang": ["de"]}]


# RFC 9264 §4.2.1, §4.1: relative references SHOULD NOT be used, because a stored document has no base.
def test_all_anchors_and_targets_are_absolute() -> None:
    for anchor, context in contexts(describe(rich())).items():
        ends = [anchor, *(target["href"] for name in context if name != "anchor" for target in context[name])]
        assert all(re.match("[a-z]+:", end) for end in ends)


def test_an_identifier_has_all_its_links() -> None:
    context = contexts(describe(rich()))[f"{HERE}/{MAP}"]

    assert hrefs(context, "cite-as") == [f"{HERE}/{MAP}"]
    assert hrefs(context, "canonical") == [f"{HERE}/{MAP}"]
    assert f"{HERE}/about.jsonld/{MAP}" in hrefs(context, "describedby")
    assert hrefs(context, "type") == ["https://schema.org/Dataset"]
    assert hrefs(context, "collection") == [f"{HERE}/uri-gin/azgs/doc/"]
    assert hrefs(context, "author") == [f"{HERE}/uri-gin/azgs/person/jo/"]
    assert hrefs(context, "successor-version") == [f"{HERE}/uri-gin/azgs/doc/map/DGM38/"]
    assert hrefs(context, "predecessor-version") == [f"{HERE}/uri-gin/azgs/doc/map/DGM36/"]
    assert hrefs(context, "https://a.example/Rel") == ["https://a.example/x"]
    assert hrefs(context, "cite") == ["urn:isbn:0"]
    assert hrefs(context, "linkset") == [f"{HERE}/about.linkset/{MAP}", f"{HERE}/about.links/{MAP}"]


def test_an_invalid_location_is_no_link() -> None:
    assert b"javascript" not in write_linkset(gather_links(describe(rich())))


def test_links_in_the_reverse_direction_are_included() -> None:
    linked = contexts(describe(rich()))

    assert hrefs(linked[f"{HERE}/uri-gin/azgs/doc/"], "item") == [f"{HERE}/{MAP}"]
    assert hrefs(linked[f"{HERE}/uri-gin/azgs/doc/map/DGM38/"], "predecessor-version") == [f"{HERE}/{MAP}"]
    assert hrefs(linked[f"{HERE}/uri-gin/azgs/doc/map/DGM36/"], "successor-version") == [f"{HERE}/{MAP}"]


# https://signposting.org/FAIR/#level2  the landing page
def test_the_description_is_the_landing_page_with_the_forms_for_items() -> None:
    page = contexts(describe(rich()))[f"{HERE}/about/{MAP}"]

    assert hrefs(page, "describes") == hrefs(page, "cite-as") == [f"{HERE}/{MAP}"]
    assert hrefs(page, "type") == ["https://schema.org/AboutPage"]
    assert hrefs(page, "license") == [LICENSE]
    assert [(item["href"], item["type"]) for item in page["item"]] == [
        (f"{HERE}/{MAP}m.pdf", "application/pdf"),
        ("https://data.azgs.example/map", "text/html"),
        (f"{HERE}/{MAP}", "image/png"),
    ]
    assert all("type" in link for link in page["describedby"])


# https://signposting.org/FAIR/#level2  content resources and metadata resources
@pytest.mark.parametrize(
    ("anchor", "canonical"),
    [
        (f"{HERE}/{MAP}m.pdf", f"{HERE}/{MAP}m.pdf"),
        ("https://data.azgs.example/m.pdf", f"{HERE}/{MAP}m.pdf"),
        ("https://data.azgs.example/map", f"{HERE}/{MAP}"),
    ],
)
def test_a_form_leads_to_its_name_and_to_the_landing_page(anchor: str, canonical: str) -> None:
    form = contexts(describe(rich()))[anchor]

    assert hrefs(form, "canonical") == hrefs(form, "cite-as") == [canonical]
    assert hrefs(form, "collection") == [f"{HERE}/about/{MAP}"]
    assert hrefs(form, "describes") == [f"{HERE}/{MAP}"]


@pytest.mark.parametrize("extension", ["html", "jsonld", "json"])
def test_a_format_of_the_description_describes_the_identifier(extension: str) -> None:
    described = contexts(describe(rich()))[f"{HERE}/about.{extension}/{MAP}"]

    assert hrefs(described, "describes") == [f"{HERE}/{MAP}"]
    assert hrefs(described, "canonical") == [f"{HERE}/about/{MAP}"]


# RFC 9264 §4.1: the ABNF of the Link header's value, with line breaks between, in ASCII.
def test_the_text_is_the_value_of_a_link_header_with_anchors() -> None:
    links = list(gather_links(describe(rich(links={}))))

    text = write_linkset_text(links).decode("ascii")

    read = read_links(re.sub(r"\n ; ", "; ", text).replace("\n, ", ", ").rstrip("\n"))
    assert [(link["anchor"], link["rel"], link["href"]) for link in read] == [
        (anchor, link.relation, link.target) for anchor, link in links
    ]


# RFC 8187 §3.2
def test_a_title_that_is_not_ascii_is_encoded_in_the_text() -> None:
    text = write_linkset_text(gather_links(describe(rich()))).decode("ascii")

    assert "title*=UTF-8''Namensnennung%20f%C3%BCr%20alle" in text


def test_links_are_unique() -> None:
    links = list(gather_links(describe(rich())))

    assert len(set(links)) == len(links)


def test_a_linkset_has_all_of_two_hundred_forms() -> None:
    forms = [representation("application/pdf", part=f"sheet{number}.pdf") for number in range(200)]

    context = contexts(describe(resource(representations=forms)))[f"{HERE}/{MAP}"]

    assert len(context["alternate"]) == 200


@pytest.mark.parametrize(
    ("record", "identifier", "nature"),
    [
        (NameAuthority(identifier="uri-gin/azgs/", modified=""), "uri-gin/azgs/", "Organization"),
        (ResourceType(identifier="uri-gin/azgs/doc/", modified=""), "uri-gin/azgs/doc/", "DefinedTerm"),
        (resource(), MAP, "Thing"),
        (resource("uri-gin/azgs/a"), "uri-gin/azgs/a", "CreativeWork"),
        (resource("uri-gin/azgs/a.pdf"), "uri-gin/azgs/a.pdf", "MediaObject"),
    ],
)
def test_everything_has_a_type_that_machines_know(record: Registered, identifier: str, nature: str) -> None:
    context = contexts(describe(record, identifier=identifier))[f"{HERE}/{identifier}"]

    assert hrefs(context, "type") == [f"https://schema.org/{nature}"]


def test_the_resource_type_of_an_identifier_is_a_type_of_it() -> None:
    map_type = ResourceType(identifier="uri-gin/azgs/doc/map/", modified="")

    context = contexts(describe(resource(), map_type))[f"{HERE}/{MAP}"]

    assert hrefs(context, "type") == ["https://schema.org/Thing", f"{HERE}/uri-gin/azgs/doc/map/"]


def test_a_host_has_its_own_linkset() -> None:
    identifier = parse_host(HOST)
    record = Host(identifier=identifier.normal_form, modified="")
    outcome = Describe(identifier, record, Found(identifier), HOST, "linkset", negotiated=False)

    context = contexts(outcome)[f"{HERE}/"]

    assert hrefs(context, "linkset") == [
        f"{HERE}/about.linkset/{HERE}/",
        f"{HERE}/about.links/{HERE}/",
    ]


def test_another_identifier_is_cited_on_its_authoritys_host() -> None:
    other = NameAuthority(identifier="uri-gin/usgin/", modified="", trusted_hosts=["usgin.example"])
    form = Representation(identifier="uri-gin/usgin/dlio/331", media_type="text/html")

    context = contexts(describe(resource(representations=[form]), other))[f"{HERE}/{MAP}"]

    assert hrefs(context, "alternate") == ["http://usgin.example/uri-gin/usgin/dlio/331"]
