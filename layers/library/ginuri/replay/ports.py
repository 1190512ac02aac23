"""The ports of a replay: the uploads and reports that are left, and the registry to fill."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from ginuri.files.reports.listed_uploads import ReportedUploads
from ginuri.registration.registrar import Mapper
from ginuri.registration.stored_files import InspectingFileKeeper
from ginuri.registry.content import UploadHead
from ginuri.registry.ports import MemberLister, UploadRegistry
from ginuri.registry.transfer import ContentFile, Item, ReportFile


class UploadReader(Protocol):
    """Reads uploads, also those that were moved here. Its methods raise RegistryUnavailable."""

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload; None if it does not exist."""

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""


@dataclass(frozen=True, slots=True)
class ReplayTarget:
    """The registry that uploads are processed into."""

    registry: UploadRegistry
    lister: MemberLister
    mapper: Mapper


class ReplayedRegistry(Protocol):
    """Reads what a registry and its buckets have. Its methods raise RegistryUnavailable."""

    def summaries(self) -> Iterator[tuple[ReportFile, bytes]]:
        """Read the summaries of reports in their first versions, with the times when they were written."""

    def contents(self) -> Iterator[ContentFile]:
        """List the stored files, the oldest version of a key first."""

    def waiting(self) -> int:
        """Count the uploads, and parts of them, that are not processed yet."""

    def items(self) -> Iterator[Item]:
        """Read every item of the registry that answers, in the order of identifiers and versions."""


class ReplayStack(Protocol):
    """The parts of a stack that a replay uses. All methods raise RegistryUnavailable."""

    @property
    def reported(self) -> ReportedUploads:
        """The uploads, and the reports on them."""

    @property
    def uploads(self) -> UploadReader:
        """The uploads."""

    @property
    def keeper(self) -> InspectingFileKeeper:
        """Keeps the stored files that uploads name."""

    @property
    def whole(self) -> ReplayedRegistry:
        """The registry that answers, with all that is stored for it."""

    @property
    def canonical_host(self) -> str:
        """The canonical host; empty without one."""

    @property
    def target(self) -> ReplayTarget:
        """The registry that answers."""

    def clear(self) -> None:
        """Remove all records, their history and the proofs of uploads; refused for a table in AWS."""

    def pause(self) -> AbstractContextManager[None]:
        """Let nothing else process uploads meanwhile; afterwards, answers from before are forgotten."""

    def note_drill(self, statements: int, recovered: int) -> None:
        """Note the numbers of statements that the registry has, and that a drill made again."""

    def scratch(self) -> AbstractContextManager[tuple[ReplayTarget, ItemReader]]:
        """Make an empty registry beside the one that answers, which is removed at the end."""


class ItemReader(Protocol):
    """Reads the items of a registry."""

    def __call__(self) -> Iterator[Item]:
        """Read every item, in the order of identifiers and versions. Raises RegistryUnavailable."""
