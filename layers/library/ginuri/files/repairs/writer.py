"""Writes a registry file with repaired cells; separators, quotes, encoding, line ends and packing stay."""

from __future__ import annotations

import codecs
import gzip
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain, pairwise

from ginuri.files.code_pages import is_code_page, is_writable, to_code_page
from ginuri.files.encodings import to_utf8
from ginuri.files.formats import (
    fault_of_reading,
    is_graph,
    is_packed,
    is_spreadsheet,
    mapping_of,
    read_lines,
    reader_for,
    suffix_of,
    unpacked,
)
from ginuri.files.lines import split_at_returns, split_lines
from ginuri.files.mapping.columns import ColumnMapping, split_names
from ginuri.files.options import UploadOptions
from ginuri.files.repairs.json_lines import repair_line
from ginuri.files.repairs.tables import repair_row
from ginuri.files.tables.cells import find_heading, read_cells
from ginuri.files.tables.heading import HeadingReader, column_name
from ginuri.registration.verdicts import Finding, ignore, shown

Cell = tuple[int, str]
"""The line and the column of a finding."""
Texts = Mapping[Cell, str]
_NO_OPTIONS = UploadOptions()
_UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def is_rewritable(name: str, options: UploadOptions) -> bool:
    """Return whether texts can be written into a file: it is read, with these options, and no RDF."""
    is_read = reader_for(name, options) is not None and not fault_of_reading(name, options)
    return is_read and not is_graph(name)


def write_repaired(
    name: str, content: bytes, texts: Texts, options: UploadOptions = _NO_OPTIONS
) -> tuple[bytes, AbstractSet[Cell]]:
    """Write a file with these texts in its cells; mapped columns are found by the headings in the file.

    `options` are those that the file is read with. Returns the replaced cells: a cell with a formula, one
    that cannot be found, and one whose text is not in the code page of the file stay. Raises UnreadableFile.
    """
    if is_packed(name):
        repaired, cells = write_repaired(name[:-3], unpacked(name, content), texts, options)
        return gzip.compress(repaired, mtime=0), cells
    if is_spreadsheet(name):
        return _write_sheets(name, content, texts, options)
    body = b"".join(to_utf8([content], options.encoding))
    mapping, written = mapping_of(options), set[Cell]()
    write = _WRITERS.get(suffix_of(name), _write_items)
    if is_code_page(options.encoding) and not body.startswith(codecs.BOM_UTF8):
        texts = {cell: text for cell, text in texts.items() if is_writable(text, options.encoding)}
        lines = write(body, texts, mapping, written)
        return b"".join(to_code_page(lines, options.encoding)), written
    encoding = _UTF16.get(content[:2]) if body != content else None
    repaired = b"".join(write(body, texts, mapping, written))
    return repaired.decode().encode(encoding) if encoding else repaired, written


def _write_lines(body: bytes, texts: Texts, _: ColumnMapping, written: set[Cell]) -> Iterator[bytes]:
    lines = ((b"", line) for line in split_lines([body]))
    return _write_objects(lines, texts, written, lambda member, _: [member])


def _write_items(body: bytes, texts: Texts, _: ColumnMapping, written: set[Cell]) -> Iterator[bytes]:
    # Arrays are rare.
    from ginuri.files.json_files import find_items, paths_of

    content = body.decode()
    spans = [(0, 0), *find_items(content)]
    items = (
        (content[last:begin].encode(), content[begin:end].encode())
        for (_, last), (begin, end) in pairwise(spans)
    )
    return chain(_write_objects(items, texts, written, paths_of), [content[spans[-1][1] :].encode()])


def _write_objects(
    objects: Iterable[tuple[bytes, bytes]],
    texts: Texts,
    written: set[Cell],
    paths_of: Callable[[str, str], Sequence[str]],
) -> Iterator[bytes]:
    """Yield the text before each object, and the object; each member is at one of its paths."""
    by_line = _by_line(texts)
    for number, (before, item) in enumerate(objects, start=1):
        repaired = item
        for member, text in by_line.get(number, {}).items():
            results = [repair_line(repaired, path, text) for path in paths_of(member, repaired.decode())]
            if len(found := [each for each in results if each is not None]) == 1:
                [repaired] = found
                written.add((number, member))
        yield before + repaired


def _write_table(body: bytes, texts: Texts, mapping: ColumnMapping, written: set[Cell]) -> Iterator[bytes]:
    by_line, lines = _by_line(texts), list(split_at_returns(split_lines([body])))
    reader = HeadingReader(mapping)
    _, separator = find_heading(lines, reader)
    rows = list(read_cells(lines, reader))
    begins = [number - 1 for number, _ in rows]
    columns = _columns(rows)
    yield from lines[: begins[0] if begins else len(lines)]
    for (begin, end), (number, cells) in zip(pairwise([*begins, len(lines)]), rows, strict=True):
        row = b"".join(lines[begin:end])
        wanted = {name: text for name, text in by_line.get(number, {}).items() if name in columns}
        if wanted and not isinstance(cells, Finding):
            numbered = {columns[name]: text for name, text in wanted.items()}
            if (repaired := repair_row(row, separator, numbered, len(cells))) is not None:
                row = repaired
                written |= {(number, name) for name in wanted}
        yield row


def _write_sheets(
    name: str, content: bytes, texts: Texts, options: UploadOptions
) -> tuple[bytes, AbstractSet[Cell]]:
    # Spreadsheets are optional.
    from ginuri.files.spreadsheets.repairs.packages import repair_sheet
    from ginuri.files.spreadsheets.several_sheets import find_parts, format_of

    form, reader = format_of(suffix_of(name)), HeadingReader(mapping_of(options))
    columns = _columns(read_cells(read_lines(name, [content], options), reader))
    parts = find_parts(form, content, reader, options.sheet)
    written = set[Cell]()
    for part, last in zip(parts, [*(each.first for each in parts[1:]), sys.maxsize], strict=True):
        cells = {
            (line - part.first, part.places.index(columns[heading]) + 1): (line, heading)
            for line, heading in texts
            if part.first + part.heading + 1 < line <= last and columns.get(heading) in part.places
        }
        if not cells:
            continue
        sheet = form.open(content, reader, part.name, ignore)
        # The text of a cell with a link does not count, so a repaired text would change nothing.
        linked = sheet.find_linked(reader, split_names(options.links))
        wanted = {place: texts[cell] for place, cell in cells.items() if place not in linked}
        content, replaced = repair_sheet(content, sheet, wanted)
        written |= {cells[place] for place in replaced}
    return content, written


def _columns(
    rows: Iterator[tuple[int, list[str] | Finding]] | Sequence[tuple[int, list[str] | Finding]],
) -> dict[str, int]:
    """Return the numbers of the columns by the headings that findings show; ambiguous ones are left out."""
    _, headings = next(iter(rows), (0, []))
    names = [] if isinstance(headings, Finding) else [shown(column_name(name)) for name in headings]
    return {name: at for at, name in enumerate(names) if names.count(name) == 1}


def _by_line(texts: Texts) -> dict[int, dict[str, str]]:
    by_line: dict[int, dict[str, str]] = {}
    for (line, column), text in texts.items():
        by_line.setdefault(line, {})[column] = text
    return by_line


_WRITERS = {".csv": _write_table, ".tsv": _write_table, ".jsonl": _write_lines}
"""The writers of texts, by suffix; that of all others is for the items of an array."""
