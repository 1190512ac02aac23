"""A steward with a registry in memory: puts files, has them taken in, reads the reports on them."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any

from ginuri.files.export import Values, place_in_folders, prefix_of
from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import Upload, refused_key, report_key
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryContentStore, MemoryQueue, MemoryRegistry, MemoryUploads
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.ports import UploadRegistry
from tests.report_schema import read_report

HOST = (
    '{"record": "scheme", "identifier": "uri-gin/", "title": "The scheme"}\n'
    '{"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"}\n'
    '{"record": "authority", "identifier": "uri-gin/usgin/", "title": "Network"}\n'
)
TYPES = '{"record": "resource-type", "identifier": "uri-gin/azgs/doc/", "title": "Document"}\n'
LINES = "uri-gin/azgs/wells.jsonl"
TABLE = "uri-gin/azgs/wells.csv"


@dataclass(frozen=True)
class Heard:
    """One verdict of a report."""

    lines: tuple[int, ...]
    verdict: str
    identifier: str | None
    findings: Sequence[Mapping[str, str]]

    @property
    def broken(self) -> list[tuple[str, str]]:
        """The field and the rule of every finding that stopped it."""
        return [(each["field"], each["rule"]) for each in self.findings if each["level"] == "refused"]

    @property
    def warned(self) -> list[tuple[str, str]]:
        """The field and the rule of every finding that did not."""
        return [(each["field"], each["rule"]) for each in self.findings if each["level"] == "warned"]


@dataclass(frozen=True)
class Report:
    """What the steward reads."""

    whole: Mapping[str, Any]
    refused_lines: bytes | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many verdicts of each kind, those left out of which there is none."""
        return {outcome: number for outcome, number in self.whole["counts"].items() if number}

    @property
    def verdicts(self) -> list[Heard]:
        """Every verdict, in the order of the report."""
        return [
            Heard(tuple(each["lines"]), each["verdict"], each["identifier"], each["findings"])
            for each in self.whole["verdicts"]
        ]

    @property
    def refused(self) -> dict[tuple[int, ...], list[tuple[str, str]]]:
        """For the lines of each refused verdict, the fields and the rules that were broken."""
        return {each.lines: each.broken for each in self.verdicts if each.verdict == "refused"}


class Steward:
    """Everything is put a second after what was put before."""

    def __init__(self, registry: UploadRegistry | None = None, limits: Limits | None = None) -> None:
        self.memory = MemoryRegistry()
        self.registry = registry or self.memory
        self.content = MemoryContentStore()
        self.files = MemoryUploads(self.content)
        self.queue = MemoryQueue()
        self.limits = limits or Limits()
        self.now: Clock = utc_now
        """The clock that it is told by how long ago an upload was put."""
        self.day = "2011-08-25"
        """The day on which uploads are put."""
        self._puts = 0

    @property
    def collaborators(self) -> IngestCollaborators:
        """What uploads are taken in with."""
        lister = self.registry if isinstance(self.registry, MemoryRegistry) else self.memory
        stores = (self.files, self.registry, lister, self.files, self.queue)
        return IngestCollaborators(*stores, time.monotonic, limits=self.limits, now=self.now)

    def put(self, key: str, content: str | bytes, **said: str) -> Upload:
        """Put a file, which is not taken in yet, with what is said beside it."""
        self._puts += 1
        hours, minutes = divmod(self._puts, 60)
        put = f"{self.day}T{17 + hours}:{minutes:02d}:00.000Z"
        upload = Upload("uploads", key, f"v{self._puts}", put)
        self.files.uploads[key, upload.version] = content.encode() if isinstance(content, str) else content
        self.files.metadata_of[key, upload.version] = said
        self.files.puts[key, upload.version] = put
        return upload

    def deliver(self, upload: Upload) -> Report:
        """Have an upload taken in, for the first time or again."""
        ingest_part(upload, self.collaborators)
        self.work_off()
        return self.report(upload)

    def work_off(self) -> None:
        """Have everything taken in that waits in the queue."""
        while self.queue.waiting:
            ingest_part(read_part(json.loads(self.queue.waiting.pop(0))), self.collaborators)

    def report(self, upload: Upload) -> Report:
        """Read the report on an upload."""
        reports = self.files.reports
        return Report(
            read_report(reports[report_key(upload.key, upload.version)]),
            reports.get(refused_key(upload.key, upload.version)),
        )

    def upload(self, key: str, content: str | bytes, **said: str) -> Report:
        """Put a file and have it taken in."""
        return self.deliver(self.put(key, content, **said))

    def try_out(self, key: str, content: str | bytes) -> Report:
        """Put a file and hear what would come of it."""
        return self.deliver(self.put(key, content, **write_options(UploadOptions(is_dry_run=True))))

    def exported(self, folder: str) -> list[str]:
        """Give the lines of an export for a folder."""
        standing = self.memory.standing(prefix_of(folder))
        return [f"{each}\n" for each in write_registry(standing, folder)]

    def values(self, identifier: str) -> dict[str, Any] | None:
        """Give what is registered about an identifier; None where nothing is."""
        record = self.registry.read([identifier]).get(identifier)
        return None if record is None else record.values()


def settled(registry: UploadRegistry | None = None) -> Steward:
    """Give a steward whose scheme, authorities and resource type are registered."""
    return pickle.loads(_settled()) if registry is None else _settle(registry)  # noqa: S301  our own


def recent() -> Steward:
    """Give a settled steward whose uploads are put after every rule of today came into force."""
    steward = settled()
    steward.day = "2027-01-01"
    steward.now = lambda: datetime(2027, 1, 2, tzinfo=UTC)
    return steward


@cache
def _settled() -> bytes:
    return pickle.dumps(_settle(None))


def _settle(registry: UploadRegistry | None) -> Steward:
    steward = Steward(registry)
    steward.upload("_host/all.jsonl", HOST)
    steward.upload("uri-gin/azgs/1-types.jsonl", TYPES)
    return steward


def line(identifier: str, **fields: Any) -> str:
    """Write one line of JSON; what has no title gets one."""
    return json.dumps({"identifier": identifier, "title": "Well", **fields}, ensure_ascii=False) + "\n"


def write_registry(standing: Iterable[tuple[str, Values]], folder: str) -> Iterator[str]:
    """Write what stands about identifiers as an export does, in the order of the identifiers."""
    for placed in sorted(place_in_folders(standing, folder)):
        yield from placed.lines
