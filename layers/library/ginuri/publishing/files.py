"""Writes the files of a run, with their length and digest, and stores the finished ones."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path
from typing import IO, cast

from ginuri.published.publications import PublishedFile, PublishedStore

_LEVEL = 6


class FileWriter:
    """One file of a run, in a local folder until `finish`; compressed if its name ends in `.gz`.

    The same content always gives the same bytes.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.lines = 0
        self.length = 0
        """The bytes before compression."""
        self._path = folder / name.replace("/", "-")
        self._raw = self._path.open("wb")
        packed = gzip.GzipFile("", "wb", _LEVEL, self._raw, mtime=0) if name.endswith(".gz") else self._raw
        self._file = cast("IO[bytes]", packed)

    def write(self, content: bytes) -> None:
        """Write bytes."""
        self.length += len(content)
        self._file.write(content)

    def finish(self, store: PublishedStore, run: str, media_type: str) -> PublishedFile:
        """Store the file, and delete the local copy. Raises RegistryUnavailable."""
        self._file.close()
        self._raw.close()
        with self._path.open("rb") as written:
            digest = hashlib.file_digest(written, "sha256")
            length = written.tell()
            written.seek(0)
            store.write(f"{run}/{self.name}", written, media_type)
        self._path.unlink()
        return PublishedFile(length, digest.hexdigest(), self.lines)
