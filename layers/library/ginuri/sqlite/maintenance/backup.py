"""Backups of a registry folder while it is in use: first the database, then the contents that the copy names.

A backup is a registry folder itself. The next one into the same folder copies only new contents, and replaces
the database at its end, so that an interrupted backup leaves the one before.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from ginuri.identifiers.errors import FolderUnsuitable, RegistryUnavailable
from ginuri.identifiers.messages import counted, message
from ginuri.sqlite.database import FILE, Database, open_existing
from ginuri.sqlite.failures import unavailable
from ginuri.sqlite.files import FileFolder, sync_folder
from ginuri.sqlite.lock import BACKUP, INGEST, FolderLock
from ginuri.sqlite.settings import Settings
from ginuri.sqlite.unused import is_named, named_contents

_NEW = f"{FILE}.new"
"""The copy of the database, until the contents that it names are copied."""
_ALLOWED = {INGEST, BACKUP, "lost+found"}
"""Names that a folder may have beside a backup: locks, and a folder of file systems."""
Progress = Callable[[int, int], None]
"""Receives the number of copied contents, and of all."""


@dataclass(frozen=True, slots=True)
class BackupResult:
    """The contents that a backup copied, and those that it could not copy."""

    copied: int
    bytes: int
    present: int
    """The contents that were there already."""
    damaged: tuple[str, ...]
    """The SHA-256 of contents that are missing or damaged in the registry: `check` names their files."""


def back_up(folder: Path, target: Path, report: Progress = lambda *_: None) -> BackupResult:
    """Back up a registry folder into a new folder, or into an older backup of the same registry.

    Raises FolderUnsuitable and RegistryUnavailable.
    """
    with (
        closing(open_existing(folder)) as source,
        FolderLock(folder, BACKUP) as lock,
        _target(source, target),
    ):
        if not lock.acquire():
            raise FolderUnsuitable(
                message("Another backup of {folder} is being made. Wait for its end.", folder=str(folder))
            )
        with source.write():  # contents that were being removed before the lock are gone now
            pass
        copy = target / _NEW
        _copy_database(source, copy)
        with closing(sqlite3.connect(copy)) as connection:
            result = _copy_contents(connection, FileFolder(folder), FileFolder(target), report)
        with unavailable(target):
            copy.replace(target / FILE)
            sync_folder(target)
        _remove_unnamed(target)
        return result


@contextmanager
def _target(source: Database, target: Path) -> Iterator[None]:
    """Hold a folder that a backup may be written into. Raises FolderUnsuitable."""
    if target.resolve() == source.folder.resolve():
        raise FolderUnsuitable(
            message("{folder} is the registry itself: name another folder.", folder=str(target))
        )
    with unavailable(target):
        target.mkdir(parents=True, exist_ok=True)
    _check_owner(source, Settings(source).identity(), target)
    with FolderLock(target, INGEST) as lock:
        if not lock.acquire():
            raise _in_use(target)
        if (target / FILE).is_file():
            _check_older(source, target)
        yield


def _check_owner(source: Database, identity: str, target: Path) -> None:
    """Raise FolderUnsuitable for a folder that has anything else than a backup of this registry."""
    names = {path.name for path in target.iterdir() if not path.name.startswith(".")} - _ALLOWED
    database = next((name for name in (FILE, _NEW) if name in names), None)
    if not names or all(name.startswith(_NEW) for name in names):
        return
    owner = None if database is None else _identity(target / database)
    if owner != identity:
        raise FolderUnsuitable(
            message(
                "{folder} is no backup of {registry}, and is not overwritten. Name a new folder.",
                folder=str(target),
                registry=str(source.folder),
            )
        )


def _identity(database: Path) -> str | None:
    try:
        with closing(sqlite3.connect(database)) as connection:
            rows = connection.execute("SELECT value FROM setting WHERE name = 'identity'").fetchall()
    except sqlite3.Error:
        return None
    return rows[0][0] if rows else None


def _check_older(source: Database, target: Path) -> None:
    """Raise FolderUnsuitable for a copy that was used as a registry: with an upload that the source lacks."""
    Database(target).close()  # takes in the log of a process that was killed
    with unavailable(target), closing(sqlite3.connect(source.folder / FILE)) as connection:
        connection.execute("ATTACH DATABASE ? AS target", [str(target / FILE)])
        [newer] = connection.execute(
            "SELECT count(*) FROM (SELECT key, version FROM target.upload"
            " EXCEPT SELECT key, version FROM main.upload)"
        ).fetchone()
    if newer:
        raise FolderUnsuitable(
            counted(
                "{folder} has an upload that {registry} lacks, and is not overwritten. Name a new folder.",
                "{folder} has {number} uploads that {registry} lacks, and is not overwritten. "
                "Name a new folder.",
                newer,
                folder=str(target),
                registry=str(source.folder),
            )
        )
    if (target / f"{FILE}-wal").exists():
        raise _in_use(target)


def _in_use(target: Path) -> FolderUnsuitable:
    return FolderUnsuitable(
        message("{folder} is in use by another process. Stop it, or name another folder.", folder=str(target))
    )


def _copy_database(source: Database, copy: Path) -> None:
    """Copy the database as it is at one moment; it can be written meanwhile."""
    with unavailable(copy.parent), closing(sqlite3.connect(copy)) as target:
        source.connection.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, which can be renamed


def _copy_contents(
    connection: sqlite3.Connection, source: FileFolder, target: FileFolder, report: Progress
) -> BackupResult:
    copied = length_copied = present = 0
    damaged: list[str] = []
    named = list(named_contents(connection.execute))
    target.sweep()
    for number, (sha256, length) in enumerate(named, start=1):
        if target.has(sha256, length):
            present += 1
        elif _copy(sha256, source, target):
            copied += 1
            length_copied += length
        else:
            damaged.append(sha256)
        report(number, len(named))
    return BackupResult(copied, length_copied, present, tuple(damaged))


def _copy(sha256: str, source: FileFolder, target: FileFolder) -> bool:
    """Copy a content; return False if it is missing or damaged."""
    try:
        file = source.open(sha256)
    except RegistryUnavailable:
        return False
    with target.receive(source.read_chunks(file)) as incoming:
        if incoming.sha256 != sha256:
            return False
        target.keep(incoming)
    return True


def _remove_unnamed(target: Path) -> None:
    """Remove the contents of older backups that no row names any more."""
    files = FileFolder(target)
    with unavailable(target), closing(sqlite3.connect(target / FILE)) as connection:
        for path in files.contents():
            if not is_named(connection, path.name):
                path.unlink()
