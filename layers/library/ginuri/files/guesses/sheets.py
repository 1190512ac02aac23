"""Finds the hidden rows of a sheet and the links behind its cells, for a person to decide on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from ginuri.files.formats import heading_reader, is_spreadsheet, suffix_of, unpacked
from ginuri.files.options import UploadOptions
from ginuri.files.schema.values import fold_word
from ginuri.files.tables.cells import HeadingTest
from ginuri.files.tables.heading import column_name
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import ignore

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
    """Find the hidden rows of the sheets that would be read; None without any, and for other files.

    `heading` finds the heading in place of the reader for the options. Of several sheets, the rows are those
    of the first one with hidden rows.
    """
    test = heading or heading_reader(name, options)
    try:
        found = [each.find_hidden(test) for each in _open(name, body, options, test)] if test else []
    except UnreadableFile:
        return None
    hidden = [each for each in found if each is not None]
    if len(hidden) < 2:  # noqa: PLR2004  several sheets
        return hidden[0] if hidden else None
    return replace(
        hidden[0],
        number=sum(each.number for each in hidden),
        filtered=sum(each.filtered for each in hidden),
        listed=f"{hidden[0].listed} …",
    )


def find_link_columns(
    name: str, body: bytes, options: UploadOptions, heading: HeadingTest | None = None
) -> Sequence[LinkColumn]:
    """Find the columns of the sheets to read whose cells link to another address than they show."""
    test = heading or heading_reader(name, options)
    found: dict[str, LinkColumn] = {}
    if test is None:
        return []
    try:
        for sheet in _open(name, body, options, test):
            for column in _find_links(sheet.rows_below(test, with_links=True)):
                first = found.setdefault(fold_word(column.name), replace(column, number=0))
                found[fold_word(column.name)] = replace(first, number=first.number + column.number)
    except UnreadableFile:
        return []
    return list(found.values())


def _open(name: str, body: bytes, options: UploadOptions, heading: HeadingTest) -> Sequence[ChosenSheet]:
    """Open the sheet, or the sheets, that would be read; none of a file that is no spreadsheet."""
    if not is_spreadsheet(name):
        return ()
    content = unpacked(name, body)
    # Spreadsheets are optional.
    from ginuri.files.spreadsheets.several_sheets import find_several, format_of

    form = format_of(suffix_of(name))
    several = find_several(form, content, heading, options.sheet)
    return [form.open(content, heading, sheet, ignore) for sheet in several or (options.sheet,)]


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
