"""A registry folder with the adapters of its files, and a process that is killed."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from subprocess import PIPE, Popen

from ginuri.registry.clock import Clock, utc_now
from ginuri.sqlite.content import SqliteContentStore
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FOLDER, FileFolder
from ginuri.sqlite.queue import SqliteQueue
from ginuri.sqlite.uploads import SqliteUploads
from tests import folder_processes


@dataclass(frozen=True)
class RegistryFolder:
    """An open registry folder."""

    database: Database
    files: FileFolder
    uploads: SqliteUploads
    content: SqliteContentStore
    queue: SqliteQueue

    def stored(self) -> list[Path]:
        """Return all files with contents, also incomplete ones."""
        return [path for path in (self.database.folder / FOLDER).rglob("*") if path.is_file()]


@contextmanager
def open_folder(folder: Path, now: Clock = utc_now) -> Iterator[RegistryFolder]:
    """Open a registry folder."""
    with closing(Database(folder)) as database:
        files = FileFolder(folder)
        uploads, content = SqliteUploads(database, files, now), SqliteContentStore(database, files, now)
        yield RegistryFolder(database, files, uploads, content, SqliteQueue(database))


@dataclass(frozen=True)
class Process:
    """A process that writes and reads lines."""

    process: Popen[str]

    def hear(self) -> str:
        """Return its next line."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().removesuffix("\n")

    def say(self) -> None:
        """Let it go on."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def kill(self) -> list[str]:
        """Kill it, and return the lines that it wrote meanwhile."""
        self.process.kill()
        assert self.process.stdout is not None
        return self.process.stdout.read().splitlines()


@contextmanager
def running(work: Callable[[Path], None], folder: Path) -> Iterator[Process]:
    """Run a function of `tests.folder_processes` in a process of its own, and kill it at the end."""
    command = [sys.executable, folder_processes.__file__, work.__name__, str(folder)]
    with Popen(command, stdin=PIPE, stdout=PIPE, text=True) as process:  # noqa: S603  our own module
        try:
            yield Process(process)
        finally:
            process.kill()


def sha256_of(body: bytes) -> str:
    """Return the SHA-256 of a content."""
    return hashlib.sha256(body).hexdigest()
