"""A record is what its history adds up to: a map of fields in which, for each field, the later stamp wins.

A field's path is `("status",)`, `("title", "de")` or `("representations", <its key>, "location")`. Clearing
is a statement too: the value None at `("title",)` outlives every older statement below that path. Applying
is therefore commutative and idempotent: uploads delivered twice, late or out of order end in the same record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from typing import Any

from ginuri.registry.model import Status
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.statuses import LIFECYCLE_FIELDS, STATUSES

Value = Any
"""A JSON value: a string, a number, a list or a mapping; None clears."""
Path = tuple[str, ...]

FIRST = "first"
"""Marks a path that remembers the *first* statement instead of the last: the order of registration."""
REPRESENTATIONS = ("representations",)
RULES = ("rules",)
"""Where the rules of a prefix stand, by their pattern."""
DELEGATION = ("delegation",)
"""Where it stands that a prefix is handed to another host."""
RETIRED_PARTS = ("retired_parts",)
"""The names of retired parts, which are never reused."""
"""What has these states has no successor, whichever of the two was stated later."""
ALWAYS = Stamp("", "", "", 0)
"""Since when nothing has stood where nothing ever was: a stamp before all others."""


@dataclass(frozen=True, slots=True)
class FieldEntry:
    """One field's value and where it was set."""

    value: Value
    stamp: Stamp
    """The latest statement of it, which recognizes a redelivery and wins over what comes late."""
    since: Stamp = field(compare=False)
    """The earliest statement of this same value that is known; a lower bound, for reading the past."""
    changed: Stamp = field(compare=False)
    """What made the field what it is: it set the value, or cleared it here or above. ALWAYS: nothing did."""


@dataclass(frozen=True, slots=True)
class Record:
    """What the registry holds about one identifier: the sum of its registrations."""

    identifier: str
    entries: Mapping[Path, FieldEntry]
    revision: int = 0
    """The number of writes; 0 for a new record."""

    @property
    def created(self) -> Stamp:
        """The stamp of the earliest registration."""
        return self.entries[FIRST,].stamp

    @property
    def modified(self) -> Stamp:
        """The stamp of the latest change: what only restates what stands does not move it."""
        return max(entry.changed for entry in self.entries.values())

    @property
    def latest(self) -> Stamp:
        """The stamp of the latest statement, whether it changed anything or not."""
        return max(entry.stamp for entry in self.entries.values())

    def get(self, *path: str) -> Value:
        """Return the value in force at a path; None if there is none, or where it was cleared."""
        entry = self.entries.get(path)
        return entry.value if entry and not _is_cleared(self.entries, path, entry) else None

    def stated_first(self, *place: str) -> Stamp | None:
        """Return the earliest known stamp of the values at or below a place; None if there are none."""
        stands = (path for path in self.in_force() if path[: len(place)] == place)
        return min((self.entries[path].since for path in stands), default=None)

    def in_force(self) -> dict[Path, Value]:
        """Return every value in force: not cleared, neither itself nor from above."""
        clearings = _clearings(self.entries)
        return {
            path: entry.value
            for path, entry in self.entries.items()
            if entry.value is not None and not (clearings and _is_cleared(clearings, path, entry))
        }

    def values(self) -> dict[str, Any]:
        """Return the values in force, nested; representations in order, retired ones by part only.

        This is what a request is answered from (`ginuri.registry.model.read_registered`).
        """
        standing = self.in_force()
        values = self._values_at(standing, ())
        for pattern in dict.fromkeys(path[1] for path in paths_under(standing, *RULES)):
            rule = self._values_at(standing, (*RULES, pattern))
            if rule.get((*RULES, pattern, "status")) != "retired":
                values |= rule
        return nest(values)

    def _values_at(self, standing: Mapping[Path, Value], place: Path) -> dict[Path, Value]:
        """Return the values at a place: of the record itself, or of one of its rules."""
        here = {path: value for path, value in standing.items() if path[: len(place)] == place}
        apart = {FIRST, *REPRESENTATIONS, *RULES}
        values = {path: value for path, value in here.items() if path[len(place)] not in apart}
        gone = values.get((*place, "status_code")) == HTTPStatus.GONE
        status = Status(values.get((*place, "status"), Status.VALID))
        for name in LIFECYCLE_FIELDS - STATUSES[status].fields:
            if name != "successor" or not gone:
                values.pop((*place, name), None)
        forms = (*place, *REPRESENTATIONS)
        for key in sorted(
            dict.fromkeys(path[len(forms)] for path in paths_under(here, *forms)),
            key=partial(self._first, forms),
        ):
            fields = {path: here[path] for path in paths_under(here, *forms, key)}
            if fields.pop((*forms, key, "status"), None) != "retired":
                values |= {path: value for path, value in fields.items() if not is_first(path)}
            elif (*forms, key, "part") in fields:
                values[*place, *RETIRED_PARTS, fields[*forms, key, "part"]] = True
        return values

    def _first(self, forms: Path, key: str) -> tuple[Stamp, int]:
        entry = self.entries[(*forms, key, FIRST)]
        return entry.stamp, entry.value


@dataclass(frozen=True, slots=True)
class Change:
    """What applying a registration does: the record afterwards, and the entries that lost, for the history.

    Those are the ones it displaced, and its own where it came late.
    """

    before: Record
    after: Record
    displaced: Mapping[Path, FieldEntry]
    stamp: Stamp
    judged_by: Mapping[str, int] = field(default_factory=dict)
    """The revisions of other records by which it was found that it may be; 0 for one that there is not.

    It is written only as long as they stand.
    """

    @property
    def touches(self) -> bool:
        """Whether the change has anything to write."""
        existing = self.before.entries
        return (
            bool(self.displaced)
            or self.after.entries != existing
            # What came late and stood already stood earlier than was known.
            or any(
                (entry.since, entry.changed) != (existing[path].since, existing[path].changed)
                for path, entry in self.after.entries.items()
            )
        )

    @property
    def is_late(self) -> bool:
        """Whether a later statement arrived first, so that only the history knows what changed when."""
        return any(entry.stamp > self.stamp for entry in self.before.entries.values())


def apply(before: Record, statements: Mapping[Path, Value], stamp: Stamp) -> Change:
    """Add statements made at a stamp to a record. Pure, commutative, idempotent.

    Where it is late, `FieldEntry.changed` is corrected by `apply_with_history`.
    """
    entries = dict(before.entries)
    displaced: dict[Path, FieldEntry] = {}
    if any(entry.stamp == stamp for entry in entries.values()):  # the same registration, delivered again
        return Change(before, Record(before.identifier, entries, before.revision + 1), displaced, stamp)
    stated = {path: FieldEntry(value, stamp, stamp, stamp) for path, value in statements.items()}
    stated[FIRST,] = FieldEntry(0, stamp, stamp, stamp)
    for path, entry in stated.items():
        existing = entries.get(path)
        if existing is None:
            # To clear what never stood changes nothing, but outlives what may still come late.
            entries[path] = entry
            continue
        was_in_force = _was_in_force(before.entries, path, existing)
        entries[path], lost = _merge(path, existing, entry, was_in_force=was_in_force)
        if lost is None and any(
            _came_between(path, existing, entry, others) for others in (before.entries, stated)
        ):
            entries[path], lost = _apart(existing, entry, was_in_force=was_in_force)
        if lost is not None:
            displaced[path] = lost
    _note_changes(before, entries, stated, stamp)
    return Change(before, Record(before.identifier, entries, before.revision + 1), displaced, stamp)


def _note_changes(
    before: Record, entries: dict[Path, FieldEntry], stated: Mapping[Path, FieldEntry], stamp: Stamp
) -> None:
    """Record the stamp on the fields it changed: those it states, and those below the ones it clears."""
    cleared, clearings, earlier = _clearings(stated), _clearings(entries), _clearings(before.entries)
    below = [
        path for path in entries if cleared and any(path[:depth] in cleared for depth in range(1, len(path)))
    ]
    for path in dict.fromkeys((*stated, *below)):
        entry, existing = entries[path], before.entries.get(path)
        if is_first(path):
            changed = entry.stamp
        elif _value_of(path, entry, clearings) != _value_of(path, existing, earlier):
            changed = stamp
        else:
            changed = existing.changed if existing else ALWAYS
        if entry.changed is not changed:
            entries[path] = FieldEntry(entry.value, entry.stamp, entry.since, changed)


def _value_of(path: Path, entry: FieldEntry | None, clearings: Mapping[Path, FieldEntry]) -> Value:
    if entry is None or (clearings and _is_cleared(clearings, path, entry)):
        return None
    return entry.value


def _merge(
    path: Path, existing: FieldEntry, stated: FieldEntry, *, was_in_force: bool
) -> tuple[FieldEntry, FieldEntry | None]:
    if is_first(path):
        return min(existing, stated, key=lambda entry: entry.stamp), None
    earlier, later = sorted((existing, stated), key=lambda entry: entry.stamp)
    if earlier.value == later.value and (was_in_force or later.value is not None):
        since = min(existing.since, stated.since) if was_in_force else later.since
        return FieldEntry(later.value, later.stamp, since, existing.changed), None
    return later, earlier


def _was_in_force(entries: Mapping[Path, FieldEntry], path: Path, entry: FieldEntry) -> bool:
    """Return whether an entry was in force: not cleared from above, or not overruled from below."""
    if entry.value is None:
        return all(entries[below].stamp <= entry.stamp for below in paths_under(entries, *path))
    return not _is_cleared(entries, path, entry)


def _came_between(
    path: Path, existing: FieldEntry, stated: FieldEntry, entries: Mapping[Path, FieldEntry]
) -> bool:
    """Return whether a value that is stated again was cleared in between."""
    if is_first(path):
        return False
    earlier = min(existing, stated, key=lambda entry: entry.stamp)
    if earlier.value is None:
        return any(entries[below].stamp >= earlier.since for below in paths_under(entries, *path))
    return _is_cleared(entries, path, replace(earlier, stamp=earlier.since))


def _apart(existing: FieldEntry, stated: FieldEntry, *, was_in_force: bool) -> tuple[FieldEntry, FieldEntry]:
    """Keep two statements of one value as two, for reading the past: it is none the newer for that."""
    if stated.stamp < existing.stamp:
        return existing, stated
    return (replace(stated, since=existing.stamp) if was_in_force else stated), existing


def _clearings(entries: Mapping[Path, FieldEntry]) -> dict[Path, FieldEntry]:
    # Most records have none, and then nothing in them need be looked at again.
    return {path: entry for path, entry in entries.items() if entry.value is None}


def _is_cleared(entries: Mapping[Path, FieldEntry], path: Path, entry: FieldEntry) -> bool:
    above = (entries.get(path[:depth]) for depth in range(1, len(path)))
    return any(
        clearing is not None and clearing.value is None and clearing.stamp > entry.stamp for clearing in above
    )


def is_first(path: Path) -> bool:
    """Return whether a path keeps the first statement: when a record or a form was registered."""
    return path == (FIRST,) or (
        path[-1] == FIRST
        and len(forms := path[:-2]) in {1, 3}
        and forms[-1:] == REPRESENTATIONS
        and forms[:-2] in {(), RULES}
    )


def nest(values: Mapping[Path, Value]) -> dict[str, Any]:
    """Fold paths into nested mappings: `{("title", "de"): "x"}` → `{"title": {"de": "x"}}`."""
    nested: dict[str, Any] = {}
    for path, value in values.items():
        place = nested
        for step in path[:-1]:
            place = place.setdefault(step, {})
        place[path[-1]] = value
    return nested


def paths_under(values: Iterable[Path], *prefix: str) -> list[Path]:
    """Return the paths below a prefix."""
    return [path for path in values if path[: len(prefix)] == prefix and len(path) > len(prefix)]
