"""Reads the heading of a table: the field of each column, and findings on the columns.

Capitals, blanks, hyphens and underscores in the names of columns do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ginuri.files.dates import DateOrder
from ginuri.files.encodings import ENCODING, decode_name, describe
from ginuri.files.mapping.columns import (
    NO_MAPPING,
    ColumnMapping,
    is_field,
    judge_columns,
    list_columns,
    write_map_option,
)
from ginuri.files.schema.answer_tests import TEST_COLUMNS
from ginuri.files.schema.fields import ALIASES, REPRESENTATION_FIELDS
from ginuri.files.schema.values import fold_word
from ginuri.files.tables.filling import TemplateFiller
from ginuri.files.tables.language_columns import language_field
from ginuri.files.tables.proposals import propose_fields
from ginuri.identifiers.errors import UnreadableFile
from ginuri.registration.verdicts import Finding, Level, at, refuse, warn
from ginuri.registry.metadata.fields import FIELDS

_FIELDS = {fold_word(name): name for name in (*FIELDS, *REPRESENTATION_FIELDS)} | {
    fold_word(name): field for name, field in ALIASES.items()
}
# Values may begin like this, names of columns do not.
_VALUE = re.compile(r"\s*(?:https?:|//|uri-|urn:|info:|ark:)", re.IGNORECASE)
_EXAMPLE = "identifier,title,location"


class UnusableHeading(UnreadableFile):
    """The heading of a table does not identify its columns, so no row can be read."""

    def __init__(self, line: int, findings: Sequence[Finding]) -> None:
        first = next(finding for finding in findings if finding.level is Level.REFUSED)
        super().__init__(first.rule, first.value, first.message)
        self.line = line
        self.findings = tuple(at(finding, line, finding.column) for finding in findings)


class HeadingReader:
    """Reads rows that may be the heading of a table, with some columns mapped."""

    def __init__(self, mapping: ColumnMapping = NO_MAPPING) -> None:
        self._mapping = mapping

    def fields(self, names: Sequence[str]) -> list[str]:
        """Return the field of each column, or its name if it is no field."""
        present = [name.strip() for name in names]
        if self._mapping.is_empty:
            return list(map(field_of_heading, present))
        mapping = self._mapping.among(present)
        by_fold = {fold_word(name): field for name, field in mapping.renamed.items() if name not in present}
        mapped = [mapping.renamed.get(name) or by_fold.get(fold_word(name)) for name in present]
        return [field or _own_field(name, mapping) for name, field in zip(present, mapped, strict=True)]

    def templates(self, names: Sequence[str]) -> TemplateFiller:
        """Return the templates for the columns of a heading."""
        return TemplateFiller(self._mapping.among([name.strip() for name in names]), names)

    def date_orders(self, names: Sequence[str]) -> Mapping[int, DateOrder]:
        """Return the orders of the dates in columns, by their place from 0."""
        orders = self._mapping.orders(dict(zip(names, self.fields(names), strict=True)))
        return {place: orders[name] for place, name in enumerate(names) if name in orders}

    def is_heading(self, cells: Sequence[str], *, is_first: bool) -> bool:
        """Return whether a row names a column for the identifier.

        The first row may have any other cells; a later row must have no web address and no identifier.
        """
        if not is_first and has_values(cells):
            return False
        return "identifier" in self.fields(cells) or self.templates(cells).makes("identifier")

    def count_names(self, cells: Sequence[str]) -> int:
        """Count the cells of a row that look like the names of columns."""
        if has_values(cells):
            return 0
        known = {field for field in self.fields(cells) if is_field(field)}
        return len(known) + len(propose_fields(cells, known))

    def judge(self, line: int, names: Sequence[str]) -> list[Finding]:
        """Find the faults of the heading in a line."""
        fields, templates = self.fields(names), self.templates(names)
        others = [name for name in names if not (is_field(field_of_heading(name)) or templates.reads(name))]
        proposed = propose_fields(others, {*fields, *templates.fields})
        wrong = [*_repeated(names, fields, templates), *judge_columns(self._mapping, names)]
        if "identifier" not in {*fields, *self._mapping.fields}:
            return [*_undecoded(names), self._no_identifier(line, list(map(decode_name, names))), *wrong]
        unread = [pair for pair in zip(names, fields, strict=True) if not templates.reads(pair[0])]
        return [*wrong, *_unknown(unread, {name: field for field, name in proposed.items()})]

    def _no_identifier(self, line: int, names: Sequence[str]) -> Finding:
        found = ", ".join(map(column_name, names))
        if (value := next(filter(_VALUE.match, names), None)) is not None:
            return refuse(
                "identifier",
                "heading",
                found,
                "The table has no column names: line {line} already has values, such as {value}. Insert a "
                "line with the names above it, such as {example}.",
                line=str(line),
                value=value.strip(),
                example=_EXAMPLE,
            )
        given = {
            field: name for name, field in self._mapping.renamed.items() if name in map(str.strip, names)
        } | {template.field: template.text for template in self._mapping.templates}
        known = {name: field_of_heading(name) for name in names if is_field(field_of_heading(name))}
        proposed = propose_fields([name for name in names if name not in known], {*given, *known.values()})
        columns = list_columns(names)
        option = write_map_option({"identifier": "…", **proposed, **given})
        if "identifier" in proposed:
            return refuse(
                "identifier",
                "heading",
                found,
                "Line {line} names the columns {columns}, but none of them `identifier`. Check this "
                "proposal, correct it if needed, and upload the file again with it: {option}",
                line=str(line),
                columns=columns,
                option=option,
            )
        return refuse(
            "identifier",
            "heading",
            found,
            "Line {line} names the columns {columns}, but none of them `identifier`. Call the column with "
            "the identifiers `identifier`, or upload the file again with its name: {option}",
            line=str(line),
            columns=columns,
            option=option,
        )


def column_name(heading: str) -> str:
    """Return the name of a column for findings, with line breaks removed."""
    return " ".join(heading.split())


def _undecoded(names: Sequence[str]) -> Iterator[Finding]:
    raw = ", ".join(names).encode(errors="surrogateescape")
    if decode_name(", ".join(names)) != ", ".join(names):
        yield refuse("", ENCODING, raw.decode(errors="replace"), describe(raw))


def field_of_heading(name: str) -> str:
    """Return the field that a column is called like, or its name if it is no field."""
    stripped = name.strip()
    if is_field(stripped):
        return stripped
    if field := language_field(stripped):
        return field
    if (folded := fold_word(stripped)) in TEST_COLUMNS:
        return TEST_COLUMNS[folded]
    word = re.split("[.@]", stripped, maxsplit=1)[0]
    field = f"{_FIELDS.get(fold_word(word), '')}{stripped[len(word) :]}"
    return field if is_field(field) else stripped


def _own_field(name: str, mapping: ColumnMapping) -> str:
    """Return the field of a column that is not mapped.

    A column with another name of a mapped field, such as `ID`, is not that field.
    """
    field = field_of_heading(name)
    return name if field in mapping.fields and fold_word(name) != fold_word(field) else field


def has_values(cells: Sequence[str]) -> bool:
    """Return whether some cells are web addresses or identifiers, as no name of a column is."""
    return any(map(_VALUE.match, cells))


def _repeated(names: Sequence[str], fields: Sequence[str], templates: TemplateFiller) -> Iterator[Finding]:
    # A template may read the column that has the name of its field.
    columns = {field: [text] for field, text in templates.headings.items()}
    for name, field in zip(names, fields, strict=True):
        is_used = is_field(field) or templates.reads(name)
        if is_used and not (field in templates.fields and templates.reads(name)):
            columns.setdefault(field, []).append(name.strip())
    for field, [first, *others] in columns.items():
        if first in others:
            yield refuse(
                field, "heading", field, "Two columns are called {column}. Keep one of them.", column=first
            )
        elif others:
            yield refuse(
                field,
                "heading",
                list_columns([first, *others]),
                "The columns {columns} are all the field `{field}`. Keep one of them, and rename the others.",
                columns=list_columns([first, *others]),
                field=field,
            )


def _unknown(columns: Sequence[tuple[str, str]], proposed: Mapping[str, str]) -> Iterator[Finding]:
    for name, field in columns:
        if is_field(field) or not field:
            continue
        column = column_name(decode_name(field))
        values = {"column": repr(column), "property": f"properties.{column}"}
        if name in proposed:
            yield warn(
                field,
                "unknown column",
                field,
                "The column {column} is not a field and is not registered. If it is the field `{field}`, "
                "upload the file again with {option}; to keep it under its own name, call it {property}.",
                **values,
                field=proposed[name],
                option=write_map_option({proposed[name]: name}),
            )
        else:
            yield warn(
                field,
                "unknown column",
                field,
                "The column {column} is not a field and is not registered. To keep it, call it {property}.",
                **values,
            )
