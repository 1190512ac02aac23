"""The statements that retire a record because a complete file or folder leaves it out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from ginuri.registry.model import Status
from ginuri.registry.moments import values_at
from ginuri.registry.ports import MOST_FETCHED, RecordSource
from ginuri.registry.record.record import Record
from ginuri.registry.record.rule_records import has_rules_elsewhere
from ginuri.registry.record.statements import OF_RECORD, JsonValue, Key, Statements, of_rule
from ginuri.registry.rules.beginnings import record_of_beginning
from ginuri.registry.statuses import STATUSES

_RETIRED = str(Status.RETIRED)


def retire(record: Record | None, reason: str, moment: datetime) -> Statements:
    """Return the statements that retire a record and its rules; none if all of it is retired or hidden."""
    values = values_at(record.values(), moment) if record else {}
    parts = {of_rule(pattern): rule for pattern, rule in values.get("rules", {}).items()}
    if values.keys() - {"rules", "delegation"}:
        parts = {OF_RECORD: values, **parts}
    fields = {"status": _RETIRED, "reason": reason}
    retired = [place for place, part in parts.items() if not _keeps_status(part)]
    return Statements({Key(place, None, name): fields[name] for place in retired for name in fields})


def records_of(names: Sequence[str], registry: RecordSource) -> Iterator[tuple[str, str, Record]]:
    """Yield the records of identifiers, and those with rules of them: identifier, beginning, record.

    Raises RegistryUnavailable.
    """
    for start in range(0, len(names), MOST_FETCHED):
        for name, record in registry.read(names[start : start + MOST_FETCHED]).items():
            yield name, "", record
            if has_rules_elsewhere(record):
                yield from _rule_records_of(name, registry)


def _rule_records_of(prefix: str, registry: RecordSource) -> Iterator[tuple[str, str, Record]]:
    after: str | None = ""
    while after is not None:
        page = registry.beginnings(prefix, after=after, most=MOST_FETCHED)
        records = registry.read([record_of_beginning(prefix, beginning) for beginning in page.names])
        for beginning in page.names:
            if (record := records.get(record_of_beginning(prefix, beginning))) is not None:
                yield prefix, beginning, record
        after = page.next_cursor


def _keeps_status(values: Mapping[str, JsonValue]) -> bool:
    # A hidden record must not be shown as retired because a file leaves it out.
    status = Status(str(values.get("status", Status.VALID)))
    return status is Status.RETIRED or STATUSES[status].is_hidden
