"""Applies a mapping to the values of one row: fields made by templates, and members renamed to fields."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginuri.files.dates import read_day
from ginuri.files.mapping.columns import ColumnMapping, is_field
from ginuri.files.mapping.templates import CLEARED
from ginuri.files.schema.fields import ALIASES
from ginuri.registration.verdicts import Finding
from ginuri.registry.metadata.fields import PER_LANGUAGE


@dataclass(frozen=True, slots=True)
class FilledFields:
    """The fields of a row, or of an object, by a mapping."""

    values: Mapping[str, Any]
    fault: Finding | None = None
    """The finding that refuses the row."""
    doubts: Sequence[Finding] = ()
    """The findings that refuse the row if its identifier is new."""


def fill_templates(mapping: ColumnMapping, values: Mapping[str, str]) -> FilledFields:
    """Make fields from the values of columns."""
    texts: dict[str, str] = {}
    faults: list[Finding] = []
    for template in mapping.templates:
        made = template.fill(values)
        if isinstance(made, Finding):
            faults.append(made)
        elif made is not None:
            texts[template.field] = made
    doubts = tuple(doubt for template in mapping.templates if (doubt := template.doubt(values)))
    return FilledFields(texts, next(iter(faults), None), doubts)


def rename_members(members: Mapping[str, Any], mapping: ColumnMapping) -> FilledFields:
    """Return an object with mapped members as fields; members named like a field stay.

    A member that a template reads stays only if it is a field that the template does not make.
    """
    mapping = mapping.among(members)
    members = _read_dates(members, mapping)
    filled = fill_templates(mapping, {name: _text(value) for name, value in members.items()})
    stated = {name for column, name in mapping.renamed.items() if column in members} | filled.values.keys()
    renamed = {
        name: value
        for name, value in members.items()
        if name not in mapping.renamed and not _is_replaced(name, mapping, stated)
    }
    for name, mapped in mapping.renamed.items():
        if name in members:
            put_member(renamed, mapped, members[name])
    for mapped, text in filled.values.items():
        put_member(renamed, mapped, None if text == CLEARED else text)
    return FilledFields(renamed, filled.fault)


def _is_replaced(name: str, mapping: ColumnMapping, stated: Collection[str]) -> bool:
    """Return whether a member is only read by templates, or another name of a field that is mapped."""
    if name in mapping.made or ALIASES.get(name) in stated:
        return True
    return name in mapping.read and name not in ALIASES and not is_field(name)


def _read_dates(members: Mapping[str, Any], mapping: ColumnMapping) -> Mapping[str, Any]:
    """Return an object with its dates as days, where the order of day and month is known."""
    if not mapping.dates:
        return members
    fields = {name: mapping.renamed.get(name, name) for name in members}
    read: dict[str, Any] = {
        name: read_day(text, order) or text
        for name, order in mapping.orders(fields).items()
        if isinstance(text := members[name], str)
    }
    if isinstance(forms := members.get("representations"), list):
        read["representations"] = [
            _read_dates(form, mapping) if isinstance(form, dict) else form for form in forms
        ]
    return {**members, **read}


def put_member(fields: dict[str, Any], name: str, value: Any) -> None:  # noqa: ANN401  JSON has values of any type
    """Add a field; a text in a language or a property is added to the object with those."""
    first, separator, suffix = name.partition("@" if "@" in name else ".")
    if first in PER_LANGUAGE and isinstance(held := _by_language(fields.get(first, {})), dict):
        further = {suffix: value} if separator else _by_language(value)
        if isinstance(further, dict):
            fields[first] = {**held, **further} if separator else {**further, **held}
            return
    if separator and first == "properties" and isinstance(fields.get(first, {}), dict):
        fields[first] = {**fields.get(first, {}), suffix: value}
    else:
        fields.setdefault(name, value)


def _by_language(texts: Any) -> Any:  # noqa: ANN401  JSON has values of any type
    return {"": texts} if isinstance(texts, str) else texts


def _text(value: Any) -> str:  # noqa: ANN401  JSON has values of any type
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    return "" if value is None else json.dumps(value, ensure_ascii=False)
