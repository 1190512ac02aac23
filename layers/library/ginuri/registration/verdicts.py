"""What an upload hears about each of its lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ginuri.identifiers.messages import Message, Words
from ginuri.registry.record.differences import Difference
from ginuri.registry.record.record import Change

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
    message: Message


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of rows that succeed or fail together: of one identifier, or of one rule of a prefix."""

    outcome: Outcome
    lines: Sequence[int]
    identifier: str | None = None
    findings: Sequence[Finding] = ()
    difference: Difference = field(default_factory=Difference)
    """What changed about a record that was there before; of one that was not, the file tells all."""

    @property
    def is_warned(self) -> bool:
        """Whether there is something to know about what was not refused."""
        return self.outcome is not Outcome.REFUSED and any(
            finding.level is Level.WARNED for finding in self.findings
        )


def is_refused(findings: Iterable[Finding]) -> bool:
    """Tell whether one of them stops what they are about."""
    return any(finding.level is Level.REFUSED for finding in findings)


def refuse(field: str, rule: str, value: object, words: Words, /, **values: object) -> Finding:
    """Say why something is not registered: an English template, and the values of the names in its braces."""
    return Finding(Level.REFUSED, shown(field), rule, shown(value), _message(words, values))


def warn(field: str, rule: str, value: object, words: Words, /, **values: object) -> Finding:
    """Say likewise what should be known about something that is registered all the same."""
    return Finding(Level.WARNED, shown(field), rule, shown(value), _message(words, values))


def shown(value: object) -> str:
    """Give a value as a finding repeats it: cut, and without what a terminal would obey."""
    text = "" if value is None else str(value)
    return _printable(text[:MOST_SHOWN]) + ("…" if len(text) > MOST_SHOWN else "")


def _message(words: Words, values: Mapping[str, object]) -> Message:
    given = words if isinstance(words, Message) else Message(words)
    named: Mapping[str, object] = {**given.values, **values}
    return replace(given, values={name: _value(value) for name, value in named.items()})


def _value(value: object) -> str | Message:
    match value:
        case Message():
            return _message(value, {})
        case int():
            return f"{value:,}"
        case _:
            return _printable(str(value))


def _printable(text: str) -> str:
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text
    )


def outcome_of(change: Change) -> Outcome:
    """Tell what a registration did, by the record afterwards: a second delivery is told the same."""
    if change.after.created == change.stamp:
        return Outcome.REGISTERED
    entries = change.after.entries
    changed = (path for path, entry in entries.items() if entry.changed == change.stamp)
    # By a statement of its own, of the field itself or of what stands above it; else that came before it.
    is_own = (
        (above := entries.get(path[:depth])) is not None and above.stamp == change.stamp
        for path in changed
        for depth in range(1, len(path) + 1)
    )
    return Outcome.CHANGED if any(is_own) else Outcome.UNCHANGED
