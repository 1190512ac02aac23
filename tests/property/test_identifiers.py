"""Parsing and printing are inverse, and every other text is refused."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from ginuri import MalformedIdentifier, parse
from ginuri.identifiers import parse_path
from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.stewards import TOP, steward, steward_below
from tests.property.strategies import IDENTIFIERS, PATHS, SEGMENTS

HOSTS = st.sampled_from(
    ["http://resources.usgin.org/", "https://GEON.org:88/", "//[::1]/", "http://10.0.0.1:8080/", "/", ""]
)
NEARLY = st.builds(
    lambda text, at, inserted: text[:at] + inserted + text[at:],
    IDENTIFIERS,
    st.integers(0, 40),
    st.sampled_from(["%", "//", "?", "#", " ", "\n", "\u00e9", "/../", "[", "\ud800"]),
)
ANYTHING = st.text() | st.text("uri-gn/.:%2D#?[]@ ", max_size=40) | NEARLY | PATHS


@given(IDENTIFIERS)
@example("uri-gin")
@example("//resources.usgin.org/")
@example("http://resources.usgin.org")
def test_printing_and_parsing_are_inverse(text: str) -> None:
    identifier = parse(text)

    assert parse(str(identifier)) == identifier
    assert str(parse(str(identifier))) == str(identifier)


@given(IDENTIFIERS)
def test_the_normal_form_is_normal(text: str) -> None:
    identifier = parse(text)

    assert parse(identifier.normal_form).is_normal
    assert normalise_escapes(identifier.normal_form) == identifier.normal_form
    assert identifier.normal_form.isascii()


@given(IDENTIFIERS, HOSTS, HOSTS)
def test_any_two_hosts_name_the_same_identifier(text: str, one: str, other: str) -> None:
    assert parse(one + text) == parse(other + text)


@given(IDENTIFIERS)
def test_a_final_slash_always_makes_another_identifier(text: str) -> None:
    bare = text.removesuffix("/")

    assert parse(bare) != parse(f"{bare}/")


@given(IDENTIFIERS, st.integers(1, 1_000))
@example("//resources.usgin.org/", 3)
def test_any_prefix_beyond_the_steward_leads_to_the_same_list(text: str, cut: int) -> None:
    identifier = parse(text)
    under = steward(identifier.normal_form)
    known = len(under) if under != TOP else 1

    assert under == (*identifier.ancestors, TOP)[min(1, len(identifier.ancestors) - 1)]
    assert steward_below(identifier.normal_form[: max(known, len(identifier.normal_form) - cut)]) == under


def _fault(text: str, *, strict: bool) -> MalformedIdentifier | None:
    try:
        parse(text, strict=strict)
    except MalformedIdentifier as error:
        return error
    return None


@given(ANYTHING)
@example("http://[/")
@example("http://h:80:80/uri-gin/")
@example("http:////uri-gin/")
def test_any_text_is_an_identifier_or_refused_with_a_reason(text: str) -> None:
    for strict in (False, True):
        error = _fault(text, strict=strict)

        if error is not None:
            assert error.text == text
            assert error.rule
            assert error.value in text
            assert 0 <= error.position <= len(text)


@given(SEGMENTS, st.integers(0, 1100), st.integers(0, 40))
def test_no_identifier_exceeds_the_limit(segment: str, length: int, count: int) -> None:
    text = "uri-gin/" + "x" * length + f"/{segment}" * count

    if _fault(text, strict=False) is None:
        assert len(parse(text).normal_form) <= 1024
        assert len(parse(text).segments) < 32


@given(PATHS)
def test_any_path_is_an_identifier_or_refused_with_a_reason(path: str) -> None:
    try:
        identifier = parse_path(path)
    except MalformedIdentifier:
        return

    assert identifier.written == path[1:]


@given(ANYTHING)
def test_every_strict_identifier_is_a_lenient_one(text: str) -> None:
    try:
        identifier = parse(text, strict=True)
    except MalformedIdentifier:
        return

    assert parse(text) == identifier


@given(IDENTIFIERS)
def test_each_ancestor_is_a_prefix_of_the_next_with_a_slash(text: str) -> None:
    identifier = parse(text)

    around = [*identifier.ancestors, identifier.normal_form]
    assert all(
        below.startswith(above) and above.endswith("/") and above != below
        for above, below in pairwise(around)
    )


@given(IDENTIFIERS)
def test_a_stem_is_an_identifier_in_normal_form(text: str) -> None:
    identifier = parse(text)

    for stem in identifier.stems:
        assert parse(stem).is_normal
        assert identifier.normal_form.startswith(f"{stem}.")
