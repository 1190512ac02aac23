"""Chunks of rows, in which the rows of one record are in one bucket.

The mark of an identifier, the same for all its spellings, determines the bucket of a row; rules of a prefix
whose patterns have a literal beginning have the mark of that. A part that reads the same buckets of every
chunk therefore has all rows of an identifier and of its other spellings. Each line starts with the mark, so
that a part can process even a full bucket a few rows at a time.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from zlib import crc32

from ginuri.identifiers import parse
from ginuri.identifiers.comparison.folding import fold_writing
from ginuri.identifiers.messages import as_data, from_data
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.registration.positions import Headings
from ginuri.registration.prerequisites import Prerequisites
from ginuri.registration.rows import RESOURCES, Row, rank_of
from ginuri.registration.verdicts import Finding, Level, is_refused
from ginuri.registry.record.serialization import read_statements, write_statements

BUCKETS = 1024
_MARK = 8
"""The hexadecimal digits of a mark."""
ROWS, STANDING = "rows", "standing"
"""The kinds of chunks: rows of the file, and registered names."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The index of a chunk, which holds rows of a file or registered names, bucket by bucket."""

    kind: str
    number: int
    lengths: Sequence[int]
    """The lengths of the buckets in bytes, in the order of their numbers."""
    rows: Sequence[int]
    ranks: Sequence[int]
    """The ranks of the rows, as bits."""
    last: int = 0
    """The line at which the last row begins."""
    unnamed: int | None = None
    """The line of the first row with an unreadable identifier."""
    is_last: bool = False
    """Whether this is the last chunk; known only when the chunk is made, and not stored."""
    prerequisites: Prerequisites = field(default_factory=Prerequisites)
    headings: Headings | None = None
    """The headings of a table, in the chunk with the first line."""
    remarks: Sequence[Finding] = ()
    """The findings about the file as a whole, in the first chunk."""


class BucketRange(NamedTuple):
    """The position of consecutive buckets in a chunk, in bytes."""

    kind: str
    chunk: int
    first: int
    length: int


@dataclass(slots=True)
class Slice:
    """The rows of some buckets, and the registered names in them."""

    rows: list[Row] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)


def chunk_rows(
    rows: Iterable[Row], number: int, most_rows: int, most_bytes: int, prefix: str = HOST_FOLDER
) -> Iterator[tuple[Chunk, bytes]]:
    """Split rows into chunks, numbered from `number`, each with its content.

    `prefix` is the prefix that the folder of the upload may register.
    """
    chunk = _OpenChunk(ROWS)
    for row in rows:
        if chunk.count >= most_rows or chunk.length >= most_bytes:
            yield chunk.end(number)
            number += 1
        name = row.record_name or str(row.line)
        chunk.add(name, rank_of(row.statements), write_row(row))
        chunk.last = row.line
        if row.identifier is None and chunk.unnamed is None and is_refused(row.findings):
            chunk.unnamed = row.line
        if row.identifier is None and row.headings:
            chunk.headings = row.headings
        if row.identifier is not None and not is_refused(row.findings):
            chunk.prerequisites.add(row.identifier, row.statements, prefix)
    if chunk.count:
        yield chunk.end(number, is_last=True)


def chunk_names(names: Sequence[str], number: int) -> tuple[Chunk, bytes]:
    """Make a chunk of registered names."""
    chunk = _OpenChunk(STANDING)
    for name in names:
        chunk.add(name, RESOURCES, json.dumps(name).encode() + b"\n")
    return chunk.end(number)


class _OpenChunk:
    """A chunk that is being filled."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._reset()

    def _reset(self) -> None:
        self.count = self.length = self.last = 0
        self.unnamed: int | None = None
        self.prerequisites = Prerequisites()
        self.headings: Headings | None = None
        self._lines: dict[int, list[bytes]] = {}
        self._ranks = array("I", [0]) * BUCKETS

    def add(self, name: str, rank: int, line: bytes) -> None:
        """Put a line into the bucket of an identifier."""
        # The mark is the same on every machine, and for every spelling of the name.
        mark = crc32(fold_writing(name).encode())
        bucket = mark % BUCKETS
        line = b"%08x%b" % (mark, line)
        self._lines.setdefault(bucket, []).append(line)
        self._ranks[bucket] |= 1 << rank
        self.count += 1
        self.length += len(line)

    def end(self, number: int, *, is_last: bool = False) -> tuple[Chunk, bytes]:
        """Return the chunk with its content, and start another."""
        lengths, rows = array("I", [0]) * BUCKETS, array("I", [0]) * BUCKETS
        for bucket, lines in self._lines.items():
            lengths[bucket], rows[bucket] = sum(map(len, lines)), len(lines)
        content = b"".join(line for bucket in sorted(self._lines) for line in self._lines[bucket])
        chunk = Chunk(
            self._kind,
            number,
            lengths,
            rows,
            self._ranks,
            self.last,
            self.unnamed,
            is_last,
            self.prerequisites,
            self.headings,
        )
        self._reset()
        return chunk, content


def write_chunk(checkpoints: Checkpoints, chunk: Chunk, content: bytes) -> None:
    """Write the content of a chunk, then its index. Raises RegistryUnavailable."""
    checkpoints.write(_content_name(chunk.kind, chunk.number), content)
    prerequisites = [
        sorted(chunk.prerequisites.needed),
        sorted(chunk.prerequisites.stated),
        sorted(chunk.prerequisites.requested),
    ]
    numbers = map(list, (chunk.lengths, chunk.rows, chunk.ranks))
    remarks = map(write_finding, chunk.remarks)
    index = [chunk.last, chunk.unnamed, *numbers, prerequisites, chunk.headings, *remarks]
    checkpoints.write(
        f"{chunk.kind}-index/{chunk.number:06d}", json.dumps(index, separators=(",", ":")).encode()
    )


def read_chunks(checkpoints: Checkpoints, kind: str) -> Iterator[Chunk]:
    """Read the index of each chunk of a kind. Raises PartsMissing and RegistryUnavailable."""
    for number, name in enumerate(checkpoints.names(f"{kind}-index/")):
        yield _read_index(kind, number, checkpoints.read(name))


def _read_index(kind: str, number: int, body: bytes) -> Chunk:
    last, unnamed, lengths, rows, ranks, (needed, stated, *requested), headings, *remarks = json.loads(body)
    # An older release wrote chunks without the last.
    prerequisites = Prerequisites(set(map(tuple, needed)), set(stated), set(*requested))
    lengths, rows, ranks = (array("I", numbers) for numbers in (lengths, rows, ranks))
    return Chunk(
        kind,
        number,
        lengths,
        rows,
        ranks,
        last,
        unnamed,
        prerequisites=prerequisites,
        headings=headings,
        remarks=tuple(map(read_finding, remarks)),
    )


def ranges_of(buckets: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Group bucket numbers into ranges, each with its first and last.

    >>> list(ranges_of([3, 4, 5, 9]))
    [(3, 5), (9, 9)]
    """
    for _, pairs in groupby(enumerate(buckets), key=lambda pair: pair[1] - pair[0]):
        buckets_in_range = [bucket for _, bucket in pairs]
        yield buckets_in_range[0], buckets_in_range[-1]


def find_ranges(
    kind: str, number: int, offsets: Sequence[int], ranges: Iterable[tuple[int, int]]
) -> Iterator[BucketRange]:
    """Find the bytes of bucket ranges in a chunk; `offsets` has the start of each bucket, and the end."""
    for first, last in ranges:
        begin, end = offsets[first], offsets[last + 1]
        if begin < end:
            yield BucketRange(kind, number, begin, end - begin)


def read_slices(
    checkpoints: Checkpoints, ranges: Iterable[BucketRange], most_rows: int | None
) -> Iterator[Slice]:
    """Read bucket ranges in slices of about `most_rows` rows, or all at once; rows in the order of the file.

    All rows of an identifier are in one slice. Raises PartsMissing and RegistryUnavailable.
    """
    lines: list[bytes] = []
    for bucket_range in ranges:
        lines += checkpoints.read_range(
            _content_name(bucket_range.kind, bucket_range.chunk), bucket_range.first, bucket_range.length
        ).splitlines()
    lines.sort(key=_mark, reverse=True)  # slices are popped from the end, which frees the memory
    current = Slice()
    while lines:
        line = lines.pop()
        if line[_MARK:].startswith(b"["):
            current.rows.append(read_row(line[_MARK:]))
        else:
            current.standing.append(json.loads(line[_MARK:]))
        is_full = most_rows is not None and len(current.rows) + len(current.standing) >= most_rows
        if is_full and lines and _mark(lines[-1]) != _mark(line):
            yield _in_order(current)
            current = Slice()
    yield _in_order(current)


def _mark(line: bytes) -> bytes:
    return line[:_MARK]


def _in_order(unsorted: Slice) -> Slice:
    unsorted.rows.sort(key=attrgetter("line"))
    return unsorted


def is_of_registered_names(name: str) -> bool:
    """Return whether a file holds the names registered at that time, which cannot be read again."""
    return f"/{STANDING}/" in name


def _content_name(kind: str, number: int) -> str:
    return f"{kind}/{number:06d}"


def write_row(row: Row) -> bytes:
    """Write a row as a line of JSON."""
    identifier = row.identifier
    # The host in the URI of an identifier not bound to it is kept for the advice on it.
    name = (
        None if identifier is None else [identifier.written, None if identifier.is_bound else identifier.host]
    )
    findings = list(map(write_finding, row.findings))
    about = row.rule if row.grantee is None else [row.grantee]
    written = [row.line, name, write_statements(row.statements), findings, about, row.headings]
    written += map(write_finding, row.doubts)
    return json.dumps(written, separators=(",", ":")).encode() + b"\n"


def read_row(line: bytes) -> Row:
    """Read the result of `write_row`."""
    number, named, statements, findings, about, headings, *doubts = json.loads(line)
    name, host = named or (None, None)
    is_grant = isinstance(about, list)
    return Row(
        number,
        None if name is None else parse(f"//{host}/{name}" if host else name),
        read_statements(statements),
        tuple(map(read_finding, findings)),
        None if is_grant else about,
        headings,
        tuple(map(read_finding, doubts)),
        about[0] if is_grant else None,
    )


def write_finding(finding: Finding) -> list[Any]:
    """Write a finding as an array of JSON."""
    return [
        str(finding.level),
        finding.field,
        finding.rule,
        finding.value,
        as_data(finding.message),
        finding.line,
        finding.column,
        finding.suggestion,
    ]


def read_finding(written: Sequence[Any]) -> Finding:
    """Read the result of `write_finding`."""
    level, field_name, rule, value, text, *place = written
    return Finding(Level(level), field_name, rule, value, from_data(text), *place)
