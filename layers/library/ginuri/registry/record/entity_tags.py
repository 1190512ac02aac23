"""The entity tag of a record, by which a change is made only to the record that its author saw."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator

from ginuri.registry.record.record import Record
from ginuri.registry.record.serialization import path_of
from ginuri.registry.record.statements import FORMS, JsonValue

_FILE, _OF_STORE = "file", frozenset(("version", "stored"))


def entity_tag(record: Record | None) -> str:
    """Return the strong entity tag (RFC 9110 §8.8.3) of a record; empty without any value.

    It depends on the identifier, the values in force and the order of representations. Uploads and stores do
    not matter: it stays the same when the registry is moved.
    """
    if record is None:
        return ""
    stated = sorted(
        (path_of(key), _of_any_store(key.field, value))
        for key, value in record.in_force().items()
        if not key.is_first
    )
    if not stated:
        return ""
    orders = list(_orders_in(record.values()))
    text = json.dumps([record.identifier, *stated, orders], ensure_ascii=True, sort_keys=True)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def _orders_in(values: JsonValue) -> Iterator[list[str]]:
    """Yield the order of the representations of a record, and of each of its rules."""
    if isinstance(values, dict):
        if isinstance(forms := values.get(FORMS), dict):
            yield list(forms)
        if isinstance(rules := values.get("rules"), dict):
            for _, rule in sorted(rules.items()):
                yield from _orders_in(rule)


def _of_any_store(field: str, value: JsonValue) -> str:
    """Write a value; of a stored file, without what each store gives it."""
    if field == _FILE and isinstance(value, dict):
        value = {name: each for name, each in value.items() if name not in _OF_STORE}
    return json.dumps(value, ensure_ascii=True, sort_keys=True)
