"""The ports of the interface for stewards, and its collaborators.

It puts uploads and reads reports: only ingest writes records.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ginuri.access.tokens import TokenStore
from ginuri.files.reports.listed_uploads import Mapper, ReportedUploads
from ginuri.registration.authorization import Grant
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.content import PresignedPut, UploadHead, UploadPutter
from ginuri.registry.model import StoredFile
from ginuri.registry.ports import MemberLister, RecordSource
from ginuri.web.response import Stream

LARGEST_UPLOAD = 3 * 1024 * 1024
"""The most bytes of a file in a request in AWS; longer ones are put into the bucket by the client."""


class FileRestorer(Protocol):
    """Puts stored files once more."""

    def restore(self, file: StoredFile, key: str, metadata: Mapping[str, str]) -> None:
        """Put a stored file as the upload of a key, for registrations to name. Raises RegistryUnavailable."""


class Presigner(Protocol):
    """Signs requests for files that are too large for the interface."""

    def presign(self, key: str, length: int, metadata: Mapping[str, str], seconds: int) -> PresignedPut:
        """Sign a request that puts a new upload of this length, with this metadata, within some seconds."""


class SubmittedFiles(Protocol):
    """Reads uploaded files. Its methods raise RegistryUnavailable."""

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload; None if it does not exist."""

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""


Handovers = Collection[str]
GrantsReader = Callable[[str, datetime], tuple[Sequence[Grant], Handovers]]
"""Reads the grants at, above and below a prefix, and the prefixes that are handed over."""


FileOpener = Callable[[str, str], Stream | str | None]
"""Opens a stored file by key and version: its content, or the link to it; None if it is missing."""


@dataclass(frozen=True, slots=True)
class ApiCollaborators:
    """The adapters that the interface uses."""

    tokens: TokenStore
    read_grants: GrantsReader
    registry: RecordSource
    lister: MemberLister
    reports: ReportedUploads
    files: SubmittedFiles
    putter: UploadPutter
    open_file: FileOpener
    restorer: FileRestorer
    presigner: Presigner | None = None
    """None where clients cannot put files themselves."""
    link: Callable[[str], str] | None = None
    """Signs a link to a report that is too large for an answer; None where no answer is too large."""
    canonical_host: str = ""
    most_bytes: int = LARGEST_UPLOAD
    """The most bytes of a file in a request."""
    now: Clock = utc_now
    clock: Callable[[], float] = lambda: 0.0
    """Returns monotonic seconds."""
    sleep: Callable[[float], object] = lambda _seconds: None
    mapper: Mapper = map
