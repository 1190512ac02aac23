"""Whole records and their histories for stewards: all under a prefix in pages, and those of stated names."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ginuri.files.export import write_lines
from ginuri.identifiers.roots import prefix_to_folder
from ginuri.registration.retirement import records_of
from ginuri.registry.model import Status
from ginuri.registry.ports import MemberLister, RecordSource
from ginuri.registry.record.grant_records import is_grant_record, prefix_of_grants
from ginuri.registry.record.history import History, gather_history
from ginuri.registry.record.record import Record
from ginuri.registry.record.rule_records import (
    has_rules_elsewhere,
    history_of,
    is_rule_record,
    read_key,
    rules_of,
)
from ginuri.registry.record.statements import OF_RECORD
from ginuri.registry.record.written_history import write_history
from ginuri.registry.statuses import STATUSES

MOST_READ = 64
"""The most records of one answer."""
MOST_NAMES = 1_000
"""The most identifiers of one answer."""
MOST_BYTES = 2 * 1024 * 1024
"""The size in bytes from which a page is not continued; a record has at most 400 kB."""
MayRead = Callable[[str], bool]
"""Whether the caller may read an identifier."""


class RecordForm(StrEnum):
    """How records are written."""

    NAMES = "names"
    """By their identifiers only."""
    LINES = "lines"
    """As registrations that can be uploaded again."""
    VALUES = "values"
    """As the current values, nested."""
    STATEMENTS = "statements"
    """As all statements that were ever made, with their stamps."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A page of the records under a prefix."""

    under: str
    after: str
    most: int
    form: RecordForm


@dataclass(frozen=True, slots=True)
class RecordArchive:
    """The records that a caller may read. Its methods raise RegistryUnavailable."""

    registry: RecordSource
    lister: MemberLister
    may_read: MayRead
    is_above: MayRead = lambda _name: False
    """Whether an identifier is above those that the caller may read: it is public unless it is hidden."""

    def page(self, asked: Asked) -> Mapping[str, Any]:
        """Return a page of the records under a prefix, and the name after which the next one begins."""
        most = min(asked.most, MOST_NAMES if asked.form is RecordForm.NAMES else MOST_READ)
        listed = self.lister.members(asked.under, asked.after, most)
        # A prefix that has only rules, or that is handed over, is a record as well.
        own = () if asked.after or asked.under in listed.names else (asked.under,)
        records, size = list[Mapping[str, Any]](), 0
        for name in (*own, *listed.names):
            written = list(self._write(name, asked)) if self.may_read(name) else []
            records += written
            size += sum(len(json.dumps(each)) for each in written)
            if size > MOST_BYTES and name not in {*own, listed.names[-1]}:
                return {"records": records, "next": name}
        return {"records": records, "next": listed.next_cursor}

    def _write(self, name: str, asked: Asked) -> Iterator[Mapping[str, Any]]:
        if asked.form is RecordForm.NAMES:
            if name != asked.under:  # only those that are listed
                yield {"identifier": name}
            return
        for prefix, beginning, record in records_of([name], self.registry):
            if asked.form is RecordForm.STATEMENTS:
                history = self.registry.history(record.identifier)
                history = history_of(prefix, history) if beginning else history
                yield {"identifier": prefix, "statements": write_history(history)}
                continue
            values = (rules_of(record, prefix) if beginning else record).values()
            if asked.form is RecordForm.VALUES:
                yield {"identifier": prefix, "values": values}
            else:
                for line in write_lines(prefix, values, prefix_to_folder(asked.under)):
                    yield {"identifier": prefix, "registration": json.loads(line)}

    def read(self, names: Sequence[str], *, with_history: bool) -> Mapping[str, Any]:
        """Return the statements about stated names, current ones or all, and the names that are left to read.

        Absent names are left out.
        """
        left = deque(names)
        found = self.registry.read(names[:MOST_READ])
        records, size = list[Mapping[str, Any]](), 0
        while left and size <= MOST_BYTES:
            name = left.popleft()
            if (record := found.get(name)) is None:
                continue
            whole = self.registry.history(name) if with_history else gather_history(name, [record.entries])
            if (seen := self._restrict(record, whole)).statements:
                records.append(self._describe(record, seen))
                size += len(json.dumps(records[-1]))
        return {"records": records, "left": list(left)}

    def _describe(self, record: Record, seen: History) -> Mapping[str, Any]:
        name = record.identifier
        beginnings = list(self._beginnings(name)) if has_rules_elsewhere(record) else []
        return {"identifier": name, "statements": write_history(seen), "beginnings": beginnings}

    def _restrict(self, record: Record, history: History) -> History:
        """Leave out what the caller may not read; of a record with rules of several prefixes, theirs."""
        name = history.identifier
        if not is_rule_record(name):
            is_public = self.is_above(name) and not (is_grant_record(name) or _is_hidden(record))
            is_seen = is_public or self.may_read(prefix_of_grants(name))
            return history if is_seen else History(name, ())
        statements = (
            each
            for each in history.statements
            if each.key.place == OF_RECORD or self.may_read(read_key(each.key)[0])
        )
        return History(name, tuple(statements))

    def _beginnings(self, prefix: str) -> Iterator[str]:
        after: str | None = ""
        while after is not None:
            page = self.registry.beginnings(prefix, after=after)
            yield from page.names
            after = page.next_cursor


def _is_hidden(record: Record) -> bool:
    status = record.values().get("status")
    return status is not None and STATUSES[Status(str(status))].is_hidden
