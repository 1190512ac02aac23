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
            return refuse(
                "", _RULE, pair, "a column is mapped as identifier=uri: the field, =, their name for it"
            )
        if not is_field(field):
            near = difflib.get_close_matches(field, _KNOWN, 1)
            hint = f"did you mean {near[0]}?" if near else f"the fields are {', '.join(FIELDS)}"
            return refuse(field, _RULE, pair, f"{field} is no field; {hint}")
        if name in columns or field in columns.values():
            return refuse(
                field, _RULE, pair, "one column is one field: this field, or this column, is mapped twice"
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
            message = (
                f"no column is called {name!r}, which was mapped to {field}; there are {', '.join(there)}"
            )
            yield refuse(field, _RULE, name, message)


def rename_members(given: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """Give an object with its members called as the fields are; what already is called so stays."""
    told = {name: value for name, value in given.items() if name not in columns}
    for name, field in columns.items():
        first, mark, further = field.partition("@" if "@" in field else ".")
        if name not in given:
            continue
        if mark and first in {*PER_LANGUAGE, "properties"} and isinstance(told.get(first, {}), dict):
            told[first] = {**told.get(first, {}), further: given[name]}
        else:
            told.setdefault(field, given[name])
    return told
