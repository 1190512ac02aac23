"""The letters of the columns of a table, as spreadsheets name them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ginuri.files.tables.cells import HeadingTest, read_cells
from ginuri.files.tables.heading import column_name
from ginuri.registration.verdicts import Finding, shown

_LETTERS = 26


def letters_by_heading(lines: Iterable[bytes], heading: HeadingTest) -> Mapping[str, str]:
    """Return the letter of each heading as findings show it; of the same headings, only the first."""
    _, cells = next(iter(read_cells(lines, heading)), (0, []))
    names = [] if isinstance(cells, Finding) else [shown(column_name(cell)) for cell in cells]
    return {name: write_letters(names.index(name) + 1) for name in names if name}


def write_letters(number: int) -> str:
    """Write the letters of a column, numbered from 1.

    >>> [write_letters(number) for number in (1, 26, 27, 703)]
    ['A', 'Z', 'AA', 'AAA']
    """
    letters = ""
    while number:
        number, rest = divmod(number - 1, _LETTERS)
        letters = chr(ord("A") + rest) + letters
    return letters
