"""`python -m infra.bench.workers.ingest_worker NUMBER WARMING [FOLDER]`: ingest records, and measure.

Without a folder, the bare side: as many calls of `PutItem`, with items like those of ingest. The function's
own flow and registry run here, with stored files in a folder, so that they use no memory. Prints a line of
JSON: CPU and wall time in seconds, and the peak of the process's memory in bytes, as Lambda measures it.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from random import Random
from shutil import copyfileobj
from typing import IO

import botocore.session

from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.retrying_client import make_retrying_client
from ginuri.files.reports.report import Upload
from ginuri.identifiers.errors import PartsMissing
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryQueue
from ginuri.registry.content import UploadHead
from ginuri.registry.model import StoredFile
from ginuri.registry.record.history import History, Statement
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import RECORD_FIRST
from infra.bench.records import UNDER, registered, registry_item, write_wells
from infra.bench.workers.own_process import memory, stay_on

_REPORT = "report"
_WRITERS = 8
"""The most concurrent writes, as in the function."""
_CHUNK = 64 * 1024


class StoredFiles:
    """Uploads and reports in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size of an upload, and no metadata."""
        path = self._path(key, version)
        return UploadHead(path.stat().st_size, {}) if path.exists() else None

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""
        with self._path(key, version).open("rb") as content:
            while chunk := content.read(_CHUNK):
                yield chunk

    def reported(self, key: str) -> bytes | None:
        """Read a report."""
        path = self._path(key)
        return path.read_bytes() if path.exists() else None

    def reported_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a report. Raises PartsMissing."""
        path = self._path(key)
        if not path.exists():
            raise PartsMissing(key)
        with path.open("rb") as report:
            report.seek(first)
            return report.read(length)

    def reports_under(self, prefix: str) -> Sequence[str]:
        """Return the keys of reports with this prefix."""
        paths = self._folder.glob(f"*#{_REPORT}")
        keys = (path.name.removesuffix(f"#{_REPORT}").replace("!", "/") for path in paths)
        return sorted(key for key in keys if key.startswith(prefix))

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        """Write a report."""
        with self._path(key).open("wb") as report:
            copyfileobj(BytesIO(body) if isinstance(body, bytes) else body, report)

    def put(self, key: str, version: str, records: range) -> Upload:
        """Put a table that registers so many records."""
        with self._path(key, version).open("w", encoding="utf-8") as table:
            write_wells(table, records)
        return Upload("uploads", key, version, "2024-05-17T10:04:31.120Z")

    def keep(self, _name: str, _put: str) -> StoredFile | None:
        """Store no file: the uploads name none."""
        return None

    inspect = keep

    def _path(self, key: str, version: str = _REPORT) -> Path:
        return self._folder / f"{key.replace('/', '!')}#{version}"


class StubbedRegistry(DynamoRegistry):
    """The registry of a stub that discards writes: only the history shows that the upload was applied."""

    upload: Upload

    def history(self, name: str) -> History:
        """Return one statement of the upload."""
        stamp = Stamp(self.upload.put, self.upload.key, self.upload.version, 1)
        return History(name, (Statement(RECORD_FIRST, 0, stamp),))


class Inbox:
    """The only place that builds the function's collaborators."""

    def __init__(self, files: StoredFiles, registry: StubbedRegistry, lister: DynamoMemberLister) -> None:
        self._files, self._queue, self._registry = files, MemoryQueue(), registry
        mapper = ThreadPoolExecutor(_WRITERS).map
        self._desk = IngestCollaborators(files, registry, lister, files, self._queue, time.monotonic, mapper)

    def deliver(self, upload: Upload) -> int:
        """Ingest an upload to its end, and return the number of registered identifiers."""
        self._registry.upload = upload
        registered = ingest_part(upload, self._desk).get("registered", 0)
        while self._queue.waiting:
            part = read_part(json.loads(self._queue.waiting.pop(0)))
            registered += ingest_part(part, self._desk).get("registered", 0)
        return registered


def measure(folder: Path, number: int, warming: int) -> dict[str, float]:
    """Ingest so many records, after a few that warm up. Raises AssertionError if some are refused."""
    files = StoredFiles(folder)
    random = Random()  # noqa: S311  a delay is not secret
    client = make_retrying_client(time.sleep, time.monotonic, random)
    table = os.environ["REGISTRY_TABLE"]
    inbox = Inbox(files, StubbedRegistry(client, table), DynamoMemberLister(client, table))
    inbox.deliver(files.put(f"{UNDER}warming.csv", "v1", range(warming)))
    upload = files.put(f"{UNDER}wells.csv", "v2", range(warming, warming + number))
    _forget_peak()
    cpu, wall = time.process_time(), time.perf_counter()
    registered = inbox.deliver(upload)
    spent = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}
    if registered != number:
        raise AssertionError(f"{registered} of {number} were registered")
    return {**spent, "peak": memory("VmHWM")}


def measure_bare(number: int, warming: int) -> dict[str, float]:
    """Write so many items in a loop, by an unconfigured botocore client."""
    client, table = botocore.session.get_session().create_client("dynamodb"), os.environ["REGISTRY_TABLE"]
    items = [registry_item(registered(place)) for place in range(warming + number)]
    for item in items[:warming]:
        client.put_item(TableName=table, Item=item)  # type: ignore[attr-defined]  # made at run time
    cpu, wall = time.process_time(), time.perf_counter()
    for item in items[warming:]:
        client.put_item(TableName=table, Item=item)  # type: ignore[attr-defined]  # made at run time
    return {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def _forget_peak() -> None:
    """Restart the measurement of peak memory."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # proc(5): resets the peak


def main(number: str, warming: str, folder: str | None = None) -> None:
    """Measure either side and print the figures."""
    spent = (
        measure_bare(int(number), int(warming))
        if folder is None
        else measure(Path(folder), int(number), int(warming))
    )
    sys.stdout.write(f"{json.dumps(spent)}\n")


if __name__ == "__main__":
    stay_on(0)
    main(*sys.argv[1:])
