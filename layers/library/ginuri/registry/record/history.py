"""The history of an identifier: its statements, its record at any time, and its changes.

Of successive statements of one value, the registry keeps the first and the last. A late statement in between
counts until the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from ginuri.registry.record.record import ALWAYS, Change, Entries, FieldEntry, Record, apply
from ginuri.registry.record.serialization import path_of
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import JsonValue, Key, Statements

LAST_MOMENT = "9999-12-31T23:59:59.999Z"
"""A moment after all statements, for `History.at`: the current record."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about one field, and its stamp; None cleared the field."""

    key: Key
    value: JsonValue
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class HistoricalChange:
    """The values of a field before and after; None for no value."""

    key: Key
    before: JsonValue
    after: JsonValue


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """The changes of one registration."""

    stamp: Stamp
    fields: tuple[HistoricalChange, ...]


@dataclass(frozen=True, slots=True)
class History:
    """The kept statements about an identifier, in the order of their stamps."""

    identifier: str
    statements: tuple[Statement, ...]

    def as_of(self, stamp: Stamp) -> Record | None:
        """Return the record after a stamp, inclusive; None before the first registration."""
        return self._sum(statement for statement in self.statements if statement.stamp <= stamp)

    def before(self, stamp: Stamp) -> Record | None:
        """Return the record before a stamp; None before the first registration."""
        return self._sum(statement for statement in self.statements if statement.stamp < stamp)

    def at(self, moment: str) -> Record | None:
        """Return the record at a moment, inclusive, given as RFC 3339 in UTC with milliseconds."""
        return self._sum(statement for statement in self.statements if statement.stamp.put <= moment)

    def steps(self) -> Iterator[HistoryStep]:
        """Yield the changes, in order; statements that changed nothing are left out."""
        entries: dict[Key, FieldEntry] = {}
        before = Statements()
        for stamp, statements in groupby(self.statements, key=attrgetter("stamp")):
            _add(entries, statements)
            after = Record(self.identifier, entries).in_force()
            fields = tuple(changes_of(before, after))
            if fields:
                yield HistoryStep(stamp, fields)
            before = after

    def date(self, entries: Entries) -> dict[Key, FieldEntry]:
        """Return the entries with the stamp of their latest change, computed from the whole history."""
        changed = {change.key: step.stamp for step in self.steps() for change in step.fields}
        return {
            key: replace(entry, changed=entry.stamp if key.is_first else changed.get(key, ALWAYS))
            for key, entry in entries.items()
        }

    def _sum(self, statements: Iterable[Statement]) -> Record | None:
        until = History(self.identifier, tuple(statements))
        entries: dict[Key, FieldEntry] = {}
        _add(entries, until.statements)
        return Record(self.identifier, until.date(entries)) if entries else None


def apply_with_history(
    before: Record, statements: Mapping[Key, JsonValue], stamp: Stamp, read: Callable[[], History]
) -> Change:
    """Add statements made at a stamp to a record, and use its history if they come late.

    A late statement may alter which changes later ones made. `read` returns the history of the record, and is
    called only for late statements.
    """
    change = apply(before, statements, stamp)
    if not (change.is_late and change.touches):
        return change
    after = change.after
    own = gather_history(after.identifier, [after.entries, change.displaced])
    history = _in_order(after.identifier, (*read().statements, *own.statements))
    return replace(change, after=replace(after, entries=history.date(after.entries)))


def gather_history(identifier: str, kept: Iterable[Entries]) -> History:
    """Assemble the history of an identifier from its current and its displaced entries."""
    statements = (
        Statement(key, entry.value, stamp)
        for entries in kept
        for key, entry in entries.items()
        for stamp in (entry.since, entry.stamp)
        if stamp != ALWAYS
    )
    return _in_order(identifier, statements)


def changes_of(before: Statements, after: Statements) -> Iterator[HistoricalChange]:
    """List the fields whose values differ, without the order of registration."""
    return (
        HistoricalChange(key, before.get(key), after.get(key))
        for key in dict.fromkeys((*before, *after))
        if not key.is_first and before.get(key) != after.get(key)
    )


def _in_order(identifier: str, statements: Iterable[Statement]) -> History:
    """Return a history in the order of the stamps; of one statement that is there twice, the last."""
    by_place = {(statement.stamp, path_of(statement.key)): statement for statement in statements}
    return History(identifier, tuple(by_place[place] for place in sorted(by_place)))


def _add(entries: dict[Key, FieldEntry], statements: Iterable[Statement]) -> None:
    for statement in statements:
        if not (statement.key.is_first and statement.key in entries):
            entries[statement.key] = FieldEntry(statement.value, statement.stamp, statement.stamp, ALWAYS)
