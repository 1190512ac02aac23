"""Moves locations: those with one URL as prefix get another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from ginuri.registration.undo.rollback import Restatement, naming_of
from ginuri.registry.record.answer_tests import TESTS, read_test, write_test
from ginuri.registry.record.statements import FORMS, OF_RECORD, JsonValue, RecordPlace, Statements, of_rule

_ENDS_A_PIECE = re.compile(r"[/?#=&]\Z")
_GOES_ON = re.compile(r"\Z|[/?#]|\{[/?#]")


def moved_location(location: str, old: str, new: str) -> str | None:
    """Return a location after a move; None if it does not start with the old URL.

    An old URL that does not end in `/ ? # =` or `&` matches whole segments only: the rest must start with
    `/ ? #`, or with a template expression that does.

    >>> moved_location("http://a.example/x/1.pdf", "http://a.example/x", "https://b.example/y")
    'https://b.example/y/1.pdf'
    >>> moved_location("http://a.example/xy", "http://a.example/x", "https://b.example/y") is None
    True
    """
    rest = location.removeprefix(old)
    if rest == location or not (_ENDS_A_PIECE.search(old) or _GOES_ON.match(rest)):
        return None
    return f"{new}{rest}"


def relocate(identifier: str, values: Mapping[str, JsonValue], old: str, new: str) -> Restatement | None:
    """Return the statements that move the locations of a record; None if none moves."""
    statements = _moved(OF_RECORD, values, old, new)
    for pattern, rule in _objects(values, "rules").items():
        statements |= _moved(of_rule(pattern), rule, old, new)
    record = values.get("record")
    return Restatement(identifier, statements, str(record) if record else None) if statements else None


def _moved(place: RecordPlace, values: Mapping[str, JsonValue], old: str, new: str) -> Statements:
    moved = Statements()
    for key, fields in _objects(values, FORMS).items():
        location = moved_location(str(fields.get("location") or ""), old, new)
        if location is not None:
            form = Statements(place=place, form=key)
            named = {name: fields[name] for name in naming_of(key) if name in fields}
            moved |= {form.key(name): value for name, value in (named | {"location": location}).items()}
    tests = values.get(TESTS)
    if isinstance(tests, list) and (moved_tests := [_moved_test(test, old, new) for test in tests]) != tests:
        moved[Statements(place=place).key(TESTS)] = moved_tests
    return moved


def _moved_test(test: JsonValue, old: str, new: str) -> JsonValue:
    """Return a test whose target is moved if it is one of the locations."""
    stated = read_test(test)
    target = moved_location(stated.target or "", old, new)
    return test if target is None else write_test(replace(stated, target=target))


def _objects(values: Mapping[str, JsonValue], name: str) -> Mapping[str, Mapping[str, JsonValue]]:
    objects = values.get(name)
    members = objects.items() if isinstance(objects, dict) else ()
    return {key: value for key, value in members if isinstance(value, dict)}
