"""Reads tables: fields are columns, each row is a representation, rows of one identifier belong together.

`title@de` is a title in German, `links.license` a link, `properties.county` further metadata. An empty cell
states nothing, `-` clears the field.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ginuri.files.columns import Columns, is_field, judge_columns
from ginuri.files.encodings import ENCODING, describe
from ginuri.files.fields import ALIASES, REPRESENTATION_FIELDS
from ginuri.files.json_lines import read_json
from ginuri.files.statements import read_statements, rule_of
from ginuri.files.tables.cells import read_cells, separator_of
from ginuri.files.tables.expressions import read_expression
from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, refuse, warn
from ginuri.registry.metadata.fields import AS_JSON, PER_LANGUAGE

CLEARED = "-"
_OF_REPRESENTATION = {*REPRESENTATION_FIELDS} - {"identifier", "title", "status"}
_PUBLISHED = {"id", "target"}
"""The columns of a list of published identifiers, as in geoconnex."""
# Its tables write `https://geoconnex.us//usgs/…` for what is published as `https://geoconnex.us/usgs/…`.
_SLASHES = re.compile(r"^(https?://[^/?#]+)//(?=[^/])", re.IGNORECASE)


def read_delimited(
    lines: Iterable[bytes], after: int = 0, mapped: Columns = MappingProxyType({})
) -> Iterator[Row]:
    """Read a table with a heading, some of whose columns are mapped. A bad row never stops a good one.

    Rows that begin in line `after` or before are skipped: they were read before.
    """
    rows = read_cells(lines, lambda name: _column(name, mapped) == "identifier")
    heading = next(rows, None)
    if heading is None:
        yield Row(1, None, findings=(refuse("", "heading", "", "The first line must name the columns."),))
        return
    number, names = heading
    columns = [] if isinstance(names, Finding) else [_column(name, mapped) for name in names]
    findings = [names] if isinstance(names, Finding) else [*_heading(columns), *judge_columns(mapped, names)]
    if number > after:
        yield Row(number, None, findings=tuple(findings))
    is_published = not isinstance(names, Finding) and {name.strip().lower() for name in names} >= _PUBLISHED
    usable = not any(finding.level == "refused" for finding in findings)
    for number, cells in rows:
        if number <= after:
            continue
        if isinstance(cells, Finding):
            yield Row(number, None, findings=(cells,))
        elif not usable:
            unusable = refuse(
                "identifier",
                "heading",
                "",
                "The column names in line {line} cannot be used; see the report on that line.",
                line=str(heading[0]),
            )
            yield Row(number, None, findings=(unusable,))
        elif any(cell.strip() for cell in cells):
            yield _read(number, columns, cells, is_published=is_published)


def table_separator(lines: Sequence[bytes]) -> str:
    """Return the separator of a table."""
    return separator_of(lines, lambda name: _column(name, {}) == "identifier")


def _column(name: str, mapped: Columns) -> str:
    """Return the field for a heading, whose capitals do not matter."""
    stripped = name.strip()
    if stripped in mapped:
        return mapped[stripped]
    word = re.match(r"[^.@]*", stripped)
    length = word.end() if word else 0
    first, further = stripped[:length].lower(), stripped[length:]
    field = f"{ALIASES.get(first, first)}{further}"
    return field if is_field(field) else stripped


def _heading(columns: Sequence[str]) -> Iterator[Finding]:
    if "identifier" not in columns:
        yield refuse(
            "identifier",
            "heading",
            ", ".join(columns),
            "There is no column for the identifier. Call it `identifier`, `id` or `uri`.",
        )
    for name, times in Counter(columns).items():
        if times > 1 and name:
            yield refuse(
                name, "heading", name, "Two columns are called {column}. Keep one of them.", column=name
            )
        if not is_field(name):
            yield warn(
                name,
                "unknown column",
                name,
                "The column {column} is not a field and is not registered. To keep it, call it {property}.",
                column=repr(name),
                property=f"properties.{name}",
            )


def _read(number: int, columns: Sequence[str], cells: Sequence[str], *, is_published: bool) -> Row:
    stated = {name: cell.strip() for name, cell in zip(columns, cells, strict=False) if cell.strip()}
    fault = _fault(columns, cells, stated)
    if fault is not None:
        # The other rows of the identifier must be refused as well.
        row = read_statements(number, {"identifier": stated.get("identifier")})
        return Row(number, row.identifier, findings=(fault,), rule=rule_of(stated))
    remarks: tuple[Finding, ...] = ()
    written = stated.get("identifier", "")
    if is_published and (name := _SLASHES.sub(r"\1/", written)) != written:
        remarks = (_one_slash(written, name),)
        stated["identifier"] = name
    registration = read_expression(stated)
    if isinstance(registration, Finding):
        return Row(number, None, findings=(registration,))
    given = _nest(registration)
    row = read_statements(number, given)
    # Findings name the columns of a representation by their own names.
    prefix = f"representations.{len(given.get('representations') or ()) - 1}."
    findings = tuple(replace(finding, field=finding.field.removeprefix(prefix)) for finding in row.findings)
    return replace(row, findings=(*remarks, *findings))


def _one_slash(written: str, name: str) -> Finding:
    return warn(
        "identifier",
        "two slashes",
        written,
        "The published identifier has one slash after the host. It is registered as {identifier}.",
        identifier=name,
    )


def _fault(columns: Sequence[str], cells: Sequence[str], stated: Mapping[str, str]) -> Finding | None:
    if len(cells) != len(columns):  # RFC 4180 §2.4: each line has the same number of fields
        return refuse(
            "",
            "cells",
            cells[-1],
            "The row has {cells} cells, but there are {columns} columns. Check for a missing separator, or "
            "for a separator in a cell without quotes.",
            cells=len(cells),
            columns=len(columns),
        )
    for name, text in stated.items():
        if not text.isascii() and any("\udc80" <= character <= "\udcff" for character in text):
            raw = text.encode(errors="surrogateescape")
            return refuse(name, ENCODING, raw.decode(errors="replace"), describe(raw))
    return None


def _nest(stated: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    form: dict[str, Any] = {}
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
        elif is_field(name):
            given[name] = _json(text) if name in AS_JSON and value else value
    if form:
        given["representations"] = [*(given.get("representations") or ()), form]
    return given


def _is_of_record(name: str, stated: Mapping[str, str]) -> bool:
    record = stated.get("record")
    if name == "status_code":
        return record == "alias" or stated[name] in {"404", "410"}
    return name == "valid_from" and record == "delegation"


def _json(text: str) -> Any:  # noqa: ANN401  JSON is what it is
    try:
        return read_json(text)
    except ValueError:
        return text  # refused as no list, with the field's name
