"""Rows in the order of the file → chunks in which the rows of one identifier stand in one bucket.

A row belongs to a bucket by its identifier, in whatever writing, so that a part that takes the same buckets
of every chunk has all rows of an identifier, wherever they stood, and those of other writings of its name.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from zlib import crc32

from ginuri.core.identifiers import parse
from ginuri.core.identifiers.folding import fold_writing
from ginuri.core.rows import RESOURCES, Row, rank_of
from ginuri.core.verdicts import Finding, Level
from ginuri.intake.work import Work

BUCKETS = 1024
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


@dataclass(frozen=True, slots=True)
class Run:
    """Where some buckets stand that follow each other in a chunk."""

    kind: str
    chunk: int
    first: int
    """The byte where they begin."""
    bucket: int
    """The first of them."""
    lengths: Sequence[int]
    """In bytes, one a bucket."""


@dataclass(slots=True)
class Slice:
    """The rows of some buckets, and the names of what stands that belong to them."""

    rows: list[Row] = field(default_factory=list)
    standing: list[str] = field(default_factory=list)


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
            yield _chunk(ROWS, number, lines, last, unnamed)
            number, length, unnamed = number + 1, 0, None
            lines.clear()
        written = write_row(row)
        where = row.identifier.normal_form if row.identifier else str(row.line)
        lines.append(_Line(bucket_of(where), rank_of(row.statements), written))
        length, last = length + len(written), row.line
        if row.identifier is None and unnamed is None and _is_refused(row):
            unnamed = row.line
    if lines:
        yield _chunk(ROWS, number, lines, last, unnamed)


def cut_names(names: Sequence[str], number: int) -> tuple[Chunk, bytes]:
    """Make a chunk of the names of what stands."""
    lines = [_Line(bucket_of(name), RESOURCES, json.dumps(name).encode() + b"\n") for name in names]
    return _chunk(STANDING, number, lines, 0, None)


def _chunk(
    kind: str, number: int, lines: Sequence[_Line], last: int, unnamed: int | None
) -> tuple[Chunk, bytes]:
    lengths, rows, ranks = array("L", [0]) * BUCKETS, array("L", [0]) * BUCKETS, array("L", [0]) * BUCKETS
    for line in lines:
        lengths[line.bucket] += len(line.text)
        rows[line.bucket] += 1
        ranks[line.bucket] |= 1 << line.rank
    content = b"".join(line.text for line in sorted(lines, key=attrgetter("bucket")))
    return Chunk(kind, number, lengths, rows, ranks, last, unnamed), content


def _is_refused(row: Row) -> bool:
    return any(finding.level is Level.REFUSED for finding in row.findings)


def write_chunk(work: Work, chunk: Chunk, content: bytes) -> None:
    """Put a chunk aside; what tells of it comes last. Raises RegistryUnavailable."""
    work.write(_content_name(chunk.kind, chunk.number), content)
    told = [chunk.last, chunk.unnamed, list(chunk.lengths), list(chunk.rows), list(chunk.ranks)]
    work.write(f"{chunk.kind}-index/{chunk.number:06d}", json.dumps(told, separators=(",", ":")).encode())


def read_chunks(work: Work, kind: str) -> list[Chunk]:
    """Read what is told of all chunks of a kind. Raises PartsMissing and RegistryUnavailable."""
    return [
        _read_index(kind, number, work.read(name)) for number, name in enumerate(work.names(f"{kind}-index/"))
    ]


def _read_index(kind: str, number: int, body: bytes) -> Chunk:
    last, unnamed, lengths, rows, ranks = json.loads(body)
    return Chunk(kind, number, array("L", lengths), array("L", rows), array("L", ranks), last, unnamed)


def find_runs(chunk: Chunk, begins: Sequence[int], buckets: Sequence[int]) -> Iterator[Run]:
    """Find where some buckets, in their order, stand in a chunk; `begins` says where each bucket begins."""
    begun: list[int] = []
    for bucket in (*buckets, None):
        if begun and bucket != begun[-1] + 1:
            lengths = [chunk.lengths[each] for each in begun]
            if any(lengths):
                yield Run(chunk.kind, chunk.number, begins[begun[0]], begun[0], lengths)
            begun = []
        if bucket is not None:
            begun.append(bucket)


def read_slices(work: Work, runs: Iterable[Run], most_rows: int | None) -> Iterator[Slice]:
    """Read what stands there, so many rows or a bucket at a time, or all of it, in the order of the file.

    All rows of an identifier are in one slice. Raises PartsMissing and RegistryUnavailable.
    """
    pieces: dict[int, list[tuple[str, bytes]]] = {}
    for run in runs:
        content, at = work.read_range(_content_name(run.kind, run.chunk), run.first, sum(run.lengths)), 0
        for bucket, length in enumerate(run.lengths, start=run.bucket):
            if length:
                pieces.setdefault(bucket, []).append((run.kind, content[at : at + length]))
            at += length
    held = Slice()
    for bucket in sorted(pieces):
        for kind, piece in pieces.pop(bucket):
            if kind == ROWS:
                held.rows += map(read_row, piece.splitlines())
            else:
                held.standing += map(json.loads, piece.splitlines())
        if most_rows is not None and len(held.rows) + len(held.standing) >= most_rows:
            yield _in_order(held)
            held = Slice()
    yield _in_order(held)


def _in_order(held: Slice) -> Slice:
    held.rows.sort(key=attrgetter("line"))
    return held


def is_of_standing(name: str) -> bool:
    """Tell whether a file holds names of what stood, which cannot be found out again."""
    return f"/{STANDING}/" in name


def _content_name(kind: str, number: int) -> str:
    return f"{kind}/{number:06d}"


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
