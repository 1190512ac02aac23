"""Makes fields from the cells of a row, by the templates of a mapping."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ginuri.files.mapping.columns import ColumnMapping
from ginuri.files.mapping.filled_fields import FilledFields, fill_templates
from ginuri.files.repairs.made_fields import correct_made
from ginuri.files.schema.values import fold_word
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Finding, refuse

_IDENTIFIER = "identifier"
# The formats of the columns, below the heading of the tables of the USGS (RDB): 5s 15s 20d.
_FORMAT = re.compile(r"[0-9]+[sdn]")
_FORMATS = message("The row has the formats of the columns, such as 15s, and no values. Delete it.")


class TemplateFiller:
    """The templates of a mapping, for the columns of one heading."""

    def __init__(self, mapping: ColumnMapping, names: Sequence[str]) -> None:
        self._mapping = mapping
        places = {fold_word(name): place for place, name in reversed(list(enumerate(names)))}
        places |= {name.strip(): place for place, name in reversed(list(enumerate(names)))}
        self._names = names
        found = {column: places.get(column, places.get(fold_word(column))) for column in mapping.read}
        self._places = {column: place for column, place in found.items() if place is not None}
        self._read = {*map(fold_word, mapping.read)}
        self.headings = {template.field: template.text for template in mapping.templates}
        """The template of each field that it makes: findings on the field name it in place of a column."""

    @property
    def fields(self) -> Collection[str]:
        """The fields that are made."""
        return self.headings.keys()

    def makes(self, field: str) -> bool:
        """Return whether a field is made, and the table has all the columns for it."""
        return any(
            template.field == field and self._places.keys() >= {*template.columns}
            for template in self._mapping.templates
        )

    def columns_of(self, field: str) -> Collection[int]:
        """Return the columns that a field is made from, from 0."""
        templates = [template for template in self._mapping.templates if template.field == field]
        names = {name for template in templates for name in template.columns}
        return {place for name, place in self._places.items() if name in names}

    def reads(self, name: str) -> bool:
        """Return whether a template reads a column."""
        return fold_word(name) in self._read

    def read_cells(self, cells: Sequence[str]) -> Mapping[str, str]:
        """Return the cells that templates read, by the names of their columns in the mapping."""
        return {column: cells[place].strip() for column, place in self._places.items() if place < len(cells)}

    def fill(self, cells: Sequence[str]) -> FilledFields:
        """Make fields from the cells of a row."""
        filled = fill_templates(self._mapping, self.read_cells(cells))
        if _IDENTIFIER in self.fields and cells and all(map(_FORMAT.fullmatch, cells)):
            return replace(filled, fault=refuse(_IDENTIFIER, "no name", ", ".join(cells), _FORMATS))
        return filled

    def correct(self, finding: Finding, cells: Sequence[str]) -> Finding:
        """Return a finding on a field that is made from the cells of a row, with the cell to correct."""
        headings = {column: " ".join(self._names[place].split()) for column, place in self._places.items()}
        return correct_made(finding, self._mapping.templates, self.read_cells(cells), headings)
