"""What was: every statement about one identifier, the record as it stood at any time, and what changed it.

Of several statements of one value with nothing else between them the registry keeps the first and the last.
Where something else arrives late, in between, it counts until the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from ginuri.registry.record.record import ALWAYS, Change, FieldEntry, Path, Record, Value, apply, is_first
from ginuri.registry.record.stamps import Stamp


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement about one field, and its stamp; None cleared the field."""

    path: Path
    value: Value
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class HistoricalChange:
    """The values of a field before and after; None for no value."""

    path: Path
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """What one registration changed."""

    stamp: Stamp
    fields: tuple[HistoricalChange, ...]


@dataclass(frozen=True, slots=True)
class History:
    """Every statement about an identifier that is kept, in the order of the stamps."""

    identifier: str
    statements: tuple[Statement, ...]

    def as_of(self, stamp: Stamp) -> Record | None:
        """Return the record as it stood after a stamp, inclusive; None before the first registration."""
        return self._sum(statement for statement in self.statements if statement.stamp <= stamp)

    def before(self, stamp: Stamp) -> Record | None:
        """Return the record as it stood before a stamp; None before the first registration."""
        return self._sum(statement for statement in self.statements if statement.stamp < stamp)

    def at(self, moment: str) -> Record | None:
        """Return the record as it stood at a moment, inclusive; RFC 3339 in UTC with milliseconds."""
        return self._sum(statement for statement in self.statements if statement.stamp.put <= moment)

    def steps(self) -> Iterator[HistoryStep]:
        """Yield the changes, in order; statements that changed nothing are left out."""
        entries: dict[Path, FieldEntry] = {}
        before: Mapping[Path, Value] = {}
        for stamp, statements in groupby(self.statements, key=attrgetter("stamp")):
            _add(entries, statements)
            after = Record(self.identifier, entries).in_force()
            paths = [path for path in dict.fromkeys((*before, *after)) if not is_first(path)]
            fields = tuple(
                HistoricalChange(path, before.get(path), after.get(path))
                for path in paths
                if before.get(path) != after.get(path)
            )
            if fields:
                yield HistoryStep(stamp, fields)
            before = after

    def date(self, entries: Mapping[Path, FieldEntry]) -> dict[Path, FieldEntry]:
        """Return the entries with the stamp of their latest change, computed from the whole history."""
        changed = {change.path: step.stamp for step in self.steps() for change in step.fields}
        return {
            path: replace(entry, changed=entry.stamp if is_first(path) else changed.get(path, ALWAYS))
            for path, entry in entries.items()
        }

    def _sum(self, statements: Iterable[Statement]) -> Record | None:
        until = History(self.identifier, tuple(statements))
        entries: dict[Path, FieldEntry] = {}
        _add(entries, until.statements)
        return Record(self.identifier, until.date(entries)) if entries else None


def apply_with_history(
    before: Record, statements: Mapping[Path, Value], stamp: Stamp, read: Callable[[], History]
) -> Change:
    """Add statements made at a stamp to a record, with its history where they come late.

    Then what was stated since may have changed something else than was thought. `read` reads what is kept of
    the record; it is called for that only.
    """
    change = apply(before, statements, stamp)
    if not (change.is_late and change.touches):
        return change
    after = change.after
    own = gather_history(after.identifier, [after.entries, change.displaced])
    statements_by_key = {
        (statement.stamp, statement.path): statement for statement in (*read().statements, *own.statements)
    }
    history = History(after.identifier, tuple(statements_by_key[key] for key in sorted(statements_by_key)))
    return replace(change, after=replace(after, entries=history.date(after.entries)))


def gather_history(identifier: str, kept: Iterable[Mapping[Path, FieldEntry]]) -> History:
    """Assemble the history of an identifier from its current and its displaced entries."""
    statements = {
        (stamp, path): Statement(path, entry.value, stamp)
        for entries in kept
        for path, entry in entries.items()
        for stamp in (entry.since, entry.stamp)
        if stamp != ALWAYS
    }
    return History(identifier, tuple(statements[key] for key in sorted(statements)))


def _add(entries: dict[Path, FieldEntry], statements: Iterable[Statement]) -> None:
    for statement in statements:
        if not (is_first(statement.path) and statement.path in entries):
            entries[statement.path] = FieldEntry(statement.value, statement.stamp, statement.stamp, ALWAYS)
