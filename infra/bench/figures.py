"""Measuring: both handlers, turn and turn about, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from infra.bench.cases import COLD_DESCRIPTION_LIMIT, COLD_LIMIT, COLD_PAGE_LIMIT, LIMITS, Case, Limit
from infra.bench.records import registered, unregistered
from infra.bench.workers import events
from infra.bench.workers.processes import (
    BARE,
    DESCRIBE,
    OURS,
    Stub,
    Worker,
    running_stub,
    running_worker,
    start_cold,
)

_MOST_A_CASE = 1_000_000


@dataclass(frozen=True, slots=True)
class Size:
    """How much is measured."""

    starts: int = 15
    """Cold starts of each handler."""
    batches: int = 40
    """Batches of each case and handler."""
    requests: int = 100
    """Requests in a batch."""
    warming: int = 200
    """Requests before the first batch: connections, caches and the interpreter settle."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured: medians of both, and the median of the ratios pair by pair."""

    name: str
    unit: str
    bare: float
    ours: float
    ratio: float
    calls: float | None
    """Calls to DynamoDB a request, ours; None where another figure tells."""
    limit: Limit

    @property
    def holds(self) -> bool:
        """Whether the figure is within its limit."""
        slow = self.limit.ratio is not None and self.ratio > self.limit.ratio
        return not slow and (self.calls is None or self.calls <= self.limit.calls)


@dataclass(frozen=True, slots=True)
class _Pair:
    bare: float
    ours: float


@dataclass(frozen=True, slots=True)
class _Start:
    """A cold start: what is called so, the handler, its first event, and what it may cost."""

    name: str
    handler: str
    event: Mapping[str, object]
    limit: Limit


def measure(size: Size) -> list[Figure]:
    """Measure everything once, in one run: resolve, then describe."""
    with running_stub() as stub:
        # The first start of each compiles what is not compiled, and brings it into the page cache.
        start_cold(BARE, events.get(registered(0)), stub)
        figures = _cold(_Start("cold", OURS, events.get(registered(0)), COLD_LIMIT), size, stub)
        lost = _Start("404 page, cold", OURS, events.get(unregistered(0)), COLD_PAGE_LIMIT)
        figures += _cold(lost, size, stub)
        figures += _measure_warm(OURS, [case for case in Case if case.extension is None], size, stub)
        described = [case for case in Case if case.extension is not None]
        for case in described:
            event = events.get(f"about.{case.extension}/{registered(0)}")
            start = _Start(f"{case}, cold", DESCRIBE, event, COLD_DESCRIPTION_LIMIT)
            figures += _cold(start, size, stub)
        figures += _measure_warm(DESCRIBE, described, size, stub)
    return figures


def _measure_warm(handler: str, cases: Sequence[Case], size: Size, stub: Stub) -> list[Figure]:
    with running_worker(BARE, stub) as bare, running_worker(handler, stub) as ours:
        for case in cases:
            bare.spend(_bare_case(case), _first(case), size.warming)
            ours.spend(case, _first(case), size.warming)
        return [_warm(case, size, bare, ours, stub) for case in cases]


def _cold(start: _Start, size: Size, stub: Stub) -> list[Figure]:
    bare_event = events.get(registered(0))
    # Likewise.
    start_cold(start.handler, start.event, stub)
    cpu, wall, calls = [], [], 0
    for _ in range(size.starts):
        bare_cpu, bare_wall = start_cold(BARE, bare_event, stub)
        before = stub.calls()
        ours_cpu, ours_wall = start_cold(start.handler, start.event, stub)
        calls += stub.calls() - before
        cpu.append(_Pair(bare_cpu, ours_cpu))
        wall.append(_Pair(bare_wall, ours_wall))
    return [
        _figure(f"{start.name}, CPU", "ms", cpu, calls / size.starts, start.limit),
        _figure(f"{start.name}, wall", "ms", wall, None, start.limit),
    ]


def _warm(case: Case, size: Size, bare: Worker, ours: Worker, stub: Stub) -> Figure:
    pairs, calls = [], 0
    for batch in range(size.batches):
        start = _first(case) + size.warming + batch * size.requests
        if case is Case.MEMORY:
            ours.spend(case, start, 1)
        bare_cpu = bare.spend(_bare_case(case), start, size.requests)
        before = stub.calls()
        ours_cpu = ours.spend(case, start, size.requests)
        calls += stub.calls() - before
        pairs.append(_Pair(bare_cpu, ours_cpu))
    return _figure(case, "µs", pairs, calls / size.batches / size.requests, LIMITS[case])


def _bare_case(case: Case) -> Case:
    # It describes nothing: a description is measured beside its redirect.
    return case if case.extension is None else Case.HIT


def _first(case: Case) -> int:
    # Every case has identifiers of its own: what one case remembers must not help another.
    return list(Case).index(case) * _MOST_A_CASE


def _figure(name: str, unit: str, pairs: Sequence[_Pair], calls: float | None, limit: Limit) -> Figure:
    return Figure(
        name,
        unit,
        median(pair.bare for pair in pairs),
        median(pair.ours for pair in pairs),
        median(pair.ours / pair.bare for pair in pairs),
        calls,
        limit,
    )
