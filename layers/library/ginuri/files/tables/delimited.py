"""Reads tables: columns are fields, each row is a representation, and rows of one identifier are combined.

`title@de` is a title in German, `links.license` a link, `properties.county` further metadata. An empty cell
states nothing, `-` clears the field.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from ginuri.files.dates import DateOrder, read_day
from ginuri.files.encodings import ENCODING, describe
from ginuri.files.json_lines import read_json
from ginuri.files.mapping.columns import NO_MAPPING, ColumnMapping, is_field
from ginuri.files.mapping.templates import CLEARED
from ginuri.files.repairs.words import NO_VALUE
from ginuri.files.schema.answer_tests import nest_test
from ginuri.files.schema.fields import REPRESENTATION_FIELDS
from ginuri.files.schema.recent_rules import MISSING
from ginuri.files.schema.statements import read_statements, refused_row
from ginuri.files.schema.values import SEPARATORS, fold_word
from ginuri.files.tables.cells import read_cells
from ginuri.files.tables.expressions import read_expression
from ginuri.files.tables.filling import TemplateFiller
from ginuri.files.tables.heading import HeadingReader, UnusableHeading, column_name
from ginuri.identifiers.messages import message
from ginuri.registration.positions import Headings, column_of
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, at, is_refused, refuse, shown, warn
from ginuri.registry.metadata.fields import AS_JSON, PER_LANGUAGE
from ginuri.registry.record.answer_tests import TESTS

# The values of failed formulas (ECMA-376 part 1, §18.17.3).
_ERRORS = {"#N/A", "#REF!", "#VALUE!", "#NAME?", "#DIV/0!", "#NUM!", "#NULL!"}
_NO_VALUE = message(
    "Programs write {value} for a value that is missing. Leave the cell empty; a text that really is this "
    "can be registered from JSON lines."
)
_UNNAMED = ""
# The rows that are compared for empty cells beyond the heading.
_COMPARED = 5
_NO_HEADING = refuse("", "heading", "", "The first line must name the columns.")
_OF_REPRESENTATION = {*REPRESENTATION_FIELDS} - {"identifier", "title", "status"}
# The columns of a list of published identifiers, as in geoconnex.
_PUBLISHED = {"id", "target"}
_ONE_SLASH = warn(
    "identifier",
    "two slashes",
    None,
    "The published identifier has one slash after the host, and is registered with one.",
)
# Tables of geoconnex.us have `https://geoconnex.us//usgs/…` for the published `https://geoconnex.us/usgs/…`.
_SLASHES = re.compile(r"^(https?://[^/?#]+)//(?=[^/])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Table:
    columns: Sequence[str]
    """The field of each column, or its name."""
    headings: Headings
    templates: TemplateFiller | None
    orders: Mapping[int, DateOrder]
    """The orders of the dates in columns, from 0."""
    is_published: bool
    width: int
    """The number of cells of a row, with empty ones beyond the heading."""

    def uses(self, name: str) -> bool:
        """Return whether a column is registered."""
        return is_field(name) or (self.templates is not None and self.templates.reads(name))

    def takes_any_text(self, name: str) -> bool:
        """Return whether a column is registered, and no check of its field tells a text from none."""
        is_text = name.partition("@")[0] in PER_LANGUAGE or name.startswith("properties.")
        return is_text or (self.templates is not None and self.templates.reads(name))


def read_delimited(
    lines: Iterable[bytes], after: int = 0, mapping: ColumnMapping = NO_MAPPING
) -> Iterator[Row]:
    """Read a table with a heading, with some columns mapped. A bad row does not affect other identifiers.

    Rows above the heading are skipped, and rows that begin up to line `after`, which were read before. The
    first returned row is the heading with the names of the columns. Raises UnusableHeading.
    """
    reader = HeadingReader(mapping)
    rows = read_cells(lines, reader)
    number, names = next(rows, (1, _NO_HEADING))
    if isinstance(names, Finding):
        raise UnusableHeading(number, [names])
    if not any(map(str.strip, names)):
        raise UnusableHeading(number, [_NO_HEADING])
    findings = tuple(reader.judge(number, names))
    if is_refused(findings):
        raise UnusableHeading(number, findings)
    columns, templates = reader.fields(names), reader.templates(names)
    headings = {**dict(zip(columns, map(column_name, names), strict=False)), **templates.headings}
    if number > after:
        yield _located(Row(number, None, findings=findings, headings=headings), headings)
    is_published = {name.strip().lower() for name in names} >= _PUBLISHED
    first = list(islice(rows, _COMPARED))
    width = _width([cells for _, cells in first if not isinstance(cells, Finding)], len(columns))
    orders = reader.date_orders(names)
    table = _Table(columns, headings, templates if templates.fields else None, orders, is_published, width)
    for number, cells in chain(first, rows):
        if number <= after:
            continue
        if isinstance(cells, Finding):
            yield _located(Row(number, None, findings=(cells,)), {})
        elif any(cell.strip() for cell in cells):
            row = _read(number, cells, table)
            yield _located(row, headings) if row.findings else row


def _located(row: Row, headings: Headings) -> Row:
    findings = tuple(at(finding, row.line, column_of(finding.field, headings)) for finding in row.findings)
    return replace(row, findings=findings)


def _read(number: int, cells: Sequence[str], table: _Table) -> Row:
    if table.orders:
        cells = [
            (read_day(cell, table.orders[at]) or cell) if at in table.orders else cell
            for at, cell in enumerate(cells)
        ]
    stated = {name: cell.strip() for name, cell in zip(table.columns, cells, strict=False) if cell.strip()}
    fault = _fault(cells, stated, table)
    remarks = list(_remarks(cells, stated, table))
    doubts: Sequence[Finding] = ()
    if table.templates is not None and fault is None:
        filled = table.templates.fill(cells)
        stated = {name: text for name, text in stated.items() if name not in table.templates.fields}
        stated |= filled.values
        fault, doubts = filled.fault, filled.doubts
    if fault is not None:
        # The other rows of the identifier must be refused as well.
        row = read_statements(number, {"identifier": stated.get("identifier")})
        return refused_row(number, row.identifier, stated, (fault,))
    written = stated.get("identifier", "")
    if table.is_published and (name := _SLASHES.sub(r"\1/", written)) != written:
        remarks.append(_ONE_SLASH)
        stated["identifier"] = name
    registration = read_expression(stated)
    if isinstance(registration, Finding):
        return Row(number, None, findings=(registration,))
    given = _nest(registration)
    row = read_statements(number, given)
    if doubts:
        row = replace(row, doubts=tuple(at(doubt, number, table.headings["identifier"]) for doubt in doubts))
    if not (remarks or row.findings):
        return row
    # Findings on a representation use the names of its columns.
    prefix = f"representations.{len(given.get('representations') or ()) - 1}."
    tested = [name for name in stated if name.startswith(f"{TESTS}.")]
    findings = [
        replace(finding, field=_test_column(finding.field.removeprefix(prefix), tested))
        for finding in row.findings
    ]
    links = [name for name in stated if name.startswith("links.")] if "links" not in stated else []
    whole = [replace(each, suggestion=_suggestion(each, findings, stated)) for each in findings]
    if table.templates is not None:
        whole = [table.templates.correct(finding, cells) for finding in whole]
    located = tuple(
        at(finding, number, table.headings.get(_link(finding.field, links), "")) for finding in whole
    )
    return replace(row, findings=(*remarks, *located))


def _suggestion(finding: Finding, findings: Sequence[Finding], stated: Mapping[str, str]) -> str | None:
    """Return the correction of the whole cell, which may list several words; None without such a cell."""
    name, _, further = finding.field.partition(".")
    if finding.suggestion is None or name not in stated or not further:
        return finding.suggestion
    if name not in SEPARATORS:
        return None if name in AS_JSON else finding.suggestion
    repaired = {other.field: other.suggestion for other in findings if other.suggestion is not None}
    # The pattern has a group, so every second piece is a separator.
    pieces = re.split(f"({SEPARATORS[name]})", stated[name])
    pieces[::2] = [repaired.get(f"{name}.{at}", piece) for at, piece in enumerate(pieces[::2])]
    return "".join(pieces).strip()


def _test_column(field: str, tested: Sequence[str]) -> str:
    """Return the column for a finding on the test of a row: its own, or the first one of the test."""
    first, _, further = field.partition(".")
    if first != TESTS or not tested:
        return field
    column = f"{TESTS}.{further.rpartition('.')[2]}"
    return column if column in tested else tested[0]


def _link(field: str, links: Sequence[str]) -> str:
    first, _, further = field.partition(".")
    number = further.partition(".")[0]
    return links[int(number)] if first == "links" and links and number.isdecimal() else ""


def _width(rows: Sequence[Sequence[str]], columns: int) -> int:
    """Return the number of cells that rows have, if they all have empty ones beyond the heading.

    If only some rows have more, a separator within a cell is the likely reason.
    """
    filled = [cells for cells in rows if any(cell.strip() for cell in cells)]
    widths = {len(cells) for cells in filled}
    is_alike = len(widths) == 1 and len(filled) > 1
    return max(columns, *widths) if is_alike else columns


def _remarks(cells: Sequence[str], stated: Mapping[str, str], table: _Table) -> Iterator[Finding]:
    if len(cells) < len(table.columns):
        yield warn(
            "",
            "cells",
            cells[-1],
            "The row has {cells} cells, but there are {columns} columns. The cells that are missing at its "
            "end were taken as empty.",
            cells=len(cells),
            columns=len(table.columns),
        )
    for name, text in stated.items():
        if text in NO_VALUE and table.takes_any_text(name):
            yield replace(refuse(name, MISSING, text, _NO_VALUE, value=text), suggestion="")
    if _UNNAMED in stated:
        yield warn(
            "",
            "unknown column",
            stated[_UNNAMED],
            "The value {value} is in a column without a name, and is not registered.",
            value=repr(shown(stated[_UNNAMED])),
        )


def _fault(cells: Sequence[str], stated: Mapping[str, str], table: _Table) -> Finding | None:
    beyond = cells[len(table.columns) :]
    if beyond and (len(cells) != table.width or any(cell.strip() for cell in beyond)):
        return refuse(
            "",
            "cells",
            cells[-1],
            "The row has {cells} cells, but there are {columns} columns. Check for a separator in a cell "
            "without quotes.",
            cells=len(cells),
            columns=len(table.columns),
        )
    for name, text in stated.items():
        if not text.isascii() and any("\udc80" <= character <= "\udcff" for character in text):
            raw = text.encode(errors="surrogateescape")
            return refuse(name, ENCODING, raw.decode(errors="replace"), describe(raw))
        if text.startswith("#") and text in _ERRORS and table.uses(name):
            return refuse(
                name,
                "formula",
                text,
                "The formula in this cell has the error {error}. Correct it in the spreadsheet, or empty the "
                "cell.",
                error=text,
            )
    return None


def _nest(stated: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    form: dict[str, Any] = {}
    test: dict[str, str] = {}
    for name, text in stated.items():
        value = None if text == CLEARED else text
        first, dot, further = name.partition(".")
        word, _, tag = name.partition("@")
        if name in _OF_REPRESENTATION and not _is_of_record(name, stated):
            form[name] = value
        elif word in PER_LANGUAGE:
            given.setdefault(word, {})[tag] = value
        elif first == "properties" and dot:
            given.setdefault(first, {})[further] = value
        elif first == "links" and dot:
            given.setdefault(first, []).append({"rel": further, "href": value})
        elif first == TESTS and dot:
            test |= {name: value} if value else {}
        elif is_field(name):
            given[name] = _json(text) if name in AS_JSON and value else value
    if form:
        given["representations"] = [*(given.get("representations") or ()), form]
    if test and isinstance(given.setdefault(TESTS, []), list):
        given[TESTS].append(nest_test(test))
    return given


def _is_of_record(name: str, stated: Mapping[str, str]) -> bool:
    record = fold_word(stated.get("record", ""))
    if name == "status_code":
        return record == "alias" or stated[name] in {"404", "410"}
    return name == "valid_from" and record == "delegation"


def _json(text: str) -> Any:  # noqa: ANN401  JSON has values of any type
    try:
        return read_json(text)
    except ValueError:
        return text  # later refused as no list, under the name of its field
