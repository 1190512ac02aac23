"""For every template, pattern and name: parsing keeps the text, and the analysis is correct."""

from __future__ import annotations

import itertools
import re
from random import Random
from urllib.parse import unquote_to_bytes

from hypothesis import assume, given
from hypothesis import strategies as st

from ginuri import parse
from ginuri.identifiers.comparison.folding import fold, fold_writing
from ginuri.registry.rules.comparison import Language, common_text, text_outside
from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.patterns import Pattern
from ginuri.registry.rules.templates import expand, variables
from tests.property.strategies import IDENTIFIERS

_VALUES = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | IDENTIFIERS
_OPERATORS = st.sampled_from(["", "+", "#", ".", "/", ";", "?", "&"])
_LETTERS = "aB1/-"
_PIECES = (
    "{}",
    "{+}",
    "{:digits}",
    "{:letters(1,2)}",
    "{:[a1-]}",
    "{:[^a]}",
    "{:upper(2,)}",
    "{:a1|a|B}",
    "{:[aB/](2)}",
)
_ELEMENTS = st.sampled_from(["a", "B", "1", "/", "-", *_PIECES, *_PIECES])
_OPTIONS = st.lists(_ELEMENTS, min_size=1, max_size=2).map(lambda elements: f"[{''.join(elements)}]")
_EXPRESSIONS = {  # of the types above
    None: "[^/]+",
    "digits": "[0-9]+",
    "letters(1,2)": "[A-Za-z]{1,2}",
    "[a1-]": "[a1-]+",
    "[^a]": "[^a/]+",
    "upper(2,)": "[A-Z]{2,}",
    "a1|a|B": "(?:a1|a|B)",
    "[aB/](2)": "[aB/]{2}",
}
_PIECE = re.compile(r"\{(\+?)(p\d+)(?::([^{}]*))?\}")


def _named(elements: list[str]) -> str:
    numbers = itertools.count()
    return re.sub(r"\{(\+?)(:?)", lambda found: f"{{{found[1]}p{next(numbers)}{found[2]}", "".join(elements))


PATTERNS = st.builds(
    Pattern,
    st.lists(_ELEMENTS | _OPTIONS, max_size=5).map(_named).filter(lambda text: fault_of(text) is None),
    st.booleans(),
)
"""Patterns over a few letters, so that many of them overlap."""
RESTS = st.text(_LETTERS, min_size=1, max_size=8)
_SHORT_RESTS = [
    "".join(letters) for length in range(1, 5) for letters in itertools.product(_LETTERS, repeat=length)
]


def _expression(pattern: Pattern) -> re.Pattern[str]:
    """Translate a pattern into a regular expression, as a second implementation of the language."""
    written, at = "", 0
    for piece in _PIECE.finditer(pattern.text):
        plus, name, kind = piece.groups()
        written += _literal(pattern.text[at : piece.start()])
        written += f"(?P<{name}>{'.+' if plus else _EXPRESSIONS[kind]})"
        at = piece.end()
    written += _literal(pattern.text[at:])
    return re.compile(written or ".+", re.IGNORECASE if pattern.ignore_case else 0)


def _literal(text: str) -> str:
    return "".join({"[": "(?:", "]": ")?"}.get(character) or re.escape(character) for character in text)


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


@given(PATTERNS, RESTS)
def test_a_pattern_matches_as_its_regular_expression(pattern: Pattern, rest: str) -> None:
    expected = _expression(pattern).fullmatch(rest)
    pieces = pattern.match(rest)

    if expected is None:
        assert pieces is None
    else:
        named = {name: text for name, text in expected.groupdict().items() if text is not None}
        assert pieces == {"rest": rest, "all": rest, **named}


@given(PATTERNS, PATTERNS)
def test_patterns_overlap_exactly_if_one_text_matches_both(one: Pattern, other: Pattern) -> None:
    common = common_text(Language(one), Language(other))

    if common is None:
        assert not any(one.match(rest) and other.match(rest) for rest in _SHORT_RESTS)
    else:
        assert one.match(str(common))
        assert other.match(str(common))


@given(PATTERNS, st.lists(PATTERNS, max_size=3))
def test_a_pattern_is_covered_exactly_if_others_match_its_texts(one: Pattern, others: list[Pattern]) -> None:
    outside = text_outside(Language(one), [Language(other) for other in others])

    if outside is None:
        assert all(
            any(other.match(rest) for other in others) for rest in _SHORT_RESTS if one.match(rest) is not None
        )
    else:
        assert one.match(str(outside))
        assert not any(other.match(str(outside)) for other in others)


@given(PATTERNS, PATTERNS)
def test_overlap_is_mutual(one: Pattern, other: Pattern) -> None:
    mutual = [common_text(Language(one), Language(other)), common_text(Language(other), Language(one))]

    assert len({text is None for text in mutual}) == 1


@given(st.lists(PATTERNS, min_size=2, max_size=6), st.randoms())
def test_precedence_does_not_depend_on_the_order_of_uploads(patterns: list[Pattern], chance: Random) -> None:
    shuffled = chance.sample(patterns, len(patterns))

    assert [pattern.rank for pattern in sorted(patterns, key=_rank)] == [
        pattern.rank for pattern in sorted(shuffled, key=_rank)
    ]


def _rank(pattern: Pattern) -> tuple[tuple[int, ...], str]:
    return pattern.rank


@given(IDENTIFIERS, st.booleans())
def test_case_and_the_final_slash_fold(written: str, swapped: bool) -> None:  # noqa: FBT001  drawn, not called
    name = parse(written).normal_form
    scheme, slash, rest = name.partition("/")
    assume(rest)
    other = parse(f"{scheme}{slash}{rest.swapcase() if swapped else rest}").normal_form

    assert fold_writing(other.rstrip("/")) == fold_writing(name)
    assert fold(other.rstrip("/")) == fold(name)
