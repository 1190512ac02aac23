"""Converts a sheet of an .xlsx file (ECMA-376 part 1, §18) to CSV, one line for each row.

It is read with the standard library: a library that builds objects from a whole part can be made to fill the
memory, despite limits on the file.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from ginuri.files.lines import MOST_LINE_BYTES, MOST_WHOLE_BYTES
from ginuri.files.spreadsheets.number_formats import read_formats, write_number
from ginuri.files.spreadsheets.sheets import (
    MOST_STEPS,
    FirstRows,
    HeadingSearch,
    ListedSheet,
    SheetRow,
    add_sheet,
    choose_sheet,
)
from ginuri.files.spreadsheets.xml_parts import SAVE_AS, Package
from ginuri.files.tables.cells import MOST_COLUMNS, MOST_TITLE_ROWS, HeadingTest
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import Remark, ignore

# The most different texts of a workbook: even short ones need memory.
_MOST_STRINGS = 1_000_000
MOST_SHEET_ROWS = 1_048_576
"""The most rows of a sheet, as in Excel."""
_HIDDEN = {"hidden", "veryHidden"}
_END = "\r\n"
_TRUE = {"1", "true"}
_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")  # §22.9.2.19: characters outside XML, and the escape itself


def read_sheet(
    content: bytes, heading: HeadingTest, wanted: str = "", remark: Remark = ignore
) -> Iterator[bytes]:
    """Yield the lines of the chosen sheet, or of the first one with identifiers, as CSV.

    Rows below the heading have at least as many cells as it has. Remarks on the other sheets come before the
    first line. Raises UnreadableFile.
    """
    package = Package(content, MOST_WHOLE_BYTES)
    book = _Workbook(package)
    part = book.choose(heading, wanted, remark)
    yield from write_lines(book.open_sheet(), package, part, heading)


def find_sheet(content: bytes, heading: HeadingTest, wanted: str = "") -> str:
    """Return the name of the part with the sheet to read. Raises UnreadableFile."""
    return _Workbook(Package(content, MOST_WHOLE_BYTES)).choose(heading, wanted)


class _Workbook:
    """The sheets of a workbook in order, with the shared texts and formats of their cells."""

    def __init__(self, package: Package) -> None:
        self._package = package
        book = next(
            (relation.target for relation in package.relations() if relation.type == "officeDocument"), ""
        )
        relations = package.relations(book)
        parts = {relation.id: relation.target for relation in relations if relation.type == "worksheet"}
        targets = {relation.type: relation.target for relation in relations}
        self._sheets: list[tuple[str, bool, str]] = []
        """The name of each sheet, whether it is hidden, and its part."""
        self._since_1904 = False
        package.parse(book, partial(self._start, parts))
        self._strings = _read_strings(package, targets["sharedStrings"]) if "sharedStrings" in targets else []
        self._formats = read_formats(package, targets["styles"]) if "styles" in targets else []

    def open_sheet(self) -> _Sheet:
        return _Sheet(self._strings, self._formats, since_1904=self._since_1904)

    def choose(self, heading: HeadingTest, wanted: str, remark: Remark = ignore) -> str:
        left, listed, first_rows = iter(range(MOST_STEPS)), list[ListedSheet](), dict[str, FirstRows]()
        for name, is_hidden, part in self._sheets:
            if part not in first_rows:
                first_rows[part] = self._first_rows(part, heading, left)
            add_sheet(listed, ListedSheet(name, is_hidden, first_rows[part]))
        return self._sheets[choose_sheet(listed, wanted, remark)][2]

    def _first_rows(self, part: str, heading: HeadingTest, left: Iterator[int]) -> FirstRows:
        source, search = self.open_sheet(), HeadingSearch(heading)
        try:
            next(left)
            for _ in self._package.steps(part, source.start, source.end, source.text):
                search.take(source.rows)
                if search.is_over:
                    break
                next(left)
        except (UnreadableFile, StopIteration):
            search.take(source.rows)  # those before the fault
            search.give_up()
        return search.found

    def _start(self, parts: Mapping[str, str], element: str, attributes: Mapping[str, str]) -> None:
        if element == "workbookPr":
            self._since_1904 = attributes.get("date1904") in _TRUE
        elif element == "sheet":
            # The attribute is r:id, with any prefix.
            for sheet in (value for name, value in attributes.items() if name.endswith(":id")):
                if sheet in parts:
                    is_hidden = attributes.get("state") in _HIDDEN
                    self._sheets.append((attributes.get("name", ""), is_hidden, parts[sheet]))


class Sheet(Protocol):
    """Receives the elements of a part, and collects complete rows for its caller."""

    rows: list[SheetRow]

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        """Receive the start of an element."""

    def end(self, element: str) -> None:
        """Receive the end of an element."""

    def text(self, text: str) -> None:
        """Receive text."""


class _Text:
    """Joins the runs of text of an element, without phonetic runs (§18.4.6)."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._open = self._phonetic = False

    def start(self, element: str) -> None:
        self._phonetic = self._phonetic or element == "rPh"
        self._open = element in {"t", "v"} and not self._phonetic

    def end(self, element: str) -> None:
        self._open = False
        if element == "rPh":
            self._phonetic = False

    def add(self, text: str) -> None:
        # A text longer than a line is refused later, so the rest of it is dropped.
        if self._open and self._length <= MOST_LINE_BYTES:
            self._pieces.append(text)
            self._length += len(text)

    def take(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._length = 0
        return _ESCAPED.sub(_unescape, text) if "_x" in text else text


def _unescape(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return found[0] if "\ud800" <= character <= "\udfff" else character


def _read_strings(package: Package, part: str) -> list[str]:
    strings: list[str] = []
    text = _Text()

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


class _Sheet:
    """Receives the elements of a sheet and collects complete rows (§18.3.1)."""

    def __init__(self, strings: Sequence[str], formats: Sequence[int], *, since_1904: bool) -> None:
        self.rows: list[SheetRow] = []
        self._strings = strings
        self._formats = formats
        self._since_1904 = since_1904
        self._text = _Text()
        self._row = self._column = self._length = 0
        self._cells: list[str] = []
        self._cell: Mapping[str, str] = {}
        self._has_formula = False

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
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
        self._text.add(text)

    def end(self, element: str) -> None:
        self._text.end(element)
        if element == "c":
            self._end_cell(self._text.take())
        elif element == "row" and self._cells:
            self.rows.append((self._row, 1, self._cells))

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
            return "true" if written in _TRUE else "false"
        if kind == "n" and written:
            style = self._cell.get("s", "0")
            number = int(style[:9]) if style.isdecimal() else 0
            form = self._formats[number] if number < len(self._formats) else 0
            return write_number(written.strip(), form, since_1904=self._since_1904)
        return written.removesuffix("T00:00:00") if kind == "d" else written


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


def column_number(reference: str | None, following: int) -> int:
    """Return the column number in the reference of a cell; without one, the following column."""
    found = _REFERENCE.fullmatch(reference or "")
    if reference and not found:
        raise UnreadableFile("xlsx", reference, "A cell has no valid position. {way_out}", way_out=SAVE_AS)
    number = 0
    for letter in found[1] if found else "":
        number = number * 26 + ord(letter) - ord("A") + 1
    return number or following


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


def _each(rows: Iterable[SheetRow]) -> Iterator[tuple[int, list[str]]]:
    for first, times, cells in rows:
        if first + times - 1 > MOST_SHEET_ROWS:
            raise UnreadableFile(
                "size",
                first + times - 1,
                "A sheet may have at most {most} rows. Split it into several files.",
                most=f"{MOST_SHEET_ROWS:,}",
            )
        yield from ((number, cells) for number in range(first, first + times))


def _write(cells: Sequence[str]) -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator=_END).writerow(cells)
    return written.getvalue().encode()
