"""Bytes → lines, with limits that keep one line from costing everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

MOST_LINE_BYTES = 256 * 1024
"""How long one line, or one row over several lines, may be."""
MOST_BYTES = 64 * 1024 * 1024
"""How long a file may be."""
MOST_ROWS = 100_000
"""How many rows a file may have."""


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Split at LF, and keep it, so that the lines put together are the file."""
    begun: list[bytes] = []
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        begun.append(first)
        for following in others:
            yield b"".join((*begun, b"\n"))
            begun = [following]
    if rest := b"".join(begun):
        yield rest
