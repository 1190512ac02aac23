"""A registry folder with many identifiers, written in the adapter's own shape."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from ginuri.registry.record.items import items_of
from ginuri.sqlite.database import Database
from infra.bench.records import UNDER, change, registered

_COLUMNS = (
    *("identifier", "body", "stamps", "modified", "revision"),
    *("folded", "steward", "collection", "broader"),
)
_INSERT = f"INSERT INTO record ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608  constants
_ABOVE = ("uri-gin/", "uri-gin/azgs/", "uri-gin/azgs/doc/", UNDER)


def make_registry(folder: Path, size: int) -> None:
    """Make a registry of so many maps and their ancestors in a new folder, in one transaction."""
    with closing(Database(folder)) as database, database.write() as connection:
        connection.executemany(_INSERT, (_row(name) for name in _ABOVE))
        connection.executemany(_INSERT, _maps(size))


def _row(name: str) -> list[Any]:
    item = items_of(change(name))[0]
    return [item.get(column) for column in _COLUMNS]


def _maps(size: int) -> Iterator[list[Any]]:
    # Written as text: serializing a million equal records takes minutes.
    row, zero = _row(registered(0)), f"{0:07d}"
    for number in range(size):
        digits = f"{number:07d}"
        yield [value and value.replace(zero, digits) for value in row]
