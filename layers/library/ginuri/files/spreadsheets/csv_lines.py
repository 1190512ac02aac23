"""Writes the rows of a sheet as lines of CSV, one for each row."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from ginuri.files.lines import MOST_WHOLE_BYTES
from ginuri.files.spreadsheets.sheets import SheetRow
from ginuri.files.spreadsheets.xml_parts import Package
from ginuri.files.tables.cells import MOST_COLUMNS, MOST_TITLE_ROWS, HeadingTest
from ginuri.identifiers.errors import UnreadableFile

MOST_SHEET_ROWS = 1_048_576
"""The most rows of a sheet, as in Excel."""
_END = "\r\n"


class Sheet(Protocol):
    """Receives the elements of a part, and collects complete rows for its caller."""

    rows: list[SheetRow]

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        """Receive the start of an element."""

    def end(self, element: str) -> None:
        """Receive the end of an element."""

    def text(self, text: str) -> None:
        """Receive text."""


def write_lines(sheet: Sheet, package: Package, part: str, heading: HeadingTest) -> Iterator[bytes]:
    """Yield the rows of a part as lines of CSV, at least as wide as the heading.

    Raises UnreadableFile.
    """
    last, width, length = 0, 0, 0
    is_below = False
    for _ in package.steps(part, sheet.start, sheet.end, sheet.text):
        for number, cells in _each(sheet.rows):
            if not is_below:
                is_below = number > MOST_TITLE_ROWS or heading.is_heading(cells, is_first=number == 1)
                width = len(cells) if is_below or not last else width
            yield from [_END.encode()] * (number - last - 1)
            line = _write([*cells, *[""] * (width - len(cells))])
            length += len(line)
            if length > MOST_WHOLE_BYTES:
                raise UnreadableFile(
                    "size",
                    f"> {MOST_WHOLE_BYTES:,}",
                    "As CSV, a sheet may have at most {most} bytes. Split it into several files.",
                    most=f"{MOST_WHOLE_BYTES:,}",
                )
            # The byte order mark lets a spreadsheet open the refused lines in the right encoding.
            yield line if last else codecs.BOM_UTF8 + line
            last = number
        sheet.rows.clear()


def _each(rows: Iterable[SheetRow]) -> Iterator[tuple[int, Sequence[str]]]:
    for row in rows:
        last = row.number + row.times - 1
        if last > MOST_SHEET_ROWS:
            raise UnreadableFile(
                "size",
                last,
                "A sheet may have at most {most} rows. Split it into several files.",
                most=f"{MOST_SHEET_ROWS:,}",
            )
        yield from ((number, row.cells) for number in range(row.number, last + 1))


def _write(cells: Sequence[str]) -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator=_END).writerow(cells)
    return written.getvalue().encode()


def uncomputed(column: int, row: int) -> UnreadableFile:
    """Return the error for a formula without a result."""
    letters = ""
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return UnreadableFile(
        "formula",
        f"{letters}{row}",
        "The formula in {cell} has no result. Open the file in a spreadsheet program and save it.",
        cell=f"{letters}{row}",
    )


def too_many_columns(column: int) -> UnreadableFile:
    """Return the error for a column beyond the limit or out of order."""
    return UnreadableFile(
        "columns",
        column,
        "A sheet may have at most {most} columns, in order. Leave out columns that are not fields.",
        most=f"{MOST_COLUMNS:,}",
    )
