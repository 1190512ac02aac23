"""Bytes → UTF-8, and what is said of a file that is neither UTF-8 nor says what it is."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.registration.verdicts import Level, Outcome, Verdict, refuse

ENCODING = "UTF-8"
"""The rule that is broken by a line in another encoding."""
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
        raise UnreadableFile(
            ENCODING,
            begun[:_MARK_BYTES].hex(" "),
            "The file is not a text file. Save it as UTF-8 (in Excel: CSV UTF-8) and upload it again.",
        )
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
        raise UnreadableFile(
            "UTF-16",
            str(error),
            "The file starts as UTF-16, but is damaged. Save it as UTF-8 (in Excel: CSV UTF-8) and upload "
            "it again.",
        ) from error


@dataclass(frozen=True, slots=True)
class EncodingRefusal:
    """What is refused for its encoding alone: that is said of the file, not of each line."""

    number: int
    """How many verdicts it would be."""
    lines: Sequence[int]
    first: Verdict
    """The one about the first of the lines."""

    def together_with(self, other: EncodingRefusal) -> EncodingRefusal:
        """Put two together, of two parts of a file."""
        first = min(self.first, other.first, key=_first_line)
        return EncodingRefusal(self.number + other.number, sorted({*self.lines, *other.lines}), first)

    def verdict(self) -> Verdict:
        """Give one verdict for all the lines."""
        if self.number == 1:
            return self.first
        [finding, *_] = self.first.findings
        whole = refuse(
            finding.field,
            finding.rule,
            finding.value,
            "{number} lines are not UTF-8. The first: {finding}",
            number=len(self.lines),
            finding=finding.message,
        )
        return Verdict(Outcome.REFUSED, self.lines, None, [whole])


def undecoded(verdicts: Sequence[Verdict]) -> EncodingRefusal | None:
    """Put together those verdicts that are about the encoding alone; None where there are none."""
    found = [verdict for verdict in verdicts if is_about_encoding(verdict)]
    if not found:
        return None
    lines = sorted({line for verdict in found for line in verdict.lines})
    return EncodingRefusal(len(found), lines, min(found, key=_first_line))


def is_about_encoding(verdict: Verdict) -> bool:
    """Tell whether something is refused for its encoding alone."""
    rules = {finding.rule for finding in verdict.findings if finding.level is Level.REFUSED}
    return rules == {ENCODING}


def _first_line(verdict: Verdict) -> int:
    return min(verdict.lines)


def describe(raw: bytes) -> Message:
    """Describe text in another encoding, and the way out."""
    try:
        read = raw.decode("windows-1252")
    except UnicodeDecodeError:
        return message("This is not UTF-8. Save the file as UTF-8 (in Excel: CSV UTF-8) and upload it again.")
    return message(
        "This is not UTF-8; in Windows-1252 it would be {text}. Save the file as UTF-8 (in Excel: CSV "
        "UTF-8) and upload it again.",
        text=repr(read[:80]),
    )
