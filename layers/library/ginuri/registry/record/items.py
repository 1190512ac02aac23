"""The items of the table: one for a record, another for displaced values, and their sizes.

An item of DynamoDB has at most 400 kB, including the names of attributes. A larger one is refused before
the write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ginuri.identifiers.comparison.folding import fold
from ginuri.identifiers.errors import RecordTooLarge
from ginuri.identifiers.stewards import steward
from ginuri.registry.lists.memberships import broader_of, collection_of
from ginuri.registry.ports import MOST_ITEM_BYTES
from ginuri.registry.record.record import Change, Record
from ginuri.registry.record.serialization import write_stamps, write_values

REVISION = "revision"
"""The only attribute that is a number."""

Item = Mapping[str, str]
"""Attributes by name; only a history entry has a `version`, which is its stamp."""


def items_of(change: Change, most_bytes: int = MOST_ITEM_BYTES) -> tuple[Item, Item | None]:
    """Return the item of the record, and a history entry if values were displaced.

    Raises RecordTooLarge.
    """
    written = [item_of(change.after), *_past(change)]
    size = max(map(_size, written))
    if size > most_bytes:
        raise RecordTooLarge(change.after.identifier, size)
    return written[0], written[1] if change.displaced else None


def item_of(record: Record) -> Item:
    """Return the item of a record, of any size."""
    values = record.values()
    item = {
        "identifier": record.identifier,
        "body": write_values(values),
        "stamps": write_stamps(record.entries, values),
        "modified": record.modified.put,
        REVISION: str(record.revision),
        "folded": fold(record.identifier),
        "steward": steward(record.identifier),
    }
    # Sparse indexes contain only items with the attribute.
    sparse = {"collection": collection_of(record.identifier, values), "broader": broader_of(values)}
    return item | {name: value for name, value in sparse.items() if value}


def _past(change: Change) -> Iterator[Item]:
    if change.displaced:
        yield {
            "identifier": change.after.identifier,
            "version": str(change.stamp),
            "stamps": write_stamps(change.displaced, {}),
        }


def _size(item: Item) -> int:
    # DynamoDB counts fewer bytes for a number than its digits.
    return sum(len(name) + len(value.encode()) for name, value in item.items())
