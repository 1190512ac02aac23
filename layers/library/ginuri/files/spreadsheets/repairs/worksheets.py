"""Writes repaired cells into the XML of a sheet of an .xlsx file; formats and formulas stay.

A repaired cell has its text inline (ECMA-376 part 1, §18.3.1.53), as other cells may use the shared text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from xml.parsers import expat

from ginuri.files.spreadsheets.cell_references import column_number

Cells = Mapping[tuple[int, int], str]
"""The texts of cells by row and column, from 1."""
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


def repair_worksheet(content: bytes, cells: Cells) -> tuple[bytes, set[tuple[int, int]]]:
    """Replace texts, and return the replaced cells; those with a formula stay."""
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
