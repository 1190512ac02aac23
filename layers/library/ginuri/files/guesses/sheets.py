"""Finds the hidden rows of a sheet and the links behind its cells, for a person to decide on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from ginuri.files.formats import heading_reader, is_packed, is_spreadsheet, suffix_of
from ginuri.files.lines import MOST_WHOLE_BYTES
from ginuri.files.options import UploadOptions
from ginuri.files.packing import unpack
from ginuri.files.tables.cells import HeadingTest
from ginuri.files.tables.heading import column_name
from ginuri.identifiers.errors import UnreadableFile

if TYPE_CHECKING:
    from ginuri.files.spreadsheets.chosen_sheet import ChosenSheet, HiddenRows
    from ginuri.files.spreadsheets.sheets import SheetRow


@dataclass(frozen=True, slots=True)
class LinkColumn:
    """A column with cells that link to another web address than they show."""

    name: str
    number: int
    """The number of these cells."""
    line: int
    """The row of the first of them; its text and its address follow."""
    text: str
    target: str


def find_hidden_rows(
    name: str, body: bytes, options: UploadOptions, heading: HeadingTest | None = None
) -> HiddenRows | None:
    """Find the hidden rows of the sheet that would be read; None without any, and for other files.

    `heading` finds the heading in place of the reader for the options.
    """
    test = heading or heading_reader(name, options)
    try:
        sheet = _open(name, body, options, test)
        return sheet.find_hidden(test) if sheet and test else None
    except UnreadableFile:
        return None


def find_link_columns(
    name: str, body: bytes, options: UploadOptions, heading: HeadingTest | None = None
) -> Sequence[LinkColumn]:
    """Find the columns of the sheet that would be read whose cells link to another address than they show."""
    test = heading or heading_reader(name, options)
    try:
        sheet = _open(name, body, options, test)
        return _find_links(sheet.rows_below(test, with_links=True)) if sheet and test else ()
    except UnreadableFile:
        return ()


def _open(name: str, body: bytes, options: UploadOptions, heading: HeadingTest | None) -> ChosenSheet | None:
    content = b"".join(unpack([body], MOST_WHOLE_BYTES)) if is_packed(name) else body
    if heading is None or not is_spreadsheet(name):
        return None
    # Spreadsheets are optional.
    if suffix_of(name) == ".ods":
        from ginuri.files.spreadsheets.open_documents import open_document as open_file
    else:
        from ginuri.files.spreadsheets.workbooks import open_workbook as open_file
    return open_file(content, heading, options.sheet)


def _find_links(rows: Iterator[SheetRow]) -> Sequence[LinkColumn]:
    names = [column_name(each) for row in islice(rows, 1) for each in row.cells]
    first: dict[int, SheetRow] = {}
    numbers = Counter[int]()
    for row in rows:
        for column, target in row.targets.items():
            if column < len(names) and names[column] and _differ(row.cells[column], target):
                first.setdefault(column, row)
                numbers[column] += row.times
    return [
        LinkColumn(names[at], numbers[at], row.number, row.cells[at], row.targets[at])
        for at, row in sorted(first.items())
    ]


def _differ(text: str, target: str) -> bool:
    """Return whether a cell shows something else than the address that it links to."""
    shown, address = (each.strip().rstrip("/") for each in (text, target))
    return shown not in {address, address.partition("://")[2]}
