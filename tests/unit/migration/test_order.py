"""Ordered rules, converted to rules among which the most literal wins."""

from __future__ import annotations

import pytest

from ginuri.migration.entries import EntryPlace
from ginuri.migration.order import Claim, claim, claim_some, find_conflict
from ginuri.registry.rules.patterns import Pattern

FIRST, ANOTHER = EntryPlace("a.yml", 1, "the first"), EntryPlace("a.yml", 2, "another")


def _rule(prefix: str, pattern: str = "") -> Claim:
    return claim(prefix, Pattern(pattern))


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (claim("/a/x"), _rule("/a/")),  # a registered name beats every rule
        (_rule("/a/b/"), _rule("/a/")),  # the longest prefix wins
        (_rule("/a/", "b{+rest}"), _rule("/a/")),  # then the most literal
        (_rule("/a/", "{x:digits}"), _rule("/a/", "{x}")),
        (_rule("/a/", "201{+rest}"), _rule("/a/", "202{+rest}")),  # or no name matches both
        (_rule("/a/"), _rule("/b/")),
        (_rule("/a/"), claim("/a/")),
        (claim("/a/x"), claim("/a/X")),
        (claim_some("/a/v", r"^/a/v(\d)x?$"), claim("/a/v/wiki")),  # one name, which it does not match
        (claim_some("/a/v", r"^/a/v(\d)x?$"), claim("/a/v1X")),
    ],
)
def test_an_order_without_an_effect_is_kept(first: Claim, then: Claim) -> None:
    assert find_conflict(then, [(first, FIRST)]) is None


@pytest.mark.parametrize(
    ("first", "then", "why"),
    [
        (claim("/a/x"), claim("/a/x"), "never reached"),
        (_rule("/a/"), claim("/a/x"), "never reached"),
        (_rule("/a/", "{x}"), claim("/a/x"), "never reached"),
        (_rule("/a/"), _rule("/a/b/"), "never reached"),
        (_rule("/a/"), _rule("/a/", "b{+rest}"), "never reached"),
        (_rule("/a/"), _rule("/a/"), "never reached"),
        (_rule("/a/", "{x}/b"), _rule("/a/c/", "{x}"), "the more literal one"),
        (_rule("/a/", "{x}b"), _rule("/a/", "b{x}"), "the more literal one"),
        (claim_some("/a/v", r"^/a/v(\d)x?$"), _rule("/a/"), "was refused"),
        (claim_some("/a/v", r"^/a/v(\d)x?$"), claim("/a/v1"), "was refused"),
        (claim_some("/a/v", r"(?i)^/a/v(\d)x?$"), claim("/a/v1X"), "was refused"),
        (claim_some("/a/v", r"^/a/v(\d)x?$"), claim("/a/v%31"), "was refused"),
        (claim_some("/a/v", r"^/a/v(\d)x?$"), _rule("/a/v/"), "was refused"),
        (claim_some("/a/v", "^/a/v([[:alpha:]])$"), claim("/a/v1"), "was refused"),
        (claim_some("/a/v", "^/a/v(?<n>x)$"), claim("/a/v1"), "was refused"),
    ],
)
def test_an_order_with_an_effect_is_reported_with_the_winning_entry(
    first: Claim, then: Claim, why: str
) -> None:
    told = find_conflict(then, [(claim("/z"), ANOTHER), (first, FIRST)])

    assert told is not None
    assert str(told.reason).startswith("the first in line 1 of a.yml comes first")
    assert why in str(told.reason)
    assert told.obstacle.place is FIRST
