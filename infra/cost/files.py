"""The requests to S3 and SQS that a part of a large file makes, counted on a file of new records."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import Upload
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryQueue, MemoryRegistry, MemoryUploads
from ginuri.registry.content import UploadHead
from ginuri.registry.record.record import Change
from infra.cost.writes import EXAMPLES

ROWS_OF_A_PART = Limits().task_rows
_COUNTED_ROWS = 100
"""The rows of a counted part; each takes as much longer."""
_PARTS = (2, 6)
"""The parts of two files: their difference has no requests that a file makes once."""
_PUT = "2024-05-01T00:00:00.000Z"
_AUTHORITY = "uri-gin/azgs/"


@dataclass(frozen=True, slots=True)
class PartRequests:
    """The requests of a part."""

    puts: float
    """Also lists, which have the same price."""
    gets: float
    """Besides the reading of its rows: from each part of the file that was read, once."""
    messages: float


class _CountingUploads(MemoryUploads):
    """Uploads in memory that count the requests that S3 would receive."""

    def __init__(self) -> None:
        super().__init__()
        self.requests = Counter[str]()

    def head(self, key: str, version: str) -> UploadHead | None:
        self.requests["gets"] += 1
        return super().head(key, version)

    def read(self, key: str, version: str) -> Iterator[bytes]:
        self.requests["gets"] += 1
        return super().read(key, version)

    def reported(self, key: str) -> bytes | None:
        self.requests["gets"] += 1
        return super().reported(key)

    def reports_under(self, prefix: str) -> Sequence[str]:
        self.requests["puts"] += 1
        return super().reports_under(prefix)

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        self.requests["puts"] += 1
        super().report(key, body)


class _SlowRegistry(MemoryRegistry):
    """A registry in memory whose clock advances with each written record."""

    def __init__(self) -> None:
        super().__init__()
        self.seconds, self.step = 0.0, 0.0

    def write(self, *changes: Change) -> None:
        self.seconds += self.step * len(changes)
        super().write(*changes)


def count_part(seconds: float) -> PartRequests:
    """Count the requests of a part of 3,000 rows, each of which takes these seconds."""
    few, many = (_count_file(parts, seconds) for parts in _PARTS)
    return PartRequests(
        *((many[name] - few[name]) / (_PARTS[1] - _PARTS[0]) for name in ("puts", "gets", "messages"))
    )


def _count_file(parts: int, seconds: float) -> Mapping[str, int]:
    files, registry, queue = _CountingUploads(), _SlowRegistry(), MemoryQueue()
    collaborators = IngestCollaborators(
        *(files, registry, registry, files, queue, lambda: registry.seconds),
        limits=Limits(task_rows=_COUNTED_ROWS, chunk_rows=_COUNTED_ROWS),
    )
    rows = (
        f"{json.dumps({'identifier': f'{_AUTHORITY}doc/{number}', 'title': str(number)})}\n"
        for number in range(parts * _COUNTED_ROWS)
    )
    for name in ("schemes.jsonl", "authorities.jsonl"):
        _ingest(f"_host/{name}", (EXAMPLES / "_host" / name).read_bytes(), files, queue, collaborators)
    files.requests.clear()
    registry.step = seconds * ROWS_OF_A_PART / _COUNTED_ROWS
    messages = _ingest(f"{_AUTHORITY}wells.jsonl", "".join(rows).encode(), files, queue, collaborators)
    return {**files.requests, "messages": messages}


def _ingest(
    key: str, content: bytes, files: MemoryUploads, queue: MemoryQueue, collaborators: IngestCollaborators
) -> int:
    """Ingest a file, and return the number of messages."""
    upload = Upload("uploads", key, "v1", _PUT)
    files.uploads[key, upload.version], files.puts[key, upload.version] = content, _PUT
    files.metadata_of[key, upload.version] = write_options(UploadOptions(is_many=True))
    ingest_part(upload, collaborators)
    messages = 1
    while queue.waiting:
        messages += 1
        ingest_part(read_part(json.loads(queue.waiting.pop(0))), collaborators)
    return messages
