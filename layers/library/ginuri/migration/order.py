"""Rules that are tried in order → rules of which the most literal wins, where that is the same.

Apache httpd takes the first directive that matches; here the longest prefix wins, then the most literal
pattern, and a registered name beats every rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from ginuri.registry.rules.patterns import ALL_THE_REST, Pattern


@dataclass(frozen=True, slots=True)
class Claim:
    """The names that an entry takes: one, or those of a rule under a prefix."""

    name: str
    """The name, or the prefix."""
    pattern: Pattern | None
    """None where it is one name only."""
    whole: Pattern
    """The pattern of all that it takes, from the first character on."""
    begins: str
    """What all that it takes begins with."""
    is_known: bool
    """Whether it takes just these, or some of these and no pattern says which."""
    expression: re.Pattern[str] | None = None
    """What tells of a single name whether it is one of some."""

    def beats(self, other: Claim) -> bool:
        """Tell whether it wins here, wherever both take a name."""
        if self.pattern is None or other.pattern is None:
            return self.pattern is None and other.pattern is not None
        mine, its = (len(self.name), self.pattern.literalness), (len(other.name), other.pattern.literalness)
        return mine > its

    def takes_all_of(self, other: Claim) -> bool:
        """Tell whether nothing is left for the other."""
        mine, its = self.whole.tokens, other.whole.tokens
        if self.pattern is None or not self.pattern.takes_the_rest:
            return mine == its
        return its[: len(mine) - 1] == mine[:-1] and len(its) >= len(mine)

    def leaves(self, other: Claim) -> bool:
        """Tell whether its expression does not match the one name that the other takes."""
        if self.expression is None or other.pattern is not None:
            return False
        return (
            self.expression.search(unquote(other.name)) is None
        )  # Apache httpd matches paths without escapes


def claim(name: str, pattern: Pattern | None = None) -> Claim:
    """Make the claim of an entry."""
    whole = name if pattern is None else f"{name}{pattern.text or ALL_THE_REST}"
    return Claim(name, pattern, Pattern(whole), whole.partition("{")[0], is_known=True)


def claim_some(begins: str, expression: str) -> Claim:
    """Make the claim of an entry that takes some of the names that begin so, by an expression."""
    whole = claim(begins, Pattern(""))
    return replace(whole, is_known=False, expression=_compile(expression))


def _compile(expression: str) -> re.Pattern[str] | None:
    # What PCRE reads otherwise may match anything, as far as we know.
    if "[:" in expression:
        return None
    try:
        return re.compile(expression)
    except re.error:
        return None


def overlaps(one: Claim, other: Claim) -> bool:
    """Tell whether some name is taken by both."""
    begun, begun_too = one.begins, other.begins
    if not (begun.startswith(begun_too) or begun_too.startswith(begun)):
        return False
    return one.whole.overlaps(other.whole)


def conflicting_claim(claim: Claim, earlier: Sequence[tuple[Claim, str]]) -> str | None:
    """Say why a claim would take more here than where those before it were tried first; None where not.

    The earlier ones come with what they are called in messages.
    """
    for before, called in earlier:
        if not overlaps(before, claim) or (before.is_known and before.beats(claim)):
            continue
        if before.leaves(claim):
            continue
        if not before.is_known:
            return f"{called} comes first and was not taken: here it would answer for that as well"
        if claim.pattern is None or before.takes_all_of(claim):
            return f"{called} comes first and takes all of it: it was never reached"
        return f"{called} comes first where both match, and here the more literal of two wins"
    return None
