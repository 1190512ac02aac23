"""Unpacks gzip (RFC 1952), up to a limit."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterable, Iterator

from ginuri.identifiers.errors import UnreadableFile

BROKEN_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, LookupError, OSError, RuntimeError, ValueError)
"""Exceptions for a damaged or protected zip."""
_GZIP = 16 + zlib.MAX_WBITS
# The bytes that zlib gets at once: it copies the rest after the end of each member.
_SLICE = 16 * 1024
# The most bytes that are unpacked at once.
_CHUNK = 64 * 1024


def unpack(chunks: Iterable[bytes], most: int) -> Iterator[bytes]:
    """Unpack all members of a gzip file, with one chunk in memory.

    Raises UnreadableFile for more than `most` bytes, and for content that is damaged, incomplete or not gzip.
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
    pieces = (chunk[start : start + _SLICE] for chunk in chunks for start in range(0, len(chunk), _SLICE))
    for piece in pieces:
        rest = piece
        while rest:
            if member.eof:
                rest = rest.lstrip(b"\0")  # tapes and disks pad with zeros
                if not rest:
                    break
                member = zlib.decompressobj(_GZIP)
            yield member.decompress(rest, _CHUNK)
            rest = member.unused_data if member.eof else member.unconsumed_tail
    while not member.eof:
        # The last byte may unpack to more than one chunk.
        chunk = member.decompress(member.unconsumed_tail, _CHUNK)
        if not chunk and not member.eof:
            raise UnreadableFile("gzip", "", "The file is incomplete. Upload it again.")
        yield chunk
