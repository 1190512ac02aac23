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
    rest = b""
    for chunk in chunks:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from (line + b"\n" for line in whole)
    if rest:
        yield rest
