"""Comparisons of patterns: a text that two match, or that only one of them does."""

from __future__ import annotations

import pytest

from ginuri.registry.rules.comparison import INTRICATE, Language, common_text, text_outside
from ginuri.registry.rules.patterns import Pattern


def language(pattern: str, beyond: str = "", *, ignore_case: bool = False) -> Language:
    return Language(Pattern(pattern, ignore_case), beyond)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{a}", "{b}"),
        ("{a}/{b}", "{c}/x"),
        ("HP_{id}", "{id}_17"),
        ("{a}x", "x{b}"),
        ("a{b}", "{c}b"),
        ("{a}-{b}", "{c}"),
        ("same", "same"),
        ("{a}", "x"),
        ("{a:digits}", "{b}"),
        ("{a:digits}", "17"),
        ("20{+rest}", "{a}/{b:digits}"),
        ("a{+rest}", "{b}/{+rest}"),
        ("{a:digits(4)}", "{b:2000|x}"),
        ("[CHEBI:]{id:digits}", "{prefix}:{id}"),
        ("X[/{+rest}]", "{a}"),
        ("{a}%2F{b}", "{c}"),
    ],
)
def test_overlapping_patterns_have_a_common_text(one: str, other: str) -> None:
    common = common_text(language(one), language(other))

    assert isinstance(common, str)
    assert Pattern(one).match(common)
    assert Pattern(other).match(common)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{a}/", "{a}"),
        ("HP_{id}", "WELL_{id}"),
        ("{a}/x", "{a}/y"),
        ("{a}.pdf", "{a}.tif"),
        ("{a}", "{a}/{b}"),
        ("x{a}", "x"),
        ("x{a}x", "x"),  # one x cannot be both ends and the piece between
        ("x{a}x", "xx"),
        ("{a:digits}", "x{b}"),
        ("{a:digits}", "{b:digits}/"),
        ("201{+rest}", "202{+rest}"),
        ("a/{+rest}", "a/"),
        ("{a:digits(4)}", "{b:digits(5)}"),
        ("{a:upper}", "{b:lower}"),
        ("a%2Fb", "a%2Eb"),
        ("{a:[^x]}", "x"),
    ],
)
def test_patterns_that_exclude_each_other_have_no_common_text(one: str, other: str) -> None:
    assert common_text(language(one), language(other)) is None
    assert common_text(language(other), language(one)) is None


@pytest.mark.parametrize("pattern", ["{id}", "a/b/", "HP_{id}", ""])
def test_an_empty_pattern_overlaps_with_every_pattern(pattern: str) -> None:
    assert common_text(language(""), language(pattern))
    assert common_text(language(pattern), language(""))


@pytest.mark.parametrize(
    ("one", "others"),
    [
        ("{a:digits}", ["{b}"]),
        ("{a:digits}", ["{+b}"]),
        ("HP_{id:digits(7)}", ["HP_{id}"]),
        ("{a:2000|2010}", ["{b:digits}"]),
        ("{a:digits(1)}", ["{b:[0-4]}", "{c:[5-9]}"]),
        ("a[b]", ["a", "ab"]),
        ("{a}-{b}", ["{c}"]),
        ("{a:letters}", ["{b:letters(1)}", "{c:letters(2,)}"]),
    ],
)
def test_a_covered_pattern_has_no_text_of_its_own(one: str, others: list[str]) -> None:
    assert text_outside(language(one), [language(other) for other in others]) is None


@pytest.mark.parametrize(
    ("one", "others"),
    [
        ("{a}", ["{b:digits}"]),
        ("{a:digits}", ["{b:[0-4]}", "{c:[5-9]}"]),
        ("{+a}", ["{b}", "{c}/{+d}"]),
        ("a[b]", ["ab"]),
        ("HP_{id}", []),
    ],
)
def test_a_pattern_that_is_not_covered_has_a_text_of_its_own(one: str, others: list[str]) -> None:
    outside = text_outside(language(one), [language(other) for other in others])

    assert isinstance(outside, str)
    assert Pattern(one).match(outside)
    assert not any(Pattern(other).match(outside) for other in others)


def test_a_longer_prefix_is_text_before_its_pattern() -> None:
    longer = language("{id}", "obo/")

    assert common_text(longer, language("{+rest}")) == "obo/1"
    assert common_text(longer, language("{id}")) is None
    assert text_outside(longer, [language("obo/{+rest}")]) is None


def test_only_a_pattern_that_ignores_case_meets_other_cases() -> None:
    upper, folded = language("HP_{id}"), language("hp_{id}", ignore_case=True)

    assert common_text(upper, language("hp_{id}")) is None
    assert common_text(upper, folded) == "HP_1"
    assert text_outside(upper, [folded]) is None
    assert text_outside(folded, [upper]) == "hp_1"
    assert common_text(language("x", "A/", ignore_case=True), language("a/x")) is None


def test_patterns_with_too_many_states_are_not_compared() -> None:
    one, other = language("{a:digits(1,250)}{b:alnum(1,250)}x"), language("{c:alnum(1,250)}{d:hex(1,250)}y")

    assert common_text(one, other) is None  # their last characters decide
    assert (
        common_text(
            language("{a:alnum(1,250)}{b:hex(1,250)}z"), language("{a:digits(1,250)}{b:alnum(1,250)}zz")
        )
        == INTRICATE
    )
