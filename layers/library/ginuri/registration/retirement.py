"""The statements that retire a record because a complete file or folder leaves it out."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from ginuri.registry.model import Status
from ginuri.registry.moments import values_at
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import OF_RECORD, JsonValue, Key, Statements, of_rule
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


def _keeps_status(values: Mapping[str, JsonValue]) -> bool:
    # A hidden record must not be shown as retired because a file leaves it out.
    status = Status(str(values.get("status", Status.VALID)))
    return status is Status.RETIRED or STATUSES[status].is_hidden
