"""Cells of an .ods file are repaired where they stand, also within repeated rows and cells."""

from __future__ import annotations

import csv
import io
import zipfile

from ginuri.files.formats import read_lines
from ginuri.files.repairs.writer import write_repaired
from tests.spreadsheets import document_of

HEADING = "".join(
    f"<table:table-cell><text:p>{name}</text:p></table:table-cell>" for name in ("identifier", "title", "url")
)
NOTE = "<office:annotation><text:p>see</text:p></office:annotation>"


def _document(*rows: str) -> bytes:
    return document_of("".join([f"<table:table-row>{HEADING}</table:table-row>", *rows]))


def _repair(document: bytes, cells: dict[tuple[int, str], str]) -> tuple[str, set[tuple[int, str]]]:
    """Repair cells, and return the rows of the repaired document as XML."""
    repaired, written = write_repaired("a.ods", document, cells)
    with zipfile.ZipFile(io.BytesIO(repaired)) as package:
        content = package.read("content.xml").decode()
    lines = [line.decode("utf-8-sig") for line in read_lines("a.ods", [repaired])]
    read = list(csv.reader(lines))
    for line, column in written:
        assert read[line - 1][read[0].index(column)] == cells[line, column]
    return content.partition("</table:table-row>")[2].partition("</table:table>")[0], set(written)


def test_one_of_repeated_rows_and_cells_is_written_out() -> None:
    row = "<table:table-row{}><table:table-cell{}><text:p>a</text:p></table:table-cell></table:table-row>"
    rows, cells = ' table:number-rows-repeated="{}"', ' table:number-columns-repeated="{}"'

    repaired, written = _repair(
        _document(row.format(rows.format(4), cells.format(3))), {(3, "title"): "b", (9, "url"): "c"}
    )

    one = "<table:table-cell><text:p>a</text:p></table:table-cell>"
    changed = '<table:table-cell office:value-type="string"><text:p>b</text:p></table:table-cell>'
    whole = row.format("{}", cells.format(3))
    assert written == {(3, "title")}
    assert repaired == (
        f"{whole.format('')}<table:table-row>{one}{changed}{one}</table:table-row>"
        f"{whole.format(rows.format(2))}"
    )


def test_a_repaired_cell_keeps_its_format_and_notes() -> None:
    row = (
        '<table:table-row><table:table-cell table:style-name="s" office:value-type="float" office:value="5">'
        f"{NOTE}<text:p>5</text:p><text:p/></table:table-cell>"
        '<table:table-cell office:value-type="string" office:string-value="x>"/>'
        "<table:table-cell><text:p>n/a</text:p></table:table-cell></table:table-row>"
    )

    repaired, written = _repair(
        _document(row), {(2, "identifier"): "a\tb  <c\nd", (2, "title"): "y", (2, "url"): ""}
    )

    string = 'office:value-type="string"'
    assert len(written) == 3
    assert repaired == (
        f'<table:table-row><table:table-cell table:style-name="s" {string}>{NOTE}'
        '<text:p>a<text:tab/>b<text:s text:c="2"/>&lt;c</text:p><text:p>d</text:p></table:table-cell>'
        f"<table:table-cell {string}><text:p>y</text:p></table:table-cell>"
        "<table:table-cell></table:table-cell></table:table-row>"
    )


def test_formulas_and_covered_cells_stay_as_they_are() -> None:
    row = (
        '<table:table-row><table:table-cell table:formula="of:=1" office:value-type="float" '
        'office:value="1"/>'
        "<table:covered-table-cell/><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row>"
    )
    cells = {(2, "identifier"): "b", (2, "title"): "b"}

    repaired, written = _repair(_document(row), cells)

    assert (repaired, written) == (row, set())


def test_only_the_sheet_that_is_read_is_repaired() -> None:
    shapes = "<table:shapes><table:table-row/></table:shapes>"
    inner = "<table:table><table:table-row/></table:table>"
    row = (
        f"<table:table-row><table:table-cell><text:p>a</text:p>{inner}</table:table-cell></table:table-row>"
        "</table:table>"
        f'<table:table table:name="B">{shapes}<table:table-row/></table:table>'
        '<table:table table:name="C"><table:table-row/>'
    )

    repaired, written = _repair(_document(row), {(2, "identifier"): "b"})

    assert written == {(2, "identifier")}
    assert repaired.startswith(
        '<table:table-row><table:table-cell office:value-type="string"><table:table><table:table-row/>'
    )
