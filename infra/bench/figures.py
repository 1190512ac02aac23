"""Measures both handlers in turn, and returns the figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from infra.bench.cases import (
    COLD_DESCRIPTION_LIMIT,
    COLD_LIMIT,
    COLD_PAGE_LIMIT,
    DESCRIPTIONS,
    LIMITS,
    NO_LIMIT,
    REDIRECTS,
    RESIDENT_LIMIT,
    TLS_LIMIT,
    Case,
    Limit,
)
from infra.bench.records import registered, unregistered
from infra.bench.workers import events
from infra.bench.workers.certificates import make_certificates
from infra.bench.workers.processes import (
    BARE,
    DESCRIBE,
    GATEWAY,
    OURS,
    Stub,
    Worker,
    replay,
    running_stub,
    running_worker,
    start_cold,
)
from infra.bench.workers.stub import HOST

_MOST_A_CASE = 1_000_000
_MIB = 1024 * 1024
_RESIDENT_STARTS = 3
"""A difference below a hundredth counts as equal."""


@dataclass(frozen=True, slots=True)
class Size:
    """The amount of measuring."""

    starts: int = 15
    """Cold starts of each handler."""
    batches: int = 40
    """Batches of each case and handler."""
    requests: int = 100
    """Requests in a batch."""
    warming: int = 200
    """Requests before the first batch, to warm up connections, caches and the interpreter."""

    def for_long_requests(self) -> Size:
        """Return the size for requests that take some fifty times longer."""
        return replace(self, requests=max(1, self.requests // 50), warming=max(1, self.warming // 50))


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure: medians of both handlers, and the median of the ratios pair by pair."""

    name: str
    unit: str
    bare: float
    ours: float
    ratio: float
    calls: float | None
    """Our calls to DynamoDB a request; None if another figure has them."""
    limit: Limit

    @property
    def holds(self) -> bool:
        """Whether the figure is within its limit."""
        limits = (
            (self.ratio, self.limit.ratio),
            (self.ours, self.limit.most),
            (self.calls, self.limit.calls),
        )
        return all(value is None or most is None or value <= most for value, most in limits)


@dataclass(frozen=True, slots=True)
class _Pair:
    bare: float
    ours: float


@dataclass(frozen=True, slots=True)
class _Start:
    """A cold start: its name, the handler, its first event, and its limit."""

    name: str
    handler: str
    event: Mapping[str, object]
    limit: Limit


def measure(size: Size) -> list[Figure]:
    """Measure everything once, in one run: resolve, the mix, then describe."""
    with TemporaryDirectory() as folder:
        certificates = make_certificates(Path(folder), HOST)
        with running_stub() as stub, running_stub(certificates) as secure_stub:
            return [
                *_measure_resolve(size, stub, secure_stub),
                *_measure_warm(GATEWAY, [Case.MIX], size, stub),
                *_measure_describe(size, stub),
            ]


def _measure_resolve(size: Size, stub: Stub, secure_stub: Stub) -> list[Figure]:
    hit, lost = events.get(registered(0)), events.get(unregistered(0))
    # The first start of each compiles bytecode, and brings it into the page cache.
    start_cold(BARE, hit, stub)
    return [
        *_cold(_Start("cold", OURS, hit, COLD_LIMIT), size, stub),
        *_cold(_Start("cold, TLS", OURS, hit, TLS_LIMIT), size, secure_stub),
        *_cold(_Start("404 page, cold", OURS, lost, COLD_PAGE_LIMIT), size, stub),
        *_measure_warm(OURS, REDIRECTS, size, stub),
        *_measure_warm(OURS, [Case.WORST_RULES], size.for_long_requests(), stub),
        *_measure_warm(OURS, [Case.HIT], size, secure_stub),
        *_resident("resident memory", size, stub, RESIDENT_LIMIT),
        *_resident("resident memory, TLS", size, secure_stub, NO_LIMIT),
    ]


def _measure_describe(size: Size, stub: Stub) -> list[Figure]:
    figures = []
    for case in DESCRIPTIONS:
        event = events.get(f"about.{case.extension}/{registered(0)}")
        figures += _cold(_Start(f"{case}, cold", DESCRIBE, event, COLD_DESCRIPTION_LIMIT), size, stub)
    return figures + _measure_warm(DESCRIBE, DESCRIPTIONS, size, stub)


def _measure_warm(handler: str, cases: Sequence[Case], size: Size, stub: Stub) -> list[Figure]:
    with running_worker(BARE, stub) as bare, running_worker(handler, stub) as ours:
        for case in cases:
            bare.spend(_bare_case(case), _first(case), size.warming)
            ours.spend(case, _first(case), size.warming)
        return [_warm(case, size, bare, ours, stub) for case in cases]


def _resident(name: str, size: Size, stub: Stub, limit: Limit) -> list[Figure]:
    batch = [events.get(registered(number)) for number in range(size.warming + size.requests)]
    pairs = [
        _Pair(*(_resident_after(batch, handler, stub) for handler in (BARE, OURS)))
        for _ in range(min(size.starts, _RESIDENT_STARTS))
    ]
    # Only Linux has it.
    return [_figure(name, "MiB", pairs, None, limit)] if pairs[0].bare else []


def _resident_after(batch: Sequence[Mapping[str, object]], handler: str, stub: Stub) -> float:
    answers, resident = replay(handler, batch, stub)
    if any(answer["statusCode"] not in Case.HIT.statuses for answer in answers):
        raise AssertionError(f"{handler} redirects all of these")
    return resident / _MIB


def _cold(start: _Start, size: Size, stub: Stub) -> list[Figure]:
    bare_event = events.get(registered(0))
    # The first start compiles the modules.
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
    name, limit = (case, LIMITS[case]) if stub.authorities is None else (f"{case}, TLS", TLS_LIMIT)
    return _figure(name, "µs", pairs, calls / size.batches / size.requests, limit)


def _bare_case(case: Case) -> Case:
    # The bare handler has neither descriptions nor rules: these and the mix are compared with its redirects.
    return case if case in REDIRECTS and case is not Case.RULE else Case.HIT


def _first(case: Case) -> int:
    # Every case has its own identifiers, so that one case never profits from another's cache.
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
