"""One SQLite file for several processes and threads: many readers, one writer, no lost commit.

With a write-ahead log, readers never wait for the writer. `synchronous=FULL` syncs the log with every commit,
so that a commit survives a loss of power (https://www.sqlite.org/wal.html).
"""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import Connection, OperationalError
from typing import Any, ClassVar, TypeVar
from weakref import WeakSet

from ginuri.identifiers.errors import FolderUnsuitable, RegistryUnavailable
from ginuri.identifiers.messages import message
from ginuri.sqlite.connections import HeldConnection, connect, execute_locking
from ginuri.sqlite.failures import unavailable
from ginuri.sqlite.schema import MIGRATIONS, TABLES, VERSION

FILE = "ginuri.sqlite"
"""The name of the database in its folder."""

WAIT_SECONDS = 10.0
"""The seconds for which a writer waits for another one."""
_GIVE_WAY_SECONDS = 0.002
_Written = TypeVar("_Written")
_Parameters = Sequence[Any] | Mapping[str, Any]


class Database:
    """The database of a registry folder, which is created if it does not exist.

    A connection belongs to the thread that uses it first, and is closed with it. A process that forks opens
    the database afterwards. Every method raises RegistryUnavailable: the disk is full or forbidden, another
    writer took too long, or the file is damaged.
    """

    file: ClassVar[str] = FILE
    tables: ClassVar[str] = TABLES
    version: ClassVar[int] = VERSION
    migrations: ClassVar[Mapping[int, str]] = MIGRATIONS
    """The statements that lead from a version of the tables to the next."""

    def __init__(self, folder: Path, wait_seconds: float = WAIT_SECONDS) -> None:
        self.folder = folder
        self._wait_seconds = wait_seconds
        self._own = threading.local()
        self._held: WeakSet[HeldConnection] = WeakSet()
        self._failures = unavailable(folder)
        with self._failures:
            folder.mkdir(parents=True, exist_ok=True)
            if self._version() != self.version:
                self._make_tables()
            self._log_ahead()

    @property
    def connection(self) -> Connection:
        """The connection of this thread."""
        held: HeldConnection | None = getattr(self._own, "held", None)
        if held is None or held.is_inherited:
            held = self._own.held = self._connect()
        return held.connection

    def read(self, query: str, parameters: _Parameters = ()) -> list[Any]:
        """Return all rows of a query."""
        with self._failures:
            return self.connection.execute(query, parameters).fetchall()

    def scan(self, query: str, parameters: _Parameters = ()) -> Iterator[Any]:
        """Yield the rows of a query as they were when it began, whatever is written meanwhile.

        It has a connection of its own, so that writes of this thread do not wait for the reader. While it
        lasts, the log grows by all that is written.
        """
        with self._failures, closing(self._connect()) as held:
            yield from held.connection.execute(query, parameters)

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Open a transaction, and commit it at the end; roll back if an exception is raised.

        Inside another one of the same thread, it is a part of that one: it is committed with it, and rolled
        back alone.
        """
        with self._failures:
            connection = self.connection
            if connection.in_transaction:
                connection.execute("SAVEPOINT part")
                commit, undo = "RELEASE part", ["ROLLBACK TO part", "RELEASE part"]
            else:
                execute_locking(connection, "BEGIN IMMEDIATE", self._wait_seconds)
                commit, undo = "COMMIT", ["ROLLBACK"]
            try:
                yield connection
                connection.execute(commit)
            except BaseException:
                # SQLite has rolled back by itself if the disk is full.
                with suppress(OperationalError):
                    for statement in undo:
                        connection.execute(statement)
                raise

    def map_together(self, function: Callable[[Any], _Written], values: Iterable[Any]) -> Iterable[_Written]:
        """Call a function with each value, and commit all that it wrote at once before returning."""
        with self.write():
            written = [function(value) for value in values]
        time.sleep(_GIVE_WAY_SECONDS)  # to other writers, who wait for a moment between two batches
        return written

    def data_version(self) -> int:
        """Return a number that changes when another connection has written."""
        version: int = self.read("PRAGMA data_version")[0][0]
        return version

    def close(self) -> None:
        """Close the connections of all threads; none may be using the database."""
        for held in list(self._held):
            held.close()
        self._own = threading.local()

    def _connect(self) -> HeldConnection:
        held = connect(self.folder / self.file)
        self._held.add(held)
        return held

    def _version(self) -> int:
        """Return the version of the tables; 0 of an empty file. Raises RegistryUnavailable if it is newer."""
        version: int = self.connection.execute("PRAGMA user_version").fetchone()[0]
        if version > self.version:
            raise RegistryUnavailable(
                message(
                    "version {version} of the tables in {folder} is newer than this ginuri: update it",
                    version=str(version),
                    folder=str(self.folder),
                )
            )
        return version

    def _make_tables(self) -> None:
        """Make the tables of an empty file, or those that an older version lacks."""
        with self.write() as connection:
            version = self._version()
            if version == self.version:  # another process was faster
                return
            older = range(version, self.version)
            statements = self.tables if version == 0 else "".join(self.migrations[each] for each in older)
            if version == 0 and connection.execute("SELECT 1 FROM sqlite_master").fetchone():
                raise RegistryUnavailable(
                    message(
                        "{file} in {folder} is not of ginuri: choose another folder",
                        file=self.file,
                        folder=str(self.folder),
                    )
                )
            for statement in statements.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {self.version}")

    def _log_ahead(self) -> None:
        """Switch the log of the file to a write-ahead log, which stays so."""
        # Of two processes that do this at once, SQLite refuses one without waiting.
        (mode,) = execute_locking(self.connection, "PRAGMA journal_mode = WAL", self._wait_seconds)
        if mode != "wal":
            raise RegistryUnavailable(
                message(
                    "the file system of {folder} cannot share memory between processes: use a local disk",
                    folder=str(self.folder),
                )
            )


def open_existing(folder: Path) -> Database:
    """Open the database of a registry folder.

    Raises FolderUnsuitable without one, and RegistryUnavailable.
    """
    if not (folder / FILE).is_file():
        raise FolderUnsuitable(
            message(
                "{folder} is no registry: it has no {file}. To create a registry there, run {command}.",
                folder=str(folder),
                file=FILE,
                command=f"`ginuri serve {shlex.quote(str(folder))}`",
            )
        )
    return Database(folder)
