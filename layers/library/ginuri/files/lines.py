"""Bytes → lines, with limits that keep one line from costing everything."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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
            told = f"a line goes on for more than {MOST_HELD_BYTES:,} bytes; is it a text with ends of lines?"
            raise UnreadableFile("length", length, told)
    if rest := b"".join(begun):
        yield rest


def split_at_returns(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Split lines at lone carriage returns as well, which spreadsheets on some machines end lines with."""
    for line in lines:
        yield from (found[0] for found in _RETURNED.finditer(line)) if b"\r" in line else (line,)
