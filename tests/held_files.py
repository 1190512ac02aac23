"""`python tests/held_files.py`: ingest files with limited memory, each in a fork of this process.

Each line of the input is `[key, path, size, megabytes]` in JSON; `size` is the size that S3 reports, whatever
the real one. Prints for each, as a line of JSON, the findings of the report, the counts, the bytes that were
read, and the peak of memory in bytes above an idle process.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ginuri.files.reports.report import Upload, report_key
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryQueue, MemoryRegistry, MemoryUploads
from ginuri.registry.content import UploadHead

_HOST = b"""\
{"record": "scheme", "identifier": "uri-gin/", "title": "The scheme"}
{"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"}
"""

_CHUNK = 1024 * 1024


class _OnDisk(MemoryUploads):
    """Uploads that are read from the disk like those from S3, so that only reading uses memory."""

    path = Path()
    claimed = 0
    handed_over = 0

    def head(self, key: str, version: str) -> UploadHead | None:
        head = super().head(key, version)
        return head and head._replace(size=self.claimed)

    def read(self, key: str, version: str) -> Iterator[bytes]:
        if self.uploads[key, version]:
            yield self.uploads[key, version]
            return
        with self.path.open("rb") as content:
            while chunk := content.read(_CHUNK):
                self.handed_over += len(chunk)
                yield chunk


def _memory(name: str) -> int:
    found = re.search(
        rf"^{name}:\s+(\d+) kB$", Path("/proc/self/status").read_text(encoding="ascii"), re.MULTILINE
    )
    return int(found[1]) * 1024 if found else 0


def _deliver(files: _OnDisk, registry: MemoryRegistry, key: str) -> dict[str, Any]:
    """Ingest the file of this key, and read the report on it."""
    queue = MemoryQueue()
    collaborators = IngestCollaborators(files, registry, registry, files, queue, time.monotonic)
    ingest_part(Upload("uploads", key, "v1", "2011-08-25T17:29:00.000Z"), collaborators)
    while queue.waiting:
        ingest_part(read_part(json.loads(queue.waiting.pop(0))), collaborators)
    report: dict[str, Any] = json.loads(files.reports[report_key(key, "v1")])
    return report


def _take_in(key: str, path: str, size: int, megabytes: int) -> dict[str, Any]:
    """Ingest the file, in an address space with so many megabytes left."""
    files, registry = _OnDisk(), MemoryRegistry()
    files.path, files.claimed = Path(path), 1
    files.uploads |= {("_host/all.jsonl", "v1"): _HOST, (key, "v1"): b""}
    _deliver(files, registry, "_host/all.jsonl")  # late imports have happened by now
    files.claimed = size
    idle, space = _memory("VmRSS"), _memory("VmSize") + megabytes * _CHUNK
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    report = _deliver(files, registry, key)
    return {
        "findings": [finding for verdict in report["verdicts"] for finding in verdict["findings"]][:20],
        "counts": {name: number for name, number in report["counts"].items() if number},
        "read": files.handed_over,
        "peak": _memory("VmHWM") - idle,
    }


def main() -> None:
    """Ingest each file in a process of its own, which imports nothing: it has the modules of this one."""
    files = _OnDisk()
    files.claimed, files.uploads["_host/all.jsonl", "v1"] = 1, _HOST
    _deliver(files, MemoryRegistry(), "_host/all.jsonl")
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            sys.stdout.write(f"{json.dumps(_take_in(*json.loads(line)))}\n")
            sys.stdout.flush()
            os._exit(0)
        if os.waitpid(child, 0)[1] != 0:  # its traceback is in the errors
            sys.stdout.write("{}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
