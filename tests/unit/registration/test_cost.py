"""The cost of a registration, counted in steps of the interpreter."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from ginuri.files.json_lines import read_json_lines
from ginuri.memory import MemoryRegistry, MemoryUploads
from ginuri.registration.registrar import Registrar
from ginuri.registration.rows import Origin, Registration, combine
from ginuri.registration.verdicts import Outcome
from tests.builders import PUT, register

PREFIX = "uri-gin/azgs/doc/"
MOST_FOR_TWICE = 2.1
"""The limit for the cost of a record of twice the size."""


def _steps(work: Callable[[], object]) -> int:
    """Count the instructions that the interpreter executes."""
    count, tracing = 0, sys.gettrace()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(tracing)
    return count


def _registered(registry: MemoryRegistry, second: int, *lines: dict[str, Any]) -> None:
    origin = Origin(PUT.format(second), f"uri-gin/azgs/{second}.jsonl", "v1")
    rows = read_json_lines([json.dumps({"identifier": PREFIX, **line}).encode() for line in lines])
    registrations = [each for each in combine(rows) if isinstance(each, Registration)]
    verdicts = list(Registrar(registry, MemoryUploads(), origin).register(registrations))
    assert {verdict.outcome for verdict in verdicts} <= {Outcome.REGISTERED, Outcome.CHANGED}


def _cost(before: list[dict[str, Any]], *lines: dict[str, Any]) -> int:
    registry = MemoryRegistry()
    register(registry, "uri-gin/azgs/", record="authority")
    _registered(registry, 1, *before)
    return _steps(lambda: _registered(registry, 2, *lines))


def _forms(number: int, host: str = "a.example") -> dict[str, Any]:
    forms = [{"part": f"{n}.pdf", "location": f"https://{host}/{n}"} for n in range(number)]
    return {"title": "Map", "representations": forms}


def _rules(number: int) -> list[dict[str, Any]]:
    return [
        {"record": "rule", "pattern": f"{n}_{{id}}/", "location": f"https://a.example/{n}/{{id}}"}
        for n in range(number)
    ]


def test_the_cost_of_a_change_is_proportional_to_the_forms() -> None:
    once, twice = (_cost([_forms(number)], {"title": "Chart"}) for number in (50, 100))

    assert twice <= once * MOST_FOR_TWICE


def test_the_cost_of_restating_all_forms_is_proportional_to_them() -> None:
    once, twice = (_cost([_forms(number)], _forms(number, "b.example")) for number in (50, 100))

    assert twice <= once * MOST_FOR_TWICE


def test_the_cost_of_one_more_rule_is_proportional_to_the_rules() -> None:
    another = {"record": "rule", "pattern": "x_{id}/", "location": "https://a.example/"}

    once, twice = (_cost(_rules(number), another) for number in (50, 100))

    assert twice <= once * MOST_FOR_TWICE
