"""The items of the table, for records, displaced values and beginnings of rules, and their sizes.

An item of DynamoDB has at most 400 kB, including the names of attributes. A larger one is refused before
the write.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.errors import RecordTooLarge
from ginuri.identifiers.stewards import steward
from ginuri.registry.lists.memberships import broader_of, collection_of
from ginuri.registry.ports import MOST_ITEM_BYTES
from ginuri.registry.record.grant_records import is_apart
from ginuri.registry.record.record import Change, Record
from ginuri.registry.record.rule_records import is_rule_record, listed_beginnings
from ginuri.registry.record.serialization import write_stamps, write_values
from ginuri.registry.rules.beginnings import LISTED

REVISION = "revision"
"""The only attribute that is a number."""

Item = Mapping[str, str]
"""Attributes by name. The `version` of a history entry is its stamp; a record has none."""


class ChangeItems(NamedTuple):
    """The items that a change writes."""

    now: Item
    past: Item | None
    """The history entry, if values were displaced."""
    listed: Sequence[Item] = ()
    """The beginning of a record with rules, for each prefix that had none in it."""


def items_of(change: Change, most_bytes: int = MOST_ITEM_BYTES) -> ChangeItems:
    """Return the items that a change writes. Raises RecordTooLarge."""
    now, past = item_of(change.after), _past(change)
    size = max(map(_size, (now, past or {})))
    if size > most_bytes:
        raise RecordTooLarge(change.after.identifier, size)
    return ChangeItems(now, past, _listed(change) if is_rule_record(now["identifier"]) else ())


def weigh(change: Change) -> tuple[int, int]:
    """Return the number of items that a change writes, and their bytes."""
    now, past, listed = items_of(change)
    items = [now, *([past] if past else []), *listed]
    return len(items), sum(map(_size, items))


def item_of(record: Record) -> Item:
    """Return the item of a record, of any size."""
    values = record.values()
    item = {
        "identifier": record.identifier,
        "body": write_values(values),
        "stamps": write_stamps(record.entries, values),
        "modified": record.modified.put,
        REVISION: str(record.revision),
    }
    if is_apart(record.identifier):  # in no index
        return item
    item |= {"folded": fold(record.identifier), "steward": steward(record.identifier)}
    # Sparse indexes contain only items with the attribute.
    sparse = {"collection": collection_of(record.identifier, values), "broader": broader_of(values)}
    return item | {name: value for name, value in sparse.items() if value}


def _past(change: Change) -> Item | None:
    if not change.displaced:
        return None
    return {
        "identifier": change.after.identifier,
        "version": str(change.stamp),
        "stamps": write_stamps(change.displaced, {}),
    }


def _listed(change: Change) -> list[Item]:
    before = set(listed_beginnings(change.before))
    return [
        {"identifier": f"{LISTED}{prefix}", "version": beginning}
        for prefix, beginning in listed_beginnings(change.after)
        if (prefix, beginning) not in before
    ]


def _size(item: Item) -> int:
    # DynamoDB counts fewer bytes for a number than its digits.
    return sum(len(name) + len(value.encode()) for name, value in item.items())
