"""Reads texts of an .xlsx file: those that cells share, and those within a cell (ECMA-376 part 1, §18.4)."""

from __future__ import annotations

import re

from ginuri.files.lines import MOST_LINE_BYTES
from ginuri.files.spreadsheets.xml_parts import Package
from ginuri.identifiers.errors import UnreadableFile

# The most different texts of a workbook: even short ones need memory.
_MOST_STRINGS = 1_000_000
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # §22.9.2.19: characters outside XML, and the escape itself


class TextRuns:
    """Joins the runs of text of an element, without phonetic runs (§18.4.6)."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._open = self._phonetic = False

    def start(self, element: str) -> None:
        """Receive the start of an element."""
        self._phonetic = self._phonetic or element == "rPh"
        self._open = element in {"t", "v"} and not self._phonetic

    def end(self, element: str) -> None:
        """Receive the end of an element."""
        self._open = False
        if element == "rPh":
            self._phonetic = False

    def add(self, text: str) -> None:
        """Receive text."""
        # A text longer than a line is refused later, so the rest of it is dropped.
        if self._open and self._length <= MOST_LINE_BYTES:
            self._pieces.append(text)
            self._length += len(text)

    def take(self) -> str:
        """Return the text so far, and start another one."""
        text = "".join(self._pieces)
        self._pieces.clear()
        self._length = 0
        return _ESCAPED.sub(_unescape, text) if "_x" in text else text


def _unescape(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return found[0] if "\ud800" <= character <= "\udfff" else character


def read_shared_texts(package: Package, part: str) -> list[str]:
    """Read the texts that cells refer to by number. Raises UnreadableFile for too many of them."""
    strings: list[str] = []
    text = TextRuns()

    def end(element: str) -> None:
        text.end(element)
        if element == "si":
            strings.append(text.take())
            if len(strings) > _MOST_STRINGS:
                raise UnreadableFile(
                    "size",
                    f"> {_MOST_STRINGS:,}",
                    "A workbook may have at most {most} different texts. Split it into several files.",
                    most=f"{_MOST_STRINGS:,}",
                )

    package.parse(part, lambda element, _: text.start(element), end, text.add)
    return strings
