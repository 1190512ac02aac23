"""The way back: what to state so that what stood before an upload stands again.

Nothing is taken out of a history. What an upload made of an identifier is undone by stating what stood
before, and left alone where somebody has stated something about the same fields since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ginuri.identifiers.messages import Message, message
from ginuri.registration.checks.delegations import AT_ONCE, HANDED, NOBODY
from ginuri.registry.fields import FIELDS_OF
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
"""The reason of what is reserved because its registration was undone."""
_FOR_GOOD = {"record", "kind"}
"""What an identifier keeps, whatever becomes of it; an alias cannot be without what it stands for either."""
_NAMING = ("media_type", "language", "profile", "valid_from")
"""What tells forms without a part from each other."""


@dataclass(frozen=True, slots=True)
class Restatement:
    """What to state about an identifier."""

    identifier: str
    statements: Mapping[Path, Value]
    record: str | None = None
    """The type of its record, where that was stated."""
    reserves: bool = False
    """Whether it was registered by the upload, and is to be as if it had only been set aside."""

    @property
    def files(self) -> list[StoredFile]:
        """The stored files that are named again: each is to be put back first, as the newest of its key."""
        return [
            StoredFile(**value) for path, value in self.statements.items() if path[-1] == "file" and value
        ]

    @property
    def is_correction(self) -> bool:
        """Whether it changes what otherwise stays for good."""
        return any(path[0] in _FOR_GOOD for path in self.statements)


@dataclass(frozen=True, slots=True)
class Skipped:
    """An identifier that is left as it is, and why."""

    identifier: str
    path: Path
    """The field that stands in the way; none where it is another identifier."""
    because: Message
    since: Stamp | None = None
    """What stated something since."""


def plan_rollback(history: History, upload: str, version: str) -> Restatement | Skipped | None:
    """Tell what to state about an identifier to undo an upload; None where that changed nothing of it."""
    own = [
        each.stamp
        for each in history.statements
        if (each.stamp.upload, each.stamp.version) == (upload, version)
    ]
    if not own:
        return None
    before, after = history.before(own[0]), history.as_of(own[-1])
    stood, stands = _standing(before), _standing(after)
    changed = [path for path in dict.fromkeys((*stood, *stands)) if stood.get(path) != stands.get(path)]
    if not changed:
        return None
    since = [each for each in history.statements if each.stamp > own[-1] and not is_first(each.path)]
    is_new = not _has_own(before) and any(_is_own(path) for path in changed)
    for later in since:
        for path in changed:
            if _touches(later, path) or (is_new and _is_own(later.path)):
                return Skipped(
                    history.identifier, later.path, message("Changed since by another upload."), later.stamp
                )
    now = _standing(history.as_of(history.statements[-1].stamp))
    statements = _of_its_type(dict(_restated(changed, stood, stands, now, is_new=is_new)))
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
    """Leave out what goes by itself where a record becomes again one of the type that it had."""
    if ("record",) not in statements:
        return statements
    kept = FIELDS_OF[RecordType(statements["record",])] | {*RULES, *DELEGATION}
    return {path: value for path, value in statements.items() if path[0] in kept}


def _restated(
    changed: list[Path],
    stood: Mapping[Path, Value],
    stands: Mapping[Path, Value],
    now: Mapping[Path, Value],
    *,
    is_new: bool,
) -> Iterator[tuple[Path, Value]]:
    if is_new:
        yield from _reserve(changed, now)
    for place in dict.fromkeys(_place(path) for path in changed if not (is_new and _is_own(path))):
        fields = [path for path in changed if _place(path) == place]
        if place[:1] == RULES and not paths_under(stood, *place[:2]):
            yield (*place[:2], "status"), str(Status.RETIRED)
        elif place[-2:-1] == REPRESENTATIONS:
            yield from _form(place, fields, stood, stands, now)
        else:
            handed = [path for path in fields if path[: len(HANDED)] == HANDED]
            yield from _fields([path for path in fields if path not in handed], stood, stands)
            if handed:
                yield from _handed(handed, stood, now)
            if (
                place[:1] == RULES
                and (*place, "status_code") in fields
                and not stood.get((*place, "status_code"))
            ):
                yield from _beside(place, stood, now)
            if place == DELEGATION:
                host = (*DELEGATION, "answered_by")
                yield host, stood.get(host) if host in fields else now.get(host)


def _reserve(changed: list[Path], now: Mapping[Path, Value]) -> Iterator[tuple[Path, Value]]:
    kept = _FOR_GOOD | ({"stands_for"} if now.get(("record",)) == RecordType.ALIAS else set())
    for name in dict.fromkeys(path[0] for path in changed if _is_own(path)):
        if name not in kept:
            yield (name,), None
    yield ("status",), str(Status.RESERVED)
    yield ("reason",), REGISTERED_IN_ERROR


def _fields(
    fields: list[Path], stood: Mapping[Path, Value], stands: Mapping[Path, Value]
) -> Iterator[tuple[Path, Value]]:
    for path in fields:
        value = stood.get(path)
        if path == ("record",):  # a resource need not say that it is one, and nothing can become untold
            value = value or str(RecordType.RESOURCE)
            if value == (stands.get(path) or RecordType.RESOURCE):
                continue
        status = Status(stood.get(("status",)) or Status.VALID)
        if path[0] in LIFECYCLE_FIELDS - STATUSES[status].fields and value:
            continue  # it was not told, and cannot be stated
        yield path, value


def _handed(
    fields: list[Path], stood: Mapping[Path, Value], now: Mapping[Path, Value]
) -> Iterator[tuple[Path, Value]]:
    """State to whom a prefix is handed for all days: what is stated of none ends what was of any."""
    days = {path: now[path] for path in paths_under(now, *HANDED) if path not in fields}
    days |= {path: stood[path] for path in fields if path in stood}
    yield from ({(*HANDED, AT_ONCE): NOBODY} | days).items()


def _beside(
    place: Path, stood: Mapping[Path, Value], now: Mapping[Path, Value]
) -> Iterator[tuple[Path, Value]]:
    """State a form of a rule as it is: the rule's own status code is cleared beside a form only."""
    forms = [path[:4] for path in paths_under(now, *place, *REPRESENTATIONS)]
    form = forms[0] if forms else (*place, *REPRESENTATIONS, "form   ")
    yield from _form(form, [], stood, now, now)


def _form(
    place: Path,
    fields: list[Path],
    stood: Mapping[Path, Value],
    stands: Mapping[Path, Value],
    now: Mapping[Path, Value],
) -> Iterator[tuple[Path, Value]]:
    naming = ("part",) if place[-1].startswith("part ") else _NAMING
    for name in naming:
        value = stands.get((*place, name), stood.get((*place, name)))
        if value is not None:
            yield (*place, name), value
    status = (*place, "status")
    if not [path for path in paths_under(stood, *place) if not is_first(path)]:
        yield status, str(Status.RETIRED)
        return
    yield status, (stood if status in fields else now).get(status) or str(Status.VALID)
    for path in fields:
        if path != status and path[-1] not in naming:
            yield path, stood.get(path)


def _place(path: Path) -> Path:
    """Give where a field stands: in the record, in a rule, in the delegation, or in one of their forms."""
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
