"""Writes repaired cells into the sheet of an .xlsx file; formats, formulas and all other parts stay.

A repaired cell has its text inline (ECMA-376 part 1, §18.3.1.53), as other cells may use the shared text.
"""

from __future__ import annotations

import codecs
import html
import io
import re
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from ginuri.files.spreadsheets.cell_references import column_number

Cells = Mapping[tuple[int, int], str]
"""The texts of cells by row and column, from 1."""
_ENCODING = re.compile(rb"<\?xml[^>]*\sencoding=[\"']([^\"']*)")
_LIKE_AN_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")


@dataclass(slots=True)
class _Cell:
    name: str
    attributes: Mapping[str, str]
    begin: int
    end: int = 0
    has_formula: bool = False


@dataclass(slots=True)
class _Positions:
    wanted: Collection[tuple[int, int]]
    found: dict[tuple[int, int], _Cell] = field(default_factory=dict)
    row: int = 0
    column: int = 0

    def read(self, content: bytes) -> None:
        parser = expat.ParserCreate()

        def start(name: str, attributes: Mapping[str, str]) -> None:
            match name.rpartition(":")[2]:
                case "row":
                    self.row, self.column = int(attributes.get("r", self.row + 1)), 0
                case "c":
                    self.column = column_number(attributes.get("r"), self.column + 1)
                    self.found[self.row, self.column] = _Cell(name, attributes, parser.CurrentByteIndex)
                case "f" if (self.row, self.column) in self.found:
                    self.found[self.row, self.column].has_formula = True

        def end(name: str) -> None:
            place = (self.row, self.column)
            if name.rpartition(":")[2] == "c":
                self.found[place].end = content.index(b">", parser.CurrentByteIndex) + 1
                if place not in self.wanted:
                    del self.found[place]

        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.Parse(content, True)  # noqa: FBT003  positional only


def repair_sheet(workbook: bytes, part: str, cells: Cells) -> tuple[bytes, set[tuple[int, int]]]:
    """Replace texts in a sheet of a workbook, and return the replaced cells.

    Cells with a formula stay, and all cells of a sheet outside UTF-8.
    """
    with zipfile.ZipFile(io.BytesIO(workbook)) as package:
        content = package.read(part)
    if not _is_utf8(content):
        return workbook, set()
    repaired, replaced = _repair(content, cells)
    return (replace_part(workbook, part, repaired) if replaced else workbook), replaced


def _is_utf8(content: bytes) -> bool:
    head = content.removeprefix(codecs.BOM_UTF8)
    declared = _ENCODING.match(head)
    return head.startswith(b"<") and (declared is None or declared[1].lower() == b"utf-8")


def _repair(content: bytes, cells: Cells) -> tuple[bytes, set[tuple[int, int]]]:
    positions = _Positions(cells.keys())
    positions.read(content)
    replaced = {place for place, cell in positions.found.items() if not cell.has_formula}
    pieces, at = list[bytes](), 0
    for place in sorted(replaced):
        cell = positions.found[place]
        pieces += [content[at : cell.begin], _write(cell, cells[place]).encode()]
        at = cell.end
    return b"".join([*pieces, content[at:]]), replaced


def _write(cell: _Cell, text: str) -> str:
    prefix = cell.name[:-1]
    kept = {name: value for name, value in cell.attributes.items() if name != "t"}
    attributes = "".join(f' {name}="{html.escape(value)}"' for name, value in kept.items())
    if not text:
        return f"<{cell.name}{attributes}/>"
    escaped = html.escape(_LIKE_AN_ESCAPE.sub("_x005F_", text), quote=False)
    inline = f'<{prefix}is><{prefix}t xml:space="preserve">{escaped}</{prefix}t></{prefix}is>'
    return f'<{cell.name}{attributes} t="inlineStr">{inline}</{cell.name}>'


def replace_part(package: bytes, name: str, content: bytes) -> bytes:
    """Return the package with the content of a part replaced; the bytes of other parts are copied.

    Raises zipfile.BadZipFile.
    """
    written = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as before, zipfile.ZipFile(written, "w") as after:
        entries, entry = before.infolist(), before.getinfo(name)
        begin = entry.header_offset
        end = min(
            (other.header_offset for other in entries if other.header_offset > begin),
            default=before.start_dir,
        )
        packed = _pack(entry, content)
        for other in entries:
            if other.header_offset > begin:
                other.header_offset += len(packed) - (end - begin)
        entry.header_offset = begin
        written.write(b"".join((package[:begin], packed, package[end : before.start_dir])))
        # Closing writes the directory at this position.
        after.filelist, after.start_dir, after.comment = entries, written.tell(), before.comment
    return written.getvalue()


def _pack(entry: zipfile.ZipInfo, content: bytes) -> bytes:
    """Return the local header and the compressed content of an entry, and update its sizes."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as alone:
        alone.writestr(entry, content)
        end = alone.start_dir
    return written.getvalue()[:end]
