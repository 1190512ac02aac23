"""A steward with a registry in memory: uploads files, ingests them, reads the reports."""

from __future__ import annotations

import json
import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import Upload, refused_key, report_key
from ginuri.ingest.collaborators import IngestCollaborators, Limits, never_revoked
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryContentStore, MemoryQueue, MemoryRegistry, MemoryUploads
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.model import Rule
from ginuri.registry.ports import MemberLister, UploadRegistry
from ginuri.registry.rules.beginnings import record_of_beginning
from tests.report_schema import read_report

if TYPE_CHECKING:
    from ginuri.files.export import Values

HOST = (
    '{"record": "scheme", "identifier": "uri-gin/", "title": "The scheme"}\n'
    '{"record": "authority", "identifier": "uri-gin/azgs/", "title": "Survey"}\n'
    '{"record": "authority", "identifier": "uri-gin/usgin/", "title": "Network"}\n'
)
TYPES = '{"record": "resource-type", "identifier": "uri-gin/azgs/doc/", "title": "Document"}\n'
SETTLED = {"_host/all.jsonl": HOST, "uri-gin/azgs/1-types.jsonl": TYPES}
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
        """The field and the rule of every finding of level `refused`."""
        return [(each["field"], each["rule"]) for each in self.findings if each["level"] == "refused"]

    @property
    def warned(self) -> list[tuple[str, str]]:
        """The field and the rule of every other finding."""
        return [(each["field"], each["rule"]) for each in self.findings if each["level"] == "warned"]


@dataclass(frozen=True)
class Report:
    """The report for the steward."""

    whole: Mapping[str, Any]
    refused_lines: bytes | None = None

    @property
    def counts(self) -> dict[str, int]:
        """The number of verdicts of each kind, without zeros."""
        return {outcome: number for outcome, number in self.whole["counts"].items() if number}

    @property
    def verdicts(self) -> list[Heard]:
        """Every verdict, in the order of the report, with the warnings that the report lists only once."""
        same = [group for group in self.whole.get("finding_groups", ()) if group.get("identical")]
        return [
            Heard(
                tuple(each["lines"]),
                each["verdict"],
                each["identifier"],
                [*each["findings"], *(group["finding"] for group in same if _has_line_of(group, each))],
            )
            for each in self.whole["verdicts"]
        ]

    @property
    def refused(self) -> dict[tuple[int, ...], list[tuple[str, str]]]:
        """For the lines of each refused verdict, the fields and the broken rules."""
        return {each.lines: each.broken for each in self.verdicts if each.verdict == "refused"}


def _has_line_of(group: Mapping[str, Any], verdict: Mapping[str, Any]) -> bool:
    return any(first <= line <= last for first, last in group["lines"] for line in verdict["lines"])


class Steward:
    """Each file is uploaded a second after the previous one."""

    def __init__(
        self,
        registry: UploadRegistry | None = None,
        limits: Limits | None = None,
        lister: MemberLister | None = None,
    ) -> None:
        self.memory = MemoryRegistry()
        self.registry = registry or self.memory
        self._lister = lister
        self.content = MemoryContentStore()
        self.files = MemoryUploads(self.content)
        self.queue = MemoryQueue()
        self.limits = limits or Limits()
        self.now: Clock = utc_now
        """The clock that measures the age of an upload."""
        self.day = "2011-08-25"
        """The day of the uploads."""
        self.identity = self.api_identity = ""
        """Who uploads, and the identity of the API."""
        self.is_revoked: Callable[[str], bool] = never_revoked
        self._puts = 0

    @property
    def collaborators(self) -> IngestCollaborators:
        """The collaborators of ingest."""
        lister = self._lister or (self.registry if isinstance(self.registry, MemoryRegistry) else self.memory)
        stores = (self.files, self.registry, lister, self.files, self.queue)
        return IngestCollaborators(
            *stores,
            time.monotonic,
            limits=self.limits,
            now=self.now,
            api_identity=self.api_identity,
            is_revoked=self.is_revoked,
        )

    def put(self, key: str, content: str | bytes, **said: str) -> Upload:
        """Upload a file, with its metadata, without ingesting it."""
        self._puts += 1
        hours, minutes = divmod(self._puts, 60)
        put = f"{self.day}T{17 + hours}:{minutes:02d}:00.000Z"
        upload = Upload("uploads", key, f"v{self._puts}", put, self.identity)
        self.files.uploads[key, upload.version] = content.encode() if isinstance(content, str) else content
        self.files.metadata_of[key, upload.version] = said
        self.files.puts[key, upload.version] = put
        return upload

    def begin(self, upload: Upload) -> None:
        """Ingest the first part of an upload."""
        ingest_part(upload, self.collaborators)

    def deliver(self, upload: Upload) -> Report:
        """Ingest an upload, for the first time or again."""
        self.begin(upload)
        self.work_off()
        return self.report(upload)

    def work_off(self) -> None:
        """Ingest all uploads in the queue."""
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
        """Upload and ingest a file."""
        return self.deliver(self.put(key, content, **said))

    def try_out(self, key: str, content: str | bytes) -> Report:
        """Upload a file as a dry run."""
        return self.deliver(self.put(key, content, **write_options(UploadOptions(is_dry_run=True))))

    def exported(self, folder: str) -> list[str]:
        """Return the lines of an export for a folder."""
        from ginuri.files.export import prefix_of  # noqa: PLC0415  an upload needs no exports

        standing = self.memory.standing(prefix_of(folder))
        return [f"{each}\n" for each in write_registry(standing, folder)]

    def rules(self, prefix: str) -> list[Rule]:
        """Return the rules of a prefix, wherever they are stored, the most literal first."""
        page = self.registry.beginnings(prefix)
        names = [prefix, *(record_of_beginning(prefix, beginning) for beginning in page.names)]
        found = [rule for record in self.registry.fetch(names).values() for rule in record.rules]
        return sorted(
            (rule for rule in found if rule.prefix == prefix),
            key=lambda rule: rule.pattern.rank,
            reverse=True,
        )

    def values(self, identifier: str) -> dict[str, Any] | None:
        """Return the registered values of an identifier; None if there are none."""
        record = self.registry.read([identifier]).get(identifier)
        return None if record is None else record.values()


SETTLING: list[Callable[[], Steward]] = []
"""Makes settled stewards with other stores while some tests run."""


def settled(registry: UploadRegistry | None = None, lister: MemberLister | None = None) -> Steward:
    """Return a steward whose scheme, authorities and resource type are registered."""
    if registry is None and SETTLING:
        return SETTLING[0]()
    return pickle.loads(_settled()) if registry is None else _settle(Steward(registry, lister=lister))  # noqa: S301  our own


def recent() -> Steward:
    """Return a settled steward whose files are uploaded after all rules of today came into force."""
    steward = settled()
    steward.day = "2027-01-01"
    steward.now = lambda: datetime(2027, 1, 2, tzinfo=UTC)
    return steward


@cache
def _settled() -> bytes:
    return pickle.dumps(_settle(Steward()))


def _settle(steward: Steward) -> Steward:
    for key, text in SETTLED.items():
        steward.upload(key, text)
    return steward


def line(identifier: str, **fields: Any) -> str:
    """Write one line of JSON; a registration without a title gets one."""
    return json.dumps({"identifier": identifier, "title": "Well", **fields}, ensure_ascii=False) + "\n"


def write_registry(standing: Iterable[tuple[str, Values]], folder: str) -> Iterator[str]:
    """Write the current values of identifiers like an export, in the order of the identifiers."""
    from ginuri.files.export import place_in_folders  # noqa: PLC0415  an upload needs no exports

    for placed in sorted(place_in_folders(standing, folder)):
        yield from placed.lines
