"""What takes moto longer the more there is in a table, done with less: pages are asked for by the thousand.

Every query of moto's sorts the whole table, and compares wrapped values two by two.
"""

from operator import attrgetter
from typing import Any

from moto.dynamodb.models.dynamo_type import Item
from moto.dynamodb.models.table import Table

_BY_HASH = attrgetter("hash_key.cast_value")
_BY_BOTH = attrgetter("hash_key.cast_value", "range_key.cast_value")


def quicken() -> None:
    """Have every table of this process give its items in the same order as before, and sooner."""
    Table.all_items = _all_items  # type: ignore[assignment,method-assign]


def _all_items(table: Table) -> list[Item]:
    held: Any = table.items.values()
    if table.range_key_attr is None:
        return sorted(held, key=_BY_HASH)
    return sorted((item for items in held for item in items.values()), key=_BY_BOTH)
