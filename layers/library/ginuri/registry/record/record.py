"""A record is the sum of its history: for each field, the later stamp wins.

Clearing is a statement too: None at the title outlives every older title, in any language. Applying is
therefore commutative and idempotent: uploads delivered twice, late or out of order end in the same record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus

from ginuri.frozen import Frozen
from ginuri.registry.model import Status
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import (
    ELSEWHERE,
    FIRST,
    FORMS,
    OF_RECORD,
    RECORD_FIRST,
    WHOLE,
    JsonValue,
    Key,
    RecordPlace,
    Statements,
    nest,
    of_rule,
    within,
)
from ginuri.registry.statuses import LIFECYCLE_FIELDS, STATUSES

RETIRED_PARTS = "retired_parts"
"""The names of retired parts, which are never reused."""
_EXCLUDED = {str(status): LIFECYCLE_FIELDS - meaning.fields for status, meaning in STATUSES.items()}
"""The fields that a record of a status does not have."""
ALWAYS = Stamp("", "", "", 0)
"""A stamp before all others, for fields that were never stated."""


class FieldEntry(Frozen):
    """One field's value and where it was set; equal to others by value and stamp."""

    value: JsonValue
    stamp: Stamp
    """The latest statement of the value; it identifies a redelivery and wins over late statements."""
    since: Stamp
    """The earliest known statement of the same value; a lower bound, for reading the past."""
    changed: Stamp
    """The statement that set the value, or cleared it here or above; ALWAYS without one."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FieldEntry) and self.value == other.value and self.stamp == other.stamp

    __hash__ = Frozen.__hash__


Entries = Mapping[Key, FieldEntry]


@dataclass(frozen=True, slots=True)
class Record:
    """All that is registered about one identifier: the sum of its registrations."""

    identifier: str
    entries: Entries
    revision: int = 0
    """The number of writes; 0 for a new record."""
    _in_force: list[Statements] = field(default_factory=list, init=False, repr=False, compare=False)
    _values: list[dict[str, JsonValue]] = field(default_factory=list, init=False, repr=False, compare=False)

    @property
    def created(self) -> Stamp:
        """The stamp of the earliest registration."""
        return self.entries[RECORD_FIRST].stamp

    @property
    def modified(self) -> Stamp:
        """The stamp of the latest change; a restatement of the current values does not move it."""
        return max(entry.changed for entry in self.entries.values())

    @property
    def latest(self) -> Stamp:
        """The stamp of the latest statement, whether it changed anything or not."""
        return max(entry.stamp for entry in self.entries.values())

    def stated_first(self, place: RecordPlace, name: str = "") -> Stamp | None:
        """Return the earliest known stamp of the values of a field, or of a whole place; None without any."""
        stamps = (
            self.entries[key].since
            for key in self.in_force()
            if key.place == place and name in {"", key.stated_field}
        )
        return min(stamps, default=None)

    def in_force(self) -> Statements:
        """Return every value in force: not cleared, neither itself nor along with others."""
        if not self._in_force:  # computed once: it reads every entry
            clears = _Covering(self.entries).clears
            values = {
                key: entry.value
                for key, entry in self.entries.items()
                if entry.value is not None and not clears(key, entry.stamp)
            }
            self._in_force.append(Statements(values))
        return self._in_force[0]

    def values(self) -> dict[str, JsonValue]:
        """Return the values in force, nested; representations in order, retired ones by part only.

        Requests are answered from these values (`ginuri.registry.model.read_registered`).
        """
        if not self._values:  # computed once: they are checked, then written
            values = nest(self.in_force())
            rules = _take(values, "rules")
            self._settle(values, OF_RECORD)
            for pattern in list(rules):
                rule = _take(rules, pattern)
                self._settle(rule, of_rule(pattern))
                if rule and rule.get("status") != "retired":
                    within(values, "rules")[pattern] = rule
                elif pattern == ELSEWHERE:
                    within(values, "rules")
            self._values.append(values)
        return self._values[0]

    def _settle(self, values: dict[str, JsonValue], place: RecordPlace) -> None:
        """Remove the values at a place that the status excludes, and put the forms in order."""
        values.pop(FIRST, None)
        for name in _EXCLUDED[str(values.get("status") or Status.VALID)]:
            if name != "successor" or values.get("status_code") != HTTPStatus.GONE:
                values.pop(name, None)
        forms = _take(values, FORMS)
        for key in sorted(forms, key=lambda form: self._order(Key(place, form, FIRST))):
            form = _take(forms, key)
            form.pop(FIRST, None)
            if form.pop("status", None) == "retired":
                if "part" in form:
                    within(values, RETIRED_PARTS)[str(form["part"])] = True
            elif form:
                within(values, FORMS)[key] = form

    def _order(self, first: Key) -> tuple[Stamp, int]:
        entry = self.entries[first]
        return entry.stamp, entry.value if isinstance(entry.value, int) else 0


def _take(values: dict[str, JsonValue], name: str) -> dict[str, JsonValue]:
    taken = values.pop(name, None)
    return taken if isinstance(taken, dict) else {}


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of a registration: the record afterwards, and the overridden entries, for the history.

    These are the entries that it displaced, and its own entries if it came late.
    """

    before: Record
    after: Record
    displaced: Entries
    stamp: Stamp
    judged_by: Mapping[str, int] = field(default_factory=dict)
    """The revisions of the other records that the check depended on; 0 for an absent record.

    The change is written only if these revisions are still current.
    """

    @property
    def touches(self) -> bool:
        """Whether the change has anything to write."""
        existing = self.before.entries
        return (
            bool(self.displaced)
            or self.after.entries != existing
            # A late statement of a value in force may show that it held earlier than was known.
            or any(
                (entry.since, entry.changed) != (existing[key].since, existing[key].changed)
                for key, entry in self.after.entries.items()
            )
        )

    @property
    def is_late(self) -> bool:
        """Whether a later statement arrived first, so that only the history has the order of the changes."""
        return any(entry.stamp > self.stamp for entry in self.before.entries.values())


def revisions_before(changes: Sequence[Change]) -> dict[str, int]:
    """Return the revisions that records must have for changes to be written together, by name."""
    seen = {name: revision for change in changes for name, revision in change.judged_by.items()}
    return seen | {change.after.identifier: change.before.revision for change in changes}


class _Covering:
    """Entries, with those that clear others, and for each key the entries that it clears."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries
        self.clearings = {key: entry for key, entry in entries.items() if entry.value is None}
        self._clears_forms = any(key.field in {WHOLE, FORMS} for key in self.clearings)
        self._below: dict[Key, list[FieldEntry]] = {}

    def below(self, key: Key) -> Sequence[FieldEntry]:
        if not self._below:
            for covered, entry in self.entries.items():
                for above in covered.above():
                    self._below.setdefault(above, []).append(entry)
        return self._below.get(key, ())

    def clears(self, key: Key, stamp: Stamp) -> bool:
        return self.is_above(key) and any(
            self.clearings[above].stamp > stamp for above in key.above() if above in self.clearings
        )

    def is_above(self, key: Key) -> bool:
        """Return whether a key is among those that are cleared along with others."""
        # Most keys of most records have no earlier statement to look up.
        may_be = key.member is not None or self._clears_forms
        return may_be and not self.clearings.keys().isdisjoint(key.above())

    def value(self, key: Key) -> JsonValue:
        entry = self.entries.get(key)
        return None if entry is None or self.clears(key, entry.stamp) else entry.value

    def was_in_force(self, key: Key, entry: FieldEntry) -> bool:
        """Return whether an entry was in force: not cleared along with others, nor an overruled clearing."""
        if entry.value is None:
            return all(below.stamp <= entry.stamp for below in self.below(key))
        return not self.clears(key, entry.stamp)

    def comes_between(self, key: Key, earlier: FieldEntry) -> bool:
        """Return whether a value that is stated again was cleared in between."""
        if earlier.value is None:
            return any(below.stamp >= earlier.since for below in self.below(key))
        return self.clears(key, earlier.since)


def apply(before: Record, statements: Mapping[Key, JsonValue], stamp: Stamp) -> Change:
    """Add statements made at a stamp to a record. Pure, commutative, idempotent.

    If the statements are late, `apply_with_history` corrects `FieldEntry.changed`.
    """
    entries = dict(before.entries)
    displaced: dict[Key, FieldEntry] = {}
    after = Record(before.identifier, entries, before.revision + 1)
    if any(entry.stamp == stamp for entry in entries.values()):  # the same registration, delivered again
        return Change(before, after, displaced, stamp)
    stated = {key: FieldEntry(value, stamp, stamp, stamp) for key, value in statements.items()}
    stated[RECORD_FIRST] = FieldEntry(0, stamp, stamp, stamp)
    existing_entries, stated_entries = _Covering(before.entries), _Covering(stated)
    for key, entry in stated.items():
        existing = entries.get(key)
        if existing is None:
            # Clearing an absent value changes nothing now, but overrides older statements that arrive later.
            entries[key] = entry
        elif key.is_first:
            entries[key] = min(existing, entry, key=_stamp_of)
        else:
            was_in_force = existing_entries.was_in_force(key, existing)
            earlier, later = sorted((existing, entry), key=_stamp_of)
            if earlier.value != later.value or not (was_in_force or later.value is not None):
                entries[key], displaced[key] = later, earlier
            elif existing_entries.comes_between(key, earlier) or stated_entries.comes_between(key, earlier):
                entries[key], displaced[key] = _apart(existing, entry, was_in_force=was_in_force)
            else:
                since = min(existing.since, entry.since) if was_in_force else later.since
                entries[key] = FieldEntry(later.value, later.stamp, since, existing.changed)
    _note_changes(existing_entries, stated_entries, entries, stamp)
    return Change(before, after, displaced, stamp)


def _note_changes(before: _Covering, stated: _Covering, entries: dict[Key, FieldEntry], stamp: Stamp) -> None:
    """Record the stamp on the fields it changed: those it states, and those it clears with them."""
    after, below = _Covering(entries), filter(stated.is_above, entries)
    for key in dict.fromkeys((*stated.entries, *below)):
        entry, existing = entries[key], before.entries.get(key)
        if key.is_first:
            changed = entry.stamp
        elif after.value(key) != before.value(key):
            changed = stamp
        else:
            changed = existing.changed if existing else ALWAYS
        if entry.changed is not changed:
            entries[key] = FieldEntry(entry.value, entry.stamp, entry.since, changed)


def _apart(existing: FieldEntry, stated: FieldEntry, *, was_in_force: bool) -> tuple[FieldEntry, FieldEntry]:
    """Keep the first of two statements of one value, for reading the past; the time of the change stays."""
    if stated.stamp < existing.stamp:
        return existing, stated
    return (replace(stated, since=existing.stamp) if was_in_force else stated), existing


def _stamp_of(entry: FieldEntry) -> Stamp:
    return entry.stamp
