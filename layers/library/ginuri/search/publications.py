"""What a scheduled job publishes: where its files are, which are current, and the ports to them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import IO, Protocol

CURRENT = "current.json"
"""The file that names the current run: written last, so that readers see complete runs."""
DIRECTORY, DICTIONARY = "search/directory.json.gz", "search/dictionary"
POSTINGS, DOCUMENTS = "search/postings", "search/documents"
WORDS, ENDINGS, BEGINNINGS = "search/words", "search/endings", "search/beginnings"
REMEMBERED_SECONDS = 10
"""How long the current run is cached."""


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """One file of a run."""

    length: int
    """In bytes."""
    sha256: str
    """In lower-case hexadecimal digits."""
    lines: int = 0
    """How many lines, or addresses, are in it, where that is counted."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What one run wrote."""

    run: str
    """Its folder."""
    made: str
    """When it began to read, RFC 3339 in UTC."""
    records: int
    files: Mapping[str, PublishedFile]
    """By their names in the folder."""
    sitemaps: Mapping[str, str] = field(default_factory=dict)
    """The host that each sitemap is for, by its name."""

    def key(self, name: str) -> str:
        """Return the key of a file."""
        return f"{self.run}/{name}"


def write_publication(publication: Publication) -> bytes:
    """Write what a run wrote, as JSON."""
    return json.dumps(asdict(publication), indent=1).encode()


def read_publication(content: bytes) -> Publication:
    """Read what `write_publication` wrote."""
    values = json.loads(content)
    files = {name: PublishedFile(**file) for name, file in values["files"].items()}
    return Publication(**{**values, "files": files})


class PublishedReader(Protocol):
    """Reads published files."""

    def read(self, key: str) -> bytes | None:
        """Read a file; None if there is none. Raises RegistryUnavailable."""

    def read_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises RegistryUnavailable, also where there is no such file."""

    def link(self, key: str, media_type: str, method: str) -> str:
        """Sign a link to a file, good for `method` (GET or HEAD) and a few minutes."""


class PublishedStore(PublishedReader, Protocol):
    """Writes published files as well."""

    def write(self, key: str, body: bytes | IO[bytes], media_type: str) -> None:
        """Write a file. Raises RegistryUnavailable."""

    def list_keys(self) -> Sequence[str]:
        """Return the keys of all files. Raises RegistryUnavailable."""

    def delete(self, keys: Sequence[str]) -> None:
        """Delete files. Raises RegistryUnavailable."""


class Publications:
    """Remembers which run is current; `clock` tells seconds that only grow."""

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
            # Before the first run, every call looks again.
            self._until = self._clock() + REMEMBERED_SECONDS if self._current else float("-inf")
        return self._current
