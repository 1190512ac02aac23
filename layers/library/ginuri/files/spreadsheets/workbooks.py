"""Converts a sheet of an .xlsx file (ECMA-376 part 1, §18) to CSV, one line for each row.

It is read with the standard library: a library that builds objects from a whole part can be made to fill the
memory, despite limits on the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from ginuri.files.lines import MOST_WHOLE_BYTES
from ginuri.files.spreadsheets.cell_references import read_rows
from ginuri.files.spreadsheets.chosen_sheet import ChosenSheet
from ginuri.files.spreadsheets.links import read_hyperlinks
from ginuri.files.spreadsheets.number_formats import read_formats
from ginuri.files.spreadsheets.shared_texts import read_shared_texts
from ginuri.files.spreadsheets.sheets import (
    MOST_STEPS,
    FirstRows,
    HeadingSearch,
    ListedSheet,
    add_sheet,
    choose_sheet,
)
from ginuri.files.spreadsheets.worksheets import TRUE, CellFormats, Worksheet
from ginuri.files.spreadsheets.xml_parts import Package
from ginuri.files.tables.cells import HeadingTest
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import Remark, ignore

_HIDDEN = {"hidden", "veryHidden"}
# A row without a height is as hidden as one that is marked so.
_HIDING = re.compile(rb"hidden=|\bht=[\"']0")


def open_workbook(
    content: bytes, heading: HeadingTest, wanted: str = "", remark: Remark = ignore
) -> ChosenSheet:
    """Return the chosen sheet, or the first one with identifiers, after the remarks on the others.

    Raises UnreadableFile.
    """
    package = Package(content, MOST_WHOLE_BYTES)
    book = _Workbook(package)
    part = book.choose(heading, wanted, remark)

    def open_sheet(with_links: bool) -> Worksheet:  # noqa: FBT001  its only argument
        return Worksheet(book.formats, read_hyperlinks(package, part) if with_links else None)

    return ChosenSheet(package, part, open_sheet, _HIDING, partial(_filtered, package, part))


def list_sheets(content: bytes, heading: HeadingTest) -> Sequence[ListedSheet]:
    """List the sheets of a workbook in order. Raises UnreadableFile."""
    return _Workbook(Package(content, MOST_WHOLE_BYTES)).list(heading)


def _filtered(package: Package, part: str) -> Sequence[range]:
    """Return the rows that filters are applied to, of a sheet (§18.3.1.2) and of tables in it (§18.5.1)."""
    related = package.relations(part) if package.has_relations(part) else ()
    tables = [relation.target for relation in related if relation.type == "table"]
    found: list[range] = []
    rows = range(0)

    def start(element: str, attributes: Mapping[str, str]) -> None:
        nonlocal rows
        if element == "autoFilter":
            rows = read_rows(attributes.get("ref", ""))
        elif element == "filterColumn":
            found.append(rows)

    for each in (part, *tables):
        package.parse(each, start)
    return found


class _Workbook:
    """The sheets of a workbook in order, with the shared texts and formats of their cells."""

    def __init__(self, package: Package) -> None:
        self._package = package
        book = next(
            (relation.target for relation in package.relations() if relation.type == "officeDocument"), ""
        )
        relations = package.relations(book)
        parts = {relation.id: relation.target for relation in relations if relation.type == "worksheet"}
        targets = {relation.type: relation.target for relation in relations}
        self._sheets: list[tuple[str, bool, str]] = []
        """The name of each sheet, whether it is hidden, and its part."""
        self._since_1904 = False
        package.parse(book, partial(self._start, parts))
        self.formats = CellFormats(
            read_shared_texts(package, targets["sharedStrings"]) if "sharedStrings" in targets else (),
            read_formats(package, targets["styles"]) if "styles" in targets else (),
            self._since_1904,
        )

    def choose(self, heading: HeadingTest, wanted: str, remark: Remark = ignore) -> str:
        return self._sheets[choose_sheet(self.list(heading), wanted, remark)][2]

    def list(self, heading: HeadingTest) -> list[ListedSheet]:
        left, listed, first_rows = iter(range(MOST_STEPS)), list[ListedSheet](), dict[str, FirstRows]()
        for name, is_hidden, part in self._sheets:
            if part not in first_rows:
                first_rows[part] = self._first_rows(part, heading, left)
            add_sheet(listed, ListedSheet(name, is_hidden, first_rows[part]))
        return listed

    def _first_rows(self, part: str, heading: HeadingTest, left: Iterator[int]) -> FirstRows:
        source, search = Worksheet(self.formats), HeadingSearch(heading)
        try:
            next(left)
            for _ in self._package.steps(part, source.start, source.end, source.text):
                search.take(source.rows)
                if search.is_over:
                    break
                next(left)
        except (UnreadableFile, StopIteration):
            search.take(source.rows)  # those before the fault
            search.give_up()
        return search.found

    def _start(self, parts: Mapping[str, str], element: str, attributes: Mapping[str, str]) -> None:
        if element == "workbookPr":
            self._since_1904 = attributes.get("date1904") in TRUE
        elif element == "sheet":
            # The attribute is r:id, with any prefix.
            for sheet in (value for name, value in attributes.items() if name.endswith(":id")):
                if sheet in parts:
                    is_hidden = attributes.get("state") in _HIDDEN
                    self._sheets.append((attributes.get("name", ""), is_hidden, parts[sheet]))
