"""Refused lines are read as the uploaded ones, and a spreadsheet computes none of their cells."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from typing import Literal

from hypothesis import example, given
from hypothesis import strategies as st

from ginuri.files.lines import split_at_returns, split_lines
from ginuri.files.reports.report import LineMarks, write_refused
from ginuri.files.tables.cells import read_cells
from ginuri.files.tables.delimited import read_delimited
from ginuri.files.tables.formulas import formula_prefixes, guard, unguard
from ginuri.files.tables.heading import HeadingReader
from ginuri.registration.verdicts import Outcome, Verdict, refuse
from tests.unit.files.test_formulas import is_computed

CELLS = st.text("=+-@'\" \t\r\n,;a\ufeff\uff1d\u00e9\udc80", max_size=6)
QUOTING = st.sampled_from((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))
SEPARATORS = st.sampled_from(",;\t")
FORBIDDEN = (refuse("", "test", "", "refused"),)


def _written(rows: list[list[str]], separator: str, quoting: Literal[0, 1]) -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, quoting=quoting).writerows(rows)
    return text.getvalue().encode(errors="surrogateescape")


def _read(lines: list[bytes]) -> list[list[str]]:
    """Read all rows like a table's, without the blanks around cells, which never matter."""
    rows = [cells for _, cells in read_cells(lines, HeadingReader()) if isinstance(cells, list)]
    return [[cell.strip() for cell in cells] for cells in rows]


def _lines(body: bytes) -> list[bytes]:
    return list(split_at_returns(split_lines([body])))


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=4), SEPARATORS, QUOTING)
@example(
    [["=1+1", "'=1+1"], ["''=1", " =1"], ["-", "-1"], ["\t=1", "'\t=1"], ["'", "-\n-"]], ",", csv.QUOTE_ALL
)
def test_a_refused_line_is_read_back_as_uploaded(
    rows: list[list[str]], separator: str, quoting: Literal[0, 1]
) -> None:
    lines = _lines(_written([["identifier", "title"], *rows], separator, quoting))
    numbers = [row.line for row in read_delimited(lines)]
    verdicts = [Verdict(Outcome.REFUSED, (number,), None, FORBIDDEN) for number in numbers[1:]]

    refused = b"".join(write_refused(lines, LineMarks(verdicts), HeadingReader()))

    if verdicts:
        assert [row for row in _read(_lines(refused)) if any(row)] == [
            row for row in _read(lines) if any(row)
        ]
    spreadsheet = csv.reader(
        io.StringIO(refused.decode(errors="surrogateescape"), newline=""), delimiter=separator
    )
    assert not any(is_computed(cell) for row in spreadsheet for cell in row)


@given(st.text("=+-@'\" \t\r\n,;a\ufeff", max_size=40), SEPARATORS)
def test_no_line_of_a_guarded_row_begins_a_formula(text: str, separator: str) -> None:
    guarded = guard(text.encode(), separator).decode()

    rows = csv.reader(io.StringIO(guarded, newline=""), delimiter=separator)  # as lenient as spreadsheets are
    with contextlib.suppress(csv.Error):
        assert not any(is_computed(cell) for row in rows for cell in row)
    assert guard(guarded.encode(), separator).decode() == guarded


@given(st.text("=+-@'\" \t\r\n,;a\ufeff", max_size=40), SEPARATORS)
@example("\t" * 40 + "a", ",")
@example('"' + '", ' * 12, ",")
def test_guarding_an_unreadable_row_reads_each_character_once(text: str, separator: str) -> None:
    # The search for beginnings of cells runs from left to right. Skipped text begins no cell and is not tried
    # again, so the number of steps is linear in the number of characters.
    passed_over, end = "", 0
    for found in formula_prefixes(separator).finditer(text):
        passed_over += text[end : found.start()]
        end = found.end()

    assert not set(passed_over + text[end:]) & {*"\r\n,;\t", separator}


@given(CELLS)
def test_every_value_can_be_written(value: str) -> None:
    bare = value.strip()
    written = f"'{bare}" if re.match(r"'*\s*[=+@\uff1d-]", bare) else bare

    assert unguard(written) == bare
