"""What a folder would change in a registry: each file is judged as ingest would, after those it needs."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

from ginuri.cli.apply.folder import RegistrationFile
from ginuri.cli.apply.snapshot import retire_absent
from ginuri.cli.ports import IngestReaders
from ginuri.cli.uploads.validate import AT_ONCE
from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.report import Upload, report_key
from ginuri.files.reports.summary import summary_key
from ginuri.files.upload_order import is_registry_file
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.memory import MemoryQueue, MemoryUploads
from ginuri.registration.dry_run import DryRunRegistry
from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registration.verdicts import Outcome
from ginuri.registry.clock import Clock, utc_now, write_moment
from ginuri.registry.model import StoredFile
from ginuri.registry.ports import MOST_FETCHED, Registry
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.record import Record

_NONE = UploadOptions()
_UNSTATED = ("status", "valid")
"""The field of a change, and a value before it that no file needs to state."""
_WRITTEN = {Outcome.REGISTERED, Outcome.CHANGED}


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A registration file, and the report on it as it would be."""

    file: RegistrationFile
    body: bytes = field(repr=False)
    """The report as JSON, which needs a tenth of the memory of its objects."""
    refused: int
    """The number of refused registrations."""
    is_pending: bool = False
    """Whether uploading it would leave another registry than the present one."""

    @property
    def report(self) -> Mapping[str, Any]:
        """The report, parsed at each call."""
        report: Mapping[str, Any] = json.loads(self.body)
        return report

    def written(self) -> Iterator[str]:
        """Return the records that the file registers or changes."""
        return (_record_of(verdict) for verdict in self.report["verdicts"] if verdict["verdict"] in _WRITTEN)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A field that two files of a folder state differently; the later one wins."""

    identifier: str
    field: str
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Plan:
    """The uploads that bring a registry to the state of a folder."""

    files: Sequence[PlannedFile]
    """All files, in the order in which they are uploaded."""
    stored: Mapping[str, Path]
    """The stored files to upload first, by key."""
    contradictions: Sequence[Contradiction]
    unretired: Sequence[str] = ()
    """The prefixes of snapshots that retire nothing, because a registration is refused."""

    @property
    def pending(self) -> Sequence[PlannedFile]:
        """The files to upload."""
        return [planned for planned in self.files if planned.is_pending]

    @property
    def refused(self) -> int:
        """The number of refused registrations."""
        return sum(planned.refused for planned in self.files)

    @property
    def is_empty(self) -> bool:
        """Whether nothing needs to be uploaded."""
        return not (self.pending or self.stored)


class Planner:
    """Judges registration files over a registry, and keeps in memory what they would write."""

    def __init__(self, readers: IngestReaders, files: Mapping[str, Path], now: Clock = utc_now) -> None:
        self._readers = readers
        self._registry = _Overlay(readers.registry)
        self._files = _NamedFiles(readers.keeper, files)
        # Each file is judged as if it had been put after the one before.
        self._moments = (now() + timedelta(milliseconds=number) for number in count())

    def plan(
        self, files: Iterable[RegistrationFile], snapshots: Sequence[str] = (), options: UploadOptions = _NONE
    ) -> Plan:
        """Judge files, and those whose rows are refused once more after the others.

        All of them together are complete for the prefixes of snapshots; `options` are those of the file that
        retires other identifiers. Raises RegistryUnavailable.
        """
        planned = self._judge_all(files)
        is_refused = any(each.refused for each in planned)
        named = {_record_of(verdict) for each in planned for verdict in each.report["verdicts"]}
        for prefix in () if is_refused else snapshots:
            file = retire_absent(prefix, named, self._readers, options, next(self._moments))
            planned += self._judge_all([file] if file else [])
        return self._compare(planned, snapshots if is_refused else ())

    def _judge_all(self, files: Iterable[RegistrationFile]) -> list[PlannedFile]:
        waiting, planned = list(files), list[PlannedFile]()
        is_last = False
        while waiting:
            refused = []
            for file in waiting:
                self._files.uploaded.add(file.key)
                judged, written = self._judge(file)
                if judged.refused and not is_last:
                    refused.append(file)
                    self._files.uploaded.discard(file.key)
                else:
                    self._registry.adopt(written)
                    planned.append(judged)
            is_last = len(refused) == len(waiting)  # no other file registers what these need
            waiting = refused
        return planned

    def _judge(self, file: RegistrationFile) -> tuple[PlannedFile, Mapping[str, Record]]:
        put = write_moment(next(self._moments))
        upload, uploads, registry = Upload("", file.key, "", put), MemoryUploads(), _Overlay(self._registry)
        uploads.uploads[file.key, ""] = file.read()
        uploads.metadata_of[file.key, ""] = write_options(file.options)
        ingest_part(
            upload,
            IngestCollaborators(
                uploads,
                registry,
                self._readers.lister,
                self._files,
                MemoryQueue(),
                time.monotonic,
                limits=AT_ONCE,
                canonical_host=self._readers.canonical_host,
            ),
        )
        summary = json.loads(uploads.reports[summary_key(file.key, "")])
        body = uploads.reports[report_key(file.key, "")]
        return PlannedFile(file, body, summary["counts"]["refused"]), registry.written

    def _compare(self, planned: Sequence[PlannedFile], unretired: Sequence[str]) -> Plan:
        changing, stored = self._changing(), dict(self._files.changed)
        files = list[PlannedFile]()
        for each in planned:
            is_named = stored.pop(each.file.key, None) is not None
            is_pending = is_named or any(name in changing for name in each.written())
            files.append(replace(each, is_pending=is_pending))
        return Plan(files, stored, list(_contradictions(planned)), unretired)

    def _changing(self) -> set[str]:
        """Return the identifiers whose values differ after all files; some only differ in between."""
        after, changing = self._registry.written, set[str]()
        names = list(after)
        for start in range(0, len(names), MOST_FETCHED):
            some = names[start : start + MOST_FETCHED]
            before = self._readers.registry.read(some)
            changing |= {
                name for name in some if name not in before or before[name].values() != after[name].values()
            }
        return changing


class _Overlay(DryRunRegistry):
    """A registry without proofs of uploads: each file is judged once."""

    def __init__(self, registry: Registry) -> None:
        super().__init__(registry)

    def applied(self, key: str, version: str) -> AppliedUpload | None:  # noqa: ARG002  no file was applied
        """Return no proof."""
        return None

    def note_applied(self, upload: AppliedUpload) -> None:
        """Keep no proof."""


class _NamedFiles:
    """The files that registrations name in `file`: those of the folder, else those that were uploaded."""

    def __init__(self, keeper: InspectingFileKeeper, files: Mapping[str, Path]) -> None:
        self._keeper = keeper
        self._files = files
        self._digests: dict[str, str] = {}
        self._found: dict[str, StoredFile | None] = {}
        self.uploaded = set[str]()
        """The registration files up to the one that is judged; a vocabulary may name itself."""
        self.changed: dict[str, Path] = {}
        """The named files of the folder whose content differs from the upload."""

    def inspect(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file that an upload of the folder would keep. Raises RegistryUnavailable."""
        if name not in self._found:
            self._found[name] = self._keeper.inspect(name, put)
        found, path = self._found[name], self._files.get(name)
        if path is None or (found is not None and found.sha256 == self._digest(path)):
            return found
        if is_registry_file(name) and name not in self.uploaded:
            return found
        self.changed[name] = path
        return StoredFile(name, "", path.stat().st_size, self._digest(path), f"{put[:19]}Z")

    keep = inspect

    def _digest(self, path: Path) -> str:
        key = str(path)
        if key not in self._digests:
            with path.open("rb") as content:
                self._digests[key] = hashlib.file_digest(content, "sha256").hexdigest()
        return self._digests[key]


def _record_of(verdict: Mapping[str, Any]) -> str:
    """Return the name of the record that a verdict is about; rules have the identifier of their prefix."""
    name = str(verdict["identifier"])
    return record_of_grants(name) if "to" in verdict else name


def _contradictions(planned: Sequence[PlannedFile]) -> Iterator[Contradiction]:
    stated: dict[tuple[str, str], str] = {}
    for each in planned:
        key, own = each.file.key, set[tuple[str, str]]()
        for verdict in each.report["verdicts"]:
            name = _record_of(verdict)
            if verdict["verdict"] == Outcome.REGISTERED and "to" not in verdict:
                own.add((name, ""))
            for change in verdict["changes"]:
                field, before = change["field"], change["before"]
                first = stated.get((name, field)) or stated.get((name, ""))
                if first and before is not None and (field, before) != _UNSTATED:
                    yield Contradiction(name, field, first, key)
                own.add((name, field))
        stated |= dict.fromkeys(own, key)
