"""The references of cells, such as B7 (ECMA-376 part 1, §18.18.62)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, product

from ginuri.files.spreadsheets.xml_parts import SAVE_AS
from ginuri.files.tables.letters import write_letters
from ginuri.identifiers.errors import UnreadableFile

_REFERENCE = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,6})")


def column_number(reference: str | None, following: int) -> int:
    """Return the column number in the reference of a cell; without one, the following column."""
    found = _REFERENCE.fullmatch(reference or "")
    if reference and not found:
        raise UnreadableFile("xlsx", reference, "A cell has no valid position. {way_out}", way_out=SAVE_AS)
    return _number(found[1]) if found else following


def write_reference(column: int, row: int) -> str:
    """Write the reference of a cell.

    >>> write_reference(28, 7)
    'AB7'
    """
    return f"{write_letters(column)}{row}"


def read_rows(reference: str) -> range:
    """Return the rows of a range of cells; none for an invalid one.

    >>> read_rows("A1:D10"), read_rows("B2")
    (range(1, 11), range(2, 3))
    """
    rows = [int(found[2]) for found in map(_REFERENCE.fullmatch, _corners(reference)) if found]
    return range(min(rows), max(rows) + 1) if rows else range(0)


def read_range(reference: str, most: int) -> Iterator[tuple[int, int]]:
    """Yield the row and the column of at most `most` cells of a range.

    >>> list(read_range("A1:B2", 3))
    [(1, 1), (1, 2), (2, 1)]
    """
    corners = [found for found in map(_REFERENCE.fullmatch, _corners(reference)) if found]
    columns = [_number(found[1]) for found in corners]
    if columns:
        yield from islice(product(read_rows(reference), range(min(columns), max(columns) + 1)), most)


def _corners(reference: str) -> list[str]:
    return reference.replace("$", "").split(":")


def _number(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number
