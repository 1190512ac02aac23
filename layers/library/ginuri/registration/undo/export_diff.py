"""Compares two exports: what only one of them has, and which fields differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ginuri.registry.metadata.fields import PER_LANGUAGE
from ginuri.registry.record.history import HistoricalChange
from ginuri.registry.record.record import Path, Value

_FORM = ("part", "media_type", "language", "profile", "valid_from")
"""The fields that distinguish forms from each other."""


class Subject(NamedTuple):
    """What one line of an export is about: a record, one of its rules, or its delegation."""

    identifier: str
    record: str = ""
    """`rule` or `delegation`; empty for the record itself."""
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class ExportDifference:
    """What differs between two exports about one subject."""

    subject: Subject
    is_before: bool
    is_after: bool
    fields: tuple[HistoricalChange, ...]


def subject_of(line: Mapping[str, Any]) -> Subject:
    """Return the subject of a line of an export. Raises KeyError without an identifier."""
    record = line.get("record", "")
    own = record if record in {"rule", "delegation"} else ""
    return Subject(str(line["identifier"]), own, str(line.get("pattern", "")) if own else "")


def compare_exports(
    before: Mapping[Subject, Mapping[str, Any]], after: Mapping[Subject, Mapping[str, Any]]
) -> Iterator[ExportDifference]:
    """Compare two exports field by field, in the order of the identifiers."""
    for subject in sorted(before.keys() | after.keys()):
        one, other = _flat(before.get(subject, {})), _flat(after.get(subject, {}))
        fields = tuple(
            HistoricalChange(path, one.get(path), other.get(path))
            for path in dict.fromkeys((*one, *other))
            if one.get(path) != other.get(path)
        )
        if fields:
            yield ExportDifference(subject, subject in before, subject in after, fields)


def _flat(line: Mapping[str, Any]) -> dict[Path, Value]:
    flat: dict[Path, Value] = {}
    for name, value in line.items():
        if name in PER_LANGUAGE:
            flat |= _texts((name,), value)
        elif name == "representations" and _is_forms(value):
            forms = {_key(form): form for form in value}
            flat[name,] = list(forms)  # their order has a meaning
            for key, form in forms.items():
                flat |= {(name, key, *path): field_value for path, field_value in _flat(form).items()}
        elif name == "properties" and isinstance(value, dict):
            flat |= {(name, property_name): field_value for property_name, field_value in value.items()}
        else:
            flat[name,] = value
    return flat


def _is_forms(value: Value) -> bool:
    return isinstance(value, list) and all(isinstance(form, dict) for form in value)


def _texts(place: Path, value: Value) -> dict[Path, Value]:
    return (
        {(*place, tag): text for tag, text in value.items()}
        if isinstance(value, dict)
        else {(*place, ""): value}
    )


def _key(form: Mapping[str, Any]) -> str:
    return form.get("part") or " ".join(str(form[name]) for name in _FORM if form.get(name)) or "form"
