"""The file format of the search index.

Documents are numbered in the order of identifiers. `documents` has their names, 256 to a block. `dictionary`
has the words in order, each with the position of its postings. `postings` has the documents with each word,
by segments of 16,384 documents. `directory` has the positions of the blocks of the first two, and the ranges
of documents under each authority and type.

Three more files are sorted lines in compressed blocks (`ginuri.search.line_blocks`): `words` of titles and
other names with their number of documents; `endings`, the same words reversed; `beginnings`, the texts of
titles from each of their words. A directory without these files has no blocks for them, and a search in them
finds no lines.
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
"""The documents of a segment."""
BLOCK = 256
"""The documents of a block."""
EVERYTHING = "*"
"""The dictionary's word for all documents; no text has it."""
POSTING = 3
"""The bytes of a posting."""
DICTIONARY_BLOCK = 32_768
"""The bytes after which a block of the dictionary ends."""

_MARKS = tuple(product(RecordType, Status))
"""The record types and statuses, by the number in the upper six bits of a mark."""


class FieldWeight(IntEnum):
    """The place of a word in a document; the highest counts."""

    IDENTIFIER = 0
    OTHER_NAME = 1
    TITLE = 2


def record_type_of(record: Registered) -> RecordType:
    """Return the type of a record."""
    return RECORD_TYPES[type(record)]


def marks_of(record: Registered) -> int:
    """Return the bits of a record's postings: its type and its status."""
    return _MARKS.index((record_type_of(record), record.status)) << 2


IDENTIFIER_MARKS = bytes(marks for marks in range(256) if marks & 3 == FieldWeight.IDENTIFIER)
"""The marks of postings with the word only in the identifier."""


def weight_of(marks: int) -> int:
    """Return the place of the word (`FieldWeight`) from the mark of a posting."""
    return marks & 3


def status_of(marks: int) -> Status:
    """Return the status of the document, from the byte of a posting."""
    return _MARKS[marks >> 2][1]


def type_of(marks: int) -> RecordType:
    """Return the record type of the document, from the byte of a posting."""
    return _MARKS[marks >> 2][0]


class PostingWriter:
    """The postings of one word in one segment: its documents and their marks."""

    __slots__ = ("_marks", "_places")

    def __init__(self) -> None:
        self._places = array("H")
        self._marks = bytearray()

    def add(self, place: int, marks: int) -> None:
        """Add a document by its place in the segment, in ascending order."""
        self._places.append(place)
        self._marks.append(marks)

    def write(self) -> bytes:
        """Write all places as two bytes, little-endian, then all marks as one byte."""
        return _little_endian(self._places).tobytes() + self._marks


@dataclass(frozen=True, slots=True)
class Postings:
    """Written postings; a place is found by bisection."""

    places: array[int]
    marks: bytes

    def all(self) -> dict[int, int]:
        """Return the marks of all documents by their places."""
        return dict(zip(self.places, self.marks, strict=True))

    def of(self, place: int) -> int | None:
        """Return the marks of a document; None if it does not contain the word."""
        at = bisect_left(self.places, place)
        return self.marks[at] if at < len(self.places) and self.places[at] == place else None


def read_postings(written: bytes) -> Postings:
    """Read the bytes of `PostingWriter`."""
    count = len(written) // POSTING
    return Postings(_little_endian(array("H", written[: 2 * count])), written[2 * count :])


def _little_endian(places: array[int]) -> array[int]:
    if sys.byteorder == "big":
        places.byteswap()
    return places


@dataclass(frozen=True, slots=True)
class DictionaryEntry:
    """A word of the dictionary: its postings have these lengths and follow each other from `offset` on."""

    word: str
    offset: int
    segments: tuple[int, ...]
    lengths: tuple[int, ...]

    @property
    def length(self) -> int:
        """The bytes of all its postings."""
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
    """The first name or word and the first byte of each block of a file, and the end of the last block."""

    firsts: list[str] = field(default_factory=list)
    offsets: list[int] = field(default_factory=lambda: [0])

    def add(self, first: str, length: int) -> None:
        """Add a block with its length in bytes."""
        self.firsts.append(first)
        self.offsets.append(self.offsets[-1] + length)


@dataclass(frozen=True, slots=True)
class Ranges:
    """The documents under identifiers: numbers from `firsts` on and below `ends`."""

    names: list[str] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)

    def add(self, name: str, first: int, end: int) -> None:
        """Add the documents under an identifier."""
        self.names.append(name)
        self.firsts.append(first)
        self.ends.append(end)


@dataclass(frozen=True, slots=True)
class Directory:
    """The beginnings of all blocks of the index, and the ranges of documents under authorities and types."""

    documents: Blocks = field(default_factory=Blocks)
    dictionary: Blocks = field(default_factory=Blocks)
    words: Blocks = field(default_factory=Blocks)
    endings: Blocks = field(default_factory=Blocks)
    beginnings: Blocks = field(default_factory=Blocks)
    authorities: Ranges = field(default_factory=Ranges)
    """Includes hosts with bound names."""
    types: Ranges = field(default_factory=Ranges)


_RANGES = ("authorities", "types")
_BLOCKS = tuple(member.name for member in fields(Directory) if member.name not in _RANGES)


def write_directory(directory: Directory) -> bytes:
    """Write the directory, compressed."""
    return gzip.compress(json.dumps(asdict(directory), ensure_ascii=False).encode(), 6, mtime=0)


def read_directory(written: bytes) -> Directory:
    """Read a directory, also of an earlier or later version of the format."""
    members = json.loads(gzip.decompress(written))
    parts: dict[str, Any] = {name: Blocks(**members[name]) for name in _BLOCKS if name in members}
    parts |= {name: Ranges(**members[name]) for name in _RANGES if name in members}
    return Directory(**parts)
