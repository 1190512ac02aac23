"""`python -m infra.bench.ingest_worker FOLDER NUMBER WARMING`: take in so many records, and measure.

The function's own flow and registry, with stored files in a folder: what S3 would hold takes no memory here.
What is told is a line of JSON: CPU and wall time in seconds, and the peak of memory in bytes above what the
warm process has.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from ginuri.adapters.dynamodb import DynamoRegistry
from ginuri.adapters.patient import make_patient_client
from ginuri.core.content import UploadStore
from ginuri.core.keeping import InspectingKeeper
from ginuri.core.model import StoredFile
from ginuri.core.registry import Registry
from ginuri.documents.reports import Upload
from infra.bench.processors import stay_on
from infra.bench.records import UNDER
from ingest.flow import take_in

_WRITERS = 8
"""How many records are written at once, as in the function."""
_CHUNK = 1024 * 1024
_HEADING = "identifier,title,title@es,media_type,location,links.license,properties.county\n"


class StoredFiles:
    """Uploads and reports in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def size(self, key: str, version: str) -> int | None:
        """Give the length of an upload."""
        path = self._path(key, version)
        return path.stat().st_size if path.exists() else None

    def metadata(self, _key: str, _version: str) -> Mapping[str, str]:
        """Give what was said beside an upload: nothing."""
        return {}

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""
        with self._path(key, version).open("rb") as content:
            while chunk := content.read(_CHUNK):
                yield chunk

    def reported(self, key: str) -> bytes | None:
        """Read a report."""
        path = self._path(key)
        return path.read_bytes() if path.exists() else None

    def report(self, key: str, body: bytes) -> None:
        """Write a report."""
        self._path(key).write_bytes(body)

    def put(self, key: str, version: str, records: range) -> Upload:
        """Put a table that registers so many records."""
        with self._path(key, version).open("w", encoding="utf-8") as table:
            table.write(_HEADING)
            for number in records:
                table.write(
                    f"{UNDER}new-{number:07d}/,Well {number},Pozo {number},text/html,"
                    f"https://example.org/{number}.html,https://example.org/by/,Cochise\n"
                )
        return Upload("uploads", key, version, "2024-05-17T10:04:31.120Z")

    def keep(self, _name: str) -> StoredFile | None:
        """Keep a file: there is none."""
        return None

    inspect = keep

    def _path(self, key: str, version: str = "report") -> Path:
        return self._folder / f"{key.replace('/', '!')}#{version}"


class Inbox:
    """The one place that knows how the function is set to work on an upload."""

    def __init__(self, files: UploadStore, keeper: InspectingKeeper, registry: Registry) -> None:
        self._files, self._keeper, self._registry = files, keeper, registry
        self._pool = ThreadPoolExecutor(_WRITERS)

    def deliver(self, upload: Upload) -> int:
        """Have an upload taken in to its end, and tell how many identifiers it registered."""
        counts = take_in(upload, self._files, self._registry, self._keeper, time.monotonic, self._pool.map)
        return counts["registered"]


def measure(folder: Path, number: int, warming: int) -> dict[str, float]:
    """Take in so many records, after a few that warm up. Raises AssertionError where some are refused."""
    files = StoredFiles(folder)
    random = Random()  # noqa: S311  how long to wait is no secret
    client = make_patient_client(time.sleep, time.monotonic, random)
    inbox = Inbox(files, files, DynamoRegistry(client, os.environ["REGISTRY_TABLE"]))
    inbox.deliver(files.put(f"{UNDER}warming.csv", "v1", range(warming)))
    upload = files.put(f"{UNDER}wells.csv", "v2", range(warming, warming + number))
    idle = _forget_peak()
    cpu, wall = time.process_time(), time.perf_counter()
    registered = inbox.deliver(upload)
    spent = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    if registered != number:
        raise AssertionError(f"{registered} of {number} were registered")
    return {**spent, "peak": _memory("VmHWM") - idle}


def _forget_peak() -> int:
    """Begin to look for the peak of memory from here on, and give what is in use."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # proc(5): resets the peak
    return _memory("VmRSS")


def _memory(name: str) -> int:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = re.search(rf"^{name}:\s+(\d+) kB$", status, re.MULTILINE)
    return int(found[1]) * 1024 if found else 0


if __name__ == "__main__":
    stay_on(0)
    sys.stdout.write(f"{json.dumps(measure(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))}\n")
