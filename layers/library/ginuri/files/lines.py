"""Bytes → lines, with limits that keep one line from costing everything; and lines in order, however many."""

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
"""How long one line, or one row over several lines, may be."""
MOST_HELD_BYTES = 16 * 1024 * 1024
"""How much is read in search of the end of a line: what has none so far is no registry file."""
MOST_BYTES = 1024 * 1024 * 1024
"""How long a file may be that is read line by line, unpacked as well."""
MOST_WHOLE_BYTES = 64 * 1024 * 1024
"""How long a file may be that can only be read as a whole."""
MOST_ROWS = 2_000_000
"""How many lines a file may have."""
MOST_SORTED = 64 * 1024 * 1024
"""Characters of lines that are held in memory at once while they are sorted."""
_RETURNED = re.compile(rb"[^\r]*\r\n?|[^\r]+")


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Split at LF, and keep it, so that the lines put together are the file.

    Raises UnreadableFile for a line without an end in sight.
    """
    begun: list[bytes] = []
    length = 0
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        begun.append(first)
        length += len(first)
        for following in others:
            yield b"".join((*begun, b"\n"))
            begun, length = [following], len(following)
        if length > MOST_HELD_BYTES:
            raise UnreadableFile(
                "length",
                length,
                "A line has more than {most} bytes. Is this a text file with line breaks?",
                most=f"{MOST_HELD_BYTES:,}",
            )
    if rest := b"".join(begun):
        yield rest


def split_at_returns(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Split lines at lone carriage returns as well, which spreadsheets on some machines end lines with."""
    for line in lines:
        yield from (found[0] for found in _RETURNED.finditer(line)) if b"\r" in line else (line,)


def sort_lines(lines: Iterable[str], folder: Path | None = None, most: int = MOST_SORTED) -> Generator[str]:
    """Sort lines by their characters; what is too much for memory is sorted in pieces, on disk.

    No line has an end of line in it. `most` is how many characters are held at once, `folder` where the
    pieces are.
    """
    with ExitStack() as open_files:
        pieces: list[IO[str]] = []
        begun: list[str] = []
        length = 0
        for line in lines:
            begun.append(f"{line}\n")
            length += len(line)
            if length >= most:
                opened = TemporaryFile("w+", encoding="utf-8", newline="\n", dir=folder)  # noqa: SIM115  it is closed with the others
                pieces.append(open_files.enter_context(opened))
                pieces[-1].writelines(sorted(begun))
                pieces[-1].seek(0)
                begun, length = [], 0
        yield from (line[:-1] for line in heapq.merge(*pieces, sorted(begun)))
