"""Doubts about identifiers that a spreadsheet took for numbers or dates, and changed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from ginuri.files.tables.damaged_numbers import Damage, DamagedCells
from ginuri.files.tables.heading import HeadingReader, column_name
from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import Message, message
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, at, refuse

RULE = "damaged number"
_IDENTIFIER = "identifier"
_IN_GROUPS = message(
    "The digits of this identifier are in groups, as a spreadsheet shows a number. Format the column as "
    "text, type the identifier again, and save the file. If it is right as it is, register it once from "
    "JSON lines."
)
_FRACTION = r"(?:[.,]\d+)?"
_PLUS = r"(?:\+|%2B)"
# A whole segment: 1E5 as typed, and 1.23E+11, 12.3E+10, 1.00E-05 as programs write numbers.
_ALONE = re.compile(
    rf"\d{_FRACTION}E\d{{1,2}}|\d{{1,3}}{_FRACTION}E{_PLUS}\d{{1,3}}|\d{_FRACTION}E-\d{{2,3}}", re.IGNORECASE
)
# Within a segment, such as well-1.23E+11, only what nobody else writes.
_WITHIN = re.compile(rf"(?<![\w.,])\d{_FRACTION}E{_PLUS}\d{{2,3}}(?!\w)", re.IGNORECASE)

# A whole segment with its digits in groups, as a number is shown: 1,001.
_GROUPED = re.compile(r"\d{1,3}(?:(?:,|%2C)\d{3})+")


def doubt_numbers(
    rows: Iterable[Row], damaged: DamagedCells, heading: HeadingReader, *, is_text: bool
) -> Iterator[Row]:
    """Add doubts to the rows of a table whose identifiers contain numbers that a spreadsheet has changed.

    `damaged` are the cells of a workbook; in a text, only the text tells.
    """
    columns: Sequence[int] | None = None
    for row in rows:
        if row.identifier is None:
            yield row
        elif is_text:
            doubt = _doubt_text(row.identifier)
            yield replace(row, doubts=(at(doubt, row.line),)) if doubt else row
        elif damages := damaged.take(row.line):
            if columns is None:
                columns = _columns(damaged.names, heading)
            doubts = (
                at(
                    refuse(_IDENTIFIER, RULE, row.identifier, _describe(damages[column])),
                    row.line,
                    column_name(damaged.names[column]),
                )
                for column in columns
                if column in damages
            )
            yield replace(row, doubts=(*row.doubts, *doubts))
        else:
            yield row


def _columns(names: Sequence[str], heading: HeadingReader) -> Sequence[int]:
    """Return the columns that identifiers are in, or are made from."""
    named = {column for column, field in enumerate(heading.fields(names)) if field == _IDENTIFIER}
    made = {column for column in heading.templates(names).columns_of(_IDENTIFIER) if column < len(names)}
    return sorted(made or named)


def _doubt_text(identifier: Identifier) -> Finding | None:
    last = identifier.segments[-1] if identifier.segments else ""
    if ("," in last or "%2C" in last) and _GROUPED.fullmatch(last):
        return refuse(_IDENTIFIER, RULE, identifier, _IN_GROUPS)
    if "e" not in last and "E" not in last:
        return None
    found = _ALONE.fullmatch(last) or _WITHIN.search(last)
    if found is None:
        return None
    return refuse(
        _IDENTIFIER,
        RULE,
        identifier,
        "{number} is how a spreadsheet or a program writes a number, so digits of this identifier may be "
        "lost. Format the column as text, type the identifier again, and save the file. If it is right as it "
        "is, register it once from a cell of a workbook that is formatted as text, or from JSON lines.",
        number=found[0].replace("%2B", "+"),
    )


def _describe(damage: Damage) -> Message:
    match damage:
        case Damage.POWER:
            return message(
                "The spreadsheet took this for a number, and may have changed it: 1E5, for example, becomes "
                "100000. Format the column as text, and type the identifier again."
            )
        case Damage.ROUNDED:
            return message(
                "A spreadsheet keeps only 15 digits of a number, so the last digits of this may be lost. "
                "Format the column as text, and type the identifier again."
            )
        case Damage.DATE:
            return message(
                "The spreadsheet took this for a date, and may have changed it: 2-1, for example, becomes a "
                "day in January or February. Format the column as text, and type the identifier again."
            )
        case _:
            assert_never(damage)
