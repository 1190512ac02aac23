"""Measuring: both handlers, turn and turn about, and what comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from infra.bench import events
from infra.bench.cases import COLD_LIMIT, LIMITS, Case, Limit
from infra.bench.processes import BARE, OURS, Stub, Worker, running_stub, running_worker, start_cold
from infra.bench.records import registered

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


def measure(size: Size) -> list[Figure]:
    """Measure everything once, in one run."""
    with running_stub() as stub:
        figures = _cold(size, stub)
        with running_worker(BARE, stub) as bare, running_worker(OURS, stub) as ours:
            for case in Case:
                for worker in (bare, ours):
                    worker.spend(case, _first(case), size.warming)
            figures += [_warm(case, size, bare, ours, stub) for case in Case]
    return figures


def _cold(size: Size, stub: Stub) -> list[Figure]:
    event = events.get(registered(0))
    # The first start of each compiles what is not compiled, and brings it into the page cache.
    for handler in (BARE, OURS):
        start_cold(handler, event, stub)
    cpu, wall, calls = [], [], 0
    for _ in range(size.starts):
        bare_cpu, bare_wall = start_cold(BARE, event, stub)
        before = stub.calls()
        ours_cpu, ours_wall = start_cold(OURS, event, stub)
        calls += stub.calls() - before
        cpu.append(_Pair(bare_cpu, ours_cpu))
        wall.append(_Pair(bare_wall, ours_wall))
    return [
        _figure("cold, CPU", "ms", cpu, calls / size.starts, COLD_LIMIT),
        _figure("cold, wall", "ms", wall, None, COLD_LIMIT),
    ]


def _warm(case: Case, size: Size, bare: Worker, ours: Worker, stub: Stub) -> Figure:
    pairs, calls = [], 0
    for batch in range(size.batches):
        start = _first(case) + size.warming + batch * size.requests
        if case is Case.MEMORY:
            ours.spend(case, start, 1)
        bare_cpu = bare.spend(case, start, size.requests)
        before = stub.calls()
        ours_cpu = ours.spend(case, start, size.requests)
        calls += stub.calls() - before
        pairs.append(_Pair(bare_cpu, ours_cpu))
    return _figure(case, "µs", pairs, calls / size.batches / size.requests, LIMITS[case])


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
