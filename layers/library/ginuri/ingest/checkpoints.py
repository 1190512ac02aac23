"""The attempts at an upload, and their intermediate results.

These are in memory for a small file, else in the reports bucket. A further attempt begins if the table has
lost registrations of an earlier one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Protocol

from ginuri.files.reports.report import Upload
from ginuri.files.reports.summary import (
    ReportSummary,
    Uploader,
    attempt_version,
    read_summary,
    summary_key,
)
from ginuri.identifiers.errors import PartsMissing
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.principals import Principal, principal_of
from ginuri.registration.authorization import Scope
from ginuri.registration.verdicts import Finding
from ginuri.registry.content import WORK_FOLDER, UploadStore
from ginuri.registry.ports import AppliedUploads


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at an upload; its checkpoints and its report are not those of another attempt."""

    upload: Upload
    number: int = 1
    restart: int = 0
    """The number of restarts, because the registry had lost records of it meanwhile."""
    principal: Principal | None = None
    """Who uploaded it; None until the metadata of the upload were read."""

    @property
    def uploader(self) -> Uploader:
        """What its report states about the uploader."""
        if self.principal is None:
            return Uploader(self.upload.identity)
        return self.principal.uploader(self.upload)

    @property
    def scope(self) -> Scope | None:
        """The rights of the upload; None for all that its folder may do."""
        if self.principal is None:
            raise AssertionError("rows are registered after the metadata of their upload were read")
        return self.principal.scope

    @property
    def version(self) -> str:
        """The version of the upload in the names of reports and checkpoints, which distinguishes attempts."""
        return attempt_version(self.upload.version, self.number)


def find_attempt(upload: Upload, uploads: UploadStore, applied: AppliedUploads) -> Attempt | ReportSummary:
    """Return the attempt to carry out, the same for all deliveries, or the summary if all is done.

    An attempt ends with its summary. The summary of an upload that changes the registry counts only together
    with the proof in the registry: a restored table has lost both the rows and the proof. Raises
    RegistryUnavailable.
    """
    for number in count(1):
        attempt = Attempt(upload, number)
        body = uploads.reported(summary_key(upload.key, attempt.version))
        if body is None:
            return attempt
        summary = read_summary(json.loads(body))
        if not summary.changes_registry or (
            number == 1 and applied.applied(upload.key, upload.version) is not None
        ):
            return summary
    raise AssertionError("numbers do not end")


def identify(
    attempt: Attempt, metadata: Mapping[str, str], collaborators: IngestCollaborators
) -> Attempt | Finding:
    """Return the attempt with the principal of the upload, or the finding that refuses the upload."""
    principal = principal_of(attempt.upload, metadata, collaborators.api_identity)
    if isinstance(principal, Finding):
        return principal
    collaborators.note_principal(principal)
    return replace(attempt, principal=principal)


class Checkpoints(Protocol):
    """Small files of one upload. All methods raise RegistryUnavailable; reading ones also PartsMissing."""

    def write(self, name: str, body: bytes) -> None:
        """Write a file; writing it twice has no further effect."""

    def read(self, name: str) -> bytes:
        """Read a file."""

    def read_range(self, name: str, first: int, length: int) -> bytes:
        """Read some bytes of a file."""

    def names(self, prefix: str) -> Sequence[str]:
        """List the names of files that start with a prefix, in order."""


class MemoryCheckpoints:
    """Checkpoints of a file that one call processes completely."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def write(self, name: str, body: bytes) -> None:
        """Write a file."""
        self._files[name] = body

    def read(self, name: str) -> bytes:
        """Read a file."""
        return self._files[name]

    def read_range(self, name: str, first: int, length: int) -> bytes:
        """Read some bytes of a file."""
        return self._files[name][first : first + length]

    def names(self, prefix: str) -> Sequence[str]:
        """List the names of files that start with a prefix."""
        return sorted(name for name in self._files if name.startswith(prefix))


class CheckpointStore:
    """Checkpoints of a file that many calls process, in sequence and in parallel: those of one attempt."""

    def __init__(self, store: UploadStore, attempt: Attempt) -> None:
        self._store = store
        again = f"restart-{attempt.restart}/" if attempt.restart else ""
        self._folder = f"{WORK_FOLDER}{attempt.upload.key}/{attempt.version}/{again}"

    def write(self, name: str, body: bytes) -> None:
        """Write a file. Raises RegistryUnavailable."""
        self._store.report(self._folder + name, body)

    def read(self, name: str) -> bytes:
        """Read a file. Raises PartsMissing and RegistryUnavailable."""
        if (body := self._store.reported(self._folder + name)) is None:
            raise PartsMissing(self._folder + name)
        return body

    def read_range(self, name: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises PartsMissing and RegistryUnavailable."""
        return self._store.reported_range(self._folder + name, first, length)

    def names(self, prefix: str) -> Sequence[str]:
        """List the names of files that start with a prefix. Raises RegistryUnavailable."""
        return [name.removeprefix(self._folder) for name in self._store.reports_under(self._folder + prefix)]
