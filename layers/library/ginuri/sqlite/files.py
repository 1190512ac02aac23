"""The contents of a registry folder: immutable files, named after their SHA-256.

A content is synced before the row that names it is committed, so that no row is without its file. Names of
uploads are in rows only: a file system may not allow them, or may confuse two of them.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import IO

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.sqlite.failures import unavailable

FOLDER = "files"
"""The name of the folder with the contents."""
CHUNK = 1024 * 1024
"""The bytes that are read at once."""
_TRIES = 10
"""The times that a row is read whose content is removed before it is open."""
_INCOMING = "incoming"
"""The folder of the files that are being written, on the same file system."""


@dataclass(frozen=True, slots=True)
class Incoming:
    """A content that is completely on the disk, without its name yet."""

    path: Path
    sha256: str
    length: int


class FileFolder:
    """The contents in a registry folder. Its methods raise RegistryUnavailable, also if the disk is full."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self._failures = unavailable(folder)
        self._incoming = self._folder / _INCOMING

    @contextmanager
    def receive(self, chunks: Iterable[bytes]) -> Iterator[Incoming]:
        """Write a content to the disk; unless it is kept, it is removed at the end.

        Errors of the chunks are raised unchanged.
        """
        path, file = self._create()
        with file:  # which holds the lock that the sweep respects
            try:
                digest, length = hashlib.sha256(), 0
                for chunk in chunks:
                    with self._failures:
                        _write(chunk, file)
                    digest.update(chunk)
                    length += len(chunk)
                with self._failures:
                    _sync(file.fileno())
                yield Incoming(path, digest.hexdigest(), length)
            finally:
                with self._failures:
                    path.unlink(missing_ok=True)

    def keep(self, incoming: Incoming) -> None:
        """Give a content its name, inside the transaction that writes the row.

        Other processes remove contents inside a transaction too, so never between this and the row. A content
        that is there already is replaced: if it was damaged, it is whole again.
        """
        path = self.path(incoming.sha256)
        with self._failures:
            if not path.parent.is_dir():
                path.parent.mkdir(exist_ok=True)
                sync_folder(self._folder)
            incoming.path.replace(path)
            sync_folder(path.parent)

    def path(self, sha256: str) -> Path:
        """Return the path of a content."""
        return self._folder / sha256[:2] / sha256

    def open(self, sha256: str) -> IO[bytes]:
        """Open a content; it can be read to its end even if it is removed meanwhile."""
        try:
            return self.path(sha256).open("rb")
        except OSError as error:
            raise RegistryUnavailable(f"the file {self.path(sha256)} cannot be read: {error}") from error

    def read_chunks(self, file: IO[bytes], first: int = 0, last: int | None = None) -> Iterator[bytes]:
        """Yield a file, or its bytes from the first to the last, inclusive, and close it."""
        with closing(file), self._failures:
            file.seek(first)
            left = None if last is None else last + 1 - first
            while chunk := file.read(CHUNK if left is None else min(CHUNK, left)):
                yield chunk
                left = None if left is None else left - len(chunk)

    def open_named(self, find: Callable[[], str | None]) -> IO[bytes] | None:
        """Open the content that a row names; None without the row.

        The row is read again if its content was removed meanwhile, since it then names another one.
        """
        tries = 0
        while (sha256 := find()) is not None:
            try:
                return self.open(sha256)
            except RegistryUnavailable:
                tries += 1
                if tries == _TRIES:
                    raise
        return None

    def remove(self, sha256: str) -> None:
        """Remove a content, inside a transaction in which no row names it."""
        with self._failures:
            self.path(sha256).unlink(missing_ok=True)

    def has(self, sha256: str, length: int) -> bool:
        """Return whether there is a content with a length; it is not read."""
        with suppress(OSError):
            return self.path(sha256).stat().st_size == length
        return False

    def contents(self) -> Iterator[Path]:
        """Yield the files of all contents."""
        with self._failures:
            for folder in sorted(self._folder.glob("[0-9a-f][0-9a-f]")):
                yield from sorted(folder.iterdir())

    def sweep(self) -> None:
        """Remove the incoming files of processes that were killed."""
        with self._failures:
            for path in self._incoming.glob("*"):
                with suppress(FileNotFoundError, BlockingIOError), path.open("rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    path.unlink()

    def _create(self) -> tuple[Path, FileIO]:
        with self._failures:
            self._incoming.mkdir(parents=True, exist_ok=True)
            while True:
                path = self._incoming / secrets.token_hex(16)
                file = path.open("xb", buffering=0)
                fcntl.flock(file, fcntl.LOCK_EX)
                if os.fstat(file.fileno()).st_nlink:
                    return path, file
                file.close()  # a sweep saw it before the lock


def chunks_of(body: bytes | IO[bytes]) -> Iterator[bytes]:
    """Yield a content or a stream in chunks."""
    if isinstance(body, bytes):
        yield body
    else:
        while chunk := body.read(CHUNK):
            yield chunk


def _write(chunk: bytes, file: FileIO) -> None:
    # Without a buffer, so that closing the file of a full disk raises no further error.
    left = memoryview(chunk)
    while left:
        left = left[file.write(left) or 0 :]


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _sync(descriptor)
    finally:
        os.close(descriptor)


def _sync(descriptor: int) -> None:
    # On macOS, fsync alone leaves data in the memory of the disk.
    if full := getattr(fcntl, "F_FULLFSYNC", None):
        fcntl.fcntl(descriptor, full)
    else:
        os.fsync(descriptor)
