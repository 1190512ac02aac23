"""Parsed identifiers: the policy document's own examples, one row each."""

from __future__ import annotations

import pytest

from ginuri import Kind, MalformedIdentifier, parse

HOST = "http://resources.usgin.org"

# USGIN URI Policies 1.1, "Examples", with the kind that the document's own words give them.
EXAMPLES = [
    ("/uri-gin/", Kind.THING),  # Special URIs, URI profile
    ("/uri-gin/usgin/", Kind.THING),  # Special URIs, naming authority
    ("/uri-gin/azgs/", Kind.THING),
    ("/uri-gin/azgs/authority/azgs.mapping/", Kind.THING),
    ("/uri-gin/azgs.mapping/document/map/DGM37-HuachucaMountainN/", Kind.THING),
    ("/uri-gin/azgs/person/StephenRichard/", Kind.THING),  # Person
    ("/uri-gin/cgi/conceptScheme/simpleLithology200811/", Kind.THING),  # Vocabulary
    (
        "/uri-gin/cgi/conceptScheme/simpleLithology200811/SimpleLithology200811.skos.rdf",
        Kind.REPRESENTATION,
    ),
    ("/uri-gin/cgi/conceptScheme/simpleLithology200811/SimpleLithology200811.xls", Kind.REPRESENTATION),
    ("/uri-gin/cgi/classifier/simpleLithology200811.granite/", Kind.THING),  # Term, concept, classifier
    ("/uri-gin/cgi/classifier/simpleLithology200811.granite/image", Kind.DOCUMENT),
    ("/uri-gin/azgs/organization/arizonaGeologicalSurvey/", Kind.THING),  # Organization
    ("/uri-gin/azgs/organization/USGeologicalSurvey.WRD/", Kind.THING),
    ("/uri-gin/azgs/organization/arizonaGeologicalSurvey/azgsIcon", Kind.DOCUMENT),
    ("/uri-gin/azgs/organization/arizonaGeologicalSurvey/azgsIcon300_300.tif", Kind.REPRESENTATION),
    ("/uri-gin/azgs/doc/map/DGM37-HuachucaMountainN/", Kind.THING),  # Map
    ("/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/", Kind.THING),
    ("/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/mapImageFile", Kind.DOCUMENT),
    ("/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/mapImageFile.pdf", Kind.REPRESENTATION),
    ("/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/hardCopy", Kind.DOCUMENT),
    ("/uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/hardCopy.bw100K", Kind.REPRESENTATION),
    ("/uri-gin/azgs/dataset/geologyMap/HuachucaMountainNv1.1/NCGMP09", Kind.DOCUMENT),  # Dataset
    ("/uri-gin/azgs/dataset/geologyMap/HuachucaMountainNv1.1/NCGMP09.shp.zip", Kind.REPRESENTATION),
    ("/uri-gin/azgs/dataset/geologyMap/geoPoly/HuachucaMountainNv1.1/", Kind.THING),
    ("/uri-gin/azgs/feature/mappedFeature/geoPoly/HuachucaMountainNv1.1-346602/", Kind.THING),  # Feature
    ("/uri-gin/usgin/doc/usginUSGIN_ISO_metadata1_1.doc", Kind.REPRESENTATION),  # Document
    ("/uri-gin/azgs/webApplication/searchBibliography/azgeobib0101.html", Kind.REPRESENTATION),
    ("/uri-gin/azgs/application/stationDataEntry20100225/windowsInstaller", Kind.DOCUMENT),  # Application
    ("/uri-gin/azgs/application/stationDataEntry20100225/windowsInstaller.msi", Kind.REPRESENTATION),
    ("/uri-gin/azgs/service/WMS/azGeology/", Kind.THING),  # Service
    ("/uri-gin/cgi/property/geologicEvent.eventAge/", Kind.THING),  # Mapping to CGI URN
    ("/uri-gin/cgi/register/resourceClass", Kind.DOCUMENT),
]


@pytest.mark.parametrize(("path", "kind"), EXAMPLES)
def test_the_sources_own_examples_fit_the_strict_grammar(path: str, kind: Kind) -> None:
    identifier = parse(f"{HOST}{path}", strict=True)

    assert str(identifier) == path[1:]
    assert identifier.kind is kind


def test_an_identifier_has_its_parts() -> None:
    identifier = parse("http://resources.usgin.org/uri-gin/azgs/doc/map/DGM37/mapImageFile.pdf")

    assert identifier.scheme == "uri-gin"
    assert identifier.name_authority == "azgs"
    assert identifier.segments == ("azgs", "doc", "map", "DGM37", "mapImageFile.pdf")
    assert identifier.host == "resources.usgin.org"


# "Identifier equivalence": string comparisons are based on the URIscheme "/" identifier part of the URI.
@pytest.mark.parametrize(
    "text",
    [
        "http://resources.usgin.org/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
        "http://geon.org:88/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",  # the source's own pair
        "https://resources.usgin.org/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
        "HTTP://RESOURCES.USGIN.ORG/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
        "http://[2001:db8::7]:8080/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
        "//resources.usgin.org/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
        "/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
        "uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
        "uri-gin/azgs/person/steve%52ichard/cv/cv20100110%2edoc",
        "uri%2Dgin/azgs/person/steveRichard/cv/cv20100110.doc",
    ],
)
def test_the_host_is_not_part_of_an_identifier(text: str) -> None:
    identifier = parse(text)

    assert identifier == parse("uri-gin/azgs/person/steveRichard/cv/cv20100110.doc")
    assert hash(identifier) == hash(parse("uri-gin/azgs/person/steveRichard/cv/cv20100110.doc"))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("uri-gin/azgs/doc/x", "uri-gin/azgs/doc/x/"),
        ("uri-gin/azgs/doc/x", "uri-gin/azgs/doc/x.pdf"),
        ("uri-gin/azgs/doc/x/", "uri-gin/azgs/doc/x.pdf"),
        ("uri-gin/azgs/doc/x.pdf", "uri-gin/azgs/doc/x.pdf/"),
        ("uri-gin/azgs/doc/x", "uri-gin/azgs/doc/X"),
        ("uri-gin/AZGS/doc/x", "uri-gin/azgs/doc/x"),
        ("uri-gin/azgs/doc/a%2Fb", "uri-gin/azgs/doc/a/b"),  # uri-draft-1994: %2F is not "/"
        ("uri-gin/azgs/doc/a%3Ab", "uri-gin/azgs/doc/a:b"),  # RFC 3986 §2.2: reserved, so not the same
        ("uri-gin/azgs/doc/a%252D", "uri-gin/azgs/doc/a%2D"),
        ("uri-gin/azgs/doc/a+b", "uri-gin/azgs/doc/a%20b"),
    ],
)
def test_a_slash_a_dot_a_case_or_an_escape_distinguishes_identifiers(one: str, other: str) -> None:
    assert parse(one) != parse(other)


# RFC 3986 §6.2.2.1 (case of hexadecimal digits) and §6.2.2.2 (escapes of unreserved characters)
@pytest.mark.parametrize(
    ("written", "normal_form"),
    [
        ("uri-gin/azgs/doc/a%2Db", "uri-gin/azgs/doc/a-b"),
        ("uri-gin/azgs/doc/a%2fb", "uri-gin/azgs/doc/a%2Fb"),
        ("uri-gin/azgs/doc/a%c3%a9", "uri-gin/azgs/doc/a%C3%A9"),
        ("uri-gin/azgs/doc/%7Erichard", "uri-gin/azgs/doc/~richard"),
        ("uri-gin/azgs/doc/map%2Epdf", "uri-gin/azgs/doc/map.pdf"),
        ("uri-gin/azgs/doc/%252e", "uri-gin/azgs/doc/%252e"),  # undone once, never twice
        ("uri-gin/azgs/doc/a%3a%3F%23", "uri-gin/azgs/doc/a%3A%3F%23"),
        ("uri-gin/azgs/doc/a;b=c,d", "uri-gin/azgs/doc/a;b=c,d"),
        ("uri-gin/AZGS/Doc/", "uri-gin/AZGS/Doc/"),
    ],
)
def test_the_normal_form_undoes_only_escapes_of_unreserved_characters(written: str, normal_form: str) -> None:
    identifier = parse(written)

    assert identifier.normal_form == normal_form
    assert identifier.written == written
    assert identifier.is_normal is (written == normal_form)


def test_an_escaped_dot_counts_for_the_kind() -> None:
    assert parse("uri-gin/azgs/doc/map%2Epdf").kind is Kind.REPRESENTATION


def test_a_dot_anywhere_in_the_last_segment_counts() -> None:
    for last in (".htaccess", "map.", "a.b.c"):
        assert parse(f"uri-gin/azgs/doc/{last}").kind is Kind.REPRESENTATION


def test_the_final_slash_is_read_before_the_dot() -> None:
    assert parse("uri-gin/azgs/doc/map.pdf/").kind is Kind.THING


def test_a_dot_in_an_earlier_segment_makes_no_representation() -> None:
    assert parse("uri-gin/azgs.mapping/doc/v1.1/image").kind is Kind.DOCUMENT


def test_an_identifier_of_1024_bytes_is_read() -> None:
    text = "uri-gin/azgs/doc/" + "x" * (1024 - len("uri-gin/azgs/doc/"))

    assert parse(text).normal_form == text


def test_an_identifier_of_1025_bytes_is_refused() -> None:
    text = "uri-gin/azgs/doc/" + "x" * (1025 - len("uri-gin/azgs/doc/"))

    with pytest.raises(MalformedIdentifier, match="at most 1024 bytes; this one has 1025") as refused:
        parse(text)
    assert refused.value.rule == "length"


def test_needless_escapes_do_not_count_against_the_limit() -> None:
    assert len(parse("uri-gin/azgs/doc/" + "%41" * 1000).normal_form) == 17 + 1000


def test_an_identifier_of_32_segments_is_read() -> None:
    assert len(parse("uri-gin" + "/x" * 31).segments) == 31


@pytest.mark.parametrize("end", ["", "/"])
def test_an_identifier_of_33_segments_is_refused(end: str) -> None:
    with pytest.raises(MalformedIdentifier, match="at most 32 segments; this one has 33") as refused:
        parse("uri-gin" + "/x" * 32 + end)
    assert refused.value.rule == "segments"


# "Special URIs", URI host: http://resources.usgin.org/ identifies the host.
@pytest.mark.parametrize(
    ("text", "normal_form"),
    [
        ("http://resources.usgin.org/", "//resources.usgin.org/"),
        ("http://resources.usgin.org", "//resources.usgin.org/"),
        ("https://Resources.USGIN.org:443/", "//resources.usgin.org/"),
        ("http://resources.usgin.org:80/", "//resources.usgin.org/"),
        ("http://geon.org:88/", "//geon.org:88/"),
        ("http://[2001:DB8::7]/", "//[2001:db8::7]/"),
    ],
)
def test_a_host_is_an_identifier_above_all_schemes(text: str, normal_form: str) -> None:
    identifier = parse(text)

    assert identifier.normal_form == normal_form
    assert identifier.scheme == ""
    assert identifier.ancestors == ()
    assert identifier.name_authority is None
    assert identifier.kind is Kind.THING


def test_a_printed_host_is_read_back() -> None:
    host = parse("http://resources.usgin.org/")

    assert parse(str(host)) == host


def test_an_identifier_becomes_the_uri_of_any_host() -> None:
    identifier = parse("http://geon.org:88/uri-gin/azgs/doc/map/")

    assert identifier.uri("resources.usgin.org") == "http://resources.usgin.org/uri-gin/azgs/doc/map/"


def test_a_hosts_own_uri_has_no_path() -> None:
    assert parse("http://resources.usgin.org/").uri("resources.usgin.org") == "http://resources.usgin.org/"


def test_an_identifier_is_immutable() -> None:
    with pytest.raises(AttributeError):
        parse("uri-gin/azgs/").normal_form = "uri-gin/usgs/"  # type: ignore[misc]  # the tested error
