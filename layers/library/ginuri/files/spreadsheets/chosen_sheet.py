"""The sheet of a workbook that is read, in any format: its rows, and those that a person does not see."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ginuri.files.reports.line_ranges import LineRanges
from ginuri.files.spreadsheets.csv_lines import (
    AS_WRITTEN,
    LEAVE_OUT,
    REGISTER,
    CellOptions,
    find_columns,
    write_lines,
)
from ginuri.files.spreadsheets.sheets import SheetRow
from ginuri.files.spreadsheets.xml_parts import Package
from ginuri.files.tables.cells import MOST_TITLE_ROWS, HeadingTest
from ginuri.identifiers.messages import counted
from ginuri.registration.verdicts import Finding, Remark, ignore, warn

_MOST_NAMED = 10
_NO_ROW = SheetRow(0, 0, ())


class Sheet(Protocol):
    """Receives the elements of a part, and collects complete rows for its caller."""

    rows: list[SheetRow]

    def start(self, element: str, attributes: Mapping[str, str]) -> None:
        """Receive the start of an element."""

    def end(self, element: str) -> None:
        """Receive the end of an element."""

    def text(self, text: str) -> None:
        """Receive text."""


@dataclass(frozen=True, slots=True)
class HiddenRows:
    """The rows of a sheet below its heading that are hidden and not empty."""

    number: int
    filtered: int
    """The number of those that a filter hides."""
    lines: Sequence[int]
    """The first of them."""
    listed: str
    """The rows as a text, which ends in … if it does not list all."""


@dataclass(frozen=True, slots=True)
class ChosenSheet:
    """The sheet to read."""

    package: Package
    part: str
    open: Callable[[bool], Sheet]
    """Returns a reader of its elements; the argument is whether it reads links."""
    hiding: re.Pattern[bytes]
    """A text that is in the part if any of its rows is hidden."""
    filtered: Callable[[], Sequence[range]]
    """Returns the rows that filters are applied to."""
    place: int = 0
    """The place of the sheet among those of its part, from 0."""

    def rows(self, *, with_links: bool = False) -> Iterator[SheetRow]:
        """Yield the rows with texts in order. Raises UnreadableFile."""
        sheet = self.open(with_links)
        for _ in self.package.steps(self.part, sheet.start, sheet.end, sheet.text):
            yield from sheet.rows
            sheet.rows.clear()

    def rows_below(self, heading: HeadingTest, *, with_links: bool = False) -> Iterator[SheetRow]:
        """Yield the heading, and the rows below it; nothing if there is none. Raises UnreadableFile."""
        is_below = False
        for row in self.rows(with_links=with_links):
            if not is_below:
                if row.number > MOST_TITLE_ROWS:
                    return
                is_below = heading.is_heading(row.cells, is_first=row.number == 1)
            if is_below:
                yield row

    def find_hidden(self, heading: HeadingTest) -> HiddenRows | None:
        """Find the hidden rows below the heading; None without any. Raises UnreadableFile."""
        if not self.package.contains(self.part, self.hiding):
            return None
        rows = self.rows_below(heading)
        next(rows, None)
        lines, by_filter = array("I"), 0
        for row in rows:
            if row.is_hidden:
                lines.extend(range(row.number, row.number + row.times))
                by_filter += row.times if row.is_filtered else 0
        if not lines:
            return None
        filtered = self.filtered()
        by_filter += sum(any(line in each for each in filtered) for line in lines)
        listed, more = LineRanges(lines).write(_MOST_NAMED)
        return HiddenRows(
            len(lines), by_filter, lines[:_MOST_NAMED].tolist(), f"{listed} …" if more else listed
        )

    def find_linked(self, heading: HeadingTest, names: Sequence[str]) -> Collection[tuple[int, int]]:
        """Find the cells of these columns that link to an address, by row and column from 1."""
        rows = self.rows_below(heading, with_links=True) if names else iter(())
        columns = find_columns(next(rows, _NO_ROW).cells, names)
        return {(row.number, at + 1) for row in rows for at in columns if at in row.targets}

    def lines(
        self, heading: HeadingTest, remark: Remark = ignore, cells: CellOptions = AS_WRITTEN
    ) -> Iterator[bytes]:
        """Yield the rows as lines of CSV, after the remark on hidden rows. Raises UnreadableFile."""
        is_asked = remark is not ignore and cells.hidden_rows != REGISTER
        if is_asked and (hidden := self.find_hidden(heading)):
            remark(_report(hidden, cells.hidden_rows))
        yield from write_lines(self.rows(with_links=bool(cells.links)), heading, cells)


def _report(hidden: HiddenRows, choice: str) -> Finding:
    if choice == LEAVE_OUT:
        words = counted(
            "{number} hidden row is left out: {lines}.",
            "{number} hidden rows are left out: {lines}.",
            hidden.number,
            lines=hidden.listed,
        )
    else:
        words = counted(
            "{number} hidden row is registered like any other: {lines}. Upload the file again with {option} "
            "to leave it out, or with {other} to register it without this warning.",
            "{number} hidden rows are registered like any other: {lines}. Upload the file again with "
            "{option} to leave them out, or with {other} to register them without this warning.",
            hidden.number,
            lines=hidden.listed,
            option=f"--hidden-rows {LEAVE_OUT}",
            other=f"--hidden-rows {REGISTER}",
        )
    return warn("", "hidden rows", hidden.number, words)
