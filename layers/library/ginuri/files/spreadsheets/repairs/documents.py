"""Writes repaired cells into a sheet of an .ods file (OpenDocument 1.3 part 3, §9); all other bytes stay.

A repaired cell of repeated ones is written out; the others before and after it stay repeated.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from xml.parsers import expat

from ginuri.files.spreadsheets.open_documents import BESIDE, CELLS, repeats
from ginuri.files.spreadsheets.repairs.worksheets import Cells

_TAG = re.compile(rb"""<[^\s/>]+(?:\s+[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>""")
_REPEATED = re.compile(rb"""\stable:number-(?:rows|columns)-repeated\s*=\s*(?:"[^"]*"|'[^']*')""")
# The value of a cell, beside its text (§19.383 to 19.389), and as LibreOffice repeats it.
_VALUE = re.compile(
    rb"""\s(?:office:(?:value-type|value|date-value|time-value|boolean-value|string-value|currency)"""
    rb"""|calcext:value-type)\s*=\s*(?:"[^"]*"|'[^']*')"""
)
# §6.1.2 and 6.1.3: several spaces and tabs are elements
_BLANKS = re.compile(r" {2,}|\t")


@dataclass(slots=True)
class _Element:
    """A row, a cell or a paragraph in the content."""

    begin: int
    end: int
    first: int = 0
    """The number of the first row or column that it stands for, from 1."""
    times: int = 1
    is_fixed: bool = False
    """Whether it is a cell that cannot be repaired."""
    inner: list[_Element] = field(default_factory=list)
    """The cells of a row, or the paragraphs of a cell."""

    def among(self, numbers: Sequence[int]) -> Sequence[int]:
        """Return those of sorted numbers that it stands for."""
        return numbers[bisect_left(numbers, self.first) : bisect_left(numbers, self.first + self.times)]


def repair_content(content: bytes, place: int, cells: Cells) -> tuple[bytes, set[tuple[int, int]]]:
    """Replace the texts of cells, by row and column from 1, of the sheet at a place; formulas stay."""
    wanted: dict[int, dict[int, str]] = {}
    for (number, column), text in cells.items():
        wanted.setdefault(number, {})[column] = text
    pieces, at, replaced = list[bytes](), 0, set[tuple[int, int]]()
    numbers = sorted(wanted)
    for row in _Rows(content, place, numbers).read():
        texts = {number: _writable(row, wanted[number]) for number in row.among(numbers)}
        changed = {number: _write_row(content, row, each) for number, each in texts.items() if each}
        pieces += [content[at : row.begin], *_split(content, row, changed, b"rows")]
        at = row.end
        replaced |= {(number, column) for number, each in texts.items() for column in each}
    return b"".join([*pieces, content[at:]]), replaced


def _writable(row: _Element, texts: Mapping[int, str]) -> dict[int, str]:
    columns = sorted(texts)
    return {
        column: texts[column] for cell in row.inner if not cell.is_fixed for column in cell.among(columns)
    }


def _write_row(content: bytes, row: _Element, texts: Mapping[int, str]) -> bytes:
    """Write one row with these texts, by column."""
    pieces, at = list[bytes](), row.begin
    for cell in row.inner:
        changed = {column: _write_cell(content, cell, texts[column]) for column in cell.among(sorted(texts))}
        pieces += [content[at : cell.begin], *_split(content, cell, changed, b"columns")]
        at = cell.end
    return _times(b"".join([*pieces, content[at : row.end]]), 1, b"rows")


def _split(content: bytes, element: _Element, changed: Mapping[int, bytes], kind: bytes) -> Iterator[bytes]:
    """Write repeated rows or cells with some of them changed, by their numbers in order."""
    unchanged, at = content[element.begin : element.end], element.first
    if not changed:
        yield unchanged
        return
    for number, written in changed.items():
        if number > at:
            yield _times(unchanged, number - at, kind)
        yield written
        at = number + 1
    if (left := element.first + element.times - at) > 0:
        yield _times(unchanged, left, kind)


def _times(element: bytes, times: int, kind: bytes) -> bytes:
    """Write a row or a cell that is repeated so often."""
    tag = _tag_of(element, 0)
    name = _name(tag)
    written = b' table:number-%b-repeated="%d"' % (kind, times) if times > 1 else b""
    return b"".join([b"<", name, written, _REPEATED.sub(b"", tag[len(name) + 1 :]), element[len(tag) :]])


def _write_cell(content: bytes, cell: _Element, text: str) -> bytes:
    """Write a cell with another text; its format, and notes in it, stay."""
    tag, inner = _tag_of(content, cell.begin), content[cell.begin : cell.end]
    begin = len(tag)
    end = begin if tag.endswith(b"/>") else inner.rindex(b"</")
    kept = list[bytes]()
    for paragraph in cell.inner:
        kept.append(inner[begin : paragraph.begin - cell.begin])
        begin = paragraph.end - cell.begin
    written = "".join(f"<text:p>{_write_text(line)}</text:p>" for line in text.split("\n")) if text else ""
    changed = _VALUE.sub(b"", _REPEATED.sub(b"", tag)).removesuffix(b">").removesuffix(b"/")
    kind = b' office:value-type="string"' if text else b""
    closing = b"</%b>" % _name(tag)
    return b"".join([changed, kind, b">", *kept, inner[begin:end], written.encode(), closing])


def _write_text(line: str) -> str:
    def write(found: re.Match[str]) -> str:
        return "<text:tab/>" if found[0] == "\t" else f'<text:s text:c="{len(found[0])}"/>'

    return _BLANKS.sub(write, html.escape(line, quote=False))


def _tag_of(content: bytes, begin: int) -> bytes:
    if (tag := _TAG.match(content, begin)) is None:
        raise AssertionError("an element begins with its tag")
    return tag[0]


def _name(tag: bytes) -> bytes:
    return re.split(rb"[\s/>]", tag[1:], maxsplit=1)[0]


class _Rows:
    """Receives the elements of all sheets, and collects the wanted rows of one of them."""

    def __init__(self, content: bytes, place: int, wanted: Sequence[int]) -> None:
        self.found: list[_Element] = []
        self._content, self._wanted = content, wanted
        self._left = place + 1  # sheets up to this one
        self._depth = self._beside = 0  # within the sheet; within elements that are no cells
        self._row = self._column = 1
        self._open: list[_Element] = []
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler, self._parser.EndElementHandler = self._start, self._end

    def read(self) -> list[_Element]:
        self._parser.Parse(self._content, True)  # noqa: FBT003  positional only
        return self.found

    def _start(self, name: str, attributes: Mapping[str, str]) -> None:
        element = name.rpartition(":")[2]
        if element == "table":
            self._left -= not self._depth
            self._depth += 1
        elif self._depth != 1 or self._left:
            return
        elif element in BESIDE:
            self._beside += 1
        elif self._beside:
            return
        elif element == "table-row":
            row = _Element(*self._span(), self._row, repeats(attributes.get("table:number-rows-repeated")))
            self._row, self._column = self._row + row.times, 1
            if row.among(self._wanted):
                self.found.append(row)
                self._open.append(row)
        elif element in CELLS and self._open:
            times = repeats(attributes.get("table:number-columns-repeated"))
            is_fixed = element == "covered-table-cell" or "table:formula" in attributes
            self._add(_Element(*self._span(), self._column, times, is_fixed))
            self._column += times
        elif element == "p" and self._open:
            self._add(_Element(*self._span()))

    def _add(self, element: _Element) -> None:
        self._open[-1].inner.append(element)
        self._open.append(element)

    def _span(self) -> tuple[int, int]:
        """Return the bytes of an element at its start; its end is only known if it is empty."""
        begin = self._parser.CurrentByteIndex
        tag = _tag_of(self._content, begin)
        return begin, begin + len(tag) if tag.endswith(b"/>") else 0

    def _end(self, name: str) -> None:
        element = name.rpartition(":")[2]
        if element == "table":
            self._depth -= 1
        elif self._depth != 1 or self._left:
            return
        elif element in BESIDE:
            self._beside -= 1
        elif not self._beside and self._open and element in {"table-row", "p", *CELLS}:
            ended = self._open.pop()
            ended.end = ended.end or self._content.index(b">", self._parser.CurrentByteIndex) + 1
