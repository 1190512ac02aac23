"""Plans the rollback of an upload: the statements that restore the values from before.

The history stays complete. An identifier is skipped if a later upload has stated any of the same fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ginuri.identifiers.messages import Message, message
from ginuri.registration.checks.delegations import AT_ONCE, NO_RECEIVER, RECEIVERS
from ginuri.registry.metadata.fields import FIELDS_OF
from ginuri.registry.model import RecordType, Status, StoredFile
from ginuri.registry.record.history import History, Statement
from ginuri.registry.record.record import (
    DELEGATION,
    REPRESENTATIONS,
    RULES,
    Path,
    Record,
    Value,
    is_first,
    paths_under,
)
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.statuses import LIFECYCLE_FIELDS, STATUSES

REGISTERED_IN_ERROR = "registered in error"
"""The reason of identifiers that are reserved because their registration was undone."""
_IMMUTABLE = {"record", "kind"}
"""The fields that an identifier always keeps; an alias also keeps what it stands for."""
_NAMING = ("media_type", "language", "profile", "valid_from")
"""The fields that distinguish forms without a part."""


@dataclass(frozen=True, slots=True)
class Restatement:
    """What to state about an identifier."""

    identifier: str
    statements: Mapping[Path, Value]
    record: str | None = None
    """The type of its record, if that was stated."""
    reserves: bool = False
    """Whether the upload registered the identifier, which is to become a reserved one."""

    @property
    def files(self) -> list[StoredFile]:
        """The stored files named again: each must be restored first, as the newest version of its key."""
        return [
            StoredFile(**value) for path, value in self.statements.items() if path[-1] == "file" and value
        ]

    @property
    def is_correction(self) -> bool:
        """Whether it changes immutable fields."""
        return any(path[0] in _IMMUTABLE for path in self.statements)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An identifier that the rollback leaves unchanged, and why."""

    identifier: str
    path: Path
    """The field that prevents the rollback; empty if another identifier does."""
    because: Message
    since: Stamp | None = None
    """The later upload's statement."""


def plan_rollback(history: History, upload: str, version: str) -> Restatement | Skipped | None:
    """Plan the rollback of an upload for one identifier; None if the upload changed nothing of it."""
    stamps = [
        statement.stamp
        for statement in history.statements
        if (statement.stamp.upload, statement.stamp.version) == (upload, version)
    ]
    if not stamps:
        return None
    before, after = history.before(stamps[0]), history.as_of(stamps[-1])
    before_values, after_values = _standing(before), _standing(after)
    changed = [
        path
        for path in dict.fromkeys((*before_values, *after_values))
        if before_values.get(path) != after_values.get(path)
    ]
    if not changed:
        return None
    later_statements = [
        statement
        for statement in history.statements
        if statement.stamp > stamps[-1] and not is_first(statement.path)
    ]
    is_new = not _has_own(before) and any(_is_own(path) for path in changed)
    for later in later_statements:
        for path in changed:
            if _touches(later, path) or (is_new and _is_own(later.path)):
                return Skipped(
                    history.identifier, later.path, message("Changed since by another upload."), later.stamp
                )
    now = _standing(history.as_of(history.statements[-1].stamp))
    statements = _of_its_type(dict(_restated(changed, before_values, after_values, now, is_new=is_new)))
    folder = upload[: upload.rfind("/") + 1]
    for path, value in statements.items():
        if path[-1] == "file" and value and not value["key"].startswith(folder):
            because = message(
                "The stored file {file} is not in the folder {folder} and cannot be named from there.",
                file=value["key"],
                folder=folder,
            )
            return Skipped(history.identifier, path, because)
    if not statements:
        return None
    return Restatement(history.identifier, statements, now.get(("record",)), is_new)


def _of_its_type(statements: Mapping[Path, Value]) -> Mapping[Path, Value]:
    """Leave out the fields that a change back to the former type clears anyway."""
    if ("record",) not in statements:
        return statements
    kept = FIELDS_OF[RecordType(statements["record",])] | {*RULES, *DELEGATION}
    return {path: value for path, value in statements.items() if path[0] in kept}


def _restated(
    changed: list[Path],
    before: Mapping[Path, Value],
    after: Mapping[Path, Value],
    now: Mapping[Path, Value],
    *,
    is_new: bool,
) -> Iterator[tuple[Path, Value]]:
    if is_new:
        yield from _reserve(changed, now)
    for place in dict.fromkeys(_place(path) for path in changed if not (is_new and _is_own(path))):
        fields = [path for path in changed if _place(path) == place]
        if place[:1] == RULES and not paths_under(before, *place[:2]):
            yield (*place[:2], "status"), str(Status.RETIRED)
        elif place[-2:-1] == REPRESENTATIONS:
            yield from _restate_form(place, fields, before, after, now)
        else:
            receiver_paths = [path for path in fields if path[: len(RECEIVERS)] == RECEIVERS]
            yield from _restate_fields([path for path in fields if path not in receiver_paths], before, after)
            if receiver_paths:
                yield from _restate_receivers(receiver_paths, before, now)
            if (
                place[:1] == RULES
                and (*place, "status_code") in fields
                and not before.get((*place, "status_code"))
            ):
                yield from _restate_form_of_rule(place, before, now)
            if place == DELEGATION:
                host = (*DELEGATION, "answered_by")
                yield host, before.get(host) if host in fields else now.get(host)


def _reserve(changed: list[Path], now: Mapping[Path, Value]) -> Iterator[tuple[Path, Value]]:
    kept = _IMMUTABLE | ({"stands_for"} if now.get(("record",)) == RecordType.ALIAS else set())
    for name in dict.fromkeys(path[0] for path in changed if _is_own(path)):
        if name not in kept:
            yield (name,), None
    yield ("status",), str(Status.RESERVED)
    yield ("reason",), REGISTERED_IN_ERROR


def _restate_fields(
    fields: list[Path], before: Mapping[Path, Value], after: Mapping[Path, Value]
) -> Iterator[tuple[Path, Value]]:
    for path in fields:
        value = before.get(path)
        if path == ("record",):  # a stated type cannot be cleared
            value = value or str(RecordType.RESOURCE)
            if value == (after.get(path) or RecordType.RESOURCE):
                continue
        status = Status(before.get(("status",)) or Status.VALID)
        if path[0] in LIFECYCLE_FIELDS - STATUSES[status].fields and value:
            continue  # the former status has no such field: it cannot be stated
        yield path, value


def _restate_receivers(
    fields: list[Path], before: Mapping[Path, Value], now: Mapping[Path, Value]
) -> Iterator[tuple[Path, Value]]:
    """Restate the receivers of all days: a statement without a day ends the others."""
    days = {path: now[path] for path in paths_under(now, *RECEIVERS) if path not in fields}
    days |= {path: before[path] for path in fields if path in before}
    yield from ({(*RECEIVERS, AT_ONCE): NO_RECEIVER} | days).items()


def _restate_form_of_rule(
    place: Path, before: Mapping[Path, Value], now: Mapping[Path, Value]
) -> Iterator[tuple[Path, Value]]:
    """Restate a form of a rule unchanged: only beside a form can the rule's status code be cleared."""
    forms = [path[:4] for path in paths_under(now, *place, *REPRESENTATIONS)]
    form = forms[0] if forms else (*place, *REPRESENTATIONS, "form   ")
    yield from _restate_form(form, [], before, now, now)


def _restate_form(
    place: Path,
    fields: list[Path],
    before: Mapping[Path, Value],
    after: Mapping[Path, Value],
    now: Mapping[Path, Value],
) -> Iterator[tuple[Path, Value]]:
    naming = ("part",) if place[-1].startswith("part ") else _NAMING
    for name in naming:
        value = after.get((*place, name), before.get((*place, name)))
        if value is not None:
            yield (*place, name), value
    status = (*place, "status")
    if not [path for path in paths_under(before, *place) if not is_first(path)]:
        yield status, str(Status.RETIRED)
        return
    yield status, (before if status in fields else now).get(status) or str(Status.VALID)
    for path in fields:
        if path != status and path[-1] not in naming:
            yield path, before.get(path)


def _place(path: Path) -> Path:
    """Return the path that contains a field: the record, a rule, the delegation, or one of their forms."""
    place = path[:2] if path[:1] == RULES else path[:1] if path[:1] == DELEGATION else ()
    form = path[len(place) : len(place) + 2]
    return (*place, *form) if form[:1] == REPRESENTATIONS and len(form) > 1 else place


def _touches(later: Statement, path: Path) -> bool:
    return later.path == path or (later.value is None and path[: len(later.path)] == later.path)


def _standing(record: Record | None) -> dict[Path, Value]:
    return {path: value for path, value in record.in_force().items() if not is_first(path)} if record else {}


def _has_own(record: Record | None) -> bool:
    return record is not None and any(_is_own(path) for path in record.entries)


def _is_own(path: Path) -> bool:
    return not is_first(path) and path[:1] not in {RULES, DELEGATION}
