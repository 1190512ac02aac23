"""The Link header: the identifier's own address, its description, its other forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.registry.model import NameAuthority, Representation, Resource, Scheme, Status
from ginuri.resolution.links import Link, form_address
from ginuri.web.links import MOST_BYTES, join_links, write_links
from tests.builders import MAP, find, read_link_values, read_links, representation, resource, stored


def _links(record: Resource, *offered: Representation, identifier: str = MAP) -> list[dict[str, str]]:
    return read_links(write_links(find(identifier), record, offered, "resources.usgin.org"))


def _of(links: list[dict[str, str]], relation: str) -> list[dict[str, str]]:
    return [
        {name: value for name, value in link.items() if name != "rel"}
        for link in links
        if link["rel"] == relation
    ]


def test_a_target_has_one_link_with_all_relations() -> None:
    values = read_link_values(write_links(find(MAP), resource(), (), "resources.usgin.org"))

    assert values[0] == {"href": f"http://resources.usgin.org/{MAP}", "rel": "canonical cite-as"}


def test_a_target_with_different_media_types_has_none() -> None:
    place = "https://data.azgs.example/map"
    forms = [
        representation("text/html", location=place, language="en"),
        representation("application/pdf", location=place, language="en"),
        representation("text/plain", location=place, language="en"),
    ]

    assert _of(_links(resource(), *forms), "alternate") == [{"href": place, "hreflang": "en"}]


ATTRIBUTES = st.none() | st.sampled_from(["a/b", "c/d"])
LINKS = st.builds(
    Link,
    st.sampled_from(["alternate", "license", "first memento", "https://a.example/rel"]),
    st.sampled_from(["/a", "/b", "https://a.example/c"]),
    *(ATTRIBUTES for _ in range(5)),
)


@given(st.lists(LINKS, max_size=8))
def test_a_link_header_names_each_target_once(links: list[Link]) -> None:
    header = join_links(links)

    values, targets = read_link_values(header), [link.target for link in links]
    assert [value["href"] for value in values] == list(dict.fromkeys(targets))
    assert {(link["href"], link["rel"]) for link in read_links(header)} == {
        (link.target, relation) for link in links for relation in link.relation.split()
    }
    for value in values:
        stated = {link.media_type for link in links if link.target == value["href"]} - {None}
        assert {value.get("type")} == (stated if len(stated) == 1 else {None})


@given(st.lists(st.builds(Link, st.just("alternate"), st.text("/a%", min_size=300)), max_size=60))
def test_a_link_header_stays_within_its_limit(links: list[Link]) -> None:
    assert len(join_links(links)) <= MOST_BYTES


def test_an_identifier_is_cited_as_the_uri_of_the_canonical_host() -> None:
    links = _links(resource())

    assert _of(links, "canonical") == [{"href": f"http://resources.usgin.org/{MAP}"}]
    assert _of(links, "cite-as") == [{"href": f"http://resources.usgin.org/{MAP}"}]


def test_a_description_is_below_about() -> None:
    assert _of(_links(resource()), "describedby") == [{"href": f"/about/{MAP}"}]


def test_a_part_is_cited_as_itself_and_described_with_its_resource() -> None:
    links = _links(resource(), identifier=f"{MAP}mapImageFile.pdf")

    assert _of(links, "cite-as") == [{"href": f"http://resources.usgin.org/{MAP}mapImageFile.pdf"}]
    assert _of(links, "describedby") == [{"href": f"/about/{MAP}"}]


def test_every_form_is_an_alternate_with_its_type_and_language() -> None:
    forms = [
        representation("application/pdf", part="map.pdf", language="en"),
        representation("text/html", location="https://data.azgs.example/map"),
        representation("image/png", file=stored()),
        representation(identifier="uri-gin/usgin/dlio/331"),
    ]

    assert _of(_links(resource(), *forms), "alternate") == [
        {"href": f"/{MAP}map.pdf", "type": "application/pdf", "hreflang": "en"},
        {"href": "https://data.azgs.example/map", "type": "text/html"},
        {"href": f"/{MAP}", "type": "image/png"},
        {"href": "/uri-gin/usgin/dlio/331"},
    ]


# RFC 7725 §4: the link identifies the entity that implements the block.
@pytest.mark.parametrize("who", [None, "A court", "https://court.example/orders/7", "uri-gin/azgs/"])
def test_a_withheld_identifier_links_this_service_as_blocking_it(who: str | None) -> None:
    links = _links(resource(status=Status.WITHHELD, requested_by=who))

    assert _of(links, "blocked-by") == [{"href": "http://resources.usgin.org/"}]
    assert "https://court.example/orders/7" not in {link["href"] for link in links}
    assert _of(_links(resource()), "blocked-by") == []


def test_a_superseded_identifier_leads_to_its_successor() -> None:
    links = _links(resource(successor="uri-gin/azgs/doc/map/DGM38/"))

    assert _of(links, "successor-version") == [{"href": "/uri-gin/azgs/doc/map/DGM38/"}]


@pytest.mark.parametrize(
    "media_type", ['application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"', 'a/b;c="\\"d\\\\"']
)
def test_quotes_in_a_media_type_are_escaped(media_type: str) -> None:
    links = _links(resource(), representation(media_type, part="map.jsonld"))

    assert _of(links, "alternate") == [{"href": f"/{MAP}map.jsonld", "type": media_type}]


def test_a_long_header_keeps_only_whole_links_within_its_limit() -> None:
    forms = [representation("application/pdf", part=f"sheet{number}.pdf") for number in range(200)]

    header = write_links(find(MAP), resource(), forms, "resources.usgin.org")

    assert MOST_BYTES - 200 < len(header.encode()) <= MOST_BYTES
    assert [link["rel"] for link in read_links(header)][:3] == ["canonical", "cite-as", "describedby"]


def test_the_successor_comes_before_the_forms() -> None:
    forms = [representation("application/pdf", part=f"sheet{number}.pdf") for number in range(200)]

    assert _of(_links(resource(successor="uri-gin/x/"), *forms), "successor-version")


def test_an_identifier_is_cited_on_its_authoritys_first_trusted_host() -> None:
    scheme = Scheme(identifier="uri-gin/", modified="", trusted_hosts=["resources.example.org"])
    authority = NameAuthority(
        identifier="uri-gin/azgs/", modified="", trusted_hosts=["a.example", "b.example"]
    )

    on_scheme = write_links(find(MAP, scheme), resource(), (), "resources.usgin.org")
    on_authority = write_links(find(MAP, scheme, authority), resource(), (), "resources.usgin.org")

    assert _of(read_links(on_scheme), "cite-as") == [{"href": f"http://resources.example.org/{MAP}"}]
    assert _of(read_links(on_authority), "cite-as") == [{"href": f"http://a.example/{MAP}"}]


def test_an_authority_has_links_as_well() -> None:
    authority = NameAuthority(identifier="uri-gin/azgs/", modified="")

    links = read_links(write_links(find("uri-gin/azgs/"), authority, (), "resources.usgin.org"))

    assert _of(links, "describedby") == [{"href": "/about/uri-gin/azgs/"}]


def test_a_stored_form_with_a_part_has_its_own_name() -> None:
    assert form_address(resource(), representation(part="map.pdf", file=stored())) == f"/{MAP}map.pdf"


def _rich() -> Resource:
    return resource(
        part_of="uri-gin/azgs/doc/",
        properties={"type": "Dataset", "creator": "uri-gin/azgs/person/jo/"},
        links={"license": [{"href": "https://creativecommons.org/licenses/by/4.0/"}]},
    )


def test_registered_links_are_sent() -> None:
    links = _links(_rich())

    assert _of(links, "type") == [{"href": "https://schema.org/Dataset"}]
    assert _of(links, "collection") == [{"href": "/uri-gin/azgs/doc/"}]
    assert _of(links, "author") == [{"href": "/uri-gin/azgs/person/jo/"}]
    assert _of(links, "license") == [{"href": "https://creativecommons.org/licenses/by/4.0/"}]


def test_a_part_lacks_the_links_of_the_whole() -> None:
    relations = {link["rel"] for link in _links(_rich(), identifier=f"{MAP}mapImageFile.pdf")}

    assert relations == {"canonical", "cite-as", "describedby", "linkset"}


def test_the_linkset_is_linked_even_if_other_links_are_cut() -> None:
    forms = [representation("application/pdf", part=f"sheet{number}.pdf") for number in range(200)]

    links = _links(_rich(), *forms)

    assert _of(links, "linkset") == [{"href": f"/about.linkset/{MAP}", "type": "application/linkset+json"}]
    assert _of(links, "type") == [{"href": "https://schema.org/Dataset"}]


def test_a_link_too_long_for_the_header_is_left_out() -> None:
    long = resource(
        links={"related": [{"href": f"https://a.example/{'x' * 7000}"}], "license": [{"href": "urn:l"}]}
    )

    links = _links(long)

    assert not _of(links, "related")
    assert _of(links, "license") == [{"href": "urn:l"}]


def test_no_registered_value_can_end_a_link_or_a_line() -> None:
    odd = resource(
        links={"related": [{"href": "https://a.example/>; rel=x\r\nSet-Cookie: é", "type": "a/b\r\nX: y"}]}
    )

    header = write_links(find(MAP), odd, (), "resources.usgin.org")

    assert _of(read_links(header), "related") == [
        {"href": "https://a.example/%3E;%20rel=x%0D%0ASet-Cookie:%20%C3%A9"}
    ]
    assert header.isascii()
    assert header.isprintable()


def test_a_title_that_is_not_ascii_is_encoded() -> None:
    titled = resource(links={"license": [{"href": "urn:l", "title": "für alle"}]})

    header = write_links(find(MAP), titled, (), "resources.usgin.org")

    # RFC 8187 §3.2
    assert "<urn:l>; rel=\"license\"; title*=UTF-8''f%C3%BCr%20alle" in header
