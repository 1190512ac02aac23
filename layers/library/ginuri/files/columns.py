"""Which column is which field, where a table does not call them so: `identifier=uri,title=label`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ginuri.files.fields import REPRESENTATION_FIELDS
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.fields import FIELDS, PER_LANGUAGE

Columns = Mapping[str, str]
"""Their name of a column, or of a member of an object → our field."""
_RULE = "map"
_KNOWN = {*FIELDS, *REPRESENTATION_FIELDS}


def read_columns(text: str) -> Columns | Finding:
    """Read which column is which field, ours before theirs; or find what is wrong with it."""
    columns: dict[str, str] = {}
    for pair in filter(None, map(str.strip, text.split(","))) if "://" not in text else ():
        field, equals, name = (piece.strip() for piece in pair.partition("="))
        if not equals or not name:
            return refuse("", _RULE, pair, "Map a column as field=column, such as identifier=uri.")
        if not is_field(field):
            near = difflib.get_close_matches(field, _KNOWN, 1)
            if near:
                return refuse(
                    field,
                    _RULE,
                    pair,
                    "There is no field `{name}`. Did you mean {near}?",
                    name=field,
                    near=near[0],
                )
            fields = ", ".join(FIELDS)
            return refuse(
                field,
                _RULE,
                pair,
                "There is no field `{name}`. The fields are: {fields}.",
                name=field,
                fields=fields,
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
    """Find what is wrong with what says which column is which field."""
    read = read_columns(text)
    return read if isinstance(read, Finding) else None


def is_field(name: str) -> bool:
    """Tell whether a column of this name is read: a field, a text in a language, a link, further metadata."""
    first, at, _ = name.partition("@")
    return (
        name in _KNOWN or (bool(at) and first in PER_LANGUAGE) or name.startswith(("links.", "properties."))
    )


def judge_columns(columns: Columns, heading: Sequence[str]) -> Iterator[Finding]:
    """Find the mapped columns that a table has not."""
    there = [name.strip() for name in heading]
    for name, field in columns.items():
        if name not in there:
            yield refuse(
                field,
                _RULE,
                name,
                "There is no column {column}, which was mapped to `{field}`. The columns are: {columns}.",
                column=repr(name),
                field=field,
                columns=", ".join(there),
            )


def rename_members(given: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """Give an object with its members called as the fields are; what already is called so stays."""
    renamed = {name: value for name, value in given.items() if name not in columns}
    for name, field in columns.items():
        first, mark, further = field.partition("@" if "@" in field else ".")
        if name not in given:
            continue
        if mark and first in {*PER_LANGUAGE, "properties"} and isinstance(renamed.get(first, {}), dict):
            renamed[first] = {**renamed.get(first, {}), further: given[name]}
        else:
            renamed.setdefault(field, given[name])
    return renamed
