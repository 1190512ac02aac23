"""URNs, and their equality: RFC 2141 and RFC 8141, row by row."""

from __future__ import annotations

from itertools import combinations

import pytest

from ginuri import MalformedIdentifier, parse

# RFC 2141 §6: 1, 2 and 3 are equivalent, 4 to no other, 5 and 6 only to each other.
SIX = [
    ("URN:foo:a123,456", "urn:foo:a123,456"),
    ("urn:foo:a123,456", "urn:foo:a123,456"),
    ("urn:FOO:a123,456", "urn:foo:a123,456"),
    ("urn:foo:A123,456", "urn:foo:A123,456"),
    ("urn:foo:a123%2C456", "urn:foo:a123%2C456"),
    ("URN:FOO:a123%2c456", "urn:foo:a123%2C456"),
]

# RFC 8141 §3.2
NEWER = [
    ("urn:example:a123,z456", "urn:example:a123,z456"),  # scheme and NID are case-insensitive
    ("URN:example:a123,z456", "urn:example:a123,z456"),
    ("urn:EXAMPLE:a123,z456", "urn:example:a123,z456"),
    ("urn:example:a123,z456?+abc", "urn:example:a123,z456"),  # components are not part of it
    ("urn:example:a123,z456?=xyz", "urn:example:a123,z456"),
    ("urn:example:a123,z456#789", "urn:example:a123,z456"),
    ("urn:example:a123,z456/foo", "urn:example:a123,z456/foo"),  # a slash and the text after it are
    ("urn:example:a123,z456/bar", "urn:example:a123,z456/bar"),
    ("urn:example:a123,z456/baz", "urn:example:a123,z456/baz"),
    ("urn:example:a123%2Cz456", "urn:example:a123%2Cz456"),  # an escape is not undone
    ("URN:EXAMPLE:a123%2cz456", "urn:example:a123%2Cz456"),
    ("urn:example:A123,z456", "urn:example:A123,z456"),  # the name is case-sensitive
    ("urn:example:a123,Z456", "urn:example:a123,Z456"),
    ("urn:example:%D0%B0123,z456", "urn:example:%D0%B0123,z456"),  # U+0430 looks like an "a"
]


@pytest.mark.parametrize("rows", [SIX, NEWER], ids=["RFC 2141", "RFC 8141"])
def test_two_urns_are_equal_exactly_as_the_rfc_states(rows: list[tuple[str, str]]) -> None:
    for (one, first), (other, second) in combinations(rows, 2):
        assert (parse(one) == parse(other)) is (first == second), (one, other)


@pytest.mark.parametrize(("written", "normal_form"), [*SIX, *NEWER])
def test_a_urn_is_printed_in_one_spelling(written: str, normal_form: str) -> None:
    assert str(parse(written)) == normal_form


# RFC 2141 §5: "%-escaping MUST NOT be removed", not even of what RFC 3986 §2.3 calls unreserved
@pytest.mark.parametrize("name", ["a%2Db", "%7Erichard", "a%41", "%2F", "100%25", "a%2Cb"])
def test_an_escape_is_never_undone(name: str) -> None:
    assert str(parse(f"urn:foo:{name}")) == f"urn:foo:{name}"


# RFC 2141 §2.2: every "other", one by one, and letters, digits and escapes
@pytest.mark.parametrize("character", [*"()+,-.:=@;$_!*'", "aZ", "09", "%2f", "%2F", "%E2%82%AC"])
def test_the_characters_of_a_name_are_kept(character: str) -> None:
    text = f"urn:foo:x{character}y"

    assert parse(text, strict=True) == parse(text)
    assert parse(text).written == text


# RFC 2141 §2.4: octets 1-32, these, 127-255; RFC 8141 §2 takes "&" and "~", which the strict reading does not
EXCLUDED = [*"\x01\t\n\x1f ", *'\\"<>[]^`{|}', "\x7f", "\x80", "\u00e9", "\u20ac", "\ud800"]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("character", EXCLUDED)
def test_an_excluded_character_is_named_with_its_escape(character: str, *, strict: bool) -> None:
    error = _refused(f"urn:foo:ab:c{character}d", strict=strict)

    escape = "".join(f"%{octet:02X}" for octet in character.encode("utf-8", "surrogatepass"))
    assert _told(error) == ("excluded", 4, character, 12)
    assert str(error.reason).endswith(f"write {escape}")


@pytest.mark.parametrize("character", [*"&~"])
def test_only_the_older_rfc_excludes_ampersand_and_tilde(character: str) -> None:
    text = f"urn:foo:a{character}b"

    assert parse(text).written == text
    assert _told(_refused(text, strict=True)) == ("excluded", 3, character, 9)


# text, rule, segment (the scheme is the first), value, position
FAULTS = [
    ("urn:foo:a%b", "pct-encoded", 3, "%b", 9),  # RFC 2141 §2.3.1: "%" is followed by two <hex>
    ("urn:foo:a%", "pct-encoded", 3, "%", 9),
    ("urn:foo:a%4Gb", "pct-encoded", 3, "%4G", 9),
    ("urn:foo:a:%0", "pct-encoded", 4, "%0", 10),
    ("urn:foo:a%00b", "excluded", 3, "%00", 9),  # §2.4: octet 0 neither unencoded nor encoded
    ("urn:foo:a\0b", "excluded", 3, "\0", 9),
    ("urn:foo:/a", "NSS", 3, "/", 8),  # RFC 8141 §2  NSS = pchar *(pchar / "/")
    ("urn:foo", "NSS", 2, "", 7),  # "urn:foo:" is the namespace
    ("urn:a:x", "NID", 2, "a", 4),  # RFC 8141 §2: two characters at least
    ("urn::x", "NID", 2, "", 4),
    (f"urn:{'a' * 33}:x", "NID", 2, "a" * 33, 4),  # and 32 at most
    ("urn:-a:x", "NID", 2, "-a", 4),
    ("urn:a-:x", "NID", 2, "a-", 4),
    ("urn:a.b:x", "NID", 2, "a.b", 4),  # RFC 2141 §2.1: no "." and no "+"
    ("urn:a+b:x", "NID", 2, "a+b", 4),
    ("urn:a_b:x", "NID", 2, "a_b", 4),
    ("urn:a%2Db:x", "NID", 2, "a%2Db", 4),
    ("urn:\u00e9b:x", "NID", 2, "\u00e9b", 4),
    ("urn:urn:x", "NID", 2, "urn", 4),  # RFC 2141 §2.1: reserved, never used
    ("urn:URN:x", "NID", 2, "URN", 4),
]


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(("text", "rule", "segment", "value", "position"), FAULTS)
def test_a_malformed_urn_is_refused_with_segment_rule_and_position(  # noqa: PLR0913  the columns of a table
    text: str, rule: str, segment: int, value: str, position: int, *, strict: bool
) -> None:
    assert _told(_refused(text, strict=strict)) == (rule, segment, value, position)


@pytest.mark.parametrize("nid", ["ab", "a1", "2a", "isbn", "A-B-c", "a--b", "urn-7", "X-gins", "a" * 32])
def test_a_namespace_has_letters_digits_and_hyphens(nid: str) -> None:
    assert parse(f"urn:{nid}:x").name_authority == nid.lower()


# RFC 8141 §5.1, the excluded names of formal namespaces, and §5.2, the informal ones
@pytest.mark.parametrize("nid", ["ab", "X-gins", "de-dnb", "xn--a", "urn-x", "urn-0", "urn-07"])
def test_the_strict_reading_refuses_reserved_namespaces(nid: str) -> None:
    assert str(parse(f"urn:{nid}:x")) == f"urn:{nid.lower()}:x"
    assert _told(_refused(f"urn:{nid}:x", strict=True)) == ("NID", 2, nid, 4)


@pytest.mark.parametrize("nid", ["urn-7", "urn-10", "isbn", "nbn", "lex", "a-b", "x1-y"])
def test_the_strict_grammar_accepts_formal_and_informal_namespaces(nid: str) -> None:
    assert parse(f"urn:{nid}:x", strict=True).name_authority == nid


# RFC 2141 §2.3.2 reserves them; RFC 8141 gave them their use: "/" in a name, "?" and "#" before components.
@pytest.mark.parametrize("text", ["urn:foo:a/b", "urn:foo:a?+b", "urn:foo:a?=b", "urn:foo:a#b"])
def test_the_strict_reading_refuses_reserved_characters(text: str) -> None:
    error = _refused(text, strict=True)

    assert _told(error) == ("reserved", 3, text[9], 9)
    assert str(error.reason).endswith(f"write %{ord(text[9]):02X}")


# RFC 8141 §2: rq-components, then "#" f-component
@pytest.mark.parametrize(
    "components",
    [
        "?+a",
        "?=a",
        "#",
        "#a/?",
        "?+a?=b",
        "?+a?=b#c",
        "?+a/?b",
        "?=a?+b",  # a q-component may have "?+" in it
        "?=a%20b",
    ],
)
def test_components_are_not_part_of_the_name(components: str) -> None:
    identifier = parse(f"urn:example:weather{components}")

    assert str(identifier) == "urn:example:weather"
    assert not identifier.is_normal


@pytest.mark.parametrize(
    ("text", "rule", "value", "position"),
    [
        ("urn:foo:a?b", "reserved", "?b", 9),
        ("urn:foo:a?", "reserved", "?", 9),
        ("urn:foo:a?+", "rq-components", "?+", 9),
        ("urn:foo:a?=#x", "rq-components", "?=#", 9),
        ("urn:foo:a?+/b", "rq-components", "?+/", 9),
        ("urn:foo:a?=b c", "excluded", " ", 12),
        ("urn:foo:a?=b%2", "pct-encoded", "%2", 12),
        ("urn:foo:a#b#c", "excluded", "#", 11),
        ("urn:foo:?+a", "NSS", "?+a", 8),
    ],
)
def test_a_malformed_component_is_refused_with_the_reason(
    text: str, rule: str, value: str, position: int
) -> None:
    assert _told(_refused(text, strict=False)) == (rule, 3, value, position)


@pytest.mark.parametrize(
    ("text", "segments", "ancestors"),
    [
        ("urn:", (), ()),
        ("URN:ISBN:", ("isbn",), ("urn:",)),
        ("urn:isbn:0451450523", ("isbn", "0451450523"), ("urn:", "urn:isbn:")),
        ("urn:lex:it:legge:1990", ("lex", "it", "legge", "1990"), ("urn:", "urn:lex:", "urn:lex:it:")),
        ("urn:foo:a/b", ("foo", "a", "b"), ("urn:", "urn:foo:", "urn:foo:a/")),
        ("urn:foo:a:", ("foo", "a"), ("urn:", "urn:foo:")),
        ("urn:foo::", ("foo", ""), ("urn:", "urn:foo:")),
    ],
)
def test_a_urn_has_its_parts(text: str, segments: tuple[str, ...], ancestors: tuple[str, ...]) -> None:
    identifier = parse(text)

    assert identifier.segments == segments
    assert identifier.ancestors[: len(ancestors)] == ancestors
    assert identifier.root == "urn:"


@pytest.mark.parametrize(
    "text", ["http://resources.usgin.org/urn:isbn:1", "//a.example/urn:isbn:1", "/urn:isbn:1"]
)
def test_the_host_is_not_part_of_a_urn(text: str) -> None:
    assert parse(text) == parse("urn:isbn:1")


def _refused(text: str, *, strict: bool) -> MalformedIdentifier:
    with pytest.raises(MalformedIdentifier) as refused:
        parse(text, strict=strict)
    return refused.value


def _told(error: MalformedIdentifier) -> tuple[str, int | None, str, int]:
    return error.rule, error.segment, error.value, error.position
