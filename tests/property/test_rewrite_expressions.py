"""For every pattern and name: the expression of a rewrite rule matches as the pattern does."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ginuri.migration.apache_rules.expressions import RESERVED, Wanted, expressions_of
from ginuri.registry.rules.grammar import Option, pieces_of
from ginuri.registry.rules.patterns import Pattern
from tests.property.test_rules import PATTERNS, RESTS


def _first_match(pattern: Pattern, wanted: Wanted, rest: str) -> dict[str, str] | None:
    """Return the variables of the first expression that matches: Apache tries them in turn."""
    for expression in expressions_of(pattern, wanted):
        found = re.fullmatch(expression.text, rest)
        if found is not None:
            return {name: found[number] for name, number in expression.groups.items()}
    return None


@st.composite
def _wanted(draw: st.DrawFn, pattern: Pattern) -> Sequence[str]:
    return draw(st.lists(st.sampled_from(["rest", "all", *pattern.names]), unique=True, max_size=4))


@given(st.data(), PATTERNS, RESTS)
def test_an_expression_matches_as_its_pattern(data: st.DataObject, pattern: Pattern, rest: str) -> None:
    names = data.draw(_wanted(pattern))

    matched = pattern.match(rest)

    found = _first_match(pattern, Wanted(names, ()), rest)
    expected = None if matched is None else {name: matched[name] for name in names if name in matched}
    assert found == expected


@given(PATTERNS, RESTS)
def test_limited_variables_match_only_texts_without_reserved_characters(pattern: Pattern, rest: str) -> None:
    names = [
        piece.name
        for piece in pieces_of([each for each in pattern.elements if not isinstance(each, Option)])
        if not piece.type.words
    ]

    found = _first_match(pattern, Wanted(names, names), rest)

    if found is not None:
        assert not {character for text in found.values() for character in text} & set(RESERVED)
