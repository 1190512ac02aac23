"""Every item of a registry in SQLite as it is stored: records, their history, proofs of uploads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from heapq import merge
from itertools import islice
from operator import itemgetter
from typing import Any

from ginuri.registry.record.grant_records import is_apart
from ginuri.registry.record.items import REVISION
from ginuri.registry.rules.beginnings import LISTED
from ginuri.registry.transfer import APPLIED, LONGEST_NAME, Item
from ginuri.sqlite.database import Database

_AT_ONCE = 10_000
"""The items of one transaction."""
_NOW = "now"
_RECORD = (
    "identifier",
    "body",
    "stamps",
    "modified",
    REVISION,
    "folded",
    "steward",
    "collection",
    "broader",
)
_RULE_RECORD = ("name", "body", "stamps", "modified", REVISION)
_BEGINNING = ("prefix", "beginning")
_HISTORY = ("identifier", "version", "stamps")
_APPLIED = ("key", "version", "put", "processed", "counts")
_OPTIONAL = {"collection": None, "broader": None}
_TABLES = {
    "record": _RECORD,
    "rule_record": _RULE_RECORD,
    "beginning": _BEGINNING,
    "history": _HISTORY,
    "applied": _APPLIED,
}


class SqliteItems:
    """Reads and writes items without a condition. Raises RegistryUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def read(self) -> Iterator[Item]:
        """Read every item, in the order of identifiers and versions."""
        records = self._database.scan(f"SELECT {_columns(_RECORD)} FROM record ORDER BY identifier")  # noqa: S608  constants
        of_rules = self._database.scan(f"SELECT {_columns(_RULE_RECORD)} FROM rule_record ORDER BY name")  # noqa: S608  constants
        listed = self._database.scan(
            f"SELECT {_columns(_BEGINNING)} FROM beginning ORDER BY prefix, beginning"  # noqa: S608  constants
        )
        history = self._database.scan(
            f"SELECT {_columns(_HISTORY)} FROM history ORDER BY identifier, version"  # noqa: S608  constants
        )
        applied = self._database.scan(
            f"SELECT {_columns(_APPLIED)} FROM applied"  # noqa: S608  constants
            f" ORDER BY substr(CAST(key AS BLOB), 1, {LONGEST_NAME - len(APPLIED)}), version"
        )
        return merge(
            (_read_record(_RECORD, row) for row in records),
            (_read_record(("identifier", *_RULE_RECORD[1:]), row) for row in of_rules),
            ({"identifier": f"{LISTED}{prefix}", "version": beginning} for prefix, beginning in listed),
            (dict(zip(_HISTORY, row, strict=True)) for row in history),
            map(_read_applied, applied),
            key=itemgetter("identifier", "version"),
        )

    def clear(self) -> None:
        """Remove all items, in one transaction."""
        with self._database.write() as connection:
            for table in _TABLES:
                connection.execute(f"DELETE FROM {table}")  # noqa: S608  the names of tables

    def write(self, items: Iterable[Item]) -> None:
        """Write items, ten thousand in a transaction."""
        rest = iter(items)
        while batch := list(islice(rest, _AT_ONCE)):
            rows: dict[str, list[dict[str, Any]]] = {table: [] for table in _TABLES}
            for item in batch:
                table, row = _row_of(item)
                rows[table].append(row)
            with self._database.write() as connection:
                for table, columns in _TABLES.items():
                    marks = ", ".join(f":{name}" for name in columns)
                    connection.executemany(
                        f"INSERT OR REPLACE INTO {table} ({_columns(columns)}) VALUES ({marks})",  # noqa: S608  constants
                        rows[table],
                    )


def _columns(names: Iterable[str]) -> str:
    return ", ".join(names)


def _read_record(columns: Iterable[str], row: tuple[Any, ...]) -> Item:
    item = {name: value for name, value in zip(columns, row, strict=True) if value is not None}
    item[REVISION] = str(item[REVISION])
    item["version"] = _NOW
    return item


def _read_applied(row: tuple[str, ...]) -> Item:
    item = dict(zip(_APPLIED, row, strict=True))
    # As in a table of DynamoDB, whose keys have a limit.
    name = f"{APPLIED}{item.pop('key')}".encode()[:LONGEST_NAME].decode(errors="ignore")
    return {"identifier": name, **item}


def _row_of(item: Item) -> tuple[str, dict[str, Any]]:
    if item["identifier"].startswith(APPLIED):
        return "applied", {"key": item["identifier"].removeprefix(APPLIED), **item}
    if item["identifier"].startswith(LISTED):
        prefix = item["identifier"].removeprefix(LISTED)
        return "beginning", {"prefix": prefix, "beginning": item["version"]}
    if item["version"] == _NOW and is_apart(item["identifier"]):
        return "rule_record", {"name": item["identifier"], **item, REVISION: int(item[REVISION])}
    if item["version"] == _NOW:
        return "record", {**_OPTIONAL, **item, REVISION: int(item[REVISION])}
    return "history", dict(item)
