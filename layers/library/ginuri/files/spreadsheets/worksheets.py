"""Reads the rows of a sheet of an .xlsx file (ECMA-376 part 1, §18.3.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ginuri.files.lines import MOST_LINE_BYTES
from ginuri.files.spreadsheets.csv_lines import too_many_columns, uncomputed
from ginuri.files.spreadsheets.number_formats import write_number
from ginuri.files.spreadsheets.shared_texts import TextRuns
from ginuri.files.spreadsheets.sheets import SheetRow
from ginuri.files.spreadsheets.xml_parts import SAVE_AS
from ginuri.files.tables.cells import MOST_COLUMNS
from ginuri.identifiers.errors import UnreadableFile

TRUE = {"1", "true"}
"""The values of attributes and cells that mean true (XML Schema)."""
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")


class Worksheet:
    """Receives the elements of a sheet and collects complete rows."""

    def __init__(self, strings: Sequence[str], formats: Sequence[int], *, since_1904: bool) -> None:
        self.rows: list[SheetRow] = []
        self._strings = strings
        self._formats = formats
        self._since_1904 = since_1904
        self._text = TextRuns()
        self._row = self._column = self._length = 0
        self._cells: list[str] = []
        self._cell: Mapping[str, str] = {}
        self._has_formula = False

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        """Receive the start of an element."""
        self._text.start(element)
        if element == "row":
            self._begin_row(attributes.get("r"))
        elif element == "c":
            self._cell = attributes
            self._has_formula = False
            self._text.take()  # drops text between cells
            self._column = column_number(attributes.get("r"), self._column + 1)
        elif element == "f":
            self._has_formula = True

    def text(self, text: str) -> None:
        """Receive text."""
        self._text.add(text)

    def end(self, element: str) -> None:
        """Receive the end of an element."""
        self._text.end(element)
        if element == "c":
            self._end_cell(self._text.take())
        elif element == "row" and self._cells:
            self.rows.append(SheetRow(self._row, 1, self._cells))

    def _begin_row(self, number: str | None) -> None:
        given = int(number[:9]) if number and number.isdecimal() else self._row + 1
        if given <= self._row:
            raise UnreadableFile(
                "xlsx", number, "The rows of the sheet are not in order. {way_out}", way_out=SAVE_AS
            )
        self._row, self._column, self._cells, self._length = given, 0, [], 0

    def _end_cell(self, written: str) -> None:
        if self._has_formula and not written and "t" not in self._cell:
            raise uncomputed(self._column, self._row)
        value = self._value(written)
        if not value or self._length > MOST_LINE_BYTES:
            return
        if not len(self._cells) < self._column <= MOST_COLUMNS:
            raise too_many_columns(self._column)
        self._cells.extend([""] * (self._column - 1 - len(self._cells)))
        self._cells.append(value)
        self._length += len(value)

    def _value(self, written: str) -> str:
        kind = self._cell.get("t", "n")
        if kind == "s":
            number = int(written[:9]) if written.isdecimal() else len(self._strings)
            return self._strings[number] if number < len(self._strings) else ""
        if kind == "b":
            return "true" if written in TRUE else "false"
        if kind == "n" and written:
            style = self._cell.get("s", "0")
            number = int(style[:9]) if style.isdecimal() else 0
            form = self._formats[number] if number < len(self._formats) else 0
            return write_number(written.strip(), form, since_1904=self._since_1904)
        return written.removesuffix("T00:00:00") if kind == "d" else written


def column_number(reference: str | None, following: int) -> int:
    """Return the column number in the reference of a cell; without one, the following column."""
    found = _REFERENCE.fullmatch(reference or "")
    if reference and not found:
        raise UnreadableFile("xlsx", reference, "A cell has no valid position. {way_out}", way_out=SAVE_AS)
    number = 0
    for letter in found[1] if found else "":
        number = number * 26 + ord(letter) - ord("A") + 1
    return number or following
