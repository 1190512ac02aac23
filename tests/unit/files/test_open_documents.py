"""OpenDocument spreadsheets: read as displayed, within the limits of all spreadsheets."""

from __future__ import annotations

import csv
import io
import tracemalloc
import zipfile

import pytest

from ginuri.files.spreadsheets.open_documents import open_document
from ginuri.files.tables.heading import HeadingReader
from ginuri.identifiers.errors import UnreadableFile

_NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for name in ("office", "table", "text", "style")
)
HEADING = "<c>identifier</c><c>title</c><c>status</c>"


NOTED = (
    '<table:table-cell office:value-type="string"><office:annotation><text:p>by J.</text:p>'
    "</office:annotation><text:p>a</text:p></table:table-cell>"
)


def _made(rows: str = "", styles: str = "", sheets: str = "", part: str = "content.xml") -> bytes:
    """Return a document of these rows: `r` is a row, `c` a cell with a text, `e` an empty one."""
    sheet = sheets or f"<table:table>{rows}</table:table>"
    sheet = sheet.replace("<r>", "<table:table-row>").replace("</r>", "</table:table-row>")
    cell = '<table:table-cell office:value-type="string"><text:p>'
    sheet = sheet.replace("<c>", cell).replace("</c>", "</text:p></table:table-cell>")
    sheet = sheet.replace("<e/>", "<table:table-cell/>")
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        package.writestr(
            part,
            f'<?xml version="1.0"?><office:document-content {_NAMES}><office:automatic-styles>{styles}'
            f"</office:automatic-styles><office:body><office:spreadsheet>{sheet}</office:spreadsheet>"
            "</office:body></office:document-content>",
        )
    return content.getvalue()


def _rows(content: bytes) -> list[list[str]]:
    lines = [
        line.decode("utf-8-sig") for line in open_document(content, HeadingReader()).lines(HeadingReader())
    ]
    return list(csv.reader(io.StringIO("".join(lines), newline="")))


def _cell(attributes: str, shown: str = "") -> str:
    return f"<table:table-cell {attributes}><text:p>{shown}</text:p></table:table-cell>"


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (_cell('office:value-type="string"', "Well 17"), "Well 17"),
        (
            _cell('office:value-type="string"', "a<text:s text:c='2'/>b<text:tab/>c<text:line-break/>d"),
            "a  b\tc\nd",
        ),
        (_cell('office:value-type="string"', "<text:span>a</text:span><text:a>b</text:a>"), "ab"),
        (_cell('office:value-type="string"', "a</text:p><text:p>b"), "a\nb"),
        (_cell('office:value-type="string"', "</text:p><text:p>b"), "\nb"),
        (_cell('office:value-type="float" office:value="17"', "17.00"), "17"),
        (_cell('office:value-type="float" office:value="17.5"', "18"), "17.5"),
        (_cell('office:value-type="float" office:value="17"', "0017"), "0017"),
        (_cell('office:value-type="float" office:value="0"', "000"), "000"),
        (_cell('office:value-type="percentage" office:value="0.5"', "50 %"), "0.5"),
        (_cell('office:value-type="date" office:date-value="1997-06-01"', "1 June"), "1997-06-01"),
        (_cell('office:value-type="date" office:date-value="1997-06-01T00:00:00"', "1"), "1997-06-01"),
        (
            _cell('office:value-type="date" office:date-value="1997-06-01T12:30:00"', "1"),
            "1997-06-01T12:30:00Z",
        ),
        (_cell('office:value-type="boolean" office:boolean-value="true"', "TRUE"), "true"),
        (_cell('office:value-type="string" office:string-value="x"'), "x"),
        (_cell('table:formula="of:=1+1" office:value-type="float" office:value="2"', "2"), "2"),
        (NOTED, "a"),
    ],
)
def test_a_cell_gives_the_same_text_as_in_a_workbook(cell: str, text: str) -> None:
    assert _rows(_made(f"<r><c>id</c>{cell}</r>")) == [["id", text]]


def test_rows_keep_their_numbers_and_are_as_wide_as_the_heading() -> None:
    empty = '<table:table-row table:number-rows-repeated="3"><e/></table:table-row>'
    rows = f"<r><c>Wells</c></r>{empty}<r>{HEADING}</r><r><c>a</c></r><r><c>b</c><e/><c>d</c></r>"
    last = '<table:table-row table:number-rows-repeated="1048570"><table:table-cell/></table:table-row>'

    assert _rows(_made(rows + last)) == [
        ["Wells"],
        *([[]] * 3),
        ["identifier", "title", "status"],
        ["a", "", ""],
        ["b", "", "d"],
    ]


def test_repeated_cells_and_rows_are_read_as_many() -> None:
    twice = _cell('table:number-columns-repeated="2" office:value-type="string"', "x")
    row = f'<table:table-row table:number-rows-repeated="2"><c>a</c>{twice}</table:table-row>'

    assert _rows(_made(f"<r>{HEADING}</r>{row}"))[1:] == [["a", "x", "x"]] * 2


def test_covered_cells_are_empty() -> None:
    covered = "<table:covered-table-cell><text:p>x</text:p></table:covered-table-cell>"

    assert _rows(_made(f"<r>{HEADING}</r><r><c>a</c>{covered}<c>b</c></r>"))[1] == ["a", "", "b"]


def test_the_first_sheet_that_is_shown_is_read_from_ods() -> None:
    style = (
        '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/>'
    )
    sheets = (
        '<table:table table:style-name="ta1"><r><c>hidden</c></r></table:table>'
        "<table:table><r><c>id</c></r></table:table><table:table><r><c>later</c></r></table:table>"
    )

    assert _rows(_made(styles=f"{style}</style:style>", sheets=sheets)) == [["id"]]


def _repeated(rows: int, columns: int, text: str = "x") -> str:
    return (
        f'<table:table-row table:number-rows-repeated="{rows}"><table:table-cell office:value-type="string" '
        f'table:number-columns-repeated="{columns}"><text:p>{text}</text:p></table:table-cell></table:table-row>'
    )


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (_made('<r><table:table-cell table:formula="of:=1+1"/></r>'), "formula"),
        (_made(part="other.xml"), "xlsx"),
        (b"no zip", "xlsx"),
        (_made("<r></c></r>"), "xlsx"),
        (_made(_repeated(1, 1_001)), "columns"),
        (_made(_repeated(999_999_999, 1)), "size"),
        (_made(_repeated(1_048_576, 1_000)), "size"),
        (_made(_repeated(1_000_000, 1_000, "x" * 100_000)), "size"),
        (_made(("<r><c>" + '<text:s text:c="999999999"/>' * 10_000 + "x</c></r>") * 300), "size"),
    ],
)
def test_an_unreadable_or_explosive_file_is_refused_without_filling_memory(content: bytes, rule: str) -> None:
    tracemalloc.start()
    with pytest.raises(UnreadableFile) as refused:
        for _ in open_document(content, HeadingReader()).lines(HeadingReader()):
            pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert refused.value.rule == rule
    assert peak < 48 * 1024 * 1024
