"""Removes contents that no row names any more."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence

from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.lock import BACKUP, is_held

NAMING = ("upload", "content", "report", "published")
"""The tables with a column `sha256`."""
_NAMED = " OR ".join(f"EXISTS (SELECT 1 FROM {table} WHERE sha256 = :sha256)" for table in NAMING)  # noqa: S608  the names of tables


def note_unused(connection: sqlite3.Connection, query: str, parameters: Sequence[str]) -> None:
    """Note the contents of the rows that a query selects, in the transaction that changes these rows."""
    connection.execute(f"INSERT OR IGNORE INTO unused {query} AND sha256 IS NOT NULL", parameters)


def remove_unused(database: Database, files: FileFolder) -> None:
    """Remove the noted contents that no row names.

    Nothing is removed during a backup, nor inside a transaction: the change of a row is committed before its
    content is removed. Raises RegistryUnavailable.
    """
    if database.connection.in_transaction or not database.read("SELECT 1 FROM unused LIMIT 1"):
        return
    # In a transaction, so that no process stores the same content meanwhile.
    with database.write() as connection:
        if is_held(database.folder, BACKUP):
            return
        for (sha256,) in connection.execute("SELECT sha256 FROM unused").fetchall():
            if not is_named(connection, sha256):
                files.remove(sha256)
        connection.execute("DELETE FROM unused")


def is_named(connection: sqlite3.Connection, sha256: str) -> bool:
    """Return whether a row names a content."""
    return bool(connection.execute(f"SELECT {_NAMED}", {"sha256": sha256}).fetchone()[0])


def named_contents(query: Callable[[str], Iterable[tuple[str, int]]]) -> Iterable[tuple[str, int]]:
    """Return the SHA-256 and the length of every content that a row names, once."""
    union = " UNION ".join(f"SELECT sha256, length FROM {table} WHERE sha256 IS NOT NULL" for table in NAMING)  # noqa: S608  the names of tables
    return query(union)
