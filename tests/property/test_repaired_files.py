"""For every file that is read: only the corrected cells change, and a second repair changes nothing."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.files.formats import read_lines
from ginuri.files.options import REGISTRATIONS, UploadOptions
from ginuri.files.repairs.writer import write_repaired
from tests.spreadsheets import document_of, open_document, workbook

_TEXTS = st.sampled_from(["a", "b & c", "<d>", "é", "x  y", "1"])
_HEADING = ["identifier", "title", "url"]
_ROWS = st.lists(st.tuples(_TEXTS, _TEXTS, _TEXTS).map(list), min_size=1, max_size=4)
_CELLS = st.dictionaries(st.tuples(st.integers(2, 8), st.sampled_from(_HEADING)), _TEXTS, min_size=1)
_Cells = Mapping[tuple[int, str], str]
_Sheets = Mapping[str, Sequence[Sequence[str]]]


def _read(name: str, content: bytes, options: UploadOptions) -> list[list[str]]:
    lines = [line.decode("utf-8-sig") for line in read_lines(name, [content], options)]
    return list(csv.reader(lines))


def _repair(name: str, content: bytes, cells: _Cells, options: UploadOptions) -> None:
    """Repair cells, read the file again, and repair it again."""
    before = _read(name, content, options)
    heading = before[0]
    expected = {
        (line, column): text
        for (line, column), text in cells.items()
        if line <= len(before) and heading.index(column) < len(before[line - 1]) and any(before[line - 1])
        if before[line - 1][heading.index(column)]
    }

    repaired, written = write_repaired(name, content, cells, options)

    assert written >= expected.keys()
    for line, column in written:
        before[line - 1][heading.index(column)] = cells[line, column]
    assert _read(name, repaired, options) == before
    assert write_repaired(name, repaired, cells, options) == (repaired, written)


@pytest.mark.parametrize("suffix", [".xlsx", ".ods"])
@given(first=_ROWS, second=_ROWS, cells=_CELLS)
def test_only_the_repaired_cells_of_several_sheets_change(
    suffix: str, first: list[list[str]], second: list[list[str]], cells: _Cells
) -> None:
    turned = [[url, name, title] for name, title, url in [_HEADING, *second]]
    sheets: _Sheets = {"Wells": [_HEADING, *first], "Notes": [["on", "wells"]], "Maps": turned}
    write: Callable[[_Sheets], bytes] = workbook if suffix == ".xlsx" else _document
    _repair(f"a{suffix}", write(sheets), cells, UploadOptions(sheet="*"))


def _document(sheets: _Sheets) -> bytes:
    return open_document({name: [list(map(escape, row)) for row in rows] for name, rows in sheets.items()})


_NOTE = "<office:annotation><text:p>note</text:p></office:annotation>"
_STYLE = 'table:style-name="s"'
_STRING, _NUMBER = 'office:value-type="string"', 'office:value-type="float"'
_WRITTEN = {
    "text": "<table:table-cell{}><text:p>a</text:p></table:table-cell>",
    "note": f"<table:table-cell {_STYLE} {_STRING}{{}}>{_NOTE}<text:p>b<text:s/></text:p><text:p/>"
    "</table:table-cell>",
    "number": f'<table:table-cell{{}} {_NUMBER} office:value="5"><text:p>5</text:p></table:table-cell>',
    "attribute": f'<table:table-cell {_STRING} office:string-value="c>"{{}}/>',
    "formula": f'<table:table-cell table:formula="of:=1" {_NUMBER} office:value="1"{{}}/>',
    "covered": "<table:covered-table-cell{}/>",
}
_PIECES = st.sampled_from(sorted(_WRITTEN)).map(_WRITTEN.__getitem__)


@given(
    rows=st.lists(
        st.tuples(st.integers(1, 3), st.lists(st.tuples(_PIECES, st.integers(1, 2)), min_size=1, max_size=3)),
        min_size=1,
        max_size=3,
    ),
    cells=_CELLS,
)
def test_repeated_cells_are_written_out_only_where_they_are_repaired(
    rows: list[tuple[int, list[tuple[str, int]]]], cells: _Cells
) -> None:
    heading = "".join(f"<table:table-cell><text:p>{name}</text:p></table:table-cell>" for name in _HEADING)
    written = "".join(
        f'<table:table-row table:number-rows-repeated="{times}">{"".join(map(_cell, row))}</table:table-row>'
        for times, row in rows
    )
    content = document_of(f"<table:table-row>{heading}</table:table-row>{written}")
    before, options = _read("a.ods", content, UploadOptions()), UploadOptions()

    repaired, replaced = write_repaired("a.ods", content, cells, options)

    assert all(note in _content(repaired) for note in [_NOTE] if note in _content(content))

    for line, column in replaced:
        row = before[line - 1]
        row[_HEADING.index(column)] = cells[line, column]
    assert _read("a.ods", repaired, options) == before
    assert write_repaired("a.ods", repaired, cells, options) == (repaired, replaced)


def _content(document: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(document)) as package:
        return package.read("content.xml").decode()


def _cell(cell: tuple[str, int]) -> str:
    written, times = cell
    return written.format(f' table:number-columns-repeated="{times}"')


_OBJECTS = st.lists(st.dictionaries(st.sampled_from(["id", "url", "title_es", "status"]), _TEXTS), max_size=4)


@pytest.mark.parametrize("is_collection", [False, True])
@given(objects=_OBJECTS, text=_TEXTS, number=st.integers(1, 4), indent=st.sampled_from([None, 1]))
def test_only_the_repaired_member_of_an_item_changes(
    objects: list[dict[str, Any]], text: str, number: int, indent: int | None, *, is_collection: bool
) -> None:
    features = [{"type": "Feature", "geometry": None, "properties": each, "id": "f"} for each in objects]
    given_ = {"type": "FeatureCollection", "features": features} if is_collection else objects
    content, options = json.dumps(given_, indent=indent).encode(), UploadOptions(read_as=REGISTRATIONS)
    cells = {(number, "url"): text, (number, "title.es"): text, (number, "id"): text}
    before = [json.loads(line) for line in read_lines("a.json", [content], options)] if objects else []

    repaired, written = write_repaired("a.json", content, cells, options)

    stated = set(objects[number - 1]) if number <= len(objects) else set()
    names = {"url": "url", "title_es": "title.es", "id": "id"}
    is_named = is_collection and number <= len(objects) and "id" not in stated
    assert written == {(number, names[name]) for name in stated & names.keys()} | (
        {(number, "id")} if is_named else set()
    )
    for line, member in written:
        first, dot, further = member.partition(".")
        before[line - 1][first] = {further: text} if dot else text
    assert (
        [json.loads(line) for line in read_lines("a.json", [repaired], options)] == before
        if objects
        else True
    )
    assert write_repaired("a.json", repaired, cells, options) == (repaired, written)
