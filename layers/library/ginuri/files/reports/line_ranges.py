"""Line numbers in brief: successive ones become a range."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

MOST_RANGES = 100
"""The most ranges to keep; the lines of further ones are only counted."""
# The most successive lines that are written singly.
_MOST_SINGLE = 2


class LineRanges:
    """Line numbers as ranges, so that ninety successive bad rows need the room of one."""

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        self._ranges: list[tuple[int, int]] = []
        self.count = 0
        self.add(numbers)

    def add(self, numbers: Iterable[int]) -> None:
        """Add line numbers."""
        for number in numbers:
            self.count += 1
            if self._ranges and number == self._ranges[-1][1] + 1:
                self._ranges[-1] = (self._ranges[-1][0], number)
            elif len(self._ranges) < MOST_RANGES:
                self._ranges.append((number, number))

    def extend(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Add ranges of line numbers."""
        for first, last in ranges:
            self.add((first,))
            self.count += last - first
            if self._ranges[-1][1] == first:
                self._ranges[-1] = (self._ranges[-1][0], last)

    @classmethod
    def union(cls, ranges: Iterable[LineRanges]) -> LineRanges:
        """Return the lines that are in any of these, each once.

        >>> LineRanges.union([LineRanges([2, 3, 9]), LineRanges([3, 4])]).write(4)
        ('2–4, 9', 0)
        """
        listed, result, unlisted = LineSet(), cls(), 0
        for each in ranges:
            for first, last in each._ranges:  # noqa: SLF001  of the same class
                for number in range(first, last + 1):
                    listed.add(number)
            unlisted += each.count - sum(last - first + 1 for first, last in each._ranges)  # noqa: SLF001  of the same class
        result.extend(listed.ranges())
        result.count += unlisted
        return result

    @property
    def first(self) -> int:
        """The first line; 0 if there is none."""
        return min((first for first, _ in self._ranges), default=0)

    def write(self, most: int) -> tuple[str, int]:
        """Write at most `most` numbers or ranges, and return the number of omitted lines.

        >>> LineRanges([2, 4, 5, 7, 8, 9]).write(4)
        ('2, 4, 5, 7–9', 0)
        >>> LineRanges([2, 4, 6]).write(2)
        ('2, 4', 1)
        """
        pieces = [piece for bounds in _merge(sorted(self._ranges)) for piece in _write(*bounds)][:most]
        return ", ".join(text for text, _ in pieces), self.count - sum(length for _, length in pieces)


def _merge(ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Merge sorted ranges that overlap or follow each other."""
    begin, last = 0, -1
    for first, end in ranges:
        if first > last + 1:
            if begin <= last:
                yield begin, last
            begin = first
        last = max(last, end)
    if begin <= last:
        yield begin, last


def _write(first: int, last: int) -> list[tuple[str, int]]:
    length = last - first + 1
    if length > _MOST_SINGLE:
        return [(f"{first}–{last}", length)]
    return [(str(number), 1) for number in range(first, last + 1)]


_FULL = 0xFF
_BYTE = 8


class LineSet:
    """A set of line numbers, with one bit for each line."""

    def __init__(self) -> None:
        self._bits = bytearray()

    def add(self, number: int) -> None:
        """Add a line number."""
        byte, bit = divmod(number, _BYTE)
        if byte >= len(self._bits):
            self._bits.extend(bytes(byte + 1 - len(self._bits) + len(self._bits) // 2))
        self._bits[byte] |= 1 << bit

    def merge(self, other: LineSet) -> None:
        """Add the lines of another set."""
        length = max(len(self._bits), len(other._bits))
        both = int.from_bytes(self._bits, "little") | int.from_bytes(other._bits, "little")
        self._bits = bytearray(both.to_bytes(length, "little"))

    def ranges(self) -> Iterator[tuple[int, int]]:
        """Yield the ranges of successive numbers, in order.

        >>> lines = LineSet()
        >>> for number in (95, 2, 3, 4):
        ...     lines.add(number)
        >>> list(lines.ranges())
        [(2, 4), (95, 95)]
        """
        return _merge(self._runs())

    def _runs(self) -> Iterator[tuple[int, int]]:
        for found in re.finditer(rb"\xff+|[^\x00]", self._bits):
            first, byte = found.start() * _BYTE, found[0][0]
            if byte == _FULL:
                yield first, found.end() * _BYTE - 1
            else:
                yield from ((first + bit, first + bit) for bit in range(_BYTE) if byte >> bit & 1)
