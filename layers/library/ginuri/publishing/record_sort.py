"""Sorting records by identifier where they do not fit into memory: pieces on disk, then merged."""

from __future__ import annotations

import heapq
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, NamedTuple

MOST_HELD = 64 * 1024 * 1024
"""Characters of records that are held in memory at once."""


class Stored(NamedTuple):
    """A record as it is stored: its identifier, when it changed, and what stands, as JSON on one line."""

    identifier: str
    modified: str
    body: str


def sort_stored(
    records: Iterable[tuple[str, str, str]], folder: Path, most: int = MOST_HELD
) -> Iterator[Stored]:
    """Sort by identifier. Neither identifiers nor moments have tabs, and JSON has no line ends."""
    with ExitStack() as open_files:
        held: list[str] = []
        length = 0
        pieces: list[IO[str]] = []
        for record in records:
            held.append("\t".join(record) + "\n")
            length += len(held[-1])
            if length >= most:
                pieces.append(open_files.enter_context(_write(held, folder)))
                held, length = [], 0
        held.sort()
        for line in heapq.merge(*pieces, held):
            identifier, modified, body = line[:-1].split("\t", 2)
            yield Stored(identifier, modified, body)


def _write(held: list[str], folder: Path) -> IO[str]:
    piece = tempfile.TemporaryFile("w+", encoding="utf-8", newline="\n", dir=folder)  # noqa: SIM115  it is merged later
    piece.writelines(sorted(held))
    piece.seek(0)
    return piece
