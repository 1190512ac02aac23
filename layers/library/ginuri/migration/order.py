"""Compares rules that are tried in order with rules among which the most literal wins.

Apache httpd applies the first directive that matches; here the longest prefix wins, then the most literal
pattern, and a registered name precedes every rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote

from ginuri.files.expressions.intersection import intersect
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import EntryPlace, Obstacle
from ginuri.registry.rules.comparison import Language, common_text, text_outside
from ginuri.registry.rules.grammar import ALL_THE_REST
from ginuri.registry.rules.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Claim:
    """The names that an entry matches: one name, or a rule's names under a prefix."""

    name: str
    """The name, or the prefix."""
    pattern: Pattern | None
    """None for a single name."""
    full_pattern: Pattern
    """The pattern of the matched names, from their first character on."""
    start: str
    """The literal prefix of all matched names, in lower case."""
    is_exact: bool
    """Whether the entry matches all names of the pattern, or only some that no pattern can express."""
    expression: re.Pattern[str] | None = None
    """Returns whether a single name matches."""

    def beats(self, other: Claim) -> bool:
        """Return whether this claim wins in this resolver for every name that both match."""
        if self.pattern is None or other.pattern is None:
            return self.pattern is None and other.pattern is not None
        return (len(self.name), self.pattern.precedence) > (len(other.name), other.pattern.precedence)

    def covers(self, other: Claim) -> bool:
        """Return whether this claim matches every name of the other."""
        return text_outside(Language(other.full_pattern), [Language(self.full_pattern)]) is None

    def excludes(self, other: Claim) -> bool:
        """Return whether this claim's expression does not match the other's single name."""
        is_single = other.pattern is None
        # Apache httpd matches paths without escapes.
        return bool(is_single and self.expression and not self.expression.search(unquote(other.name)))


def claim(name: str, pattern: Pattern | None = None) -> Claim:
    """Return the claim of an entry."""
    text = name if pattern is None else f"{name}{pattern.text or ALL_THE_REST}"
    ignore_case = pattern is not None and pattern.ignore_case
    start = re.split(r"[{\[]", text, maxsplit=1)[0].lower()
    return Claim(name, pattern, Pattern(text, ignore_case), start, is_exact=True)


def claim_some(start: str, expression: str) -> Claim:
    """Return the claim of an entry whose expression matches some names with this prefix."""
    return replace(claim(start, Pattern("")), is_exact=False, expression=_compile(expression))


def _compile(expression: str) -> re.Pattern[str] | None:
    # PCRE reads character classes such as [:alpha:] differently, so the expression may match any name.
    if "[:" in expression:
        return None
    try:
        return re.compile(expression)
    except re.error:
        return None


def overlaps(one: Claim, other: Claim) -> bool:
    """Return whether both match some name."""
    may_meet = one.start.startswith(other.start) or other.start.startswith(one.start)
    return may_meet and common_text(Language(one.full_pattern), Language(other.full_pattern)) is not None


@dataclass(frozen=True, slots=True)
class OrderConflict:
    """A reason against an entry that lies in an earlier one."""

    reason: Message
    obstacle: Obstacle
    common: Sequence[str] = ()
    """Patterns of the names that both match, without the first slash, if the earlier entry has others too.

    Empty if no patterns express them.
    """


def find_conflict(claim: Claim, earlier: Sequence[tuple[Claim, EntryPlace]]) -> OrderConflict | None:
    """Find the earlier claim that would lose names to this one in this resolver; None without one."""
    for before, place in earlier:
        is_before = before.is_exact and before.beats(claim)
        if not is_before and overlaps(before, claim) and not before.excludes(claim):
            return _describe(claim, before, place)
    return None


def _describe(claim: Claim, before: Claim, place: EntryPlace) -> OrderConflict:
    entry = place.describe()
    if not before.is_exact:
        return OrderConflict(
            message(
                "{entry} comes first and was refused. Here this entry would also answer for its names.",
                entry=entry,
            ),
            Obstacle(place, message("Write its regular expression in a form that a pattern can express.")),
        )
    if claim.pattern is None or before.covers(claim):
        return OrderConflict(
            message(
                "{entry} comes first and matches all names of this entry, which was never reached.",
                entry=entry,
            ),
            Obstacle(place, message("Move the entries behind it before it, or delete them.")),
        )
    return OrderConflict(
        message(
            "{entry} comes first where both match. Here the more literal one of the two would win.",
            entry=entry,
        ),
        Obstacle(place, message("Write the names for which it comes first as an entry of their own.")),
        _common(claim.full_pattern, before.full_pattern),
    )


def _common(one: Pattern, other: Pattern) -> Sequence[str]:
    if one.ignore_case != other.ignore_case:
        return ()
    return intersect(one.text.removeprefix("/"), other.text.removeprefix("/"))
