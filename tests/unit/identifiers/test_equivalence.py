"""Equal or different, with the reason: the sources' own examples, a row each."""

from __future__ import annotations

import pytest

from ginuri import MalformedIdentifier, UnknownScheme
from ginuri.identifiers.comparison.equivalence import compare
from ginuri.identifiers.comparison.names import read_name
from ginuri.identifiers.grammars.generic import remove_dot_segments

W3 = "http://www.w3.org/albert/bertram"
UNRESERVED = "an escaped unreserved character is the character (RFC 3986 §6.2.2.2)"
RESERVED = "an escaped reserved character is not the character (RFC 3986 §2.2)"
HEX = "the hexadecimal digits of an escape have no case (RFC 3986 §6.2.2.1)"


def _why(one: str, other: str) -> dict[str, str]:
    return {each.piece: each.why for each in compare(one, other).remarks}


# URI draft of 1994, "Reduced or increased safe character sets"


def test_an_encoded_hyphen_is_a_hyphen() -> None:
    comparison = compare(f"{W3}/marie-claude", f"{W3}/marie%2Dclaude")  # example 1 of the draft

    assert comparison.is_same
    assert [each.why for each in comparison.remarks] == [UNRESERVED]


def test_an_encoded_slash_is_no_slash() -> None:
    comparison = compare(f"{W3}/marie-claude", f"{W3}%2Fmarie-claude")  # example 2 of the draft

    assert not comparison.is_same
    assert {each.why for each in comparison.remarks} == {RESERVED}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("fxqn:/us/va/reston/cnri/ietf/24/asdf%*.fred", "%*."),  # example 3 of the draft
        ("news:12345667123%asdghfh@info.cern.ch", "%as"),
        ("ftp://a/b?c%", "%"),
        ("http://a/b#%4", "%4"),
        ("ftp://a%g0/", "%g0"),
    ],
)
def test_a_malformed_escape_is_refused(text: str, value: str) -> None:
    with pytest.raises(MalformedIdentifier) as refused:
        read_name(text)

    assert (refused.value.rule, refused.value.value) == ("pct-encoded", value)
    assert refused.value.text[refused.value.position :].startswith(value)


@pytest.mark.parametrize("text", ["uri-gin/azgs/map", "info:ddc/22", "http://id.example/a", "news:a@b"])
def test_a_void_fragment_means_the_whole(text: str) -> None:
    assert compare(text, f"{text}#").is_same  # "Fragment-id"
    assert _why(text, f"{text}#") == {
        "fragment": 'a void fragment means the whole (URI draft of 1994, "Fragment-id")'
    }


# RFC 3986 §6.2.2 and the parts outside of a name


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("example://a/b/c/%7Bfoo%7D", "eXAMPLE://a/./b/../b/%63/%7bfoo%7d", {"scheme", "path"}),  # §6.2.2
        ("HTTP://www.EXAMPLE.com/", "http://www.example.com/", {"protocol", "host"}),  # §6.2.2.1
        ("ftp://h/a%c3%a9", "ftp://h/a%C3%A9", {"path"}),
        ("ftp://User@H:/a", "ftp://User@h/a", {"host"}),  # §3.2.3
        ("mailto:a%2Db@c", "mailto:a-b@c", {"path"}),
        ("doi:10.1000/182", "DOI:10.1000/182", {"scheme"}),
        ("x:/.//a", "x:/.//a", set()),
    ],
)
def test_any_other_uri_is_compared_by_syntax(one: str, other: str, why: set[str]) -> None:
    assert compare(one, other).is_same
    assert set(_why(one, other)) == why


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("ftp://h/a", "ftp://h/A", {"path": "case matters here"}),
        ("ftp://h/a", "ftp://h/a/", {"path": "they are not the same"}),
        ("ftp://h/a?", "ftp://h/a", {"query": "a query takes part"}),
        ("ftp://h/a?b", "ftp://h/a?B", {"query": "a query takes part"}),
        ("ftp://h/a", "sftp://h/a", {"scheme": "another scheme names something else"}),
        ("ftp://a@h/", "ftp://A@h/", {"host": "here the host is a part of the name"}),
        ("mailto:a/../b", "mailto:b", {"path": "they are not the same"}),
        ("doi:10.1000/182", "https://doi.org/10.1000/182", {"scheme": "another scheme names something else"}),
    ],
)
def test_equivalence_under_an_unknown_scheme_counts_as_different(
    one: str, other: str, why: dict[str, str]
) -> None:
    assert not compare(one, other).is_same
    assert _why(one, other) == why


# the known schemes


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (  # USGIN URI Policies 1.1, "Identifier equivalence"
            "http://resources.usgin.org/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
            "http://geon.org:88/uri-gin/azgs/person/steveRichard/cv/cv20100110.doc",
            {"host": "the host is no part of the name"},
        ),
        (
            "uri-soil/nrcs/a%2Db",
            "https://x.example/uri-soil/nrcs/a-b",
            {
                "protocol": "how it is fetched is no part of the name",
                "host": "the host is no part of the name",
                "segment 3": UNRESERVED,
            },
        ),
        (
            "INFO:PMID/1%2f",
            "info:pmid/1%2F",
            {"scheme": "a scheme has no case", "namespace": "a namespace has no case", "name": HEX},
        ),
        (
            "URN:foo:a123%2c456",
            "urn:FOO:a123%2C456",
            {"scheme": "a scheme has no case", "namespace": "a namespace has no case", "name": HEX},
        ),
        (
            "urn:a1:b?+c?=d#e",
            "urn:a1:b",
            {
                "query": "in this scheme a query is no part of the name",
                "fragment": "in this scheme a fragment is no part of the name",
            },
        ),
        (
            "https://ID.example:443/x?a%2db",
            "http://id.example/x?a-b",
            {
                "protocol": "how it is fetched is no part of the name",
                "host": "a host has no case, and the ports 80 and 443 are left out",
                "query": UNRESERVED,
            },
        ),
        (
            "http://ID.example",
            "//id.example/",
            {"protocol": "how it is fetched is no part of the name", "host": "a host has no case"},
        ),
    ],
)
def test_equal_names_are_reported_with_the_rule(one: str, other: str, why: dict[str, str]) -> None:
    assert compare(one, other).is_same
    assert _why(one, other) == why


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        ("uri-gin/azgs/x", "uri-gin/azgs/x/", {"final slash": "x and x/ are two names"}),
        ("uri-gin", "uri-gin/", {"final slash": "x and x/ are two names"}),
        ("uri-gin/azgs/x", "uri-gin/azgs/x.pdf", {"segment 3": "they are not the same"}),
        ("uri-gin/azgs/x", "uri-gin/AZGS/x", {"name authority": "case matters here"}),
        ("uri-gin/azgs/a%3Ab", "uri-gin/azgs/a:b", {"segment 3": RESERVED}),
        ("uri-gin/azgs/x", "uri-soil/azgs/x", {"scheme": "another scheme names something else"}),
        (
            "uri-gin/azgs/x",
            "uri-gin/azgs/x#y",
            {"fragment": "a fragment takes part: it names a part of the whole"},
        ),
        ("info:ddc/22/eng//004.678", "info:ddc/22/eng/004.678", {"name": "they are not the same"}),
        ("info:pmid/1", "info:pmid/", {"name": "only one of them has it"}),
        ("info:a/b#c", "info:a/b#C", {"fragment": "a fragment takes part: it names a part of the whole"}),
        ("urn:foo:a123,456", "urn:foo:a123%2C456", {"name": RESERVED}),
        ("urn:foo:a-b", "urn:foo:a%2Db", {"name": "in this scheme no escape is undone"}),
        ("urn:foo:A123,456", "urn:foo:a123,456", {"name": "case matters here"}),
        ("http://id.example/x", "http://www.id.example/x", {"host": "here the host is a part of the name"}),
        ("http://id.example/x", "http://id.example:88/x", {"host": "here the host is a part of the name"}),
        ("http://id.example/x?a", "http://id.example/x", {"query": "a query takes part"}),
        (
            "http://id.example/uri-res/N2L?urn:a1:b",
            "http://id.example/uri-res/N2L?urn:a1:c",
            {"query": "a query takes part"},
        ),
    ],
)
def test_different_names_are_reported_by_part(one: str, other: str, why: dict[str, str]) -> None:
    assert not compare(one, other).is_same
    assert _why(one, other) == why


@pytest.mark.parametrize(
    "text",
    [
        "uri-gin/azgs/map?x",
        "info:pmid/1?x",
        "urn:isbn:1?x",
        "urn:isbn:1?+",
        "http://id.example/a?b c",
        "http://id.example/a#b#c",
        "ftp://h/a b",
        "ftp://h/\u00e9",
        "http://id.example/a/../b",
    ],
)
def test_malformed_names_cannot_be_compared(text: str) -> None:
    with pytest.raises(MalformedIdentifier):
        read_name(text)


@pytest.mark.parametrize("text", ["uri_gin/azgs/map", "maps/17", "", "../x"])
def test_a_relative_reference_alone_cannot_be_read(text: str) -> None:
    with pytest.raises(UnknownScheme):
        read_name(text)


@pytest.mark.parametrize(
    ("path", "without"),
    [
        ("/a/b/c/./../../g", "/a/g"),  # RFC 3986 §5.2.4
        ("/..", "/"),
        ("/a/b/..", "/a/"),
        ("/a//../b/.", "/a/b/"),
        ("//.", "//"),
        ("/a/.b/..c", "/a/.b/..c"),
    ],
)
def test_dot_segments_are_removed_by_the_algorithm(path: str, without: str) -> None:
    assert remove_dot_segments(path) == without
