"""Where parts put aside what the next ones need: for a small file in memory, else in the reports bucket."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ginuri.files.reports.report import Upload
from ginuri.identifiers.errors import PartsMissing
from ginuri.registry.content import UploadStore

WORK_FOLDER = "_parts/"
"""Where in the reports bucket it stands; a rule of the bucket forgets it after some weeks."""


class Checkpoints(Protocol):
    """Small files by name, for one upload. All raise RegistryUnavailable, those that read PartsMissing."""

    def write(self, name: str, body: bytes) -> None:
        """Put a file aside; again is the same as once."""
        ...

    def read(self, name: str) -> bytes:
        """Read a file that is there."""
        ...

    def read_range(self, name: str, first: int, length: int) -> bytes:
        """Read some bytes of a file that is there."""
        ...

    def names(self, prefix: str) -> Sequence[str]:
        """Name all files whose names begin so, in the order of the names."""
        ...


class MemoryCheckpoints:
    """For what one call does from the beginning to the end: nothing outlives it."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def write(self, name: str, body: bytes) -> None:
        """Keep a file."""
        self._files[name] = body

    def read(self, name: str) -> bytes:
        """Read a file."""
        return self._files[name]

    def read_range(self, name: str, first: int, length: int) -> bytes:
        """Read some bytes of a file."""
        return self._files[name][first : first + length]

    def names(self, prefix: str) -> Sequence[str]:
        """Name files by the beginning of their names."""
        return sorted(name for name in self._files if name.startswith(prefix))


class CheckpointStore:
    """For what many calls do one after the other, and beside each other."""

    def __init__(self, store: UploadStore, upload: Upload) -> None:
        self._store = store
        self._folder = f"{WORK_FOLDER}{upload.key}/{upload.version}/"

    def write(self, name: str, body: bytes) -> None:
        """Keep a file. Raises RegistryUnavailable."""
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
        """Name files by the beginning of their names. Raises RegistryUnavailable."""
        return [name.removeprefix(self._folder) for name in self._store.reports_under(self._folder + prefix)]
