"""Lists the changes of a registration to a record, field by field."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ginuri.registry.metadata.fields import PER_LANGUAGE
from ginuri.registry.model import Status
from ginuri.registry.record.history import HistoricalChange, changes_of
from ginuri.registry.record.record import Entries, Record
from ginuri.registry.record.serialization import path_of
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import JsonValue, Key

_VALID = str(Status.VALID)
MOST_CHANGES = 20
"""The most changed fields to list; further ones are counted."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field with its former and its current value; None for an absent one."""

    field: str
    """The column name, such as `title@de` or `links.license`, after its form, rule or delegation."""
    before: JsonValue
    after: JsonValue


@dataclass(frozen=True, slots=True)
class Difference:
    """The fields that a registration changed."""

    changes: tuple[FieldChange, ...] = ()
    untold: int = 0
    """The number of changes beyond `MOST_CHANGES`."""


def differ(before: Record, after: Record) -> Difference:
    """List the fields that were added, changed or cleared, the status first."""
    changed = [
        change
        for change in map(_with_status, changes_of(before.in_force(), after.in_force()))
        if change.before != change.after
    ]
    changed.sort(key=lambda change: (not _is_status(change.key), path_of(change.key)))
    shown = changed[:MOST_CHANGES]
    changes = (FieldChange(_name(change.key), change.before, change.after) for change in shown)
    return Difference(tuple(changes), len(changed) - len(shown))


def without(record: Record, displaced: Entries, stamp: Stamp) -> Record:
    """Return a record as it was before a registration, from the entries that this one displaced."""
    # Statements that repeated earlier values displaced none, and stay.
    kept = {
        key: entry
        for key, entry in record.entries.items()
        if not entry.stamp == entry.since == stamp or key.is_first
    }
    lost = {key: entry for key, entry in displaced.items() if entry.stamp != stamp}
    return replace(record, entries=kept | lost)


def _with_status(change: HistoricalChange) -> HistoricalChange:
    if not _is_status(change.key):
        return change
    return HistoricalChange(change.key, change.before or _VALID, change.after or _VALID)


def _is_status(key: Key) -> bool:
    # A language, a property or a relation may have the same name.
    return key.field == "status" and key.member is None


def _name(key: Key) -> str:
    place, form, field, member = key
    name = field if member is None else f"{field}.{member}"
    if field in PER_LANGUAGE and member is not None:
        name = f"{field}@{member}" if member else field
    if form is not None:
        name = f"representations[{_shown(form.removeprefix('part ').removeprefix('form '))}].{name}"
    if place.pattern is not None:
        return f"rules[{_shown(place.pattern)}].{name}"
    return f"{place.name}.{name}" if place.name else name


def _shown(key: str) -> str:
    return key.strip() or "…"
