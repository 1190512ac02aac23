"""Finds the line and the column of a finding, even after the rows of an identifier were combined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ginuri.registration.rows import Row
from ginuri.registration.verdicts import Finding, Verdict, at, shown
from ginuri.registry.record.statements import JsonValue

Headings = Mapping[str, str]
"""The heading or the member in the file for each field as a column (`title@de`, `links.license`)."""


def column_of(field: str, headings: Headings) -> str:
    """Return the heading for the field of a finding; empty without any.

    >>> column_of("title.de", {"identifier": "Name", "title@de": "Titel"})
    'Titel'
    """
    first, _, further = field.partition(".")
    tag = further.partition(".")[0]
    return next((headings[name] for name in (field, f"{first}@{tag}", first) if name in headings), "")


def member_of(field: str, headings: Headings) -> str:
    """Return the member of a JSON object for the field of a finding, with the path within it.

    >>> member_of("representations.0.location", {"location": "url"})
    'representations.0.location'
    """
    first, dot, further = field.partition(".")
    exact = headings.get(field) or headings.get(f"{first}@{further}")
    return exact or f"{headings.get(first, first)}{dot}{further}"


class RowPositions:
    """Finds the row of a finding on a registration, by the field and the value that the row states."""

    def __init__(self, rows: Sequence[Row], headings: Headings) -> None:
        """Search in rows; `headings` are those of a table, and empty for JSON lines."""
        self._rows = rows
        self._headings = headings
        self._by_line: dict[int, Row] = {}

    def locate(self, verdict: Verdict) -> Verdict:
        """Return the verdict with the lines and the columns of its findings."""
        # A row without an identifier is judged separately when it is read.
        if verdict.identifier is None or all(map(_is_located, verdict.findings)):
            return verdict
        if not self._by_line:  # built only if there is a finding
            self._by_line = {row.line: row for row in self._rows}
        rows = [self._by_line[line] for line in verdict.lines if line in self._by_line]
        return replace(verdict, findings=tuple(self._locate(finding, rows) for finding in verdict.findings))

    def _locate(self, finding: Finding, rows: Sequence[Row]) -> Finding:
        if _is_located(finding) or not rows:
            return finding
        stating = [row for row in rows if finding.field and _values(row, finding.field)]
        row = next((row for row in stating if _states(row, finding)), None)
        if row is None and len(stating or rows) == 1:
            [row] = stating or rows
        column = column_of(finding.field, self._headings)
        if not self._headings and (stating or finding.field == "identifier"):
            column = member_of(finding.field, (row or rows[0]).headings or {})
        return replace(finding, column=shown(column)) if row is None else at(finding, row.line, column)


def _is_located(finding: Finding) -> bool:
    return finding.line is not None and bool(finding.column or not finding.field)


def _values(row: Row, field: str) -> list[JsonValue]:
    name = field.partition(".")[0]
    return [value for key, value in row.statements.items() if name in {key.stated_field, *key[2:]}]


def _states(row: Row, finding: Finding) -> bool:
    return any(
        finding.value in {shown(value), *(map(shown, value) if isinstance(value, list) else ())}
        for value in _values(row, finding.field)
    )
