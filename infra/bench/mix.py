"""A hundred requests as the gateway sends them behind an edge; the documentation has the reasons."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from infra.bench.records import A_PART, registered, unregistered
from infra.bench.workers import events

_ANY_TAG = "*"
"""A cache would send the stored tag; this one costs the same, without an earlier request."""


class Share(NamedTuple):
    """The number of requests of a kind in a hundred, their status, and their event."""

    requests: int
    status: int
    event: Callable[[int], dict[str, Any]]


SHARES = {
    "hit": Share(56, 303, lambda number: events.get(registered(number))),
    "again": Share(10, 303, lambda number: events.get(registered(number // 100 * 100))),
    "part": Share(10, 302, lambda number: events.get(f"{registered(number)}{A_PART}")),
    "HEAD": Share(8, 303, lambda number: events.get(registered(number), accept="*/*", method="HEAD")),
    "miss": Share(2, 404, lambda number: events.get(unregistered(number), accept="application/json")),
    "404 page": Share(2, 404, lambda number: events.get(unregistered(number))),
    "page": Share(4, 200, lambda number: events.get(f"about.html/{registered(number)}")),
    "JSON-LD": Share(3, 200, lambda number: events.get(f"about.jsonld/{registered(number)}")),
    "Turtle": Share(1, 200, lambda number: events.get(f"about.ttl/{registered(number)}")),
    "304": Share(4, 304, lambda number: events.get(f"about.html/{registered(number)}", tag=_ANY_TAG)),
}
_ORDER = [share for share in SHARES.values() for _ in range(share.requests)]
Random(1).shuffle(_ORDER)  # noqa: S311  the same order in each run


def request(number: int) -> dict[str, Any]:
    """Return the event of the request with this number; a hundred in a row are the mix."""
    return _ORDER[number % len(_ORDER)].event(number)


def status(number: int) -> int:
    """Return the expected status."""
    return _ORDER[number % len(_ORDER)].status
