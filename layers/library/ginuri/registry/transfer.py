"""The ports of a whole registry, to move and compare it: items and files as they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

from ginuri.frozen import Frozen
from ginuri.registry.model import StoredFile

Item = Mapping[str, str]
"""The attributes of `registry.record.items`, each with its `version`: "now" for a record.

The proof of an applied upload has `put`, `processed` and `counts`; its identifier is `upload `, with a space,
and the key of the upload.
"""
APPLIED = "upload "
"""The beginning of the identifier of a proof; the space makes it no identifier."""
SUMMARY = ".summary.json"
"""The end of the key of a summary beside a report."""
LONGEST_NAME = 1_024
"""The most bytes of an identifier; the key in a proof is cut to fit."""
_File_contra = TypeVar("_File_contra", contravariant=True)


class UploadedFile(Frozen):
    """One version of an uploaded file, and all facts about it."""

    key: str
    version: str
    put: str
    """RFC 3339 in UTC with milliseconds."""
    length: int
    sha256: str
    metadata: Mapping[str, str]
    identity: str = ""
    """Who put it, as the store authenticated them; empty if that is not known."""


class ReportFile(Frozen):
    """A report, or a file beside it."""

    key: str
    written: str
    """RFC 3339 in UTC."""
    length: int
    sha256: str


class ContentFile(Frozen):
    """A version of a stored file, and the version that it was moved from; its own if it was not."""

    file: StoredFile
    origin: str


class Open(Protocol[_File_contra]):
    """Opens a file."""

    def __call__(self, file: _File_contra, /) -> Iterator[bytes]:
        """Return the chunks of a file."""


class WholeRegistry(Protocol):
    """Reads a whole registry. Every method raises RegistryUnavailable."""

    @property
    def name(self) -> str:
        """The name in messages."""

    @property
    def identity(self) -> str:
        """A text that no other registry has."""

    def items(self) -> Iterator[Item]:
        """Read every item, in the order of identifiers and versions."""

    def uploads(self) -> Iterator[UploadedFile]:
        """List the uploads, in the order of keys and versions."""

    def contents(self) -> Iterator[ContentFile]:
        """List the stored files in the order of keys, the oldest version of a key first."""

    def reports(self) -> Iterator[ReportFile]:
        """List the reports in the order of keys, without `WORK_FOLDER`."""

    def open_upload(self, file: UploadedFile, /) -> Iterator[bytes]:
        """Return the chunks of an upload."""

    def open_content(self, file: StoredFile, /) -> Iterator[bytes]:
        """Return the chunks of a stored file."""

    def open_report(self, file: ReportFile, /) -> Iterator[bytes]:
        """Return the chunks of a report."""

    def waiting(self) -> int:
        """Count the messages of uploads that are not processed yet."""

    def settings(self) -> Mapping[str, str]:
        """Return the settings that answers depend on, by name."""


class RegistryTarget(WholeRegistry, Protocol):
    """Writes a whole registry, without processing anything. Every method raises RegistryUnavailable.

    Each method writes in bounded memory, and may be interrupted: what it wrote is complete, and listed.
    """

    def is_empty(self) -> bool:
        """Return whether the registry has no record, no upload, no stored file and no report."""

    def moved_from(self) -> str:
        """Return the note on the move that began to fill this registry; empty without one."""

    def note_move(self, note: str) -> None:
        """Store the note."""

    def write_items(self, items: Iterable[Item]) -> None:
        """Write items as they are, over those of the same identifier and version."""

    def add_uploads(self, files: Iterable[UploadedFile], read: Open[UploadedFile]) -> None:
        """Store uploads with their versions, put times and metadata."""

    def add_contents(
        self, files: Iterable[StoredFile], read: Open[StoredFile]
    ) -> Iterator[tuple[StoredFile, str]]:
        """Store files in order, and yield each with the version that it has here."""

    def add_reports(self, files: Iterable[ReportFile], read: Open[ReportFile]) -> None:
        """Store reports, over those of the same key."""

    def adopt_settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        """Store settings, and return those that must be set in another way, by the name to set."""
