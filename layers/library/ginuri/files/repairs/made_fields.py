"""Finds the cell to correct for a correction of a field that a template makes from several columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from urllib.parse import unquote

from ginuri.files.mapping.templates import ColumnTemplate
from ginuri.identifiers.messages import message
from ginuri.registration.positions import Headings, column_of
from ginuri.registration.verdicts import Finding, fault_of, shown, suggest


def correct_made(
    finding: Finding, templates: Sequence[ColumnTemplate], values: Mapping[str, str], headings: Headings
) -> Finding:
    """Return a finding with the one cell whose correction makes the corrected field.

    `headings` are those in the file, by the names of columns in templates. Without such a cell, the message
    names the columns, and there is no correction. A finding about another field is returned as it is.
    """
    text = column_of(finding.field, {template.field: template.text for template in templates})
    template = next((template for template in templates if template.text == text), None)
    if finding.suggestion is None or template is None:
        return finding
    named = {column: headings.get(column, column) for column in template.columns}
    if (found := find_correction(template, values, finding.suggestion)) is None:
        words = message(
            "{finding} The value is made from the columns {columns}. Correct their cells, or the template "
            "{template}.",
            finding=finding.message,
            columns=", ".join(map(repr, named.values())),
            template=template.text,
        )
        return replace(finding, message=words, suggestion=None)
    column, value = found
    in_cell = replace(finding, message=fault_of(finding.message), value=shown(values.get(column, "")))
    return suggest(replace(in_cell, column=shown(named[column])), value)


def find_correction(template: ColumnTemplate, values: Mapping[str, str], text: str) -> tuple[str, str] | None:
    """Return the one column, and its value, with which a template makes a text; None without exactly one.

    >>> from ginuri.files.mapping.templates import read_template
    >>> template = read_template("location", "https://doi.org/{DOI}")
    >>> find_correction(template, {"DOI": "10.1/a b,"}, "https://doi.org/10.1/a%20b")
    ('DOI', '10.1/a b')
    """
    found = {
        column: value
        for column in template.columns
        for value in _values(template, values, column, text)
        if template.fill({**values, column: value}) == (text or None)
    }
    return next(iter(found.items())) if len(found) == 1 else None


def _values(template: ColumnTemplate, values: Mapping[str, str], column: str, text: str) -> Iterator[str]:
    """Yield what may be in a column if a template makes a text; as it is in the text last."""
    given = "".join([text, *values.values()])
    mark = next(mark for number in count() if (mark := f"Q{number}Q") not in given)
    if isinstance(made := template.fill({**values, column: mark}), str):
        first, *others = map(re.escape, made.split(mark))
        rest = r"\1".join(others)
        if found := re.fullmatch(f"{first}(.*){rest}", text, re.DOTALL):
            yield from (unquote(found[1]), found[1])
