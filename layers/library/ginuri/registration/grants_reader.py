"""Reads the grants that may hold for the names in a folder, and whether its prefix is handed over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from ginuri.identifiers.roots import ancestors_of
from ginuri.registration.authorization import Grant, Right
from ginuri.registration.checks.delegations import handover_of, receivers_by_day
from ginuri.registry.clock import write_moment
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.record import Record
from ginuri.registry.record.statements import OF_GRANTS, JsonValue


class WholeRecordReader(Protocol):
    """Reads whole records; every registry does."""

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read records with their stamps. Raises RegistryUnavailable."""


def read_grants(
    registry: WholeRecordReader, prefix: str, moment: datetime
) -> tuple[Sequence[Grant], Collection[str]]:
    """Read the grants on a prefix and on those above it, and the handed-over prefix that it is in, if any.

    One call. The names in a handed-over prefix are registered from the folder of another authority, so that
    grants above it give no rights to them. Raises RegistryUnavailable.
    """
    prefixes = (*ancestors_of(prefix), prefix)
    # At most 32 segments: fewer names than a call reads.
    records = registry.read([*prefixes, *map(record_of_grants, prefixes)])
    grants = [
        grant
        for each in prefixes
        if (record := records.get(record_of_grants(each))) is not None
        for grant in grants_in(each, record)
    ]
    return grants, _handed_over(prefixes, records, write_moment(moment))


def grants_in(prefix: str, record: Record) -> Iterator[Grant]:
    """Yield the grants in the record of a prefix that have not been ended."""
    return (
        read_grant(prefix, key.field, value)
        for key, value in record.in_force().items()
        if key.place == OF_GRANTS
    )


def read_grant(prefix: str, to: str, value: JsonValue) -> Grant:
    """Read a grant from its statement; without a value, it grants nothing."""
    stated = value if isinstance(value, dict) else {}
    may, until = stated.get("may"), stated.get("valid_until")
    rights = (
        frozenset(Right(right) for right in may if isinstance(right, str)) if isinstance(may, list) else ()
    )
    return Grant(prefix, to, frozenset(rights), str(until or ""))


def _handed_over(prefixes: Sequence[str], records: Mapping[str, Record], put: str) -> Collection[str]:
    for prefix in reversed(prefixes):  # the nearest handover counts
        handover = handover_of(prefix, receivers_by_day(records.get(prefix)), put)
        if handover is not None:
            return () if prefix.startswith(handover.to) else (prefix,)
    return ()
