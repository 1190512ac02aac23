"""For every template, pattern and name: parsing keeps the text, and the analysis is correct."""

from __future__ import annotations

import itertools
import re
from urllib.parse import unquote_to_bytes

from hypothesis import assume, given
from hypothesis import strategies as st

from ginuri import parse
from ginuri.identifiers.comparison.folding import fold, fold_writing
from ginuri.registry.rules.patterns import Pattern, fault_of
from ginuri.registry.rules.templates import expand, variables
from tests.property.strategies import IDENTIFIERS

_VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | IDENTIFIERS
_OPERATORS = st.sampled_from(["", "+", "#", ".", "/", ";", "?", "&"])
_LETTERS = "a1/"
_PIECE = re.compile(r"\{\+?(\w+)(:digits)?\}")


def _named(pieces: list[str]) -> str:
    kinds = {"{}": "{{p{}}}", "{0}": "{{p{}:digits}}", "{+}": "{{+rest}}"}
    return "".join(kinds[piece].format(at) if piece in kinds else piece for at, piece in enumerate(pieces))


PATTERNS = (
    st.lists(st.sampled_from(["a", "1", "/", "{}", "{0}", "{+}"]), max_size=4)
    .map(_named)
    .filter(lambda text: fault_of(text) is None)
    .map(Pattern)
)
"""Patterns over a few letters, so that many of them overlap."""
RESTS = st.text(_LETTERS, min_size=1, max_size=8).filter(lambda text: "//" not in text and text[0] != "/")
_SHORT_RESTS = [
    text
    for length in range(1, 7)
    for text in map("".join, itertools.product(_LETTERS, repeat=length))
    if "//" not in text and text[0] != "/"
]


@given(st.text(st.characters(exclude_characters="{}"), max_size=40), _VALUES)
def test_a_template_without_braces_expands_to_itself(text: str, value: str) -> None:
    assert variables(text) == frozenset()
    assert expand(text, {"rest": value}) == text


@given(_VALUES, st.sampled_from(["", "+"]))
def test_values_put_into_a_template_can_be_read_back(value: str, operator: str) -> None:
    expanded = expand(f"<{{{operator}id}}>", {"id": value})

    assert unquote_to_bytes(expanded[1:-1]) == unquote_to_bytes(value)


@given(_VALUES, _OPERATORS)
def test_values_put_into_a_template_are_ascii_without_blanks(value: str, operator: str) -> None:
    expanded = expand(f"{{{operator}id,rest}}", {"id": value, "rest": value})

    assert re.fullmatch(r"(?:%[0-9A-Fa-f]{2}|[!#$&-;=?-Z\[\]_a-z~@])*", expanded)


@given(_VALUES)
def test_a_value_stays_in_its_place_of_the_template(value: str) -> None:
    assert not set(expand("{id}", {"id": value})) & set("/?#[]@:&=+;,")


@given(PATTERNS, st.lists(st.text("12", min_size=1, max_size=4), min_size=4, max_size=4))
def test_the_pieces_of_a_match_concatenate_to_the_text(pattern: Pattern, values: list[str]) -> None:
    given_values = iter(values)
    rest = _PIECE.sub(lambda _: next(given_values), pattern.text) or "x"

    pieces = pattern.match(rest)

    assert pieces is not None
    assert pieces["rest"] == rest or "{+rest}" in pattern.text
    assert _PIECE.sub(lambda found: pieces[found[1]], pattern.text or rest) == rest
    assert all(pieces[name] and "/" not in pieces[name] for name in pattern.names)


@given(PATTERNS, PATTERNS)
def test_overlap_is_mutual(one: Pattern, other: Pattern) -> None:
    assert one.overlaps(other) == other.overlaps(one)


@given(PATTERNS, PATTERNS, RESTS)
def test_patterns_that_match_the_same_text_overlap(one: Pattern, other: Pattern, rest: str) -> None:
    assert one.overlaps(other) or one.match(rest) is None or other.match(rest) is None


@given(PATTERNS, PATTERNS)
def test_patterns_overlap_exactly_if_one_text_matches_both(one: Pattern, other: Pattern) -> None:
    taken = any(one.match(rest) and other.match(rest) for rest in _SHORT_RESTS)

    assert one.overlaps(other) == taken


@given(PATTERNS, PATTERNS)
def test_the_more_literal_pattern_never_matches_all_of_the_other(one: Pattern, other: Pattern) -> None:
    # So the less literal of two rules of a prefix still wins for some names.
    assume(one.literalness > other.literalness)

    assert any(other.match(rest) and not one.match(rest) for rest in _witnesses(other))


def _witnesses(pattern: Pattern) -> list[str]:
    if not pattern.text:
        return ["x/y/z/", "x"]
    return [_instance(pattern, *each) for each in (("x", "2", "x/y/z/"), ("xy", "34", "x"), ("y", "5", "y"))]


def _instance(pattern: Pattern, named: str, digits: str, rest: str) -> str:
    filled = pattern.text.replace("{+rest}", rest)
    return _PIECE.sub(lambda found: digits if found[2] else named, filled)


@given(IDENTIFIERS, st.booleans())
def test_case_and_the_final_slash_fold(written: str, swapped: bool) -> None:  # noqa: FBT001  drawn, not called
    name = parse(written).normal_form
    scheme, slash, rest = name.partition("/")
    assume(rest)
    other = parse(f"{scheme}{slash}{rest.swapcase() if swapped else rest}").normal_form

    assert fold_writing(other.rstrip("/")) == fold_writing(name)
    assert fold(other.rstrip("/")) == fold(name)
