"""The published files of a registry folder, and the reports for the feed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder, chunks_of
from ginuri.sqlite.reports import SqliteReports
from ginuri.sqlite.unused import note_unused, remove_unused


@dataclass(frozen=True, slots=True)
class SqlitePublishedStore:
    """Reads and writes published files. Its methods raise RegistryUnavailable."""

    _database: Database
    _files: FileFolder

    def read(self, key: str) -> bytes | None:
        """Read a file; None if it does not exist."""
        file = self._open(key)
        return None if file is None else b"".join(self._files.read_chunks(file))

    def read_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises RegistryUnavailable also for a missing file."""
        return b"".join(self.chunks(key, first, first + length - 1))

    def chunks(self, key: str, first: int = 0, last: int | None = None) -> Iterator[bytes]:
        """Open a file, and return its bytes from the first to the last, inclusive.

        Raises RegistryUnavailable also for a missing file.
        """
        if (file := self._open(key)) is None:
            raise RegistryUnavailable(f"there is no {key}")
        return self._files.read_chunks(file, first, last)

    def write(self, key: str, body: bytes | IO[bytes], media_type: str) -> None:
        """Write a file."""
        with self._files.receive(chunks_of(body)) as incoming, self._database.write() as connection:
            note_unused(connection, "SELECT sha256 FROM published WHERE key = ?", [key])
            self._files.keep(incoming)
            connection.execute(
                "INSERT OR REPLACE INTO published (key, sha256, length, media_type) VALUES (?, ?, ?, ?)",
                [key, incoming.sha256, incoming.length, media_type],
            )
        remove_unused(self._database, self._files)

    def list_keys(self) -> Sequence[str]:
        """Return the keys of all files."""
        return [key for (key,) in self._database.read("SELECT key FROM published ORDER BY key")]

    def delete(self, keys: Sequence[str]) -> None:
        """Delete files."""
        with self._database.write() as connection:
            for key in keys:
                note_unused(connection, "SELECT sha256 FROM published WHERE key = ?", [key])
                connection.execute("DELETE FROM published WHERE key = ?", [key])
        remove_unused(self._database, self._files)

    def _open(self, key: str) -> IO[bytes] | None:
        def find() -> str | None:
            rows = self._database.read("SELECT sha256 FROM published WHERE key = ?", [key])
            return rows[0][0] if rows else None

        return self._files.open_named(find)


@dataclass(frozen=True, slots=True)
class SqliteSummaries:
    """Reads the summaries of reports on uploads."""

    _database: Database
    _files: FileFolder

    def newest(self, most: int) -> Iterator[tuple[str, bytes]]:
        """Read the newest summaries with their keys. Raises RegistryUnavailable."""
        reports = SqliteReports(self._database, self._files)
        query = "substr(key, -13) = '.summary.json' ORDER BY written DESC, key DESC LIMIT ?"
        for (key,) in self._database.read(f"SELECT key FROM report WHERE {query}", [most]):  # noqa: S608  a constant
            if (summary := reports.reported(key)) is not None:
                yield key, summary
