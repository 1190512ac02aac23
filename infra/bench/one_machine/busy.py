"""The latency of a redirect while a large upload is processed, and the speed of that."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.uploads import SqliteUploads
from infra.bench.one_machine.paced import Latency, send_paced
from infra.bench.one_machine.servers import used_cpu
from infra.bench.peers.servers import Server
from infra.bench.records import UNDER, write_wells

_KEY = f"{UNDER}wells.csv"
_POLL_SECONDS = 0.25
_MOST_SECONDS = 1800


@dataclass(frozen=True, slots=True)
class Busy:
    """Redirects at rest and during an upload."""

    rest: Latency
    during: Latency
    rows: int
    seconds: float
    """From the upload to the proof that it was applied."""
    cpu: float
    """Microseconds a row, of all processes of the server, redirects included."""

    @property
    def rows_per_second(self) -> float:
        """The speed of ingest."""
        return self.rows / self.seconds


def measure_busy(server: Server, registry: Path, size: int, rows: int, rest_seconds: float) -> Busy:
    """Send redirects at rest, then put an upload of new rows and send redirects until it is applied.

    Raises AssertionError if the rows are not all registered.
    """
    until = time.monotonic() + rest_seconds
    rest = send_paced(server.port, size, lambda: time.monotonic() < until)
    with closing(Database(registry)) as database:
        write_wells(table := StringIO(), range(rows))
        before, started = used_cpu(server), time.monotonic()
        upload = SqliteUploads(database, FileFolder(registry)).put(_KEY, table.getvalue().encode(), {})
        done = _Applied(registry, upload.version)
        during = send_paced(server.port, size, done.is_awaited)
        seconds, cpu = time.monotonic() - started, used_cpu(server) - before
        applied = SqliteRegistry(database).applied(_KEY, upload.version)
    if applied is None or applied.counts.get("registered") != rows:
        raise AssertionError(f"not all of {rows} rows were registered: {applied}")
    return Busy(rest, during, rows, seconds, cpu / rows * 1e6)


class _Applied:
    """Looks from time to time whether an upload was applied; several threads may ask."""

    def __init__(self, registry: Path, version: str) -> None:
        self._registry, self._version = registry, version
        self._deadline = time.monotonic() + _MOST_SECONDS
        self._next = 0.0
        self._is_applied = False

    def is_awaited(self) -> bool:
        """Whether the upload is still being processed. Raises TimeoutError after half an hour."""
        now = time.monotonic()
        if now > self._deadline:
            raise TimeoutError(f"{_KEY} was not applied in {_MOST_SECONDS} s")
        if now >= self._next and not self._is_applied:
            self._next = now + _POLL_SECONDS
            with closing(Database(self._registry)) as database:
                self._is_applied = SqliteRegistry(database).applied(_KEY, self._version) is not None
        return not self._is_applied
