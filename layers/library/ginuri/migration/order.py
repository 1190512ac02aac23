"""Rules that are tried in order, compared with rules of which the most literal wins.

Apache httpd applies the first directive that matches; here the longest prefix wins, then the most literal
pattern, and a registered name precedes every rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from ginuri.identifiers.messages import Message, message
from ginuri.registry.rules.patterns import ALL_THE_REST, Pattern


@dataclass(frozen=True, slots=True)
class Claim:
    """The names that an entry matches: one, or those of a rule under a prefix."""

    name: str
    """The name, or the prefix."""
    pattern: Pattern | None
    """None for a single name."""
    full_pattern: Pattern
    """The pattern of the names that it matches, from their first character on."""
    start: str
    """The literal text that all of these names start with."""
    is_exact: bool
    """Whether it matches all of these names; else some of them, which no pattern can express."""
    expression: re.Pattern[str] | None = None
    """Decides whether a single name is one of them."""

    def beats(self, other: Claim) -> bool:
        """Tell whether it wins here wherever both match."""
        if self.pattern is None or other.pattern is None:
            return self.pattern is None and other.pattern is not None
        return (len(self.name), self.pattern.literalness) > (len(other.name), other.pattern.literalness)

    def covers(self, other: Claim) -> bool:
        """Tell whether it matches every name that the other matches."""
        own, others = self.full_pattern.tokens, other.full_pattern.tokens
        if self.pattern is None or not self.pattern.takes_the_rest:
            return own == others
        return others[: len(own) - 1] == own[:-1] and len(others) >= len(own)

    def excludes(self, other: Claim) -> bool:
        """Tell whether its expression does not match the single name of the other."""
        if self.expression is None or other.pattern is not None:
            return False
        # Apache httpd matches paths without escapes.
        return self.expression.search(unquote(other.name)) is None


def claim(name: str, pattern: Pattern | None = None) -> Claim:
    """Make the claim of an entry."""
    text = name if pattern is None else f"{name}{pattern.text or ALL_THE_REST}"
    return Claim(name, pattern, Pattern(text), text.partition("{")[0], is_exact=True)


def claim_some(start: str, expression: str) -> Claim:
    """Make the claim of an entry that matches some of the names with this start, by an expression."""
    return replace(claim(start, Pattern("")), is_exact=False, expression=_compile(expression))


def _compile(expression: str) -> re.Pattern[str] | None:
    # PCRE reads character classes such as [:alpha:] differently: the expression may match anything.
    if "[:" in expression:
        return None
    try:
        return re.compile(expression)
    except re.error:
        return None


def overlaps(one: Claim, other: Claim) -> bool:
    """Tell whether both match some name."""
    if not (one.start.startswith(other.start) or other.start.startswith(one.start)):
        return False
    return one.full_pattern.overlaps(other.full_pattern)


def find_conflict(claim: Claim, earlier: Sequence[tuple[Claim, Message]]) -> Message | None:
    """Find the earlier claim that would lose names to this one here, and say why; None if there is none.

    The earlier ones come with their names in messages.
    """
    for before, name in earlier:
        if not overlaps(before, claim) or (before.is_exact and before.beats(claim)):
            continue
        if before.excludes(claim):
            continue
        if not before.is_exact:
            return message(
                "{entry} comes first and was refused. Here this entry would also answer for its names.",
                entry=name,
            )
        if claim.pattern is None or before.covers(claim):
            return message(
                "{entry} comes first and matches all names of this entry, which was never reached.",
                entry=name,
            )
        return message(
            "{entry} comes first where both match. Here the more literal one of the two would win.",
            entry=name,
        )
    return None
