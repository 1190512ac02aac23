"""Converts a sheet of an .ods file (OpenDocument 1.3 part 3, §9) to CSV, one line for each row.

It is read like an .xlsx file, in pieces and with the same limits; repeated rows and cells are counted before
they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ginuri.files.lines import MOST_LINE_BYTES, MOST_WHOLE_BYTES
from ginuri.files.spreadsheets.chosen_sheet import ChosenSheet
from ginuri.files.spreadsheets.csv_lines import too_many_columns, uncomputed
from ginuri.files.spreadsheets.links import address_in, web_address
from ginuri.files.spreadsheets.number_formats import POWER, damage_of_number, damage_of_result, is_power
from ginuri.files.spreadsheets.sheets import (
    HeadingSearch,
    ListedSheet,
    SheetRow,
    add_sheet,
    choose_sheet,
)
from ginuri.files.spreadsheets.xml_parts import Package
from ginuri.files.tables.cells import MOST_COLUMNS, HeadingTest
from ginuri.files.tables.damaged_numbers import Damage
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import Remark, ignore

CONTENT = "content.xml"
_HIDING = re.compile(rb"table:visibility=")
_FILTERED = "filter"
_HIDDEN = {"collapse", _FILTERED}
CELLS = {"table-cell", "covered-table-cell"}
# Elements with text that does not belong to the cell.
BESIDE = {"annotation", "frame", "custom-shape", "shapes", "forms"}
_BLANKS = {"s": " ", "tab": "\t", "line-break": "\n"}  # §6.1.3 to 6.1.5


def open_document(
    content: bytes, heading: HeadingTest, wanted: str = "", remark: Remark = ignore
) -> ChosenSheet:
    """Return the chosen sheet, or the first one with identifiers, after the remarks on the others.

    Raises UnreadableFile.
    """
    package = Package(content, MOST_WHOLE_BYTES)
    chosen = choose_sheet(_list_sheets(package, heading), wanted, remark)
    return ChosenSheet(package, CONTENT, lambda _: _Sheet(chosen), _HIDING, tuple, chosen)


def list_sheets(content: bytes, heading: HeadingTest) -> Sequence[ListedSheet]:
    """List the sheets of a document in order. Raises UnreadableFile."""
    return _list_sheets(Package(content, MOST_WHOLE_BYTES), heading)


def _list_sheets(package: Package, heading: HeadingTest) -> Sequence[ListedSheet]:
    contents = _Contents(heading)
    package.parse(CONTENT, contents.start, contents.end, contents.text)
    return contents.sheets


class _Contents:
    """Receives the elements of all sheets, and lists the sheets with the kind of their first rows."""

    def __init__(self, heading: HeadingTest) -> None:
        self.sheets: list[ListedSheet] = []
        self._heading = heading
        self._hidden: set[str] = set()
        self._style = ""
        self._depth = 0  # within the sheet
        self._table: Mapping[str, str] = {}
        self._sheet, self._search = _Sheet(), HeadingSearch(heading)

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        if element == "style":
            self._style = attributes.get("style:name", "")
        elif element == "table-properties" and attributes.get("table:display") == "false":
            self._hidden.add(self._style)
        elif element == "table":
            if not self._depth:
                self._table, self._sheet, self._search = attributes, _Sheet(), HeadingSearch(self._heading)
            self._depth += 1
        self._pass_on(self._sheet.start, element, attributes)

    def end(self, element: str) -> None:
        self._pass_on(self._sheet.end, element)
        if element == "table-row":
            self._search.take(self._sheet.rows)
        elif element == "table" and self._depth:
            self._depth -= 1
            if not self._depth:
                is_hidden = self._table.get("table:style-name") in self._hidden
                name = self._table.get("table:name") or f"Sheet{len(self.sheets) + 1}"
                add_sheet(self.sheets, ListedSheet(name, is_hidden, self._search.found))

    def text(self, text: str) -> None:
        self._pass_on(self._sheet.text, text)

    def _pass_on(self, receive: Callable[..., None], *given: str | Mapping[str, str]) -> None:
        if self._depth and not self._search.is_over:
            try:
                receive(*given)
            except UnreadableFile:
                self._search.give_up()


class _Sheet:
    """Receives the elements of all sheets and collects the rows of one of them."""

    def __init__(self, place: int = 0) -> None:
        self.rows: list[SheetRow] = []
        self._left = place + 1  # sheets up to this one
        self._depth = self._beside = 0  # within the sheet; within elements that are no cells
        self._is_text = False
        self._row = self._times = 0
        self._attributes: Mapping[str, str] = {}
        self._targets: dict[int, str] = {}
        self._damages: dict[int, Damage] = {}
        self._links: set[str] = set()
        self._cells: list[str] = []
        self._column = self._length = 0
        self._cell: Mapping[str, str] = {}
        self._text: list[str] = []
        self._text_length = 0

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        if element == "table":
            self._left -= not self._depth
            self._depth += 1
        elif self._depth == 1 and not self._left:
            self._start_within(element, attributes)

    def end(self, element: str) -> None:
        if element == "table":
            self._depth -= 1
        elif self._depth != 1 or self._left:
            return
        elif element in BESIDE:
            self._beside -= 1
        elif self._beside:
            return
        elif element == "p":
            self._is_text = False
        elif element in CELLS:
            self._end_cell(is_covered=element == "covered-table-cell")
        elif element == "table-row":
            if self._cells:
                visibility = self._attributes.get("table:visibility", "")
                self.rows.append(
                    SheetRow(
                        self._row + 1,
                        self._times,
                        self._cells,
                        is_hidden=visibility in _HIDDEN,
                        is_filtered=visibility == _FILTERED,
                        targets=self._targets,
                        damages=self._damages,
                    )
                )
            self._row += self._times

    def text(self, text: str) -> None:
        # A text longer than a line is refused later, so the rest of it is dropped.
        if self._is_text and not self._beside and self._text_length <= MOST_LINE_BYTES:
            self._text.append(text)
            self._text_length += len(text)

    def _start_within(self, element: str, attributes: Mapping[str, str]) -> None:
        if element in BESIDE:
            self._beside += 1
        elif self._beside:
            return
        elif element == "table-row":
            self._attributes, self._times = attributes, repeats(attributes.get("table:number-rows-repeated"))
            self._cells, self._column, self._length = [], 0, 0
            self._targets, self._damages = {}, {}
        elif element in CELLS:
            self._cell, self._text, self._text_length = attributes, [], 0
            self._links = {address_in(attributes.get("table:formula", ""))} - {""}
        elif element == "a" and (address := web_address(attributes.get("xlink:href", ""))):
            self._links.add(address)
        elif element == "p":
            self._is_text = True
            if self._text:
                self.text("\n")
            else:
                self._text.append("")  # the first paragraph, which may be empty
        elif element in _BLANKS and self._is_text:
            count = min(repeats(attributes.get("text:c")), MOST_LINE_BYTES)
            self.text(_BLANKS[element] * (count if element == "s" else 1))

    def _end_cell(self, *, is_covered: bool) -> None:
        times = repeats(self._cell.get("table:number-columns-repeated"))
        text = "".join(self._text)
        if "table:formula" in self._cell and "office:value-type" not in self._cell and not text:
            raise uncomputed(self._column + 1, self._row + 1)
        value = "" if is_covered else _value(self._cell, text)
        if value and self._length <= MOST_LINE_BYTES:
            if self._column + times > MOST_COLUMNS:
                raise too_many_columns(self._column + times)
            written = min(times, MOST_LINE_BYTES // len(value) + 1)  # more would make the row too long anyway
            self._cells.extend([""] * (self._column - len(self._cells)))
            self._note(value, text, range(self._column, self._column + written))
            self._cells.extend([value] * written)
            self._length += len(value) * written
        self._column += times

    def _note(self, value: str, text: str, columns: range) -> None:
        """Note what a repeated cell links to, and what may have been done to its text."""
        if damage := _damage(self._cell, value, text):
            self._damages |= dict.fromkeys(columns, damage)
        if len(self._links) == 1:  # several links in one cell are none of the cell itself
            self._targets |= dict.fromkeys(columns, *self._links)


def repeats(number: str | None) -> int:
    """Read how often a row or a cell is repeated, itself included."""
    return max(1, int(number[:9])) if number and number.isdecimal() else 1


def _damage(cell: Mapping[str, str], value: str, text: str) -> Damage | None:
    match cell.get("office:value-type"):
        case "float" | "percentage" | "currency":
            # The displayed text shows a power of ten, but the value may be an ordinary number.
            return damage_of_number(value, POWER if is_power(text) else 0)
        case "date" | "time":
            return Damage.DATE
        case "string" if "table:formula" in cell:
            return damage_of_result(value)
        case _:
            return None


def _value(cell: Mapping[str, str], text: str) -> str:
    match cell.get("office:value-type"):
        case "float" | "percentage" | "currency":
            number = cell.get("office:value", "").removesuffix(".0")
            # Only the displayed text has leading zeros.
            is_padded = text.isascii() and text.isdecimal() and text.lstrip("0") == number.lstrip("0")
            return text if is_padded else number
        case "date":
            moment = cell.get("office:date-value", "").removesuffix("T00:00:00")
            return f"{moment}Z" if "T" in moment and not moment.endswith("Z") else moment
        case "boolean":
            return cell.get("office:boolean-value", "")
        case _:
            return text or cell.get("office:string-value", "")
