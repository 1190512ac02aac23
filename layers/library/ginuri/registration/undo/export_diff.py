"""Compares two exports: records in only one of them, and different fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ginuri.registry.metadata.fields import PER_LANGUAGE
from ginuri.registry.record.history import HistoricalChange, changes_of
from ginuri.registry.record.statements import FORMS, JsonValue, Statements

Line = Mapping[str, JsonValue]
"""A line of an export."""

_FORM = ("part", "media_type", "language", "profile", "valid_from")
"""The fields that distinguish forms from each other."""


class Subject(NamedTuple):
    """The subject of a line of an export: a record, one of its rules, its delegation, or a grant on it."""

    identifier: str
    record: str = ""
    """`rule`, `delegation` or `grant`; empty for the record itself."""
    pattern: str = ""
    to: str = ""
    """The receiver of a grant."""


@dataclass(frozen=True, slots=True)
class ExportDifference:
    """The differences between two exports about one subject."""

    subject: Subject
    is_before: bool
    is_after: bool
    fields: tuple[HistoricalChange, ...]


def subject_of(line: Line) -> Subject:
    """Return the subject of a line of an export. Raises KeyError without an identifier."""
    own = str(line.get("record")) if line.get("record") in {"rule", "delegation", "grant"} else ""
    to = str(line.get("to", "")) if own == "grant" else ""
    return Subject(str(line["identifier"]), own, str(line.get("pattern", "")) if own else "", to)


def compare_exports(
    before: Mapping[Subject, Line], after: Mapping[Subject, Line]
) -> Iterator[ExportDifference]:
    """Compare two exports field by field, in the order of the identifiers."""
    for subject in sorted(before.keys() | after.keys()):
        fields = tuple(changes_of(_stated(before.get(subject, {})), _stated(after.get(subject, {}))))
        if fields:
            yield ExportDifference(subject, subject in before, subject in after, fields)


def _stated(line: Line, form: str | None = None) -> Statements:
    stated = Statements(form=form)
    for name, value in line.items():
        if name in PER_LANGUAGE and not isinstance(value, dict):
            stated[stated.key(name, "")] = value
        elif name in {*PER_LANGUAGE, "properties"} and isinstance(value, dict):
            stated |= {stated.key(name, member): text for member, text in value.items()}
        else:
            forms = _forms(value) if name == FORMS and form is None else None
            stated[stated.key(name)] = value if forms is None else list(forms)  # their order matters
            for key, fields in (forms or {}).items():
                stated |= _stated(fields, key)
    return stated


def _forms(value: JsonValue) -> dict[str, Line] | None:
    if not isinstance(value, list) or not all(isinstance(form, dict) for form in value):
        return None
    return {_key(form): form for form in value}


def _key(form: Line) -> str:
    return str(form.get("part") or " ".join(str(form[name]) for name in _FORM if form.get(name)) or "form")
