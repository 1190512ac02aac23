"""gzip → bytes (RFC 1952), with a limit on what comes out."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

from ginuri.identifiers.errors import UnreadableFile

_GZIP = 16 + zlib.MAX_WBITS
_SLICE = 16 * 1024
"""How much is handed to zlib at once: what follows the end of a member is copied, each time."""
_CHUNK = 64 * 1024
"""How much may come out at once."""


def unpack(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Unpack gzip, all members of it, and hold no more than a chunk.

    Raises UnreadableFile for more than `most` bytes, and for what is damaged, cut off or no gzip at all.
    """
    length = 0
    try:
        for chunk in _unpack(chunks):
            length += len(chunk)
            if length > most:
                raise UnreadableFile(
                    "size",
                    f"> {most:,}",
                    "Unpacked, a file may have at most {most} bytes. Split it into several files.",
                    most=f"{most:,}",
                )
            yield chunk
    except zlib.error as error:
        raise UnreadableFile(
            "gzip",
            str(error),
            "The file is not gzip, or is damaged. Pack it again, or upload it unpacked, without .gz in its "
            "name.",
        ) from error


def _unpack(chunks: Iterable[bytes]) -> Iterator[bytes]:
    # RFC 1952 §2.2: a file is one member after the other, with nothing in between.
    member = zlib.decompressobj(_GZIP)
    for piece in _slices(chunks):
        rest = piece
        while rest:
            if member.eof:
                rest = rest.lstrip(b"\0")  # tapes and disks fill up what they write
                if not rest:
                    break
                member = zlib.decompressobj(_GZIP)
            yield member.decompress(rest, _CHUNK)
            rest = member.unused_data if member.eof else member.unconsumed_tail
    while not member.eof:
        # A whole chunk may have come out of the very last byte.
        chunk = member.decompress(member.unconsumed_tail, _CHUNK)
        if not chunk and not member.eof:
            raise UnreadableFile("gzip", "", "The file is incomplete. Upload it again.")
        yield chunk


def _slices(chunks: Iterable[bytes]) -> Iterator[bytes]:
    for chunk in chunks:
        for start in range(0, len(chunk), _SLICE):
            yield chunk[start : start + _SLICE]
