"""Reads several sheets of a workbook as one table: its columns are those of all sheets.

The rows of each further sheet follow those of the one before it, with their numbers within the whole.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ginuri.files.mapping.columns import is_field, list_columns
from ginuri.files.options import ALL_SHEETS, SHEET_SEPARATOR, is_several
from ginuri.files.schema.values import fold_word
from ginuri.files.spreadsheets import open_documents, workbooks
from ginuri.files.spreadsheets.chosen_sheet import ChosenSheet
from ginuri.files.spreadsheets.csv_lines import AS_WRITTEN, END, CellOptions, write_cells
from ginuri.files.spreadsheets.sheets import LOST, FirstRows, ListedSheet, fold_name
from ginuri.files.tables.cells import MOST_COLUMNS, MOST_TITLE_ROWS, HeadingTest
from ginuri.files.tables.damaged_numbers import Damage, DamagedCells
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers.errors import UnreadableFile
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Finding, Remark, ignore, warn

_MOST_SHEETS = 50
_RULE = "sheet"


@dataclass(frozen=True, slots=True)
class SheetFormat:
    """The readers of a format."""

    open: Callable[[bytes, HeadingTest, str, Remark], ChosenSheet]
    """Opens the sheet of a name, or the first one with identifiers."""
    list: Callable[[bytes, HeadingTest], Sequence[ListedSheet]]

    def read(
        self, content: bytes, heading: HeadingTest, wanted: str, remark: Remark, cells: CellOptions
    ) -> Iterator[bytes]:
        """Yield the lines of a sheet. Raises UnreadableFile."""
        return self.open(content, heading, wanted, remark).lines(heading, remark, cells)


def format_of(suffix: str) -> SheetFormat:
    """Return the readers of a spreadsheet with a suffix."""
    if suffix == ".ods":
        return SheetFormat(open_documents.open_document, open_documents.list_sheets)
    return SheetFormat(workbooks.open_workbook, workbooks.list_sheets)


@dataclass(frozen=True, slots=True)
class SheetPart:
    """A sheet within the whole that is read."""

    name: str
    first: int
    """The line of the whole before its first row."""
    heading: int
    """The place of its heading among its rows, from 0."""
    places: Sequence[int]
    """The column of the whole for each of its columns."""


def read_sheets(  # noqa: PLR0913, PLR0917  the file, and how it is read
    form: SheetFormat,
    content: bytes,
    heading: HeadingReader,
    wanted: str,
    remark: Remark,
    cells: CellOptions,
) -> Iterator[bytes]:
    """Yield the lines of one or several sheets. Remarks come before the first line. Raises UnreadableFile."""
    names = find_several(form, content, heading, wanted, remark)
    if not names:
        yield from form.read(content, heading, wanted, remark, cells)
        return
    columns, parts = _survey(names, form, content, heading, remark, cells)
    if cells.damaged is not None:
        cells.damaged.names = columns
    for part in parts:
        shifted = replace(cells, damaged=cells.damaged and _ShiftedDamage(cells.damaged, part))
        for place, line in enumerate(form.read(content, heading, part.name, ignore, shifted)):
            yield _convert(line, place, part, columns)


def find_parts(form: SheetFormat, content: bytes, heading: HeadingReader, wanted: str) -> Sequence[SheetPart]:
    """Return the sheets that are read, in order. Raises UnreadableFile."""
    names = find_several(form, content, heading, wanted)
    if not names:
        return [SheetPart(wanted, 0, 0, range(MOST_COLUMNS))]
    return _survey(names, form, content, heading, ignore, AS_WRITTEN)[1]


def find_several(
    form: SheetFormat, content: bytes, heading: HeadingTest, wanted: str, remark: Remark = ignore
) -> Sequence[str]:
    """Return the names of the sheets if there are several; a sheet with the whole name is only one."""
    if not is_several(wanted):
        return ()
    listed = form.list(content, heading)
    if any(fold_name(sheet.name) == fold_name(wanted) for sheet in listed):
        return ()
    if wanted == ALL_SHEETS:
        found = [
            sheet.name
            for sheet in listed
            if not sheet.is_hidden and sheet.first_rows in {FirstRows.IDENTIFIED, FirstRows.HEADING}
        ]
    else:
        known = {fold_name(sheet.name): sheet.name for sheet in listed}
        stated = [name.strip() for name in wanted.split(SHEET_SEPARATOR) if name.strip()]
        found = [known.get(fold_name(name), name) for name in stated]
    if not found or len(found) > _MOST_SHEETS:
        raise UnreadableFile(
            _RULE,
            wanted,
            "From 1 to {most} sheets with identifiers can be read together. The sheets of the file are: "
            "{sheets}.",
            most=str(_MOST_SHEETS),
            sheets=list_columns([sheet.name for sheet in listed]),
        )
    read = {fold_name(name) for name in found}
    unread = [sheet for sheet in listed if sheet.first_rows in LOST and fold_name(sheet.name) not in read]
    if unread:
        names = list_columns([sheet.name for sheet in unread])
        remark(warn("", _RULE, "", "Further sheets were not read: {sheets}.", sheets=names))
    return found


def _survey(  # noqa: PLR0913, PLR0917  the file, and how it is read
    names: Sequence[str],
    form: SheetFormat,
    content: bytes,
    heading: HeadingReader,
    remark: Remark,
    cells: CellOptions,
) -> tuple[list[str], list[SheetPart]]:
    """Read the sheets once, for their headings, their lengths, and the remarks on them."""
    columns, keys, parts = list[str](), dict[str, int](), list[SheetPart]()
    total = 0
    for name in names:
        remarks: list[Finding] = []
        own, place, length = list[str](), -1, 0
        unnoted = replace(cells, damaged=None)
        for line in form.read(content, heading, name, remarks.append, unnoted):
            if place < 0 and length < MOST_TITLE_ROWS:
                row = _read(line)
                if heading.is_heading(row, is_first=length == 0):
                    own, place = row, length
            length += 1
        if place < 0:
            raise UnreadableFile(
                _RULE, name, "The sheet {sheet} has no column `identifier`.", sheet=repr(name)
            )
        for finding in remarks:
            if finding.rule != _RULE:  # the other sheets are read, or were left out on purpose
                named = message("Sheet {sheet}: {finding}", sheet=repr(name), finding=finding.message)
                remark(replace(finding, message=named))
        places = [
            _place(key, text, keys, columns) for key, text in zip(_keys(own, heading), own, strict=True)
        ]
        if parts:
            remark(
                warn(
                    "",
                    _RULE,
                    name,
                    "The rows of the sheet {sheet} begin after line {line}: its row 2 is line {second}.",
                    sheet=repr(name),
                    line=str(total),
                    second=str(total + 2),
                )
            )
        parts.append(SheetPart(name, total, place, places))
        total += length
    return columns, parts


def _keys(names: Sequence[str], heading: HeadingReader) -> Iterator[str]:
    """Yield what each column is known by in all sheets: its field, else its name; once in each sheet."""
    seen: dict[str, int] = {}
    for name, field in zip(names, heading.fields(names), strict=True):
        key = field if is_field(field) else f" {fold_word(name)}"
        seen[key] = seen.get(key, 0) + 1
        yield f"{key} {seen[key]}"


def _place(key: str, name: str, keys: dict[str, int], columns: list[str]) -> int:
    if key not in keys:
        keys[key] = len(columns)
        columns.append(name)
    return keys[key]


def _convert(line: bytes, place: int, part: SheetPart, columns: Sequence[str]) -> bytes:
    if place < part.heading:
        return line if not part.first else END.encode()
    if place == part.heading:
        mark = codecs.BOM_UTF8 if not (part.first or place) else b""
        return mark + write_cells(columns) if not part.first else END.encode()
    row = _read(line)
    if not any(row):
        return line
    cells = [""] * len(columns)
    for at, text in zip(part.places, row, strict=False):
        cells[at] = text
    return write_cells([*cells, *row[len(part.places) :]])


def _read(line: bytes) -> list[str]:
    return next(csv.reader(io.StringIO(line.removeprefix(codecs.BOM_UTF8).decode(), newline="")), [])


class _ShiftedDamage(DamagedCells):
    """Notes the damaged cells of a sheet in the places of the whole."""

    def __init__(self, whole: DamagedCells, part: SheetPart) -> None:
        super().__init__()
        self._whole, self._part = whole, part

    def note(self, number: int, damages: Mapping[int, Damage]) -> None:
        """Note the damaged cells of a row, by their columns from 0."""
        places = self._part.places
        self._whole.note(
            self._part.first + number,
            {places[at]: damage for at, damage in damages.items() if at < len(places)},
        )
