"""Reads pieces of bytes as a file, one after the other."""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


def open_pieces(pieces: Iterable[bytes]) -> BinaryIO:
    """Open pieces as a readable file without seeking; an exception in between reaches the reader.

    >>> open_pieces([b"some ", b"", b"pieces"]).read(7)
    b'some pi'
    """
    return io.BufferedReader(_Pieces(pieces))


class _Pieces(io.RawIOBase):
    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        space = memoryview(buffer).cast("B")
        while not self._rest:
            if (piece := next(self._pieces, None)) is None:
                return 0
            self._rest = memoryview(piece)
        length = min(len(space), len(self._rest))
        space[:length], self._rest = self._rest[:length], self._rest[length:]
        return length
