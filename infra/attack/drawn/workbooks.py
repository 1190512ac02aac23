"""Writes packages of spreadsheets part by part, including hostile ones that no library would write."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"

Sheets = Mapping[str, Sequence[Sequence[str]]]
"""The rows of each sheet, by its name."""


def write_workbook(sheets: Sheets, others: Mapping[str, str] | None = None) -> bytes:
    """Write a workbook; `others` are parts by their names, which replace the usual ones."""
    names = [*sheets]
    targets = {f"rId{number}": f"worksheets/sheet{number}.xml" for number in range(len(names))}
    listed = "".join(
        f'<sheet name="{escape(name)}" sheetId="{number + 1}" r:id="rId{number}"/>'
        for number, name in enumerate(names)
    )
    parts = {
        "_rels/.rels": _relations("officeDocument", {"rId1": "xl/workbook.xml"}),
        "xl/_rels/workbook.xml.rels": _relations("worksheet", targets),
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATION}"><sheets>{listed}</sheets>'
        "</workbook>",
        **{f"xl/{targets[f'rId{place}']}": _sheet(sheets[name]) for place, name in enumerate(names)},
    }
    return write_zip({**parts, **(others or {})})


def write_zip(parts: Mapping[str, str]) -> bytes:
    """Write a zip file."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return content.getvalue()


def _sheet(rows: Sequence[Sequence[str]]) -> str:
    written = "".join(f"<row>{''.join(map(_cell, row))}</row>" for row in rows)
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{written}</sheetData></worksheet>'


def _cell(text: str) -> str:
    return f'<c t="inlineStr"><is><t>{escape(text)}</t></is></c>'


def _relations(kind: str, targets: Mapping[str, str]) -> str:
    each = (
        f'<Relationship Id="{name}" Type="{_RELATION}/{kind}" Target="{target}"/>'
        for name, target in targets.items()
    )
    return f'<Relationships xmlns="{_PACKAGE}">{"".join(each)}</Relationships>'
