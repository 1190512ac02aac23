"""Sorting what does not fit into memory."""

from __future__ import annotations

import heapq
import json
import tempfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from typing import IO

from ginuri.files.export import Placed

MOST_HELD = 10_000
"""How many records are held in memory at once."""


def sort_placed(records: Iterable[Placed], most: int = MOST_HELD) -> Generator[Placed]:
    """Sort by folder and identifier; what is too much for memory is sorted in pieces, on disk."""
    with ExitStack() as open_files:
        held: list[Placed] = []
        pieces: list[IO[bytes]] = []
        for record in records:
            held.append(record)
            if len(held) == most:
                opened = tempfile.TemporaryFile()  # noqa: SIM115  it is closed with the others
                pieces.append(open_files.enter_context(opened))
                pieces[-1].writelines(json.dumps(each).encode() + b"\n" for each in sorted(held))
                held.clear()
        yield from heapq.merge(*(_read(piece) for piece in pieces), sorted(held))


def _read(piece: IO[bytes]) -> Iterator[Placed]:
    piece.seek(0)
    return (Placed(*json.loads(line)) for line in piece)
