"""Connections that are closed with the thread that opened them, and that no forked process uses."""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path
from typing import Any
from weakref import WeakSet

from ginuri.sqlite.failures import is_locked

_POLL_SECONDS = 0.001
_WAIT_SECONDS = 10.0
"""The seconds for which a reader waits, if another process opens the file after a crash or closes it."""
_PRAGMAS = (
    "synchronous = FULL",  # a commit survives a loss of power
    "fullfsync = ON",  # on macOS, fsync alone leaves data in the memory of the disk
    "journal_size_limit = 67108864",  # the log grows during a long scan, and is cut afterwards
)


class HeldConnection:
    """A connection that is closed when nobody holds it any more, such as an ended thread."""

    __slots__ = ("__weakref__", "connection", "file", "is_inherited")

    def __init__(self, file: Path, connection: sqlite3.Connection) -> None:
        self.file = file
        self.connection = connection
        self.is_inherited = False
        """Whether the parent of this process opened it."""

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()
        _HELD.discard(self)

    __del__ = close


_HELD: WeakSet[HeldConnection] = WeakSet()
_INHERITED: list[HeldConnection] = []


def connect(file: Path) -> HeldConnection:
    """Open a file. Raises RuntimeError in a process that was forked from one with connections to it."""
    file = file.resolve()
    if any(held.file == file for held in _INHERITED):
        raise RuntimeError(f"this process was forked while {file} was open: fork first, then open it")
    # Autocommit: transactions are begun explicitly. Another thread may only close the connection.
    connection = sqlite3.connect(file, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False)
    held = HeldConnection(file, connection)
    _HELD.add(held)
    for pragma in _PRAGMAS:
        connection.execute(f"PRAGMA {pragma}")
    return held


def execute_locking(connection: sqlite3.Connection, statement: str, wait_seconds: float) -> Any:  # noqa: ANN401  as SQLite returns it
    """Execute a statement as soon as no other connection writes, and return its first row."""
    # SQLite itself tries again ten times a second: it would miss the moments between two batches of ingest.
    until = time.monotonic() + wait_seconds
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                return connection.execute(statement).fetchone()
            except sqlite3.OperationalError as error:
                if not is_locked(error) or time.monotonic() >= until:
                    raise
            time.sleep(_POLL_SECONDS)
    finally:
        connection.execute(f"PRAGMA busy_timeout = {_WAIT_SECONDS * 1000:.0f}")


def _leave_inherited() -> None:
    # SQLite in the child believes that it has the locks of its parent: when the parent closes its last
    # connection, commits of the child are lost (https://sqlite.org/howtocorrupt.html §2.6).
    _INHERITED.extend(_HELD)
    for held in _INHERITED:
        held.is_inherited = True


if hasattr(os, "register_at_fork"):  # not on Windows, which has no forks
    os.register_at_fork(after_in_child=_leave_inherited)
