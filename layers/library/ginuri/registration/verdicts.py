"""The verdict on each registration of an upload, and the findings behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from ginuri.identifiers.messages import Message, Words, translatable
from ginuri.registry.record.differences import Difference
from ginuri.registry.record.record import Change

MOST_SHOWN = 200
"""The most characters of a value in a finding."""
_LEAVE_EMPTY = translatable("{finding} Leave the cell empty.")
_OFFER = translatable("{finding} Did you mean {suggestion}?")
_OFFER_AFTER_STOP = translatable("{finding}. Did you mean {suggestion}?")
_OFFERS = {_LEAVE_EMPTY, _OFFER, _OFFER_AFTER_STOP}


class Outcome(StrEnum):
    """The outcome of a registration."""

    REGISTERED = "registered"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    WARNED = "warned"
    """A warning without a registration, such as on a heading."""
    REFUSED = "refused"


class Level(StrEnum):
    """Whether a finding stops the registration."""

    WARNED = "warned"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem of a line: the field, the broken rule, the value, and the remedy."""

    level: Level
    field: str
    rule: str
    value: str
    message: Message
    line: int | None = None
    """The line with the value; None for a finding on several lines or on none."""
    column: str = ""
    """The heading of the column, or the member of the JSON object, in the file; empty without one."""
    suggestion: str | None = None
    """The correction of the cell, which may be empty; None without a suggestion."""


Remark = Callable[[Finding], None]
"""Receives a finding about a file as a whole."""


def ignore(_: Finding) -> None:
    """Ignore a remark."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for rows that succeed or fail together: those of one identifier, or of one rule."""

    outcome: Outcome
    lines: Sequence[int]
    identifier: str | None = None
    findings: Sequence[Finding] = ()
    difference: Difference = field(default_factory=Difference)
    """The changes to a record that was registered before."""
    more_findings: int = 0
    """The number of further findings, which are in the groups of the report."""
    rule: str | None = None
    """The pattern of the rule; None for the other fields of the identifier."""

    record_name: str | None = None
    """The record that it is about, if that is another one than the identifier's."""
    grantee: str | None = None
    """The receiver of a grant; None for all other verdicts."""

    @property
    def is_warned(self) -> bool:
        """Whether there are warnings, and no refusal."""
        return self.outcome is not Outcome.REFUSED and any(
            finding.level is Level.WARNED for finding in self.findings
        )


def is_refused(findings: Iterable[Finding]) -> bool:
    """Return whether any finding refuses the registration."""
    return any(finding.level is Level.REFUSED for finding in findings)


def refuse(field: str, rule: str, value: object, words: Words, /, **values: object) -> Finding:
    """Return a finding that refuses a registration, from an English template and its values."""
    return Finding(Level.REFUSED, shown(field), rule, shown(value), _message(words, values))


def warn(field: str, rule: str, value: object, words: Words, /, **values: object) -> Finding:
    """Return a finding that warns about a registration, from an English template and its values."""
    return Finding(Level.WARNED, shown(field), rule, shown(value), _message(words, values))


def suggest(finding: Finding, suggestion: str | None) -> Finding:
    """Return the finding with a correction, which its message also names."""
    if suggestion is None:
        return finding
    words, offer = finding.message, shown(suggestion)
    if not suggestion:
        offered = Message(_LEAVE_EMPTY, {"finding": words})
    elif str(words).endswith((".", "?")):
        offered = Message(_OFFER, {"finding": words, "suggestion": offer})
    else:
        offered = Message(_OFFER_AFTER_STOP, {"finding": words, "suggestion": offer})
    return replace(finding, suggestion=suggestion, message=offered)


def fault_of(words: Message) -> Message:
    """Return the fault of a message, without the correction."""
    fault = words.values.get("finding")
    return fault if isinstance(fault, Message) and words.template in _OFFERS else words


def at(finding: Finding, line: int, column: str = "") -> Finding:
    """Return the finding with its line and its column, if it has none yet."""
    if finding.line is not None and (finding.column or not column):
        return finding
    known = line if finding.line is None else finding.line
    return replace(finding, line=known, column=finding.column or shown(column))


def shown(value: object) -> str:
    """Return a value for findings: shortened, and without control characters."""
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
    """Derive the outcome from the record after the change, so that a second delivery has the same outcome."""
    if change.after.created == change.stamp:
        return Outcome.REGISTERED
    entries = change.after.entries
    changed = (key for key, entry in entries.items() if entry.changed == change.stamp)
    # Only statements of this registration count, about the field itself or one that clears it.
    is_own = (
        (stated := entries.get(own)) is not None and stated.stamp == change.stamp
        for key in changed
        for own in (key, *key.above())
    )
    return Outcome.CHANGED if any(is_own) else Outcome.UNCHANGED
