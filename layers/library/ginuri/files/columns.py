"""Maps the columns of a table to fields: `identifier=uri,title=label,"reason=Reason, in words"`."""

from __future__ import annotations

import csv
import difflib
import io
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ginuri.files.schema.answer_tests import TEST_COLUMNS
from ginuri.files.schema.fields import REPRESENTATION_FIELDS
from ginuri.files.schema.values import fold_word
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.metadata.fields import FIELDS, PER_LANGUAGE

Columns = Mapping[str, str]
"""The field names by the names of columns, or of members of an object."""
_RULE = "map"
_MOST_LISTED = 20
_SPECIAL = r'["$`\\!%]'
_KNOWN = {*FIELDS, *REPRESENTATION_FIELDS}


def read_columns(text: str) -> Columns | Finding:
    """Read a mapping of `field=column` pairs, or return the finding against it."""
    columns: dict[str, str] = {}
    # A pair with a comma is in quotes.
    pairs = [] if "://" in text else next(csv.reader([" ".join(text.split())], skipinitialspace=True), [])
    for pair in filter(None, map(str.strip, pairs)):
        field, equals, name = (piece.strip() for piece in pair.partition("="))
        if not equals or not name:
            return refuse("", _RULE, pair, "Map a column as field=column, such as identifier=uri.")
        if not is_field(field):
            if near := difflib.get_close_matches(field, _KNOWN, 1):
                return refuse(
                    field,
                    _RULE,
                    pair,
                    "There is no field `{name}`. Did you mean {near}?",
                    name=field,
                    near=near[0],
                )
            return refuse(
                field,
                _RULE,
                pair,
                "There is no field `{name}`. The fields are: {fields}.",
                name=field,
                fields=", ".join(FIELDS),
            )
        if name in columns or field in columns.values():
            return refuse(
                field,
                _RULE,
                pair,
                "This field, or this column, is mapped twice. Keep one of the two mappings.",
            )
        columns[name] = field
    return columns


def fault_of_columns(text: str) -> Finding | None:
    """Return the finding against a mapping of columns, if any."""
    columns = read_columns(text)
    return columns if isinstance(columns, Finding) else None


def is_field(name: str) -> bool:
    """Return whether a column name is a field, or of a text in a language, a link, a property or a test."""
    first, at, _ = name.partition("@")
    return (
        name in _KNOWN
        or (bool(at) and first in PER_LANGUAGE)
        or name.startswith(("links.", "properties."))
        or name in TEST_COLUMNS.values()
    )


def judge_columns(columns: Columns, heading: Sequence[str]) -> Iterator[Finding]:
    """Find mapped columns that the table does not have."""
    present = {fold_word(name) for name in heading}
    for name, field in columns.items():
        if fold_word(name) not in present:
            yield refuse(
                field,
                _RULE,
                name,
                "There is no column {column}, which was mapped to `{field}`. The columns are: {columns}.",
                column=repr(name),
                field=field,
                columns=list_columns(heading),
            )


def list_columns(names: Sequence[str]) -> str:
    """List the names of columns in quotes, as far as they fit into a sentence."""
    named = [repr(" ".join(name.split())) for name in names if name.strip()]
    return ", ".join([*named[:_MOST_LISTED], *(["…"] if len(named) > _MOST_LISTED else [])])


def write_map(columns: Mapping[str, str]) -> str:
    """Write a mapping of fields to columns as the value of the option."""
    written = io.StringIO()
    csv.writer(written, lineterminator="").writerow(
        f"{field}={' '.join(name.split())}" for field, name in columns.items()
    )
    return written.getvalue()


def write_map_option(columns: Mapping[str, str]) -> str:
    """Write a mapping of fields to columns as an option of the command, quoted for a shell.

    >>> print(write_map_option({"identifier": "Persistent ID", "title": "Name"}))
    --map "identifier=Persistent ID,title=Name"
    """
    return f"--map {quote_argument(write_map(columns))}"


def quote_argument(text: str) -> str:
    """Quote an argument of a command for a shell."""
    # Double quotes mean the same in every shell, unless the text contains one of these.
    return shlex.quote(text) if re.search(_SPECIAL, text) else f'"{text}"'


def rename_members(members: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """Return an object with mapped members renamed to fields; members named like a field stay."""
    renamed = {name: value for name, value in members.items() if name not in columns}
    for name, field in columns.items():
        first, separator, suffix = field.partition("@" if "@" in field else ".")
        if name not in members:
            continue
        if separator and first in {*PER_LANGUAGE, "properties"} and isinstance(renamed.get(first, {}), dict):
            renamed[first] = {**renamed.get(first, {}), suffix: members[name]}
        else:
            renamed.setdefault(field, members[name])
    return renamed
