"""The published files: their names, the current run, and the ports to a store."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import IO, Protocol, runtime_checkable

CURRENT = "current.json"
"""The file that names the current run; it is written last, so that readers see only complete runs."""
DIRECTORY, DICTIONARY = "search/directory.json.gz", "search/dictionary"
POSTINGS, DOCUMENTS = "search/postings", "search/documents"
WORDS, ENDINGS, BEGINNINGS = "search/words", "search/endings", "search/beginnings"
REMEMBERED_SECONDS = 10
"""The seconds for which the current run is cached."""


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One file of a run."""

    length: int
    """The length in bytes."""
    sha256: str
    """The SHA-256 digest in lower-case hexadecimal digits."""
    lines: int = 0
    """The number of lines or addresses, if counted."""


@dataclass(frozen=True, slots=True)
class Publication:
    """The files of one run."""

    run: str
    """Its folder."""
    made: str
    """The time at which it began to read, RFC 3339 in UTC."""
    records: int
    files: Mapping[str, PublishedFile]
    """The files by their names in the folder."""
    sitemaps: Mapping[str, str] = field(default_factory=dict)
    """The hosts of the sitemaps, by file name."""

    def key(self, name: str) -> str:
        """Return the key of a file."""
        return f"{self.run}/{name}"


def write_publication(publication: Publication) -> bytes:
    """Write the description of a run as JSON."""
    return json.dumps(asdict(publication), indent=1).encode()


def read_publication(content: bytes) -> Publication:
    """Read the JSON of `write_publication`."""
    values = json.loads(content)
    files = {name: PublishedFile(**file) for name, file in values["files"].items()}
    return Publication(**{**values, "files": files})


class _Reader(Protocol):
    def read(self, key: str) -> bytes | None:
        """Read a file; None if it does not exist. Raises RegistryUnavailable."""

    def read_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises RegistryUnavailable, also if the file does not exist."""


@runtime_checkable
class StreamingReader(_Reader, Protocol):
    """Reads published files, and sends long ones itself."""

    def chunks(self, key: str, first: int = 0, last: int | None = None) -> Iterator[bytes]:
        """Open a file, and return the chunks of its bytes from the first to the last, inclusive.

        Raises RegistryUnavailable, also if the file does not exist.
        """


class LinkingReader(_Reader, Protocol):
    """Reads published files, and has an address for each, to which clients with long ones are redirected."""

    def link(self, key: str, media_type: str, method: str) -> str:
        """Sign a link to a file that is valid for `method` (GET or HEAD) and a few minutes."""


PublishedReader = StreamingReader | LinkingReader
"""Reads published files, and either streams long ones or links to them."""


class PublishedStore(_Reader, Protocol):
    """Reads and writes published files."""

    def write(self, key: str, body: bytes | IO[bytes], media_type: str) -> None:
        """Write a file. Raises RegistryUnavailable."""

    def list_keys(self) -> Sequence[str]:
        """Return the keys of all files. Raises RegistryUnavailable."""

    def delete(self, keys: Sequence[str]) -> None:
        """Delete files. Raises RegistryUnavailable."""


class Publications:
    """Caches the current run; `clock` returns monotonic seconds."""

    def __init__(self, reader: PublishedReader, clock: Callable[[], float]) -> None:
        self.reader = reader
        self._clock = clock
        self._current: Publication | None = None
        self._until = float("-inf")

    def current(self) -> Publication | None:
        """Return the current run; None before the first. Raises RegistryUnavailable."""
        if self._clock() >= self._until:
            content = self.reader.read(CURRENT)
            self._current = read_publication(content) if content is not None else None
            # An absent run is not cached.
            self._until = self._clock() + REMEMBERED_SECONDS if self._current else float("-inf")
        return self._current

    def forget(self) -> None:
        """Read the current run again with the next request."""
        self._until = float("-inf")
