"""Turns failures of the disk and of SQLite into RegistryUnavailable, with the way out."""

from __future__ import annotations

import errno
import sqlite3
from pathlib import Path

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Words, message

_LOCKED = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_FORBIDDEN = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
# EFBIG: the file system, or the limit of the process, allows no larger file.
_FULL_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FORBIDDEN_FILE = {errno.EACCES, errno.EPERM, errno.EROFS}


def is_locked(error: sqlite3.Error) -> bool:
    """Return whether another connection has the lock that a statement needs."""
    return _code(error) in _LOCKED


def _code(error: sqlite3.Error) -> int:
    # The lowest byte is the kind of the error.
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF


class unavailable:  # noqa: N801  it is called as a function, and reads like one
    """Turn every failure of the disk and of SQLite in a registry folder into RegistryUnavailable.

    A wrong statement, or one that breaks a constraint, is a fault of the program and stays as it is.
    """

    __slots__ = ("_folder",)

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None:
        """Enter the context."""

    def __exit__(self, _kind: object, error: BaseException | None, _traceback: object) -> None:
        if error is None:
            return
        if isinstance(error, OSError):
            raise RegistryUnavailable(self._explain_file(error)) from error
        # The subclasses of DatabaseError, except for OperationalError, are faults of the program.
        if isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError:
            code = _code(error)
            if code != sqlite3.SQLITE_ERROR:
                raise RegistryUnavailable(self._explain(code, error)) from error

    def _explain(self, code: int, error: sqlite3.Error) -> Words:
        if code == sqlite3.SQLITE_FULL:
            return self._full()
        if is_locked(error):
            return message(
                "another process is writing to {folder} and did not finish in time: try again later",
                folder=str(self._folder),
            )
        if code in _DAMAGED:
            return message(
                "the database in {folder} is damaged ({reason}): restore a backup",
                folder=str(self._folder),
                reason=str(error),
            )
        return self._forbidden(error) if code in _FORBIDDEN else self._failed(error)

    def _explain_file(self, error: OSError) -> Words:
        if error.errno in _FULL_DISK:
            return self._full()
        return self._forbidden(error) if error.errno in _FORBIDDEN_FILE else self._failed(error)

    def _full(self) -> Words:
        return message(
            "the disk of {folder} is full, and nothing was written: free some space, then try again",
            folder=str(self._folder),
        )

    def _forbidden(self, error: Exception) -> Words:
        return message(
            "{folder} cannot be written ({reason}): make it and its files writable for this user",
            folder=str(self._folder),
            reason=str(error),
        )

    def _failed(self, error: Exception) -> Words:
        return message(
            "{folder} cannot be read or written ({reason}): check its disk, free space and quota",
            folder=str(self._folder),
            reason=str(error),
        )
