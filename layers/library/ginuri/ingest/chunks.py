"""Rows in the order of the file → chunks in which the rows of one identifier stand in one bucket.

A row belongs to a bucket by the mark of its identifier, in whatever writing, so that a part that takes the
same buckets of every chunk has all rows of an identifier, wherever they stood, and those of other writings of
its name. The mark stands before each line: however many rows are in a bucket, few of them are read at once.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple
from zlib import crc32

from ginuri.identifiers import parse
from ginuri.identifiers.folding import fold_writing
from ginuri.identifiers.messages import as_data, from_data
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.registration.checks.authorization import HOST_FOLDER
from ginuri.registration.prerequisites import Prerequisites
from ginuri.registration.rows import RESOURCES, Row, rank_of
from ginuri.registration.verdicts import Finding, Level, is_refused

BUCKETS = 1024
_MARK = 8
"""Hexadecimal digits of a mark."""
ROWS, STANDING = "rows", "standing"
"""What a chunk may hold."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """What is told of some rows of a file, or of some names of what stands, bucket by bucket."""

    kind: str
    number: int
    lengths: Sequence[int]
    """In bytes; the buckets follow each other in the order of their numbers."""
    rows: Sequence[int]
    ranks: Sequence[int]
    """The ranks of the rows, as bits."""
    last: int = 0
    """The line where its last row begins."""
    unnamed: int | None = None
    """The line of the first row that was to name an identifier, and names none."""
    is_last: bool = False
    """Whether no other follows; it is known only while it is cut."""
    prerequisites: Prerequisites = field(default_factory=Prerequisites)


class BucketRange(NamedTuple):
    """Where some buckets stand that follow each other in a chunk."""

    kind: str
    chunk: int
    first: int
    """The byte where they begin."""
    length: int
    """In bytes."""


@dataclass(slots=True)
class Slice:
    """The rows of some buckets, and the names of what stands that belong to them."""

    rows: list[Row] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)


def _mark_of(name: str) -> int:
    # The same on every machine, and for other writings of the name.
    return crc32(fold_writing(name).encode())


def chunk_rows(
    rows: Iterable[Row], number: int, most_rows: int, most_bytes: int, prefix: str = HOST_FOLDER
) -> Iterator[tuple[Chunk, bytes]]:
    """Cut rows into chunks, the first of which has a number, and give each with its content.

    `prefix` is what they may be registered under.
    """
    begun = _OpenChunk(ROWS)
    for row in rows:
        if begun.count >= most_rows or begun.length >= most_bytes:
            yield begun.end(number)
            number += 1
        where = row.identifier.normal_form if row.identifier else str(row.line)
        begun.add(where, rank_of(row.statements), write_row(row))
        begun.last = row.line
        if row.identifier is None and begun.unnamed is None and is_refused(row.findings):
            begun.unnamed = row.line
        if row.identifier is not None and not is_refused(row.findings):
            begun.prerequisites.add(row.identifier, row.statements, prefix)
    if begun.count:
        yield begun.end(number, is_last=True)


def chunk_names(names: Sequence[str], number: int) -> tuple[Chunk, bytes]:
    """Make a chunk of the names of what stands."""
    begun = _OpenChunk(STANDING)
    for name in names:
        begun.add(name, RESOURCES, json.dumps(name).encode() + b"\n")
    return begun.end(number)


class _OpenChunk:
    """A chunk that is being filled."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._begin()

    def _begin(self) -> None:
        self.count = self.length = self.last = 0
        self.unnamed: int | None = None
        self.prerequisites = Prerequisites()
        self._lines: dict[int, list[bytes]] = {}
        self._ranks = array("I", [0]) * BUCKETS

    def add(self, name: str, rank: int, line: bytes) -> None:
        """Put a line into the bucket of an identifier."""
        mark = _mark_of(name)
        bucket = mark % BUCKETS
        line = b"%08x%b" % (mark, line)
        self._lines.setdefault(bucket, []).append(line)
        self._ranks[bucket] |= 1 << rank
        self.count += 1
        self.length += len(line)

    def end(self, number: int, *, is_last: bool = False) -> tuple[Chunk, bytes]:
        """Give the chunk with its content, and begin another."""
        lengths, rows = array("I", [0]) * BUCKETS, array("I", [0]) * BUCKETS
        for bucket, lines in self._lines.items():
            lengths[bucket], rows[bucket] = sum(map(len, lines)), len(lines)
        content = b"".join(line for bucket in sorted(self._lines) for line in self._lines[bucket])
        last, unnamed = self.last, self.unnamed
        chunk = Chunk(
            self._kind, number, lengths, rows, self._ranks, last, unnamed, is_last, self.prerequisites
        )
        self._begin()
        return chunk, content


def write_chunk(work: Checkpoints, chunk: Chunk, content: bytes) -> None:
    """Put a chunk aside; what tells of it comes last. Raises RegistryUnavailable."""
    work.write(_content_name(chunk.kind, chunk.number), content)
    needs = [sorted(chunk.prerequisites.needed), sorted(chunk.prerequisites.stated)]
    told = [chunk.last, chunk.unnamed, *map(list, (chunk.lengths, chunk.rows, chunk.ranks)), needs]
    work.write(f"{chunk.kind}-index/{chunk.number:06d}", json.dumps(told, separators=(",", ":")).encode())


def read_chunks(work: Checkpoints, kind: str) -> Iterator[Chunk]:
    """Read what is told of each chunk of a kind. Raises PartsMissing and RegistryUnavailable."""
    for number, name in enumerate(work.names(f"{kind}-index/")):
        yield _read_index(kind, number, work.read(name))


def _read_index(kind: str, number: int, body: bytes) -> Chunk:
    last, unnamed, lengths, rows, ranks, (needed, stated) = json.loads(body)
    prerequisites = Prerequisites(set(map(tuple, needed)), set(stated))
    lengths, rows, ranks = (array("I", each) for each in (lengths, rows, ranks))
    return Chunk(kind, number, lengths, rows, ranks, last, unnamed, prerequisites=prerequisites)


def ranges_of(buckets: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Give the first and the last of those that follow each other.

    >>> list(ranges_of([3, 4, 5, 9]))
    [(3, 5), (9, 9)]
    """
    for _, same in groupby(enumerate(buckets), key=lambda each: each[1] - each[0]):
        stretch = [bucket for _, bucket in same]
        yield stretch[0], stretch[-1]


def find_ranges(
    kind: str, number: int, begins: Sequence[int], stretches: Iterable[tuple[int, int]]
) -> Iterator[BucketRange]:
    """Find where stretches of buckets stand in a chunk that ends where the last of `begins` says."""
    for first, last in stretches:
        begin, end = begins[first], begins[last + 1]
        if begin < end:
            yield BucketRange(kind, number, begin, end - begin)


def read_slices(work: Checkpoints, runs: Iterable[BucketRange], most_rows: int | None) -> Iterator[Slice]:
    """Read what stands there, about so many rows at a time, or all of it, each in the order of the file.

    All rows of an identifier are in one slice. Raises PartsMissing and RegistryUnavailable.
    """
    lines: list[bytes] = []
    for run in runs:
        lines += work.read_range(_content_name(run.kind, run.chunk), run.first, run.length).splitlines()
    lines.sort(key=_mark, reverse=True)  # those of a slice are taken from the end, and held no longer
    held = Slice()
    while lines:
        line = lines.pop()
        if line[_MARK:].startswith(b"["):
            held.rows.append(read_row(line[_MARK:]))
        else:
            held.standing.append(json.loads(line[_MARK:]))
        is_full = most_rows is not None and len(held.rows) + len(held.standing) >= most_rows
        if is_full and lines and _mark(lines[-1]) != _mark(line):
            yield _in_order(held)
            held = Slice()
    yield _in_order(held)


def _mark(line: bytes) -> bytes:
    return line[:_MARK]


def _in_order(held: Slice) -> Slice:
    held.rows.sort(key=attrgetter("line"))
    return held


def is_of_registered_names(name: str) -> bool:
    """Tell whether a file holds names of what stood, which cannot be found out again."""
    return f"/{STANDING}/" in name


def _content_name(kind: str, number: int) -> str:
    return f"{kind}/{number:06d}"


def write_row(row: Row) -> bytes:
    """Write a row as a line of JSON."""
    identifier = row.identifier
    # A host is all that its identifier is; else the host is no part of it, and yet is advised on.
    named = (
        None if identifier is None else [identifier.written, None if identifier.is_bound else identifier.host]
    )
    statements = [[path, value] for path, value in row.statements.items()]
    findings = [
        [str(finding.level), finding.field, finding.rule, finding.value, as_data(finding.message)]
        for finding in row.findings
    ]
    return (
        json.dumps([row.line, named, statements, findings, row.rule], separators=(",", ":")).encode() + b"\n"
    )


def read_row(line: bytes) -> Row:
    """Read what `write_row` wrote."""
    number, named, statements, findings, rule = json.loads(line)
    written, host = named or (None, None)
    return Row(
        number,
        None if written is None else parse(f"//{host}/{written}" if host else written),
        {tuple(path): value for path, value in statements},
        tuple(
            Finding(Level(level), field, broken, value, from_data(words))
            for level, field, broken, value, words in findings
        ),
        rule,
    )
