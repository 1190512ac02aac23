"""Spreadsheets for tests: written by a foreign library, or part by part for unusual contents."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from openpyxl import Workbook

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
Rows = Iterable[Sequence[Any]]
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_NAMES = " ".join(
    [
        *(
            f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
            for name in ("office", "table", "text", "style")
        ),
        'xmlns:xlink="http://www.w3.org/1999/xlink"',
    ]
)
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"


def written(rows: Iterable[Sequence[Any]], formats: Mapping[str, str] | None = None) -> bytes:
    """Have openpyxl write a workbook whose first sheet has these rows, and these number formats by cell."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in rows:
        sheet.append(list(row))
    for cell, code in (formats or {}).items():
        sheet[cell].number_format = code
    return saved(book)


def workbook(sheets: Mapping[str, Rows], hidden: Collection[str] = ()) -> bytes:
    """Have openpyxl write a workbook with these sheets."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        sheet.sheet_state = "hidden" if name in hidden else "visible"
    return saved(book)


def open_document(sheets: Mapping[str, Rows], hidden: Collection[str] = ()) -> bytes:
    """Make an OpenDocument spreadsheet with these sheets, whose cells are texts."""
    styles = "".join(
        f'<style:style style:name="{style}"><style:table-properties table:display="{display}"/></style:style>'
        for style, display in (("shown", "true"), ("hidden", "false"))
    )
    tables = "".join(
        f'<table:table table:name="{name}" table:style-name="{"hidden" if name in hidden else "shown"}">'
        f"{''.join(map(_table_row, rows))}</table:table>"
        for name, rows in sheets.items()
    )
    return _document(styles, tables)


def document_of(rows: str) -> bytes:
    """Make an OpenDocument spreadsheet with one sheet of these rows."""
    return _document("", f'<table:table table:name="A">{rows}</table:table>')


def _document(styles: str, tables: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(
            "content.xml",
            f"<office:document-content {_NAMES}><office:automatic-styles>{styles}</office:automatic-styles>"
            f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
            "</office:document-content>",
        )
    return content.getvalue()


def _table_row(cells: Sequence[str]) -> str:
    each = (
        f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
        for cell in cells
    )
    return f"<table:table-row>{''.join(each)}</table:table-row>"


def saved(book: Workbook) -> bytes:
    """Return the bytes of a workbook."""
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def made(rows: str = "", method: int = zipfile.ZIP_DEFLATED, **parts: str) -> bytes:
    """Make a workbook of these rows; `sheet`, `strings`, `styles`, `book` and others replace whole parts."""
    texts = {
        "_rels/.rels": _relations(officeDocument="/xl/workbook.xml"),
        "xl/_rels/workbook.xml.rels": _relations(
            worksheet="sheet.xml", sharedStrings="strings.xml", styles="styles.xml"
        ),
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{_RELATION}"><sheets>'
        '<sheet name="A" sheetId="1" r:id="worksheet"/></sheets></workbook>',
        "xl/sheet.xml": f'<worksheet xmlns="{MAIN}"><sheetData>{rows}</sheetData></worksheet>',
        "xl/strings.xml": f'<sst xmlns="{MAIN}"/>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"/>',
    } | {f"xl/{name}.xml": text for name, text in parts.items()}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as package:
        for name, text in texts.items():
            package.writestr(name, text)
    return content.getvalue()


def _relations(**targets: str) -> str:
    each = (
        f'<Relationship Id="{name}" Type="{_RELATION}/{name}" Target="{target}"/>'
        for name, target in targets.items()
    )
    return f'<Relationships xmlns="{_PACKAGE}">{"".join(each)}</Relationships>'
