"""The ports for files: those that records pin, and the uploads of stewards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import IO, NamedTuple, Protocol, runtime_checkable

from ginuri.frozen import Frozen
from ginuri.registry.model import StoredFile

WORK_FOLDER = "_parts/"
"""The prefix of reports that are intermediate results; a lifecycle rule deletes them after some weeks."""


class ContentReader(Protocol):
    """Reads stored files."""

    def read(self, file: StoredFile, first: int = 0, last: int | None = None) -> bytes:
        """Read the file, or its bytes from the first to the last, inclusive.

        Raises ContentMissing, and RegistryUnavailable if the store is unavailable.
        """


@runtime_checkable
class StreamingStore(ContentReader, Protocol):
    """A store that sends long files itself."""

    def chunks(self, file: StoredFile, first: int = 0, last: int | None = None) -> Iterator[bytes]:
        """Open the file, or its bytes from the first to the last, inclusive, and return its chunks.

        Raises ContentMissing at once, and RegistryUnavailable.
        """


class LinkingStore(ContentReader, Protocol):
    """A store that has an address for every file, to which clients with long files are redirected."""

    def link(self, file: StoredFile, media_type: str, method: str) -> str:
        """Sign a link to the file that is valid for `method` (GET or HEAD) and a few minutes."""


ContentStore = StreamingStore | LinkingStore
"""Reads stored files, and either streams long ones or links to them."""


class UploadHead(NamedTuple):
    """The facts about an upload before it is read."""

    size: int
    """The size in bytes."""
    metadata: Mapping[str, str]


class UploadVersion(Frozen):
    """One version of an uploaded file."""

    key: str
    version: str
    put: datetime


class UploadPutter(Protocol):
    """Puts uploads for one authenticated identity. Its methods raise RegistryUnavailable."""

    def put(
        self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str], *, is_new: bool = False
    ) -> str:
        """Put an upload, and return its version. With `is_new`, raises UploadExists if the key exists."""


class PresignedPut(Frozen):
    """A request with which anyone may put one upload, as it was signed and for some minutes."""

    url: str
    headers: Mapping[str, str]
    """The headers that the request must have; they are signed."""


class UploadStore(Protocol):
    """Reads uploads, and reads and writes their reports."""

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload; None if it no longer exists."""

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""

    def reported(self, key: str) -> bytes | None:
        """Read a report, or a file beside it; None if it is not written yet."""

    def reported_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises PartsMissing if it does not exist."""

    def reports_under(self, prefix: str) -> Sequence[str]:
        """Return all report keys with a prefix, in order."""

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        """Write a report or a file of refused lines; a stream is read once, and stored at its end."""
