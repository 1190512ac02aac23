"""Reports, and the intermediate results of uploads: small ones in their row, large ones as files.

Progress is written every two seconds: in a row, it takes one sync of the disk, and leaves no file behind.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import chain
from typing import IO

from ginuri.identifiers.errors import PartsMissing
from ginuri.registry.clock import Clock, utc_now, write_moment
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder, chunks_of
from ginuri.sqlite.unused import note_unused, remove_unused

MOST_ROW_BYTES = 64 * 1024
"""The most bytes of a report in its row."""


class SqliteReports:
    """The reports of a registry folder. All methods raise RegistryUnavailable."""

    def __init__(self, database: Database, files: FileFolder, now: Clock = utc_now) -> None:
        self._database = database
        self._files = files
        self._now = now

    def reported(self, key: str) -> bytes | None:
        """Read a report; None if it is not written yet."""
        chunks = self.report_chunks(key)
        return None if chunks is None else b"".join(chunks)

    def reported_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a report. Raises PartsMissing."""
        if (file := self._open(key)) is None:
            raise PartsMissing(key)
        return b"".join(self._files.read_chunks(file, first, first + length - 1))

    def report_chunks(self, key: str) -> Iterator[bytes] | None:
        """Open a report, and return its chunks; None if it is not written yet."""
        file = self._open(key)
        return None if file is None else self._files.read_chunks(file)

    def reports_under(self, prefix: str) -> Sequence[str]:
        """Return the keys of reports with a prefix, in order."""
        query = "SELECT key FROM report WHERE key >= ? AND key < ? ORDER BY key"
        return [key for (key,) in self._database.read(query, [prefix, f"{prefix}\U0010ffff"])]

    def report(self, key: str, body: bytes | IO[bytes], written: str = "") -> None:
        """Write a report, with the time of the clock if none is stated; a stream is read once."""
        chunks = chunks_of(body)
        start = b""
        for chunk in chunks:
            start += chunk
            if len(start) > MOST_ROW_BYTES:
                self._write_file(key, written, chain([start], chunks))
                break
        else:
            with self._database.write():
                self._write(key, written, len(start), start, None)
        remove_unused(self._database, self._files)

    def delete_reports(self, prefix: str, before: datetime | None = None) -> int:
        """Delete the reports with a prefix, or those written before a moment, and return their number."""
        until = "\U0010ffff" if before is None else write_moment(before)
        under = "key >= ? AND key < ? AND written < ?"
        parameters = [prefix, f"{prefix}\U0010ffff", until]
        with self._database.write() as connection:
            note_unused(connection, f"SELECT sha256 FROM report WHERE {under}", parameters)  # noqa: S608  constants
            number = connection.execute(f"DELETE FROM report WHERE {under}", parameters).rowcount  # noqa: S608  constants
        remove_unused(self._database, self._files)
        return number

    def _open(self, key: str) -> IO[bytes] | None:
        body: bytes | None = None

        def find() -> str | None:
            nonlocal body
            rows = self._database.read("SELECT body, sha256 FROM report WHERE key = ?", [key])
            body, sha256 = rows[0] if rows else (None, None)
            return sha256

        file = self._files.open_named(find)
        return io.BytesIO(body) if body is not None else file

    def _write_file(self, key: str, written: str, chunks: Iterable[bytes]) -> None:
        with self._files.receive(chunks) as incoming, self._database.write():
            self._files.keep(incoming)
            self._write(key, written, incoming.length, None, incoming.sha256)

    def _write(self, key: str, written: str, length: int, body: bytes | None, sha256: str | None) -> None:
        connection = self._database.connection
        note_unused(connection, "SELECT sha256 FROM report WHERE key = ?", [key])
        connection.execute(
            "INSERT OR REPLACE INTO report (key, written, length, body, sha256) VALUES (?, ?, ?, ?, ?)",
            [key, written or write_moment(self._now()), length, body, sha256],
        )
