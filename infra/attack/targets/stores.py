"""A registry in memory, filled by uploads like those of stewards."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ginuri.files.reports.report import Upload, report_key
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryContentStore, MemoryQueue, MemoryRegistry, MemoryUploads
from ginuri.registry.record.rule_records import merge_rules
from infra.local import EXAMPLES

_REGISTERS = {".csv", ".jsonl", ".ttl", ".rdf"}


def _next_day() -> datetime:
    return datetime(2027, 6, 2, tzinfo=UTC)


class Stores:
    """The stores of the functions, in memory. Each upload comes a second after the previous one."""

    def __init__(self, limits: Limits | None = None, day: str = "2027-06-01") -> None:
        self.registry = MemoryRegistry()
        self.content = MemoryContentStore()
        self.uploads = MemoryUploads(self.content)
        self.queue = MemoryQueue()
        self._limits = limits or Limits()
        self._day = day
        self._puts = 0

    @property
    def collaborators(self) -> IngestCollaborators:
        """The collaborators of the ingest function."""
        stores = (self.uploads, self.registry, self.registry, self.uploads, self.queue)
        return IngestCollaborators(*stores, time.monotonic, limits=self._limits, now=_next_day)

    def put(self, key: str, body: bytes, metadata: Mapping[str, str] | None = None) -> Upload:
        """Store a file without ingesting it."""
        self._puts += 1
        minutes, seconds = divmod(self._puts, 60)
        put = f"{self._day}T{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}.000Z"
        upload = Upload("uploads", key, f"v{self._puts}", put)
        self.uploads.uploads[key, upload.version] = body
        self.uploads.metadata_of[key, upload.version] = metadata or {}
        self.uploads.puts[key, upload.version] = put
        return upload

    def deliver(self, upload: Upload) -> dict[str, int]:
        """Ingest an upload, and all its parts."""
        counts = ingest_part(upload, self.collaborators)
        while self.queue.waiting or self.queue.delayed:
            self.queue.pass_time(900)
            part = read_part(json.loads(self.queue.waiting.pop(0)))
            ingest_part(part, self.collaborators)
        return counts

    def upload(self, key: str, body: bytes, metadata: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Store and ingest a file; return its report."""
        upload = self.put(key, body, metadata)
        self.deliver(upload)
        return self.report(upload)

    def report(self, upload: Upload) -> dict[str, Any]:
        """Read the report on an upload."""
        report: dict[str, Any] = json.loads(self.uploads.reports[report_key(upload.key, upload.version)])
        return report

    def values(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the registered values of every identifier, with all its rules."""
        return merge_rules(self.registry.standing(""))


def write_lines(lines: Iterable[Mapping[str, Any]]) -> bytes:
    """Write registrations as JSON Lines."""
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def upload_examples(stores: Stores) -> None:
    """Upload everything under `examples/`: hosts first, and stored files before registrations."""
    for path in sorted(filter(Path.is_file, EXAMPLES.rglob("*")), key=_order):
        stores.upload(path.relative_to(EXAMPLES).as_posix(), path.read_bytes())


def _order(path: Path) -> tuple[bool, bool, bool, str]:
    name = path.relative_to(EXAMPLES).as_posix()
    return not name.startswith("_host/"), path.suffix in _REGISTERS, "/1-" not in name, name
