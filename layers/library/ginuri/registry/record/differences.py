"""What a registration changed about a record, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ginuri.registry.metadata.fields import PER_LANGUAGE
from ginuri.registry.record.record import (
    DELEGATION,
    REPRESENTATIONS,
    RULES,
    FieldEntry,
    Path,
    Record,
    Value,
    is_first,
)
from ginuri.registry.record.stamps import Stamp

MOST_CHANGES = 20
"""The limit for the changed fields that are listed; the others are counted."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field, what stood there before, and what stands there now; None for nothing."""

    field: str
    """As a column is named: `title@de`, `links.license`; with its form, rule or delegation before it."""
    before: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Difference:
    """The fields that a registration changed."""

    changes: tuple[FieldChange, ...] = ()
    untold: int = 0
    """The number of changes beyond `MOST_CHANGES`."""


def differ(before: Record, after: Record) -> Difference:
    """List the fields that were added, changed or cleared, the status first."""
    old, new = before.in_force(), after.in_force()
    paths = {path for path in (*old, *new) if not is_first(path)}
    changed = [path for path in paths if _value(old, path) != _value(new, path)]
    shown = sorted(changed, key=lambda path: (_is_no_status(path), path))[:MOST_CHANGES]
    changes = (FieldChange(_name(path), _value(old, path), _value(new, path)) for path in shown)
    return Difference(tuple(changes), len(changed) - len(shown))


def without(record: Record, displaced: Mapping[Path, FieldEntry], stamp: Stamp) -> Record:
    """Return a record as it was before a registration, from the entries that this one displaced."""
    # Its own statements that repeated what stood before displaced nothing, and are kept for that.
    kept = {
        path: entry
        for path, entry in record.entries.items()
        if not entry.stamp == entry.since == stamp or is_first(path)
    }
    lost = {path: entry for path, entry in displaced.items() if entry.stamp != stamp}
    return replace(record, entries=kept | lost)


def _value(values: Mapping[Path, Value], path: Path) -> Value:
    value = values.get(path)
    return "valid" if value is None and not _is_no_status(path) else value


def _is_no_status(path: Path) -> bool:
    # A language, a property or a relation may be called that too, always a step below its field.
    return path[-1] != "status" or len(path) % 2 == 0


def _name(path: Path) -> str:
    match path:
        case (place, key, *rest) if place in {*REPRESENTATIONS, *RULES} and rest:
            which = key.removeprefix("part ").removeprefix("form ").strip() or "…"
            return f"{place}[{which}].{_name(tuple(rest))}"
        case (place, *rest) if place in DELEGATION and rest:
            return f"{place}.{_name(tuple(rest))}"
        case (name, tag) if name in PER_LANGUAGE:
            return f"{name}@{tag}" if tag else name
        case _:
            return ".".join(path)
