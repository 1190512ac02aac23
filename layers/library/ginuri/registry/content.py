"""The ports for files: those that records pin, and those that stewards upload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Protocol

from ginuri.registry.model import StoredFile


class ContentStore(Protocol):
    """What giving a stored file needs."""

    def read(self, file: StoredFile, first: int = 0, last: int | None = None) -> bytes:
        """Read the file, or its bytes from the first to the last, that included.

        Raises ContentMissing, and RegistryUnavailable when the store is away.
        """
        ...

    def link(self, file: StoredFile, media_type: str, method: str) -> str:
        """Sign a link to the file, good for `method` (GET or HEAD) and a few minutes."""
        ...


class UploadStore(Protocol):
    """What taking in an upload needs: the uploaded object, and a place for the report."""

    def size(self, key: str, version: str) -> int | None:
        """Give the length of an upload in bytes; None where it is not there any more."""
        ...

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        """Give what was said beside an upload when it was put; nothing where it is not there any more."""
        ...

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""
        ...

    def reported(self, key: str) -> bytes | None:
        """Read a report, or what else stands beside it; None where none is written yet."""
        ...

    def reported_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of what is there. Raises PartsMissing where it is not."""
        ...

    def reports_under(self, prefix: str) -> Sequence[str]:
        """Give all keys that begin so, in their order."""
        ...

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        """Write a report, or a file of refused lines; a file is read from where it stands."""
        ...
