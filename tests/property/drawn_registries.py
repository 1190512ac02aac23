"""A registry with the records that `strategies.registries` drew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ginuri.memory import MemoryRegistry
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.serialization import Path
from ginuri.registry.record.statements import FIRST
from tests.builders import keyed, register, stamp


def registered(drawn: Mapping[str, Mapping[str, Any]]) -> MemoryRegistry:
    """Register the drawn records."""
    registry = MemoryRegistry()
    for name, values in drawn.items():
        register(registry, name, **{key: value for key, value in values.items() if key != "rule"})
        if "rule" in values:
            _add_rule(registry, name, values["rule"])
    return registry


def _add_rule(registry: MemoryRegistry, prefix: str, rule: Mapping[str, Any]) -> None:
    stated: dict[Path, Any] = {
        ("rules", "", name): value for name, value in rule.items() if name != "location"
    }
    if "location" in rule:
        form = ("rules", "", "representations", "form")
        stated |= {(*form, FIRST): 0, (*form, "location"): rule["location"]}
    before = registry.read([prefix]).get(prefix, Record(prefix, {}))
    registry.write(apply(before, keyed(stated), stamp(1)))
