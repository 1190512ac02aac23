"""Plans the rollback of an upload: the statements that restore the former values.

The history stays complete. An identifier is skipped if a later upload has stated any of the same fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ginuri.identifiers.messages import Message, message
from ginuri.registration.checks.delegations import AT_ONCE, NO_RECEIVER, RECEIVERS
from ginuri.registry.metadata.fields import FIELDS_OF
from ginuri.registry.model import RecordType, Status, StoredFile
from ginuri.registry.reading import read_file
from ginuri.registry.record.history import History, changes_of
from ginuri.registry.record.record import Record
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import (
    OF_DELEGATION,
    OF_RECORD,
    JsonValue,
    Key,
    RecordPlace,
    Statements,
)
from ginuri.registry.statuses import LIFECYCLE_FIELDS, STATUSES

REGISTERED_IN_ERROR = "registered in error"
"""The reason of identifiers that are reserved because their registration was undone."""
_CHANGED = message("Changed since by another upload.")
_STATED_AGAIN = message(
    "A later upload states the same, so it stays. To change it, upload another value, such as the status "
    "`retired`."
)
_RECORD = Key(OF_RECORD, None, "record")
_IMMUTABLE = {"record", "kind"}
"""The fields that an identifier always keeps; an alias also keeps its target."""


@dataclass(frozen=True, slots=True)
class Restatement:
    """The statements that restore an identifier."""

    identifier: str
    statements: Statements
    record: str | None = None
    """The type of its record, if that was stated."""
    reserves: bool = False
    """Whether the upload registered the identifier, which then becomes reserved."""

    @property
    def files(self) -> list[StoredFile]:
        """The stored files to name again: each must first be restored as the newest version of its key."""
        return [file for _, file in _files(self.statements)]

    @property
    def is_correction(self) -> bool:
        """Whether it changes immutable fields."""
        return any(key.place == OF_RECORD and key.stated_field in _IMMUTABLE for key in self.statements)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An identifier that the rollback leaves unchanged, with the reason."""

    identifier: str
    key: Key | None
    """The field that prevents the rollback; None if another identifier does."""
    because: Message
    since: Stamp | None = None
    """The later upload's statement."""


def plan_rollback(history: History, upload: str, version: str) -> Restatement | Skipped | None:
    """Plan the rollback of an upload for one identifier; None if the upload did not change it."""
    stamps = [
        statement.stamp
        for statement in history.statements
        if (statement.stamp.upload, statement.stamp.version) == (upload, version)
    ]
    if not stamps:
        return None
    before, after = history.before(stamps[0]), history.as_of(stamps[-1])
    before_values, after_values = _in_force(before), _in_force(after)
    changed = dict.fromkeys(change.key for change in changes_of(before_values, after_values))
    if not changed:
        return None
    is_new = not any(map(_is_own, before.entries if before else ())) and any(map(_is_own, changed))
    clearing = {above for key in changed for above in key.above()}
    for later in history.statements:
        clears = later.value is None and later.key in clearing
        touches = later.key in changed or clears or (is_new and _is_own(later.key))
        if touches and later.stamp > stamps[-1] and not later.key.is_first:
            is_same = later.value == after_values.get(later.key) and not any(
                later.key in key.above() for key in after_values
            )
            return Skipped(history.identifier, later.key, _STATED_AGAIN if is_same else _CHANGED, later.stamp)
    now = _in_force(history.as_of(history.statements[-1].stamp))
    restoring = _Restoring(before_values, after_values, now)
    statements = Statements(dict(restoring.restate(changed, is_new=is_new)))
    if type_before := statements.text("record"):
        # A change back to the former type clears the other fields anyway.
        kept = FIELDS_OF[RecordType(type_before)]
        statements = Statements(
            {
                key: value
                for key, value in statements.items()
                if key.place != OF_RECORD or key.stated_field in kept
            }
        )
    folder = upload[: upload.rfind("/") + 1]
    for key, file in _files(statements):
        if not file.key.startswith(folder):
            because = message(
                "The stored file {file} is not in the folder {folder} and cannot be named from there.",
                file=file.key,
                folder=folder,
            )
            return Skipped(history.identifier, key, because)
    return Restatement(history.identifier, statements, now.text("record"), is_new) if statements else None


def naming_of(form: str) -> Sequence[str]:
    """Return the fields that distinguish a form from others, by its key."""
    return ("part",) if form.startswith("part ") else ("media_type", "language", "profile", "valid_from")


@dataclass(frozen=True, slots=True)
class _Restoring:
    """The values in force before an upload, after it, and now."""

    before: Statements
    after: Statements
    now: Statements

    def restate(self, changed: Iterable[Key], *, is_new: bool) -> Iterator[tuple[Key, JsonValue]]:
        """Yield what restores the changed fields, or reserves a new identifier."""
        if is_new:
            yield from self._reserve(changed)
        before = {(key.place, key.form) for key in self.before}
        places = {place for place, _ in before}
        by_form: dict[tuple[RecordPlace, str | None], list[Key]] = {}
        for key in changed:
            if not (is_new and _is_own(key)):
                by_form.setdefault((key.place, key.form), []).append(key)
        for (place, form), keys in by_form.items():
            if place.pattern is not None and place not in places:
                yield Key(place, None, "status"), str(Status.RETIRED)
            elif form is not None:
                yield from self.restate_form(place, form, keys, is_new=(place, form) not in before)
            else:
                yield from self._restate_fields(place, keys)

    def _reserve(self, changed: Iterable[Key]) -> Iterator[tuple[Key, JsonValue]]:
        kept = _IMMUTABLE | ({"stands_for"} if self.now.value("record") == RecordType.ALIAS else set())
        names = dict.fromkeys(key.stated_field for key in changed if _is_own(key))
        yield from ((Key(OF_RECORD, None, name), None) for name in names if name not in kept)
        yield Key(OF_RECORD, None, "status"), str(Status.RESERVED)
        yield Key(OF_RECORD, None, "reason"), REGISTERED_IN_ERROR

    def _restate_fields(self, place: RecordPlace, changed: Sequence[Key]) -> Iterator[tuple[Key, JsonValue]]:
        status = Status(self.before.text("status") or Status.VALID)
        excluded = LIFECYCLE_FIELDS - STATUSES[status].fields
        for key in changed:
            value = self.before.get(key)
            if key == _RECORD:  # a stated type cannot be cleared
                value = value or str(RecordType.RESOURCE)
                if value == (self.after.get(key) or RecordType.RESOURCE):
                    continue
            if place == OF_RECORD and key.field in excluded and value:
                continue  # the former status has no such field: it cannot be stated
            if place != OF_DELEGATION or key.field != RECEIVERS:
                yield key, value
        if place == OF_DELEGATION:
            yield from self._restate_delegation(changed)
        code = Key(place, None, "status_code")
        if place.pattern is not None and code in changed and not self.before.get(code):
            # The status code of a rule can be cleared only beside a form, so one is restated unchanged.
            form = next(iter(Statements(self.now, place).forms()), "form   ")
            is_new = not any((key.place, key.form) == (place, form) for key in self.before)
            yield from replace(self, after=self.now).restate_form(place, form, (), is_new=is_new)

    def _restate_delegation(self, changed: Sequence[Key]) -> Iterator[tuple[Key, JsonValue]]:
        receivers = [key for key in changed if key.field == RECEIVERS]
        if receivers:  # a statement without a day ends all others, so they are restated
            yield Key(OF_DELEGATION, None, RECEIVERS, AT_ONCE), NO_RECEIVER
            yield from (
                (key, value)
                for key, value in self.now.of(OF_DELEGATION).items()
                if key.field == RECEIVERS and key not in receivers
            )
            yield from ((key, self.before[key]) for key in receivers if key in self.before)
        host = Key(OF_DELEGATION, None, "answered_by")
        yield host, (self.before if host in changed else self.now).get(host)

    def restate_form(
        self, place: RecordPlace, form: str, changed: Sequence[Key], *, is_new: bool
    ) -> Iterator[tuple[Key, JsonValue]]:
        """Yield what restores the changed fields of a form, or retires a new form."""
        naming = naming_of(form)
        for name in naming:
            key = Key(place, form, name)
            value = self.after.get(key, self.before.get(key))
            if value is not None:
                yield key, value
        status = Key(place, form, "status")
        if is_new:
            yield status, str(Status.RETIRED)
            return
        yield status, (self.before if status in changed else self.now).get(status) or str(Status.VALID)
        yield from (
            (key, self.before.get(key)) for key in changed if key != status and key.field not in naming
        )


def _files(statements: Statements) -> Iterator[tuple[Key, StoredFile]]:
    return (
        (key, read_file(value))
        for key, value in statements.items()
        if key.form is not None and key.field == "file" and isinstance(value, dict)
    )


def _in_force(record: Record | None) -> Statements:
    in_force = record.in_force().items() if record else ()
    return Statements({key: value for key, value in in_force if not key.is_first})


def _is_own(key: Key) -> bool:
    return key.place == OF_RECORD and not key.is_first
