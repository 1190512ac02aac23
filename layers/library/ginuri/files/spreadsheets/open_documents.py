"""Converts a sheet of an .ods file (OpenDocument 1.3 part 3, §9) to CSV, one line for each row.

It is read like an .xlsx file, in pieces and with the same limits; repeated rows and cells are counted before
they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ginuri.files.lines import MOST_LINE_BYTES, MOST_WHOLE_BYTES
from ginuri.files.spreadsheets.csv_lines import too_many_columns, uncomputed, write_lines
from ginuri.files.spreadsheets.sheets import (
    HeadingSearch,
    ListedSheet,
    SheetRow,
    add_sheet,
    choose_sheet,
)
from ginuri.files.spreadsheets.xml_parts import Package
from ginuri.files.tables.cells import MOST_COLUMNS, HeadingTest
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import Remark, ignore

_CONTENT = "content.xml"
_CELLS = {"table-cell", "covered-table-cell"}
# Elements with text that does not belong to the cell.
_BESIDE = {"annotation", "frame", "custom-shape", "shapes", "forms"}
_BLANKS = {"s": " ", "tab": "\t", "line-break": "\n"}  # §6.1.3 to 6.1.5


def read_open_document(
    content: bytes, heading: HeadingTest, wanted: str = "", remark: Remark = ignore
) -> Iterator[bytes]:
    """Yield the lines of the chosen sheet, or of the first one with identifiers, as CSV.

    Remarks on the other sheets come before the first line. Raises UnreadableFile.
    """
    package = Package(content, MOST_WHOLE_BYTES)
    contents = _Contents(heading)
    package.parse(_CONTENT, contents.start, contents.end, contents.text)
    chosen = choose_sheet(contents.sheets, wanted, remark)
    yield from write_lines(_Sheet(chosen), package, _CONTENT, heading)


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
        elif element in _BESIDE:
            self._beside -= 1
        elif self._beside:
            return
        elif element == "p":
            self._is_text = False
        elif element in _CELLS:
            self._end_cell(is_covered=element == "covered-table-cell")
        elif element == "table-row":
            if self._cells:
                self.rows.append(SheetRow(self._row + 1, self._times, self._cells))
            self._row += self._times

    def text(self, text: str) -> None:
        # A text longer than a line is refused later, so the rest of it is dropped.
        if self._is_text and not self._beside and self._text_length <= MOST_LINE_BYTES:
            self._text.append(text)
            self._text_length += len(text)

    def _start_within(self, element: str, attributes: Mapping[str, str]) -> None:
        if element in _BESIDE:
            self._beside += 1
        elif self._beside:
            return
        elif element == "table-row":
            self._times = _times(attributes.get("table:number-rows-repeated"))
            self._cells, self._column, self._length = [], 0, 0
        elif element in _CELLS:
            self._cell, self._text, self._text_length = attributes, [], 0
        elif element == "p":
            self._is_text = True
            if self._text:
                self.text("\n")
            else:
                self._text.append("")  # the first paragraph, which may be empty
        elif element in _BLANKS and self._is_text:
            count = min(_times(attributes.get("text:c")), MOST_LINE_BYTES)
            self.text(_BLANKS[element] * (count if element == "s" else 1))

    def _end_cell(self, *, is_covered: bool) -> None:
        times = _times(self._cell.get("table:number-columns-repeated"))
        text = "".join(self._text)
        if "table:formula" in self._cell and "office:value-type" not in self._cell and not text:
            raise uncomputed(self._column + 1, self._row + 1)
        value = "" if is_covered else _value(self._cell, text)
        if value and self._length <= MOST_LINE_BYTES:
            if self._column + times > MOST_COLUMNS:
                raise too_many_columns(self._column + times)
            written = min(times, MOST_LINE_BYTES // len(value) + 1)  # more would make the row too long anyway
            self._cells.extend([""] * (self._column - len(self._cells)))
            self._cells.extend([value] * written)
            self._length += len(value) * written
        self._column += times


def _times(number: str | None) -> int:
    return max(1, int(number[:9])) if number and number.isdecimal() else 1


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
