"""Splits bytes into lines of limited length, and sorts lines with limited memory."""

from __future__ import annotations

import heapq
import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from ginuri.identifiers.errors import UnreadableFile

MOST_LINE_BYTES = 256 * 1024
"""The longest line, or row over several lines."""
MOST_HELD_BYTES = 16 * 1024 * 1024
"""The most bytes read in search of a line end; registry files have no longer line."""
MOST_BYTES = 1024 * 1024 * 1024
"""The largest file that is read line by line, in bytes, also when decompressed."""
MOST_WHOLE_BYTES = 64 * 1024 * 1024
"""The largest file that is read as a whole, in bytes."""
MOST_ROWS = 2_000_000
MOST_SORTED = 64 * 1024 * 1024
"""The most characters in memory while lines are sorted."""
_RETURNED = re.compile(rb"[^\r]*\r\n?|[^\r]+")


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Split at LF and keep it, so that the joined lines are the file.

    Raises UnreadableFile for a line of more than MOST_HELD_BYTES.
    """
    pieces: list[bytes] = []
    length = 0
    for chunk in chunks:
        first, *lines = chunk.split(b"\n")
        pieces.append(first)
        length += len(first)
        for following in lines:
            yield b"".join((*pieces, b"\n"))
            pieces, length = [following], len(following)
        if length > MOST_HELD_BYTES:
            raise UnreadableFile(
                "length",
                length,
                "A line has more than {most} bytes. Is this a text file with line breaks?",
                most=f"{MOST_HELD_BYTES:,}",
            )
    if rest := b"".join(pieces):
        yield rest


def split_at_returns(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Split lines at lone carriage returns as well, as written by some spreadsheets."""
    for line in lines:
        yield from (found[0] for found in _RETURNED.finditer(line)) if b"\r" in line else (line,)


def sort_lines(lines: Iterable[str], folder: Path | None = None, most: int = MOST_SORTED) -> Generator[str]:
    """Sort lines by their code points, in pieces on disk if they do not fit into memory.

    Lines come without line breaks. `most` is the number of characters in memory, `folder` the place of the
    pieces.
    """
    with ExitStack() as open_files:
        pieces: list[IO[str]] = []
        piece: list[str] = []
        length = 0
        for line in lines:
            piece.append(f"{line}\n")
            length += len(line)
            if length >= most:
                opened = TemporaryFile("w+", encoding="utf-8", newline="\n", dir=folder)  # noqa: SIM115  it is closed with the others
                pieces.append(open_files.enter_context(opened))
                pieces[-1].writelines(sorted(piece))
                pieces[-1].seek(0)
                piece, length = [], 0
        yield from (line[:-1] for line in heapq.merge(*pieces, sorted(piece)))
