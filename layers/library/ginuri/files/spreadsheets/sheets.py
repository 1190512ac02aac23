"""Chooses the sheet of a workbook to read, and reports the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from ginuri.files.lines import MOST_WHOLE_BYTES
from ginuri.files.mapping.columns import list_columns, quote_argument
from ginuri.files.options import ALL_SHEETS
from ginuri.files.spreadsheets.xml_parts import CHUNK, SAVE_AS
from ginuri.files.tables.cells import MOST_TITLE_ROWS, HeadingTest
from ginuri.files.tables.damaged_numbers import Damage
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import Finding, Remark, ignore, refuse, warn

MOST_STEPS = MOST_WHOLE_BYTES // CHUNK
"""The most bytes of a workbook to read in search of headings."""
MOST_SHEETS = 1_000
_RULE = "sheet"


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row of a sheet."""

    number: int
    times: int
    """How often it is repeated, itself included."""
    cells: Sequence[str]
    """The texts of its cells, up to the last non-empty one."""
    is_hidden: bool = False
    is_filtered: bool = False
    """Whether the row itself says that a filter hides it, as in .ods."""
    targets: Mapping[int, str] = field(default_factory=dict)
    """The web addresses that cells link to, by their columns from 0, if they are read."""
    damages: Mapping[int, Damage] = field(default_factory=dict)
    """The cells that a spreadsheet may have changed, by their columns from 0."""


class FirstRows(IntEnum):
    """The kind of a sheet's first rows."""

    EMPTY = 0
    FILLED = 1
    """Unreadable, or without a heading that has an identifier column."""
    HEADING = 2
    """A heading with an identifier column, and no row below."""
    IDENTIFIED = 3


class HeadingSearch:
    """Searches the first rows of a sheet for its heading, and for a row below it."""

    def __init__(self, heading: HeadingTest) -> None:
        self.found = FirstRows.EMPTY
        self.is_over = False
        self._heading = heading

    def take(self, rows: list[SheetRow]) -> None:
        """Judge rows, and remove them."""
        for row in rows:
            if not self.is_over:
                self.found = self._judge(row.number, row.cells)
            self.is_over = self.found is FirstRows.IDENTIFIED or (
                self.found is FirstRows.FILLED and row.number >= MOST_TITLE_ROWS
            )
        rows.clear()

    def give_up(self) -> None:
        """End the search in a sheet that becomes unreadable."""
        self.found, self.is_over = max(self.found, FirstRows.FILLED), True

    def _judge(self, number: int, cells: Sequence[str]) -> FirstRows:
        if self.found is FirstRows.HEADING:
            return FirstRows.IDENTIFIED
        is_title = number <= MOST_TITLE_ROWS
        is_heading = is_title and self._heading.is_heading(cells, is_first=number == 1)
        return FirstRows.HEADING if is_heading else FirstRows.FILLED


@dataclass(frozen=True, slots=True)
class ListedSheet:
    """A sheet of a workbook."""

    name: str
    is_hidden: bool
    first_rows: FirstRows


LOST = {FirstRows.FILLED, FirstRows.IDENTIFIED}
"""The first rows of a sheet that would be missed if it is not read."""


def add_sheet(sheets: list[ListedSheet], sheet: ListedSheet) -> None:
    """Add a sheet to a list. Raises UnreadableFile for too many of them."""
    sheets.append(sheet)
    if len(sheets) > MOST_SHEETS:
        raise UnreadableFile(
            _RULE,
            f"> {MOST_SHEETS:,}",
            "A workbook may have at most {most} sheets. Split it into several files.",
            most=f"{MOST_SHEETS:,}",
        )


def choose_sheet(sheets: Sequence[ListedSheet], wanted: str, remark: Remark = ignore) -> int:
    """Return the index of the chosen sheet, or else of the first visible one with identifiers.

    Without any, it is the first visible one with a heading, or with any cell. Raises UnreadableFile.
    """
    chosen = _choose(sheets, wanted)
    for finding in _unread(sheets, chosen, wanted):
        remark(finding)
    return chosen


def _choose(sheets: Sequence[ListedSheet], wanted: str) -> int:
    places = range(len(sheets))
    if wanted:
        name = fold_name(wanted)
        found = next((at for at in places if fold_name(sheets[at].name) == name), None)
        if found is None:
            raise UnreadableFile(
                _RULE,
                wanted,
                "There is no sheet {sheet}. The sheets of the file are: {sheets}.",
                sheet=repr(wanted),
                sheets=list_columns([sheet.name for sheet in sheets]),
            )
        return found
    if not (visible := [at for at in places if not sheets[at].is_hidden]):
        raise UnreadableFile("xlsx", "", "The workbook has no visible sheet. {way_out}", way_out=SAVE_AS)
    return max(visible, key=lambda at: (sheets[at].first_rows, -at))


def _unread(sheets: Sequence[ListedSheet], chosen: int, wanted: str) -> Iterator[Finding]:
    others = [sheet for at, sheet in enumerate(sheets) if at != chosen and sheet.first_rows in LOST]
    read = repr(sheets[chosen].name)
    visible = [sheet for sheet in others if not sheet.is_hidden]
    if names := [sheet.name for sheet in visible if sheet.first_rows is FirstRows.IDENTIFIED]:
        values = {"read": read, "sheets": list_columns(names), "option": _option(names[0])}
        yield (
            warn(
                "",
                _RULE,
                "",
                "Only the sheet {read} was read. There is a column `identifier` in {sheets} as well.",
                **values,
            )
            if wanted
            else refuse(
                "",
                _RULE,
                "",
                "Only the sheet {read} was read. There is a column `identifier` in {sheets} as well: upload "
                "the file again for each of them, such as with {option}, or for all of them with {every}.",
                every=f"--sheet {quote_argument(ALL_SHEETS)}",
                **values,
            )
        )
    if names := [sheet.name for sheet in visible if sheet.first_rows is FirstRows.FILLED]:
        yield warn(
            "",
            _RULE,
            "",
            "Only the sheet {read} was read. No column `identifier` was found in {sheets}.",
            read=read,
            sheets=list_columns(names),
        )
    if names := [sheet.name for sheet in others if sheet.is_hidden]:
        yield warn(
            "",
            _RULE,
            "",
            "Only the sheet {read} was read. Hidden: {sheets}. To register a hidden sheet, upload the file "
            "again, such as with {option}.",
            read=read,
            sheets=list_columns(names),
            option=_option(names[0]),
        )


def _option(name: str) -> str:
    return f"--sheet {quote_argument(name)}"


def fold_name(name: str) -> str:
    """Fold the name of a sheet."""
    # A spreadsheet ignores case in the names of sheets.
    return " ".join(name.split()).casefold()
