"""Locks between processes that end with the process, even after kill -9: exclusive transactions of SQLite."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Self

from ginuri.sqlite.failures import unavailable

INGEST, BACKUP = "ingest.sqlite", "backup.sqlite"
"""The files of the locks; they have no content."""
_LOOK_SECONDS = 0.2
"""The seconds for which another process may look at a lock, and so delay its holder."""


class FolderLock:
    """A lock of a registry folder. Its methods raise RegistryUnavailable if the folder is unusable."""

    def __init__(self, folder: Path, file: str) -> None:
        self._path = folder / file
        self._connection: sqlite3.Connection | None = None

    def acquire(self, wait_seconds: float = 0) -> bool:
        """Acquire the lock, and return whether it is held; a process that has it keeps it."""
        if self._connection is not None:
            return True
        with unavailable(self._path.parent):
            connection = _connect(self._path, max(wait_seconds, _LOOK_SECONDS))
            if _begin(connection, "EXCLUSIVE"):
                self._connection = connection
                return True
            connection.close()
            return False

    def release(self) -> None:
        """Release the lock if it is held."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        """Return the lock, which the caller acquires."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the lock."""
        self.release()


class IngestLock(FolderLock):
    """The lock of the one process that processes uploads."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, INGEST)


def is_held(folder: Path, file: str) -> bool:
    """Return whether a process holds a lock. Raises RegistryUnavailable if the folder is unusable."""
    if not (folder / file).exists():
        return False
    with unavailable(folder), closing(_connect(folder / file, 0)) as connection:
        return not _begin(connection, "IMMEDIATE")


def is_ingesting(folder: Path) -> bool:
    """Return whether a process processes the uploads of a folder. Raises RegistryUnavailable."""
    return is_held(folder, INGEST)


def _connect(path: Path, wait_seconds: float) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=wait_seconds, isolation_level=None, check_same_thread=False)


def _begin(connection: sqlite3.Connection, kind: str) -> bool:
    """Begin a transaction; return False if another process has one."""
    try:
        connection.execute(f"BEGIN {kind}")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return False
        raise
    return True
