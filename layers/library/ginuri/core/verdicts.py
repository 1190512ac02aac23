"""What an upload hears about each of its lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ginuri.core.record import Change
from ginuri.core.stamps import Stamp

MOST_SHOWN = 200
"""How many characters of a value a finding repeats."""


class Outcome(StrEnum):
    """What became of a registration."""

    REGISTERED = "registered"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    WARNED = "warned"
    """Nothing was to be registered (a heading, say), but there is something to know."""
    REFUSED = "refused"


class Level(StrEnum):
    """Whether a finding stops the registration."""

    WARNED = "warned"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a line: the field, the rule, the value and the way out."""

    level: Level
    field: str
    rule: str
    value: str
    message: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of the rows of one identifier, which succeed or fail together."""

    outcome: Outcome
    lines: Sequence[int]
    identifier: str | None = None
    findings: Sequence[Finding] = ()

    @property
    def is_warned(self) -> bool:
        """Whether there is something to know that did not stop it."""
        return any(finding.level is Level.WARNED for finding in self.findings)


def refuse(field: str, rule: str, value: object, message: str) -> Finding:
    """Say why something is not registered."""
    return Finding(Level.REFUSED, field, rule, shown(value), message)


def warn(field: str, rule: str, value: object, message: str) -> Finding:
    """Say what should be known about something that is registered all the same."""
    return Finding(Level.WARNED, field, rule, shown(value), message)


def shown(value: object) -> str:
    """Give a value as a finding repeats it: cut, and without what a terminal would obey."""
    text = "" if value is None else str(value)
    printable = "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for character in text[:MOST_SHOWN]
    )
    return printable + ("…" if len(text) > MOST_SHOWN else "")


def outcome_of(change: Change, stamp: Stamp) -> Outcome:
    """Tell what applying a registration did; a second delivery is told what the first one was told."""
    if change.before.revision == 0:
        return Outcome.REGISTERED
    own = [entry for entry in change.before.entries.values() if entry.stamp == stamp]
    if own:
        if change.before.created == stamp:
            return Outcome.REGISTERED
        return Outcome.CHANGED if any(entry.since == stamp for entry in own) else Outcome.UNCHANGED
    return Outcome.CHANGED if change.matters else Outcome.UNCHANGED
