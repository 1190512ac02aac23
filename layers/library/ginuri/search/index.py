"""How the search index is written in files: what stands where, and byte by byte.

Documents are numbered in the order of identifiers. `documents` has their names, 256 to a block; `dictionary`
the words in order, each with where its postings are; `postings` for each word and each segment of 16,384
documents who has it. `directory` says where the blocks of the first two begin, and which documents are under
which authority and type.

Three more files are sorted lines in packed blocks (`ginuri.search.line_blocks`): `words`, those of titles
and other names, with how many documents have each; `endings`, the same words from their last letter to their
first; `beginnings`, what titles go on with from each of their words. The directory of a run before they were
added names none of their blocks, and nothing is found in them.
"""

from __future__ import annotations

import gzip
import json
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields
from enum import IntEnum
from itertools import product
from typing import Any

from ginuri.registry.model import (
    RecordType,
    Registered,
    Status,
)
from ginuri.registry.reading import RECORD_TYPES

SEGMENT = 16_384
"""How many documents are in a segment."""
BLOCK = 256
"""How many documents are in a block."""
EVERYTHING = "*"
"""Stands in the dictionary for what every document has: no text has this word."""
POSTING = 3
"""Bytes of a posting."""
DICTIONARY_BLOCK = 32_768
"""Bytes after which a block of the dictionary ends."""

_MARKS = tuple(product(RecordType, Status))
"""What a record is about and its status, by the number in the upper six bits of a mark."""


class FieldWeight(IntEnum):
    """Where a word of a document stands; the highest counts."""

    IDENTIFIER = 0
    OTHER_NAME = 1
    TITLE = 2


def record_type_of(record: Registered) -> RecordType:
    """Return what a record is about."""
    return RECORD_TYPES[type(record)]


def marks_of(record: Registered) -> int:
    """Return the bits that every posting of a record has: its status and what it is about."""
    return _MARKS.index((record_type_of(record), record.status)) << 2


IDENTIFIER_MARKS = bytes(marks for marks in range(256) if marks & 3 == FieldWeight.IDENTIFIER)
"""The marks of postings whose word stands in the identifier only."""


def weight_of(marks: int) -> int:
    """Return where the word stands (`FieldWeight`), from the byte of a posting."""
    return marks & 3


def status_of(marks: int) -> Status:
    """Return the status of the document, from the byte of a posting."""
    return _MARKS[marks >> 2][1]


def type_of(marks: int) -> RecordType:
    """Return the record type of the document, from the byte of a posting."""
    return _MARKS[marks >> 2][0]


class PostingWriter:
    """The postings of one word in one segment: who has it, and the marks of each."""

    __slots__ = ("_marks", "_places")

    def __init__(self) -> None:
        self._places = array("H")
        self._marks = bytearray()

    def add(self, place: int, marks: int) -> None:
        """Add a document by its place in the segment; they come in order."""
        self._places.append(place)
        self._marks.append(marks)

    def write(self) -> bytes:
        """Write first all places, two bytes each, the lower first, then all marks, one byte each."""
        return _little_endian(self._places).tobytes() + self._marks


@dataclass(frozen=True, slots=True)
class Postings:
    """What `PostingWriter` wrote; places are looked up without reading them all."""

    places: array[int]
    marks: bytes

    def all(self) -> dict[int, int]:
        """Return the marks of each document by its place."""
        return dict(zip(self.places, self.marks, strict=True))

    def of(self, place: int) -> int | None:
        """Return the marks of a document; None if it does not contain the word."""
        at = bisect_left(self.places, place)
        return self.marks[at] if at < len(self.places) and self.places[at] == place else None


def read_postings(written: bytes) -> Postings:
    """Read what `PostingWriter` wrote."""
    count = len(written) // POSTING
    return Postings(_little_endian(array("H", written[: 2 * count])), written[2 * count :])


def _little_endian(places: array[int]) -> array[int]:
    if sys.byteorder == "big":
        places.byteswap()
    return places


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """A word of the dictionary: its postings are `lengths` after each other from `offset` on."""

    word: str
    offset: int
    segments: tuple[int, ...]
    lengths: tuple[int, ...]

    @property
    def length(self) -> int:
        """Bytes of all its postings."""
        return sum(self.lengths)


def write_entry(entry: DictionaryEntry) -> bytes:
    """Write a line of the dictionary."""
    pairs = " ".join(
        f"{segment},{length}" for segment, length in zip(entry.segments, entry.lengths, strict=True)
    )
    return f"{entry.word}\t{entry.offset}\t{pairs}\n".encode()


def read_dictionary(block: bytes) -> Iterable[DictionaryEntry]:
    """Read a block of the dictionary, line by line."""
    for line in block.decode().splitlines():
        word, offset, postings = line.split("\t")
        pairs = [pair.split(",") for pair in postings.split(" ")]
        yield DictionaryEntry(
            word,
            int(offset),
            tuple(int(segment) for segment, _ in pairs),
            tuple(int(length) for _, length in pairs),
        )


@dataclass(frozen=True, slots=True)
class Blocks:
    """Where the blocks of a file begin: with which name or word, and at which byte; the last byte ends it."""

    firsts: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=lambda: [0])

    def add(self, first: str, length: int) -> None:
        """Add a block, in bytes."""
        self.firsts.append(first)
        self.offsets.append(self.offsets[-1] + length)


@dataclass(frozen=True, slots=True)
class Ranges:
    """Which documents are under which identifiers: from `firsts` on, before `ends`, by their numbers."""

    names: list[str] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, name: str, first: int, end: int) -> None:
        """Add what is under an identifier."""
        self.names.append(name)
        self.firsts.append(first)
        self.ends.append(end)


@dataclass(frozen=True, slots=True)
class Directory:
    """The beginnings of all blocks, which locate everything in the index; and the ranges of documents."""

    documents: Blocks = field(default_factory=Blocks)
    dictionary: Blocks = field(default_factory=Blocks)
    words: Blocks = field(default_factory=Blocks)
    endings: Blocks = field(default_factory=Blocks)
    beginnings: Blocks = field(default_factory=Blocks)
    authorities: Ranges = field(default_factory=Ranges)
    """And hosts that identifiers are bound to."""
    types: Ranges = field(default_factory=Ranges)


_RANGES = ("authorities", "types")
_BLOCKS = tuple(member.name for member in fields(Directory) if member.name not in _RANGES)


def write_directory(directory: Directory) -> bytes:
    """Write the directory, packed."""
    return gzip.compress(json.dumps(asdict(directory), ensure_ascii=False).encode(), 6, mtime=0)


def read_directory(written: bytes) -> Directory:
    """Read what `write_directory` wrote, also before or after what it has now."""
    members = json.loads(gzip.decompress(written))
    parts: dict[str, Any] = {name: Blocks(**members[name]) for name in _BLOCKS if name in members}
    parts |= {name: Ranges(**members[name]) for name in _RANGES if name in members}
    return Directory(**parts)
