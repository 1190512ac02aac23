"""Splits lines into rows of cells (RFC 4180), separated by commas, semicolons, tabs or bars."""

from __future__ import annotations

import codecs
import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Protocol

from ginuri.files.lines import MOST_LINE_BYTES
from ginuri.files.tables.formulas import unguard
from ginuri.registration.verdicts import Finding, refuse

MOST_ROW_LINES = 100
"""The most lines of one row; more mean an unclosed quote."""
MOST_COLUMNS = 1_000
MOST_TITLE_ROWS = 20
"""The number of rows searched for the heading: spreadsheets have titles above it."""
# The most bytes read without finding a closing quote, before rows are limited to one line.
_READ_IN_VAIN = 4 * 1024 * 1024
# The further bytes for each byte of a good row, so that the time stays linear in the file length.
_CREDIT = 4
# The overhead of a line, in bytes.
_LINE_COST = 64
_SEPARATORS = ",;\t|"
_NOTHING = f" {_SEPARATORS}"
# Excel writes and reads a first line with the separator, quoted or not. An apostrophe guards cells and is no
# separator.
_DECLARED = re.compile(rb'(?:\xef\xbb\xbf)?"?sep=([\t!#-&(-/:-@\[-`{-~])"?[,;\t]*[\r\n]*', re.IGNORECASE)


class HeadingTest(Protocol):
    """Decides which row of a table is its heading."""

    def is_heading(self, cells: Sequence[str], *, is_first: bool) -> bool:
        """Return whether a row is a usable heading."""

    def count_names(self, cells: Sequence[str]) -> int:
        """Count the cells that look like names of columns, for tables without a usable heading."""


def find_heading(lines: Iterable[bytes], test: HeadingTest) -> tuple[int, str]:
    """Return the number of the line with the heading, and the separator of the table."""
    start, separator = _find(_Window(lines), test)
    return start + 1, separator


def read_cells(lines: Iterable[bytes], test: HeadingTest) -> Iterator[tuple[int, list[str] | Finding]]:
    """Yield each row, the heading first, with the number of its first line.

    The separator is the one stated in the first line, or else the one that makes one of the first rows a
    heading. Only the first line of an unreadable row is skipped. At most the lines of one row are in memory.
    """
    window = _Window(lines)
    start, separator = _find(window, test)
    at = start
    credit = _READ_IN_VAIN
    while (line := window.line(at)) is not None:
        feed = _Feed(window, at, MOST_ROW_LINES if credit > 0 else 1)
        try:
            for cells in csv.reader(feed, strict=True, delimiter=separator):
                is_too_wide = at == start and len(cells) > MOST_COLUMNS
                yield at + 1, _too_wide(len(cells)) if is_too_wide else [unguard(cell) for cell in cells]
                credit += _CREDIT * feed.cost
                window.forget(at := feed.begin_row())
        except csv.Error as error:
            credit -= feed.cost
            yield at + 1, _unreadable(window.line(at) or line, separator, error)
            at += 1


def _declared(line: bytes) -> str | None:
    found = _DECLARED.fullmatch(line) if len(line) < MOST_ROW_LINES else None
    return found[1].decode() if found else None


def _find(window: _Window, test: HeadingTest) -> tuple[int, str]:
    declared = _declared(window.line(0) or b"")
    start = 1 if declared else 0
    headings: list[tuple[int, int, str]] = []
    guesses: list[tuple[int, int, int, str]] = []
    unreadable: set[int] = set()
    for separator in declared or _SEPARATORS:
        rows = list(_first_rows(window, start, separator, unreadable))
        for index, cells in rows:
            if test.is_heading(cells, is_first=index == start):
                headings.append((index, -len(cells), separator))
                break
            alike = sum(len(other) == len(cells) > 1 for _, other in rows)
            guesses.append((-test.count_names(cells), -alike, index, separator))
    # The first row wins, read with the separator that gives the most cells.
    if headings:
        index, _, separator = min(headings, key=itemgetter(0, 1))
    elif guesses and (min(guesses)[0] or not unreadable):
        *_, index, separator = min(guesses, key=itemgetter(0, 1, 2))
    else:
        index, separator = min(unreadable, default=start), declared or _SEPARATORS[0]
    return index, separator


def _first_rows(
    window: _Window, start: int, separator: str, unreadable: set[int]
) -> Iterator[tuple[int, list[str]]]:
    """Yield the first non-empty rows with the index of their first line, and collect the unreadable ones."""
    at = start
    for _ in range(MOST_TITLE_ROWS):
        feed = _Feed(window, at)
        try:
            cells = next(csv.reader(feed, strict=True, delimiter=separator), None)
        except csv.Error:
            unreadable.add(at)
            at += 1
            continue
        if cells is None:
            return
        if any(cell.strip(_NOTHING) for cell in cells):
            yield at, cells
        at = feed.begin_row()


def _too_wide(columns: int) -> Finding:
    return refuse(
        "",
        "columns",
        columns,
        "The table has {columns} columns; at most {most} are allowed. Leave out columns that are not fields.",
        columns=columns,
        most=MOST_COLUMNS,
    )


def _unreadable(line: bytes, separator: str, error: csv.Error) -> Finding:
    begun = line[:80].decode(errors="replace")
    if len(line) <= MOST_LINE_BYTES:
        return refuse(
            "",
            "CSV",
            begun,
            "The row cannot be read ({reason}). Check for a quotation mark that is not closed.",
            reason=error,
        )
    columns = line.count(separator.encode()) + 1
    if columns > MOST_COLUMNS:
        return _too_wide(columns)
    return refuse(
        "",
        "CSV",
        begun,
        "The row has {length} bytes; at most {most} are allowed. Shorten its texts.",
        length=len(line),
        most=MOST_LINE_BYTES,
    )


class _Window:
    """The lines of a file by index, from the first one still in memory."""

    def __init__(self, lines: Iterable[bytes]) -> None:
        self._source = iter(lines)
        self._lines: deque[bytes] = deque()
        self._first = 0

    def line(self, index: int) -> bytes | None:
        while index >= self._first + len(self._lines):
            if (line := next(self._source, None)) is None:
                return None
            self._lines.append(line)
        return self._lines[index - self._first]

    def forget(self, index: int) -> None:
        while self._lines and self._first < index:
            self._lines.popleft()
            self._first += 1


class _Feed:
    """Passes lines to a reader as text, within the limits of one row."""

    def __init__(self, window: _Window, start: int, most_lines: int = MOST_ROW_LINES) -> None:
        self._window = window
        self._next = self._row = start
        self._most_lines = most_lines
        self._bytes = 0

    @property
    def cost(self) -> int:
        return self._bytes + (self._next - self._row) * _LINE_COST

    def begin_row(self) -> int:
        self._row, self._bytes = self._next, 0
        return self._next

    def __iter__(self) -> Iterator[str]:
        while (line := self._window.line(self._next)) is not None:
            self._bytes += len(line)
            if self._bytes > MOST_LINE_BYTES or self._next - self._row >= self._most_lines:
                raise csv.Error(f"a row has at most {MOST_LINE_BYTES:,} bytes and {MOST_ROW_LINES:,} lines")
            self._next += 1
            # Bytes outside UTF-8 are kept until their row is known, and refused there.
            yield line.removeprefix(codecs.BOM_UTF8 if self._next == 1 else b"").decode(
                "utf-8", errors="surrogateescape"
            )
