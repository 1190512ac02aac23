"""Reads the rows of a sheet of an .xlsx file (ECMA-376 part 1, §18.3.1)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ginuri.files.lines import MOST_LINE_BYTES
from ginuri.files.spreadsheets.cell_references import column_number
from ginuri.files.spreadsheets.csv_lines import too_many_columns, uncomputed
from ginuri.files.spreadsheets.links import address_in
from ginuri.files.spreadsheets.number_formats import damage_of_number, damage_of_result, write_number
from ginuri.files.spreadsheets.shared_texts import TextRuns
from ginuri.files.spreadsheets.sheets import SheetRow
from ginuri.files.spreadsheets.xml_parts import SAVE_AS
from ginuri.files.tables.cells import MOST_COLUMNS
from ginuri.files.tables.damaged_numbers import Damage
from ginuri.identifiers.errors import UnreadableFile

TRUE = {"1", "true"}
"""The values of attributes and cells that mean true (XML Schema)."""
_NO_HEIGHT = re.compile(r"0+(?:\.0*)?")
# The most pieces of a formula to keep: addresses are short.
_MOST_PIECES = 100


Hyperlinks = Mapping[tuple[int, int], str]
"""The web addresses that cells link to, by row and column from 1."""


@dataclass(frozen=True, slots=True)
class CellFormats:
    """How the cells of a workbook are written."""

    strings: Sequence[str]
    """The texts that cells share."""
    numbers: Sequence[int]
    """The format of numbers for each style (`number_formats`)."""
    since_1904: bool


class Worksheet:
    """Receives the elements of a sheet and collects complete rows.

    `hyperlinks` are None if links are not read.
    """

    def __init__(self, formats: CellFormats, hyperlinks: Hyperlinks | None = None) -> None:
        self.rows: list[SheetRow] = []
        self._formats = formats
        self._hyperlinks = hyperlinks
        self._text = TextRuns()
        self._row = self._column = self._length = 0
        self._is_hidden = False
        self._cells: list[str] = []
        self._cell: Mapping[str, str] = {}
        self._formula: list[str] | None = None
        self._is_formula = False
        self._targets: dict[int, str] = {}
        self._damages: dict[int, Damage] = {}

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        """Receive the start of an element."""
        self._text.start(element)
        if element == "row":
            self._begin_row(attributes)
        elif element == "c":
            self._cell = attributes
            self._formula = None
            self._text.take()  # drops text between cells
            self._column = column_number(attributes.get("r"), self._column + 1)
        elif element == "f":
            self._formula, self._is_formula = [], True

    def text(self, text: str) -> None:
        """Receive text."""
        if self._is_formula and self._formula is not None and len(self._formula) < _MOST_PIECES:
            self._formula.append(text)
        self._text.add(text)

    def end(self, element: str) -> None:
        """Receive the end of an element."""
        self._text.end(element)
        self._is_formula = False
        if element == "c":
            self._end_cell(self._text.take())
        elif element == "row" and self._cells:
            self.rows.append(
                SheetRow(
                    self._row,
                    1,
                    self._cells,
                    is_hidden=self._is_hidden,
                    targets=self._targets,
                    damages=self._damages,
                )
            )

    def _begin_row(self, attributes: Mapping[str, str]) -> None:
        number = attributes.get("r")
        given = int(number[:9]) if number and number.isdecimal() else self._row + 1
        if given <= self._row:
            raise UnreadableFile(
                "xlsx", number, "The rows of the sheet are not in order. {way_out}", way_out=SAVE_AS
            )
        self._row, self._column, self._cells, self._length = given, 0, [], 0
        self._targets, self._damages = {}, {}
        # A row of no height is as hidden as one that is marked so.
        self._is_hidden = attributes.get("hidden") in TRUE or bool(
            _NO_HEIGHT.fullmatch(attributes.get("ht", ""))
        )

    def _end_cell(self, written: str) -> None:
        if self._formula is not None and not written and "t" not in self._cell:
            raise uncomputed(self._column, self._row)
        value = self._value(written)
        if not value or self._length > MOST_LINE_BYTES:
            return
        if not len(self._cells) < self._column <= MOST_COLUMNS:
            raise too_many_columns(self._column)
        self._cells.extend([""] * (self._column - 1 - len(self._cells)))
        self._cells.append(value)
        self._length += len(value)
        if damage := self._damage(value):
            self._damages[self._column - 1] = damage
        if self._hyperlinks is not None and (target := self._target(self._hyperlinks)):
            self._targets[self._column - 1] = target

    def _value(self, written: str) -> str:
        kind = self._cell.get("t", "n")
        if kind == "s":
            strings = self._formats.strings
            number = int(written[:9]) if written.isdecimal() else len(strings)
            return strings[number] if number < len(strings) else ""
        if kind == "b":
            return "true" if written in TRUE else "false"
        if kind == "n" and written:
            return write_number(written.strip(), self._form, since_1904=self._formats.since_1904)
        return written.removesuffix("T00:00:00") if kind == "d" else written

    @property
    def _form(self) -> int:
        style, forms = self._cell.get("s", "0"), self._formats.numbers
        number = int(style[:9]) if style.isdecimal() else 0
        return forms[number] if number < len(forms) else 0

    def _damage(self, value: str) -> Damage | None:
        match self._cell.get("t", "n"):
            case "n":
                return damage_of_number(value, self._form)
            case "d":
                return Damage.DATE
            case "str":
                return damage_of_result(value)
            case _:
                return None

    def _target(self, hyperlinks: Hyperlinks) -> str:
        return hyperlinks.get((self._row, self._column), "") or address_in("".join(self._formula or ()))
