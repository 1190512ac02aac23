"""The writes of several rules in one transaction, with the revisions that they raise and expect."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ginuri.registration.rows import Registration
from ginuri.registry.record.items import weigh
from ginuri.registry.record.record import Change, Record
from ginuri.registry.record.rule_records import raise_revision, states_first
from ginuri.registry.record.stamps import Stamp

MOST_BYTES = 3_500_000
"""The most bytes of a transaction; DynamoDB allows four megabytes."""


class RuleTransaction:
    """The writes of a batch, and the records that must not change before them.

    `most` is the most items that a registry writes at once.
    """

    def __init__(self, most: int) -> None:
        self.changes: list[Change] = []
        self._most = most
        self._names = set[str]()
        self._raised: dict[str, Stamp] = {}
        """The prefixes that get another revision, with the earliest of the statements about them."""
        self._expected: dict[str, int] = {}
        self._items = self._bytes = 0

    def takes(self, change: Change, expected: Mapping[str, int]) -> bool:
        """Return whether another change fits; the first one always does."""
        if not self.changes:
            return True
        # A late change may have been applied before, and a record is written once.
        if change.is_late or self.changes[-1].is_late or change.after.identifier in self._names:
            return False
        items, size = weigh(change)
        around = len({*self._expected, *expected, *self._raised})
        return self._items + items + around <= self._most and self._bytes + size <= MOST_BYTES

    def add(
        self,
        change: Change,
        expected: Mapping[str, int],
        registration: Registration,
        records: Mapping[str, Record],
    ) -> None:
        """Add the change of a registration, with the revisions that it expects."""
        items, size = weigh(change)
        self._items, self._bytes = self._items + items, self._bytes + size
        self.changes.append(change)
        self._names.add(change.after.identifier)
        self._expected |= expected
        prefix = registration.identifier.normal_form
        is_other = change.before.values() != change.after.values()
        if is_other or states_first(records.get(prefix), change.stamp):
            self._raised[prefix] = min(change.stamp, self._raised.get(prefix, change.stamp))

    def writes(self, records: Mapping[str, Record]) -> list[Change]:
        """Return the changes to write together."""
        raised = [
            raise_revision(records.get(prefix) or Record(prefix, {}), stamp)
            for prefix, stamp in self._raised.items()
        ]
        first, *others = self.changes
        return [replace(first, judged_by=self._expected), *others, *raised]
