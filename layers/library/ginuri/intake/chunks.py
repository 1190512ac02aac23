"""Rows in the order of the file → chunks in which the rows of one identifier stand in one bucket.

A row belongs to a bucket by its identifier, in whatever writing, so that a part that takes the same buckets
of every chunk has all rows of an identifier, wherever they stood, and those of other writings of its name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from ginuri.core.identifiers import parse
from ginuri.core.identifiers.folding import fold_writing
from ginuri.core.rows import RESOURCES, Row, rank_of
from ginuri.core.verdicts import Finding, Level
from ginuri.intake.work import Work

BUCKETS = 1024


@dataclass(frozen=True, slots=True)
class Bucket:
    """What a chunk holds of one bucket."""

    number: int
    length: int
    """In bytes; the buckets follow each other in the order of their numbers."""
    rows: int
    ranks: Sequence[int]
    """The ranks of its rows, each once."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a file, or some names of what stands."""

    kind: str
    number: int
    buckets: Sequence[Bucket]
    last: int = 0
    """The line where its last row begins."""
    unnamed: int | None = None
    """The line of the first row that was to name an identifier, and names none."""

    @property
    def rows(self) -> int:
        """How many there are."""
        return sum(bucket.rows for bucket in self.buckets)


@dataclass(frozen=True, slots=True)
class _Line:
    bucket: int
    rank: int
    text: bytes


def bucket_of(name: str) -> int:
    """Give the bucket of an identifier: the same on every machine, and for other writings of the name."""
    return crc32(fold_writing(name).encode()) % BUCKETS


def cut_rows(
    rows: Iterable[Row], number: int, most_rows: int, most_bytes: int
) -> Iterator[tuple[Chunk, bytes]]:
    """Cut rows into chunks, the first of which has a number, and give each with its content."""
    lines: list[_Line] = []
    length, last, unnamed = 0, 0, None
    for row in rows:
        if lines and (len(lines) >= most_rows or length >= most_bytes):
            yield _chunk("rows", number, lines, last, unnamed)
            number, length, unnamed = number + 1, 0, None
            lines.clear()
        written = write_row(row)
        where = row.identifier.normal_form if row.identifier else str(row.line)
        lines.append(_Line(bucket_of(where), rank_of(row.statements), written))
        length, last = length + len(written), row.line
        if row.identifier is None and unnamed is None and _is_refused(row):
            unnamed = row.line
    if lines:
        yield _chunk("rows", number, lines, last, unnamed)


def cut_names(names: Sequence[str], number: int) -> tuple[Chunk, bytes]:
    """Make a chunk of the names of what stands."""
    lines = [_Line(bucket_of(name), RESOURCES, json.dumps(name).encode() + b"\n") for name in names]
    return _chunk("standing", number, lines, 0, None)


def _chunk(
    kind: str, number: int, lines: Sequence[_Line], last: int, unnamed: int | None
) -> tuple[Chunk, bytes]:
    by_bucket: dict[int, list[_Line]] = {}
    for line in lines:
        by_bucket.setdefault(line.bucket, []).append(line)
    buckets = [
        Bucket(bucket, sum(len(each.text) for each in same), len(same), sorted({each.rank for each in same}))
        for bucket, same in sorted(by_bucket.items())
    ]
    content = b"".join(line.text for bucket in buckets for line in by_bucket[bucket.number])
    return Chunk(kind, number, buckets, last, unnamed), content


def _is_refused(row: Row) -> bool:
    return any(finding.level is Level.REFUSED for finding in row.findings)


def write_chunk(work: Work, chunk: Chunk, content: bytes) -> None:
    """Put a chunk aside; what tells of it comes last. Raises RegistryUnavailable."""
    work.write(_content_name(chunk), content)
    work.write(f"{chunk.kind}-index/{chunk.number:06d}", json.dumps(write_index(chunk)).encode())


def read_chunks(work: Work, kind: str) -> list[Chunk]:
    """Read what is told of all chunks of a kind. Raises RegistryUnavailable."""
    return [read_index(json.loads(work.read(name))) for name in work.names(f"{kind}-index/")]


def write_index(chunk: Chunk) -> list[Any]:
    """Write what is told of a chunk, as JSON has it."""
    buckets = [[each.number, each.length, each.rows, list(each.ranks)] for each in chunk.buckets]
    return [chunk.kind, chunk.number, buckets, chunk.last, chunk.unnamed]


def read_index(told: Sequence[Any]) -> Chunk:
    """Read what is told of a chunk."""
    kind, number, buckets, last, unnamed = told
    return Chunk(kind, number, [Bucket(*each) for each in buckets], last, unnamed)


def read_rows(work: Work, chunks: Iterable[Chunk], buckets: Sequence[int]) -> list[Row]:
    """Read the rows of some buckets, in the order of the file. Raises RegistryUnavailable."""
    rows = [read_row(line) for line in _read(work, chunks, "rows", buckets)]
    rows.sort(key=lambda row: row.line)
    return rows


def read_names(work: Work, chunks: Iterable[Chunk], buckets: Sequence[int]) -> list[str]:
    """Read the names of some buckets. Raises RegistryUnavailable."""
    return [json.loads(line) for line in _read(work, chunks, "standing", buckets)]


def _read(work: Work, chunks: Iterable[Chunk], kind: str, buckets: Sequence[int]) -> Iterator[bytes]:
    wanted = frozenset(buckets)
    for chunk in chunks:
        for first, length in _ranges(chunk, wanted) if chunk.kind == kind else ():
            yield from work.read_range(_content_name(chunk), first, length).splitlines()


def _ranges(chunk: Chunk, wanted: frozenset[int]) -> Iterator[tuple[int, int]]:
    """Give where some buckets stand, those that follow each other together: first byte and length."""
    begin = at = 0
    for bucket in chunk.buckets:
        if bucket.number not in wanted:
            if at > begin:
                yield begin, at - begin
            begin = at + bucket.length
        at += bucket.length
    if at > begin:
        yield begin, at - begin


def is_of_standing(name: str) -> bool:
    """Tell whether a file holds names of what stood, which cannot be found out again."""
    return "/standing/" in name


def _content_name(chunk: Chunk) -> str:
    return f"{chunk.kind}/{chunk.number:06d}"


def write_row(row: Row) -> bytes:
    """Write a row as a line of JSON."""
    identifier = row.identifier
    # A host is all that its identifier is; else the host is no part of it, and yet is advised on.
    named = (
        None if identifier is None else [identifier.written, identifier.host if identifier.scheme else None]
    )
    statements = [[path, value] for path, value in row.statements.items()]
    findings = [[str(it.level), it.field, it.rule, it.value, it.message] for it in row.findings]
    return json.dumps([row.line, named, statements, findings], separators=(",", ":")).encode() + b"\n"


def read_row(line: bytes) -> Row:
    """Read what `write_row` wrote."""
    number, named, statements, findings = json.loads(line)
    written, host = named or (None, None)
    return Row(
        number,
        None if written is None else parse(f"//{host}/{written}" if host else written),
        {tuple(path): value for path, value in statements},
        tuple(Finding(Level(level), *said) for level, *said in findings),
    )
