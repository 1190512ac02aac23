"""One SQLite file for several processes and threads: many readers, one writer, no lost commit.

With a write-ahead log, readers never wait for the writer. `synchronous=FULL` syncs the log with every commit,
so that a commit survives a loss of power (https://www.sqlite.org/wal.html).
"""

from __future__ import annotations

import errno
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from ginuri.identifiers.errors import FolderUnsuitable, RegistryUnavailable
from ginuri.identifiers.messages import Words, message
from ginuri.sqlite.schema import TABLES, VERSION

FILE = "ginuri.sqlite"
"""The name of the database in its folder."""
WAIT_SECONDS = 10.0
"""The seconds for which a writer waits for another one."""

_PRAGMAS = (
    "journal_mode = WAL",
    "synchronous = FULL",
    "foreign_keys = ON",
    f"busy_timeout = {WAIT_SECONDS * 1000:.0f}",
)
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_Written = TypeVar("_Written")


class Database:
    """The database of a registry folder, which is created if it does not exist.

    A connection belongs to the thread that uses it first. Every method raises RegistryUnavailable: the disk
    is full, another writer took too long, or the file is damaged.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._own = threading.local()
        self._opened: list[sqlite3.Connection] = []
        with failures():
            folder.mkdir(parents=True, exist_ok=True)
            if self._version() != VERSION:
                self._create()

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection of this thread."""
        connection: sqlite3.Connection | None = getattr(self._own, "connection", None)
        if connection is None:
            connection = self._connect()
            self._own.connection = connection
            self._opened.append(connection)
        return connection

    def read(self, query: str, parameters: Sequence[Any] = ()) -> list[Any]:
        """Return all rows of a query."""
        with failures():
            return self.connection.execute(query, parameters).fetchall()

    def scan(self, query: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        """Yield the rows of a query as they were when it began, whatever is written meanwhile.

        It has a connection of its own, so that writes of this thread do not wait for the reader.
        """
        with failures():
            connection = self._connect()
            try:
                yield from connection.execute(query, parameters)
            finally:
                connection.close()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction, and commit it at the end; roll back if an exception is raised.

        Inside another one of the same thread, it is a part of that one: it is committed with it, and rolled
        back alone.
        """
        connection = self.connection
        begin, commit, undo = (
            ("SAVEPOINT part", "RELEASE part", ("ROLLBACK TO part", "RELEASE part"))
            if connection.in_transaction
            else ("BEGIN IMMEDIATE", "COMMIT", ("ROLLBACK",))
        )
        with failures():
            connection.execute(begin)
            try:
                yield connection
                connection.execute(commit)
            except BaseException:
                # SQLite has rolled back by itself if the disk is full.
                with suppress(sqlite3.OperationalError):
                    for statement in undo:
                        connection.execute(statement)
                raise

    def map_together(self, function: Callable[[Any], _Written], values: Iterable[Any]) -> Iterable[_Written]:
        """Call a function with each value, and commit all that it wrote at once before returning."""
        with self.write():
            return [function(value) for value in values]

    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        version: int = self.read("PRAGMA data_version")[0][0]
        return version

    def close(self) -> None:
        """Close the connections of all threads; none may use the database any more."""
        while self._opened:
            self._opened.pop().close()
        self._own = threading.local()

    def _connect(self) -> sqlite3.Connection:
        # Autocommit: transactions are begun explicitly. Another thread closes connections at the end only.
        connection = sqlite3.connect(self.folder / FILE, isolation_level=None, check_same_thread=False)
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")
        return connection

    def _version(self) -> int:
        version: int = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version > VERSION:
            raise RegistryUnavailable(
                message("a newer version of ginuri wrote {file}", file=str(self.folder / FILE))
            )
        return version

    def _create(self) -> None:
        with self.write() as connection:
            if self._version() != VERSION:  # unless another process was faster
                for statement in TABLES.split(";"):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")


def open_existing(folder: Path) -> Database:
    """Open the database of a registry folder.

    Raises FolderUnsuitable without one, and RegistryUnavailable.
    """
    if not (folder / FILE).is_file():
        raise FolderUnsuitable(
            message("{folder} is no registry: it has no {file}.", folder=str(folder), file=FILE)
        )
    return Database(folder)


@contextmanager
def failures() -> Iterator[None]:
    """Raise RegistryUnavailable for the errors of SQLite and of the file system."""
    try:
        yield
    except (sqlite3.OperationalError, sqlite3.DatabaseError, OSError) as error:
        raise RegistryUnavailable(_explain(error)) from error


def _explain(error: sqlite3.Error | OSError) -> Words:
    if "disk is full" in str(error) or getattr(error, "errno", None) in _FULL:
        return message(
            "The disk of the registry is full: nothing was written. Free some space, and try again."
        )
    if "locked" in str(error):
        return message("another process is writing to the registry")
    return str(error)
