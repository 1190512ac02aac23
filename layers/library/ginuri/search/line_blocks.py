"""Sorted lines in compressed blocks: lines with one prefix are adjacent, and are read as one range."""

from __future__ import annotations

import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

from ginuri.search.index import Blocks

LINE_BLOCK = 32_768
"""The characters after which a block of lines ends, before compression."""
_LAST = "\U0010ffff"


def pack_lines(lines: list[str]) -> bytes:
    """Write a block of lines, compressed (zlib, RFC 1950)."""
    return zlib.compress("\n".join(lines).encode(), 6)


def separate(before: str, first: str) -> str:
    """Return the shortest prefix of a block's first line that sorts after the line before it.

    >>> separate("geologic map", "geologic report")
    'geologic r'
    """
    same = next(
        (at for at, pair in enumerate(zip(before, first, strict=False)) if pair[0] != pair[1]), len(before)
    )
    return first[: same + 1]


def blocks_with(blocks: Blocks, beginning: str) -> range:
    """Return the numbers of the blocks that may have lines with this prefix."""
    first = max(bisect_left(blocks.firsts, beginning) - 1, 0)
    return range(first, bisect_right(blocks.firsts, beginning + _LAST))


def length_of(blocks: Blocks, numbers: range) -> int:
    """Return the length of adjacent blocks in bytes."""
    return blocks.offsets[numbers.stop] - blocks.offsets[numbers.start] if numbers else 0


def unpack_lines(written: bytes, blocks: Blocks, numbers: range, beginning: str) -> Iterator[str]:
    """Read the lines with this prefix from adjacent blocks, whose bytes are `written`."""
    start = blocks.offsets[numbers.start]
    for first, end in pairwise(blocks.offsets[numbers.start : numbers.stop + 1]):
        for line in zlib.decompress(written[first - start : end - start]).decode().split("\n"):
            if line.startswith(beginning):
                yield line
            elif line > beginning:
                return
