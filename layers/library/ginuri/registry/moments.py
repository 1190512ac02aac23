"""Records as they are at a moment: a status may end on a day, at midnight UTC at its beginning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from ginuri.frozen import replace
from ginuri.registry.model import Registered
from ginuri.registry.statuses import UNTIL

if TYPE_CHECKING:
    from ginuri.registry.ports import RecordReader

Record = TypeVar("Record", bound=Registered)


def record_at(record: Record, moment: datetime) -> Record:
    """Return a record as it is at a moment, with its rules."""
    if isinstance(record.opened, type(record)) and has_begun(record.until, moment):
        record = record.opened
    if not record.is_dated or not record.rules:
        return record
    rules = tuple(replace(rule, answer=record_at(rule.answer, moment)) for rule in record.rules)
    return replace(record, rules=rules)


def records_at(records: Mapping[str, Registered], moment: datetime) -> Mapping[str, Registered]:
    """Return records as they are at a moment; the same mapping if none depends on the moment."""
    dated = {name: record for name, record in records.items() if record.is_dated}
    return {**records, **{name: record_at(dated[name], moment) for name in dated}} if dated else records


def values_at(values: Mapping[str, Any], moment: datetime) -> Mapping[str, Any]:
    """Return the values of a record as they are at a moment, with those of its rules."""
    current = dict(values)
    if has_begun(current.get(UNTIL), moment):
        del current["status"], current[UNTIL]
    if "rules" in current:
        current["rules"] = {pattern: values_at(rule, moment) for pattern, rule in current["rules"].items()}
    return current


def has_begun(day: str | None, moment: datetime) -> bool:
    """Return whether a day in UTC has begun at a moment.

    >>> from datetime import UTC
    >>> [has_begun("2027-01-01", datetime(2026 + new, 1, 1, tzinfo=UTC)) for new in (0, 1)]
    [False, True]
    """
    return day is not None and day <= moment.date().isoformat()


class RecordsAt:
    """Reads records as they are at a moment."""

    def __init__(self, reader: RecordReader, moment: datetime) -> None:
        self._reader, self._moment = reader, moment

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records. Raises RegistryUnavailable."""
        return records_at(self._reader.fetch(names), self._moment)
