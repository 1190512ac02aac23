"""Writes the rows of a sheet as lines of CSV, one for each row."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ginuri.files.lines import MOST_WHOLE_BYTES
from ginuri.files.mapping.columns import list_columns
from ginuri.files.options import HIDDEN_ROWS
from ginuri.files.schema.values import fold_word
from ginuri.files.spreadsheets.cell_references import write_reference
from ginuri.files.spreadsheets.sheets import SheetRow
from ginuri.files.tables.cells import MOST_COLUMNS, MOST_TITLE_ROWS, HeadingTest
from ginuri.files.tables.damaged_numbers import DamagedCells
from ginuri.identifiers.errors import UnreadableFile

MOST_SHEET_ROWS = 1_048_576
"""The most rows of a sheet, as in Excel."""
REGISTER, LEAVE_OUT = HIDDEN_ROWS
END = "\r\n"
"""The end of a line."""


@dataclass(frozen=True, slots=True)
class CellOptions:
    """How the cells of a sheet are read."""

    hidden_rows: str = ""
    """Whether to `register` hidden rows below the heading, or to `leave-out` them (`UploadOptions`)."""
    links: Sequence[str] = ()
    """The names of the columns whose cells stand for the addresses that they link to."""
    damaged: DamagedCells | None = None
    """Receives the cells below the heading that a spreadsheet may have changed."""


AS_WRITTEN = CellOptions()


def write_lines(
    rows: Iterable[SheetRow], heading: HeadingTest, options: CellOptions = AS_WRITTEN
) -> Iterator[bytes]:
    """Yield the rows of a sheet as lines of CSV, at least as wide as the heading.

    Raises UnreadableFile.
    """
    lines = _Lines(heading, options)
    for row in rows:
        last = row.number + row.times - 1
        if last > MOST_SHEET_ROWS:
            raise UnreadableFile(
                "size",
                last,
                "A sheet may have at most {most} rows. Split it into several files.",
                most=f"{MOST_SHEET_ROWS:,}",
            )
        for number in range(row.number, last + 1):
            yield from lines.write(number, row)


class _Lines:
    def __init__(self, heading: HeadingTest, options: CellOptions) -> None:
        self._heading = heading
        self._options = options
        self._last = self._width = self._length = 0
        self._is_below = False
        self._links: Sequence[int] = ()
        """The columns of links, from 0."""

    def write(self, number: int, row: SheetRow) -> Iterator[bytes]:
        if not self._is_below:
            self._look_for_heading(number, row.cells)
        elif row.is_hidden and self._options.hidden_rows == LEAVE_OUT:
            return
        elif row.damages and self._options.damaged is not None:
            self._options.damaged.note(number, row.damages)
        yield from [END.encode()] * (number - self._last - 1)
        line = write_cells([*self._cells(row), *[""] * (self._width - len(row.cells))])
        self._length += len(line)
        if self._length > MOST_WHOLE_BYTES:
            raise UnreadableFile(
                "size",
                f"> {MOST_WHOLE_BYTES:,}",
                "As CSV, a sheet may have at most {most} bytes. Split it into several files.",
                most=f"{MOST_WHOLE_BYTES:,}",
            )
        # The byte order mark lets a spreadsheet open the refused lines in the right encoding.
        yield line if self._last else codecs.BOM_UTF8 + line
        self._last = number

    def _look_for_heading(self, number: int, cells: Sequence[str]) -> None:
        is_heading = number <= MOST_TITLE_ROWS and self._heading.is_heading(cells, is_first=number == 1)
        self._is_below = is_heading or number > MOST_TITLE_ROWS
        self._width = len(cells) if self._is_below or not self._last else self._width
        if is_heading:
            self._links = find_columns(cells, self._options.links)
            if self._options.damaged is not None:
                self._options.damaged.names = cells

    def _cells(self, row: SheetRow) -> Iterator[str]:
        if not self._links or not row.targets:
            return iter(row.cells)
        targets = {column: row.targets[column] for column in self._links if column in row.targets}
        return (targets.get(column, text) for column, text in enumerate(row.cells))


def find_columns(names: Sequence[str], wanted: Iterable[str]) -> Sequence[int]:
    """Return the columns with these names, from 0. Raises UnreadableFile for a name without a column."""
    folded = [fold_word(name) for name in names]
    columns: list[int] = []
    for name in wanted:
        found = [column for column, each in enumerate(folded) if each == fold_word(name)]
        if not found:
            raise UnreadableFile(
                "links",
                name,
                "There is no column {column} to take links from. The columns are: {columns}.",
                column=repr(name),
                columns=list_columns(names),
            )
        columns += found
    return columns


def write_cells(cells: Sequence[str]) -> bytes:
    """Write a line of CSV."""
    written = io.StringIO()
    csv.writer(written, lineterminator=END).writerow(cells)
    return written.getvalue().encode()


def uncomputed(column: int, row: int) -> UnreadableFile:
    """Return the error for a formula without a result."""
    cell = write_reference(column, row)
    return UnreadableFile(
        "formula",
        cell,
        "The formula in {cell} has no result. Open the file in a spreadsheet program and save it.",
        cell=cell,
    )


def too_many_columns(column: int) -> UnreadableFile:
    """Return the error for a column beyond the limit or out of order."""
    return UnreadableFile(
        "columns",
        column,
        "A sheet may have at most {most} columns, in order. Leave out columns that are not fields.",
        most=f"{MOST_COLUMNS:,}",
    )
