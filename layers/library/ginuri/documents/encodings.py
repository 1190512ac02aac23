"""Bytes → UTF-8, and what is said of a file that is neither UTF-8 nor says what it is."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain

from ginuri.core.errors import UnreadableFile
from ginuri.core.rows import Registration
from ginuri.core.verdicts import Level, Outcome, Verdict, refuse

ENCODING = "UTF-8"
"""The rule that is broken by a line in another encoding."""
SAVE_AS = "save the file as UTF-8 (Excel: CSV UTF-8) and upload it again"
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARK_BYTES = 4


def to_utf8(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Give text as UTF-8: UTF-16 with a byte order mark is converted, and keeps a mark.

    Raises UnreadableFile for what is no text at all, and for UTF-16 that is broken.
    """
    further = iter(chunks)
    begun = b""
    while len(begun) < _MARK_BYTES and (chunk := next(further, None)) is not None:
        begun += chunk
    if b"\0" in begun[:_MARK_BYTES] and not _is_utf16(begun):
        raise UnreadableFile(ENCODING, begun[:_MARK_BYTES].hex(" "), f"the file is no text; {SAVE_AS}")
    yield from _from_utf16(chain([begun], further)) if _is_utf16(begun) else chain([begun], further)


def _is_utf16(begun: bytes) -> bool:
    # With two zeros behind the mark it is UTF-32.
    return begun.startswith(_MARKS) and begun[2:_MARK_BYTES] != bytes(2)


def _from_utf16(chunks: Iterable[bytes]) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder("utf-16")()
    yield codecs.BOM_UTF8
    try:
        for chunk in chunks:
            yield decoder.decode(chunk).encode()
        decoder.decode(b"", final=True)
    except UnicodeError as error:
        raise UnreadableFile("UTF-16", str(error), f"it begins as UTF-16, and is none; {SAVE_AS}") from error


def tell_once(pieces: Iterable[Registration | Verdict]) -> Iterator[Registration | Verdict]:
    """Put together what is refused for its encoding alone: that is said of the file, not of each line."""
    told: list[Verdict] = []
    for piece in pieces:
        if isinstance(piece, Verdict) and _is_about_encoding(piece):
            told.append(piece)
        else:
            yield piece
    if len(told) > 1:
        lines = sorted({line for verdict in told for line in verdict.lines})
        first = min(told, key=lambda verdict: min(verdict.lines)).findings[0]
        message = f"{len(lines):,} lines are not UTF-8, the first: {first.message}"
        yield Verdict(Outcome.REFUSED, lines, None, [refuse(first.field, first.rule, first.value, message)])
    else:
        yield from told


def _is_about_encoding(verdict: Verdict) -> bool:
    rules = {finding.rule for finding in verdict.findings if finding.level is Level.REFUSED}
    return rules == {ENCODING}


def describe(raw: bytes) -> str:
    """Say what text in another encoding is, and the way out."""
    try:
        read = raw.decode("windows-1252")
    except UnicodeDecodeError:
        return f"not UTF-8; {SAVE_AS}"
    return f"not UTF-8, but maybe Windows-1252, in which it is {read[:80]!r}; {SAVE_AS}"
