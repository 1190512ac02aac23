"""Refuses a successor that leads back to the identifier that it replaces."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.identifiers.roots import printable_name
from ginuri.registration.verdicts import Finding, refuse
from ginuri.registry.ports import Registry
from ginuri.registry.record.record import Change, Record

MOST_FOLLOWED = 50


def names_another(change: Change) -> bool:
    """Return whether a change gives a record a successor that it did not have."""
    after = _successor_of(change.after)
    return after is not None and after != _successor_of(change.before)


def judge_successor(change: Change, registry: Registry) -> Iterator[Finding]:
    """Follow the successors of a changed record as they are registered now. Raises RegistryUnavailable."""
    name, successor = change.after.identifier, _successor_of(change.after)
    way = [name]
    while successor is not None and successor not in way[1:] and len(way) <= MOST_FOLLOWED:
        way.append(successor)
        if successor == name:
            yield _refuse(way)
            return
        record = registry.fetch([successor]).get(successor)
        successor = record.successor if record is not None else None


def _successor_of(record: Record) -> str | None:
    if not record.in_force().states("successor"):  # the usual case
        return None
    successor = record.values().get("successor")
    return successor if isinstance(successor, str) else None


def _refuse(way: list[str]) -> Finding:
    if len(way) == 2:  # noqa: PLR2004  the identifier twice
        return refuse(
            "successor",
            "itself",
            printable_name(way[1]),
            "The successor is the identifier itself. Name the identifier that replaces it, or leave out "
            "`successor`.",
        )
    return refuse(
        "successor",
        "circle",
        printable_name(way[1]),
        "The successors lead back to this identifier: {way}. Name the identifier that is valid now.",
        way=" → ".join(map(printable_name, way)),
    )
