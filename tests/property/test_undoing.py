"""Undoing an upload restores the previous state, and undoing that restores the later one."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given

from ginuri.files.export import write_restatement
from ginuri.files.json_lines import read_json_lines
from ginuri.memory import MemoryRegistry
from ginuri.registration.rows import Registration, combine
from ginuri.registration.undo.rollback import REGISTERED_IN_ERROR, Restatement, plan_rollback
from ginuri.registry.record.record import Record, apply
from tests.builders import stamp
from tests.property.test_writing import FOLDER, NAME, SAYINGS

UPLOAD = stamp().upload


def _state(registry: MemoryRegistry, second: int, lines: list[str]) -> None:
    """Apply the statements of lines as one registration; refused lines are left out."""
    for piece in combine(read_json_lines([line.encode() for line in lines])):
        if isinstance(piece, Registration):
            held = registry.read([NAME]).get(NAME, Record(NAME, {}))
            change = apply(held, piece.statements, stamp(second))
            if change.touches:
                registry.write(change)


def _values(registry: MemoryRegistry) -> dict[str, Any]:
    """Return the current values, without tombstones, and without the defaults of a resource.

    Retired parts have a tombstone, and so has a prefix that was handed over once and belongs to nobody now.
    """
    record = registry.read([NAME]).get(NAME)
    values: dict[str, Any] = record.values() if record else {}
    values.pop("retired_parts", None)
    delegation = values.get("delegation", {})
    if delegation.get("to", {}).get("") == "":  # the default
        del delegation["to"][""]
        if not delegation["to"]:
            del delegation["to"]
        if not delegation:
            del values["delegation"]
    return {name: value for name, value in values.items() if (name, value) != ("record", "resource")}


def _ordered(values: dict[str, Any]) -> list[str]:
    return list(values.get("representations", ()))


def _undo(registry: MemoryRegistry, second: int, at: int) -> Restatement | None:
    """Undo the statements of one second, at another."""
    planned = plan_rollback(registry.history(NAME), UPLOAD, f"v{second}")
    assert planned is None or isinstance(planned, Restatement)
    if planned is not None:
        lines = list(write_restatement(planned, FOLDER))
        for row in read_json_lines([line.encode() for line in lines]):
            assert [each for each in row.findings if each.level == "refused"] == []
        _state(registry, at, lines)
    return planned


@given(SAYINGS.filter(bool))
def test_undoing_the_last_upload_twice_restores_it(
    sayings: list[dict[str, Any]],
) -> None:
    registry = MemoryRegistry()
    before: dict[str, Any] = {}
    for second, said in enumerate(sayings):
        before = _values(registry)
        _state(registry, second, [json.dumps(said)])
    after, last = _values(registry), len(sayings) - 1

    undone = _undo(registry, last, 10)

    back = _values(registry)
    if undone is not None and undone.reserves:
        assert (back.pop("status"), back.pop("reason")) == ("reserved", REGISTERED_IN_ERROR)
        back.pop("record", None)
        back.pop("kind", None)
    assert back == before
    assert _ordered(back) == _ordered(before)
    if undone is not None:
        _undo(registry, 10, 11)
        assert _values(registry) == after
        assert _ordered(_values(registry)) == _ordered(after)
