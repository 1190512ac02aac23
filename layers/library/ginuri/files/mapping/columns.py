"""Maps the columns of a table to fields: `identifier=uri,title=label,"reason=Reason, in words"`.

A field may also be made from columns by a template: `location=https://doi.org/{DOI}`.
"""

from __future__ import annotations

import csv
import difflib
import io
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from ginuri.files.dates import DATED, DateOrder
from ginuri.files.mapping.templates import ColumnTemplate, read_template
from ginuri.files.schema.answer_tests import TEST_COLUMNS
from ginuri.files.schema.fields import REPRESENTATION_FIELDS
from ginuri.files.schema.values import fold_word
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.metadata.fields import FIELDS, PER_LANGUAGE

_RULE, _DATES = "map", "dates"
ALL_DAYS = ""
"""Stands for every column of days in the orders of dates."""
_MOST_LISTED = 20
_SPECIAL = r'["$`\\!%]'
_KNOWN = {*FIELDS, *REPRESENTATION_FIELDS}
# A mapping of RDF names has the foreign name first: `http://vocab.example.org/{+rest}=uri-gin/…`.
_NAME = "://"


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """How the columns of a table, or the members of an object, become fields."""

    renamed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """The fields by the names of columns."""
    templates: Sequence[ColumnTemplate] = ()
    dates: Mapping[str, DateOrder] = field(default_factory=lambda: MappingProxyType({}))
    """The orders of dates with the year last, by the names of columns."""

    @property
    def is_empty(self) -> bool:
        """Whether everything is read as it is."""
        return not (self.renamed or self.templates or self.dates)

    @property
    def fields(self) -> Collection[str]:
        """The mapped fields."""
        return {*self.renamed.values(), *self.made}

    @property
    def made(self) -> Collection[str]:
        """The fields that templates make."""
        return {template.field for template in self.templates}

    @property
    def read(self) -> Collection[str]:
        """The columns that templates read."""
        return {column for template in self.templates for column in template.columns}

    def days(self, fields: Mapping[str, str]) -> Sequence[str]:
        """Return the columns of days, among columns with the fields that they are."""
        read = {
            fold_word(column)
            for template in self.templates
            if template.field in DATED
            for column in template.columns
        }
        return [name for name, field in fields.items() if field in DATED or fold_word(name) in read]

    def orders(self, fields: Mapping[str, str]) -> Mapping[str, DateOrder]:
        """Return the orders of the dates of columns, among columns with the fields that they are."""
        if not self.dates:
            return {}
        orders = dict.fromkeys(self.days(fields), self.dates.get(ALL_DAYS))
        named = {fold_word(name): order for name, order in self.dates.items() if name}
        orders |= {name: named[folded] for name in fields if (folded := fold_word(name)) in named}
        return {name: order for name, order in orders.items() if order}

    def among(self, names: Collection[str]) -> ColumnMapping:
        """Return the mapping for these columns: a template that is the name of one of them is no template.

        >>> mapping = read_columns("title=Name {en}")
        >>> mapping.among(["Name {en}"]).renamed, mapping.among(["en"]).templates[0].columns
        ({'Name {en}': 'title'}, ('en',))
        """
        present = {fold_word(name) for name in names}
        columns = {
            template.text: template.field
            for template in self.templates
            if fold_word(template.text) in present
        }
        if not columns:
            return self
        others = [template for template in self.templates if template.text not in columns]
        return replace(self, renamed={**self.renamed, **columns}, templates=tuple(others))


NO_MAPPING = ColumnMapping()


def read_columns(text: str) -> ColumnMapping | Finding:
    """Read a mapping of `field=column` and `field=template` pairs, or return the finding against it."""
    renamed: dict[str, str] = {}
    templates: list[ColumnTemplate] = []
    pairs = split_names(text)
    if any(_NAME in pair.partition("=")[0] for pair in pairs):
        return NO_MAPPING
    for pair in pairs:
        name, equals, source = (piece.strip() for piece in pair.partition("="))
        if not equals or not source:
            return refuse(
                "",
                _RULE,
                pair,
                "Map a column as field=column, such as identifier=uri, or make a field from columns, such as "
                "{example}.",
                example="identifier=uri-gin/azgs/well/{ID}",
            )
        if not is_field(name):
            if near := difflib.get_close_matches(name, _KNOWN, 1):
                words = message("There is no field `{name}`. Did you mean {near}?", name=name, near=near[0])
            else:
                fields = ", ".join(FIELDS)
                words = message(
                    "There is no field `{name}`. The fields are: {fields}.", name=name, fields=fields
                )
            return refuse(name, _RULE, pair, words)
        mapped = {*renamed.values(), *(template.field for template in templates)}
        if source in renamed or name in mapped:
            return refuse(
                name,
                _RULE,
                pair,
                "This field, or this column, is mapped twice. Keep one of the two mappings. To use a column "
                "for several fields, write it in braces: {example}.",
                example=f"{name}={{{source}}}",
            )
        if template := read_template(name, source):
            templates.append(template)
        else:
            renamed[source] = name
    return ColumnMapping(renamed, tuple(templates))


def is_field(name: str) -> bool:
    """Return whether a column name is a field, or of a text in a language, a link, a property or a test."""
    first, at, _ = name.partition("@")
    return (
        name in _KNOWN
        or (bool(at) and first in PER_LANGUAGE)
        or name.startswith(("links.", "properties."))
        or name in TEST_COLUMNS.values()
    )


def judge_columns(mapping: ColumnMapping, heading: Sequence[str]) -> Iterator[Finding]:
    """Find columns that the options name and the table does not have."""
    present = {fold_word(name) for name in heading}
    known = mapping.among(heading)
    wanted = [*known.renamed.items()] + [
        (column, template.field) for template in known.templates for column in template.columns
    ]
    for name, mapped in wanted:
        if fold_word(name) not in present:
            yield refuse(
                mapped,
                _RULE,
                name,
                "There is no column {column}, which was mapped to `{field}`. The columns are: {columns}.",
                column=repr(name),
                field=mapped,
                columns=list_columns(heading),
            )
    for name in known.dates:
        if name and fold_word(name) not in present:
            yield refuse(
                "",
                _DATES,
                name,
                "There is no column {column}, which {option} names. The columns are: {columns}.",
                column=repr(name),
                option="--dates",
                columns=list_columns(heading),
            )


def split_names(text: str) -> list[str]:
    """Split names of columns, or pairs of a mapping, at commas; one with a comma is in quotes.

    >>> split_names('Report, "Data, raw"')
    ['Report', 'Data, raw']
    """
    names = next(csv.reader([" ".join(text.split())], skipinitialspace=True), [])
    return [name.strip() for name in names if name.strip()]


def write_names(names: Sequence[str]) -> str:
    """Write the names of columns as the value of an option.

    >>> write_names(["Report", "Data, raw"])
    'Report,"Data, raw"'
    """
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow(names)
    return written.getvalue()


def list_columns(names: Sequence[str]) -> str:
    """List the names of columns in quotes, as far as they fit into a sentence."""
    named = [repr(" ".join(name.split())) for name in names if name.strip()]
    return ", ".join([*named[:_MOST_LISTED], *(["…"] if len(named) > _MOST_LISTED else [])])


def write_map(sources: Mapping[str, str]) -> str:
    """Write a mapping as the value of the option: the column, or the template, by field.

    >>> write_map({"identifier": "uri-gin/azgs/well/{ID}", "title": "Name, in full"})
    'identifier=uri-gin/azgs/well/{ID},"title=Name, in full"'
    """
    return write_names([f"{name}={' '.join(source.split())}" for name, source in sources.items()])


def write_map_option(sources: Mapping[str, str]) -> str:
    """Write a mapping, the column or the template by field, as an option of the command for a shell.

    >>> print(write_map_option({"identifier": "Persistent ID", "title": "Name"}))
    --map "identifier=Persistent ID,title=Name"
    """
    return f"--map {quote_argument(write_map(sources))}"


def quote_argument(text: str) -> str:
    """Quote an argument of a command for a shell."""
    # Double quotes mean the same in every shell, unless the text contains one of these.
    return shlex.quote(text) if re.search(_SPECIAL, text) else f'"{text}"'
