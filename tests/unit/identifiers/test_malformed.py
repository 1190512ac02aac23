"""Malformed identifiers, and their errors: rule, segment, value, position."""

from __future__ import annotations

import pytest

from ginuri import MalformedIdentifier, UnknownScheme, parse
from ginuri.identifiers import parse_path

Fault = tuple[str, str, int | None, str, int]

# text, rule, segment (the scheme is the first), value, position
LENIENT: list[Fault] = [
    ("uri-gin/azgs//doc", "segment-nz", 3, "", 13),  # RFC 3986 §3.3  segment-nz = 1*pchar
    ("uri-gin//", "segment-nz", 2, "", 8),
    ("uri-gin/azgs/doc/./x", "dot-segment", 4, ".", 17),  # RFC 3986 §5.2.4
    ("uri-gin/azgs/doc/..", "dot-segment", 4, "..", 17),
    ("uri-gin/azgs/doc/%2e%2E/x", "dot-segment", 4, "%2e%2E", 17),
    ("uri-gin/azgs/doc/.%2e/x", "dot-segment", 4, ".%2e", 17),
    ("uri-gin/azgs/doc/100%", "pct-encoded", 4, "100%", 20),  # RFC 3986 §2.1  "%" HEXDIG HEXDIG
    ("uri-gin/azgs/doc/a%2Gb", "pct-encoded", 4, "a%2Gb", 18),
    ("uri-gin/azgs/a%20b%2/x", "pct-encoded", 3, "a%20b%2", 18),
    ("uri-gin/azgs/doc/a b", "pchar", 4, "a b", 18),  # RFC 3986 §3.3  pchar
    ("uri-gin/azgs/doc/[x]", "pchar", 4, "[x]", 17),
    ('uri-gin/azgs/doc/x"', "pchar", 4, 'x"', 18),
    ("uri-gin/azgs/doc/caf\u00e9", "pchar", 4, "caf\u00e9", 20),
    ("uri-gin/azgs/doc/x\n", "pchar", 4, "x\n", 18),
    ("uri-gin/azgs/doc/x\x00y", "pchar", 4, "x\x00y", 18),
    ("uri-gin/azgs\\doc", "pchar", 2, "azgs\\doc", 12),
    # "Fragments": USGIN URIs do not use document fragments.
    ("uri-gin/dtr/ontology/datatype/20160520#Agent", "fragment", None, "#Agent", 38),
    ("uri-gin/azgs/doc/x#", "fragment", None, "#", 18),
    ("uri-gin/azgs/doc/x?f=pdf", "query", None, "?f=pdf", 18),
    ("mailto://x/uri-gin/azgs/", "httpURI", None, "mailto", 0),  # httpURI = "http:" "//" uriHost …
]

# The strict grammar refuses these, and the lenient one accepts them: a safeString is a safeBoundChar (letter,
# digit, "_" or "~"), then unreserved characters and escapes, then a safeBoundChar.
STRICT: list[Fault] = [
    ("uri-gin/mogs/well/MOGS:00102007", "unreserved", 4, "MOGS:00102007", 22),  # found in the wild
    ("uri-gin/dtr/def/property/pipe-extent-", "safeBoundChar", 5, "pipe-extent-", 36),  # found in the wild
    ("uri-gin/azgs/doc/a+b", "unreserved", 4, "a+b", 18),
    ("uri-gin/azgs/doc/a=b,c@d", "unreserved", 4, "a=b,c@d", 18),
    ("uri-gin/azgs/doc/-x", "safeBoundChar", 4, "-x", 17),
    ("uri-gin/azgs/doc/.x", "safeBoundChar", 4, ".x", 17),
    ("uri-gin/azgs/doc/x.", "safeBoundChar", 4, "x.", 18),
    ("uri-gin/azgs/doc/%20x", "safeBoundChar", 4, "%20x", 17),
    ("uri-gin/azgs/doc/x%20", "safeBoundChar", 4, "x%20", 18),
    ("uri-gin/azgs/doc/x%2D", "safeBoundChar", 4, "x%2D", 18),
    # resourcePart = nameAuthority "/" resourcePath [ "/" resourceSpecificString ]
    ("uri-gin", "resourcePart", 1, "uri-gin", 0),
    ("uri-gin/azgs", "resourcePart", 2, "azgs", 8),
]


def _refused(text: str, *, strict: bool) -> MalformedIdentifier:
    with pytest.raises(MalformedIdentifier) as refused:
        parse(text, strict=strict)
    return refused.value


def _told(error: MalformedIdentifier) -> Fault:
    return error.text, error.rule, error.segment, error.value, error.position


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("fault", LENIENT)
def test_a_malformed_identifier_is_refused_with_segment_rule_and_position(
    fault: Fault, *, strict: bool
) -> None:
    error = _refused(fault[0], strict=strict)

    assert _told(error) == fault


@pytest.mark.parametrize("fault", STRICT)
def test_the_strict_grammar_follows_the_source_to_the_letter(fault: Fault) -> None:
    error = _refused(fault[0], strict=True)

    assert _told(error) == fault


@pytest.mark.parametrize("fault", STRICT)
def test_the_lenient_grammar_accepts_every_pchar(fault: Fault) -> None:
    assert parse(fault[0]).written == fault[0]


def test_one_character_is_enough_for_a_safe_string() -> None:
    assert parse("uri-gin/ohdnr/mines/z", strict=True).segments[-1] == "z"


@pytest.mark.parametrize(
    "text", ["uri-gin/a/doc", "uri-gin/a/doc/a.-b", "uri-gin/a/doc/_a~", "uri-gin/a/doc/a%20%2Fb"]
)
def test_a_safe_string_has_a_bounded_length_and_unreserved_characters(text: str) -> None:
    assert parse(text, strict=True).normal_form == text


@pytest.mark.parametrize(
    ("text", "value", "hint"),
    [
        ("uri_gin/usgin/dlio/194", "uri_gin", "did you mean uri-gin?"),  # found in the wild
        ("URI-GIN/azgs/", "URI-GIN", "did you mean uri-gin?"),
        ("purl/net/x", "purl", "this service knows uri-gin"),
        ("mailto:maps/azgs", "mailto:maps", "this service knows uri-gin"),
        ("", "", "this service knows uri-gin"),
    ],
)
def test_an_unknown_scheme_is_named_with_the_likely_one(text: str, value: str, hint: str) -> None:
    error = _refused(text, strict=False)

    assert isinstance(error, UnknownScheme)
    assert _told(error) == (text, "URIscheme", 1, value, 0)
    assert hint in str(error)


def test_a_broken_escape_is_named_before_an_unknown_scheme() -> None:
    error = _refused("purl/net/50%-off/", strict=False)

    assert not isinstance(error, UnknownScheme)
    assert _told(error) == ("purl/net/50%-off/", "pct-encoded", 3, "%-o", 11)


@pytest.mark.parametrize(
    "host",
    ["", "a b", "a%zz", "[::1", "user@azgs.gov", "azgs.gov:http"],  # uriHost = … [ ":" port ], port = *DIGIT
)
def test_a_host_is_a_name_or_an_address_and_perhaps_a_port(host: str) -> None:
    error = _refused(f"http://{host}/uri-gin/azgs/", strict=False)

    assert error.rule == "uriHost"
    assert error.value == host


@pytest.mark.parametrize("text", ["http://azgs.gov?uri-gin/azgs/", "http://azgs.gov#uri-gin/azgs/"])
def test_a_query_or_fragment_of_a_host_is_no_identifier(text: str) -> None:
    assert _refused(text, strict=False).text == text


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("http://azgs.gov/uri-gin/azgs//doc", "/doc"),
        ("http://azgs.gov:88/uri-gin/azgs/a b", " b"),
        ("http://a b/uri-gin/azgs/", "a b/uri-gin/azgs/"),
        ("http://azgs.gov/uri_gin/azgs/", "uri_gin/azgs/"),
        ("http://azgs.gov/uri-gin/x#y", "#y"),
        ("/uri-gin/azgs//doc", "/doc"),
    ],
)
def test_the_position_counts_in_the_original_text(text: str, piece: str) -> None:
    error = _refused(text, strict=False)

    assert error.text == text
    assert text[error.position :] == piece


def test_a_malformed_identifier_is_a_value_error_with_a_sentence() -> None:
    with pytest.raises(
        ValueError, match="is not an identifier: segment 3, '' at character 13: a segment must not"
    ):
        parse("uri-gin/azgs//doc")


def test_a_request_path_with_two_slashes_in_front_names_nothing() -> None:
    with pytest.raises(UnknownScheme):
        parse_path("//uri-gin/azgs/")
