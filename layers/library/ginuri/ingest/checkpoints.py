"""Intermediate results of an upload: in memory for a small file, else in the reports bucket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ginuri.files.reports.report import Upload
from ginuri.identifiers.errors import PartsMissing
from ginuri.registry.content import UploadStore

WORK_FOLDER = "_parts/"
"""The folder in the reports bucket; a lifecycle rule deletes its files after some weeks."""


class Checkpoints(Protocol):
    """Small files by name, for one upload. All raise RegistryUnavailable, those that read PartsMissing."""

    def write(self, name: str, body: bytes) -> None:
        """Write a file; writing it twice has no further effect."""
        ...

    def read(self, name: str) -> bytes:
        """Read a file."""
        ...

    def read_range(self, name: str, first: int, length: int) -> bytes:
        """Read some bytes of a file."""
        ...

    def names(self, prefix: str) -> Sequence[str]:
        """List the names of files that start with a prefix, in order."""
        ...


class MemoryCheckpoints:
    """Checkpoints of a file that one call processes completely."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def write(self, name: str, body: bytes) -> None:
        """Write a file."""
        self._files[name] = body

    def read(self, name: str) -> bytes:
        """Read a file."""
        return self._files[name]

    def read_range(self, name: str, first: int, length: int) -> bytes:
        """Read some bytes of a file."""
        return self._files[name][first : first + length]

    def names(self, prefix: str) -> Sequence[str]:
        """List the names of files that start with a prefix."""
        return sorted(name for name in self._files if name.startswith(prefix))


class CheckpointStore:
    """Checkpoints of a file that many calls process, in sequence and in parallel."""

    def __init__(self, store: UploadStore, upload: Upload) -> None:
        self._store = store
        self._folder = f"{WORK_FOLDER}{upload.key}/{upload.version}/"

    def write(self, name: str, body: bytes) -> None:
        """Write a file. Raises RegistryUnavailable."""
        self._store.report(self._folder + name, body)

    def read(self, name: str) -> bytes:
        """Read a file. Raises PartsMissing and RegistryUnavailable."""
        body = self._store.reported(self._folder + name)
        if body is None:
            raise PartsMissing(self._folder + name)
        return body

    def read_range(self, name: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises PartsMissing and RegistryUnavailable."""
        return self._store.reported_range(self._folder + name, first, length)

    def names(self, prefix: str) -> Sequence[str]:
        """List the names of files that start with a prefix. Raises RegistryUnavailable."""
        return [name.removeprefix(self._folder) for name in self._store.reports_under(self._folder + prefix)]
