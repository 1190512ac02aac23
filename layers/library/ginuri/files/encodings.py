"""Converts text to UTF-8, and reports text in an unknown encoding."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ginuri.files.code_pages import from_code_page, is_code_page
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import Message, message
from ginuri.registration.verdicts import Level, Outcome, Verdict, refuse

ENCODING = "UTF-8"
"""The rule of findings on a line in another encoding."""
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARK_BYTES = 4


def to_utf8(chunks: Iterable[bytes], encoding: str = "") -> Iterator[bytes]:
    """Convert text to UTF-8 from the stated code page, or from UTF-16 with a byte order mark, which stays.

    A mark counts more than the code page. Raises UnreadableFile for binary content, for damaged
    UTF-16, and for UTF-8 that is stated to be in a code page.
    """
    rest = iter(chunks)
    head = b""
    while len(head) < _MARK_BYTES and (chunk := next(rest, None)) is not None:
        head += chunk
    if b"\0" in head[:_MARK_BYTES] and not _is_utf16(head):
        raise UnreadableFile(
            ENCODING,
            head[:_MARK_BYTES].hex(" "),
            "The file is not a text file. Save it as UTF-8 (in Excel: CSV UTF-8) and upload it again.",
        )
    content = chain([head], rest)
    if _is_utf16(head):
        yield from _from_utf16(content)
    elif is_code_page(encoding) and not head.startswith(codecs.BOM_UTF8):
        yield from from_code_page(content, encoding)
    else:
        yield from content


def _is_utf16(head: bytes) -> bool:
    # Two zero bytes after the mark make it UTF-32.
    return head.startswith(_MARKS) and head[2:_MARK_BYTES] != bytes(2)


def _from_utf16(chunks: Iterable[bytes]) -> Iterator[bytes]:
    yield codecs.BOM_UTF8
    try:
        yield from map(str.encode, codecs.iterdecode(chunks, "utf-16"))
    except UnicodeError as error:
        raise UnreadableFile(
            "UTF-16",
            str(error),
            "The file starts as UTF-16, but is damaged. Save it as UTF-8 (in Excel: CSV UTF-8) and upload "
            "it again.",
        ) from error


@dataclass(frozen=True, slots=True)
class EncodingRefusal:
    """Lines refused only for their encoding, which is reported once for the file."""

    number: int
    """The number of verdicts that this one replaces."""
    lines: Sequence[int]
    first: Verdict
    """The verdict on the first of the lines."""

    def verdict(self) -> Verdict:
        """Return one verdict for all the lines."""
        if self.number == 1:
            return self.first
        [finding, *_] = self.first.findings
        summary = refuse(
            finding.field,
            finding.rule,
            finding.value,
            "{number} lines are not UTF-8. The first: {finding}",
            number=len(self.lines),
            finding=finding.message,
        )
        return Verdict(Outcome.REFUSED, self.lines, None, [replace(summary, column=finding.column)])


def undecoded(verdicts: Sequence[Verdict]) -> EncodingRefusal | None:
    """Merge the verdicts that are only about the encoding; None without any."""
    return merge_refusals(
        [EncodingRefusal(1, verdict.lines, verdict) for verdict in verdicts if is_about_encoding(verdict)]
    )


def merge_refusals(refusals: Sequence[EncodingRefusal]) -> EncodingRefusal | None:
    """Merge the refusals of several parts of a file; None without any."""
    if not refusals:
        return None
    lines = sorted({line for refusal in refusals for line in refusal.lines})
    first = min((refusal.first for refusal in refusals), key=lambda verdict: min(verdict.lines))
    return EncodingRefusal(sum(refusal.number for refusal in refusals), lines, first)


def is_about_encoding(verdict: Verdict) -> bool:
    """Return whether a verdict refuses only for the encoding."""
    rules = {finding.rule for finding in verdict.findings if finding.level is Level.REFUSED}
    return rules == {ENCODING}


def describe(raw: bytes) -> Message:
    """Describe text in another encoding, and how to correct it."""
    try:
        read = raw.decode("windows-1252")
    except UnicodeDecodeError:
        return message("This is not UTF-8. Save the file as UTF-8 (in Excel: CSV UTF-8) and upload it again.")
    return message(
        "This is not UTF-8; in Windows-1252 it would be {text}. If that is right, upload the file again with "
        "{option}; else save it as UTF-8 (in Excel: CSV UTF-8).",
        text=repr(read[:80]),
        option="--encoding windows-1252",
    )


def decode_name(name: str) -> str:
    """Decode a column name as Windows-1252, the most likely other encoding."""
    is_text = name.isascii() or not any("\udc80" <= character <= "\udcff" for character in name)
    return name if is_text else name.encode(errors="surrogateescape").decode("windows-1252", errors="replace")
