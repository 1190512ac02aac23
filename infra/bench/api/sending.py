"""Sends equal requests by several clients at once, and measures them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import chain
from statistics import quantiles

from ginuri.access.tokens import MOST_USES
from ginuri.client import Client

_USES = MOST_USES - 100
"""The requests with one token: a minute's limit is never reached, so it delays none."""

Request = Callable[[Client, int], object]
"""Sends the request with this number."""


@dataclass(frozen=True, slots=True)
class Used:
    """The use of a part of a service: a server, or a function."""

    cpu: float
    """Seconds."""
    calls: Mapping[str, int] = field(default_factory=dict)
    """The calls of AWS by their names."""


@dataclass(frozen=True, slots=True)
class Share:
    """The same for one request."""

    cpu: float
    """Microseconds."""
    calls: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Service:
    """A running service."""

    address: str
    new_token: Callable[[], str]
    """Makes a token for a person who may read and register."""
    used: Callable[[], Mapping[str, Used]]
    """Returns the use of each part since its start."""
    rest: Callable[[], object]
    """Waits until nothing is left to do, so that no measurement has the work of the one before."""
    is_apart: bool
    """Whether all of the service is in other processes, so that the CPU of this one is the clients'."""


@dataclass(frozen=True, slots=True)
class Sent:
    """Requests of one kind, all of them answered as expected."""

    name: str
    clients: int
    number: int
    seconds: float
    median: float | None
    """Milliseconds from a request to its verdict or answer; None for rows of one file."""
    p95: float | None
    client_cpu: float | None
    """Microseconds a request; None if the process has more than clients."""
    shares: Mapping[str, Share]
    """By the part of the service."""

    @property
    def server_cpu(self) -> float:
        """Microseconds a request, of all parts."""
        return sum(share.cpu for share in self.shares.values())

    @property
    def per_second(self) -> float:
        """The speed of all clients together."""
        return self.number / self.seconds


def send(service: Service, name: str, clients: int, number: int, request: Request) -> Sent:
    """Send so many requests, each client one after the other, with a new token for every 500 requests."""
    with ExitStack() as opened:
        parts = [_split(service, range(first, number, clients), opened) for first in range(clients)]
        pool = opened.enter_context(ThreadPoolExecutor(clients))
        watch = Watch(service)
        times = list(chain.from_iterable(pool.map(lambda part: _send(part, request), parts)))
        return watch.stop(name, clients, number, times)


class Watch:
    """Measures time and CPU from its creation on, when it has waited for the service to rest."""

    def __init__(self, service: Service) -> None:
        service.rest()
        self._service = service
        self._before = service.used()
        self._client_cpu = time.process_time()
        self._started = time.perf_counter()

    def stop(self, name: str, clients: int, number: int, times: Sequence[float] = ()) -> Sent:
        """Return the figures of so many requests, which took these seconds each."""
        seconds = time.perf_counter() - self._started
        client_cpu = time.process_time() - self._client_cpu
        after = self._service.used()
        percentiles = [1000 * each for each in quantiles(times, n=20, method="inclusive")] if times else None
        return Sent(
            name,
            clients,
            number,
            seconds,
            percentiles[9] if percentiles else None,
            percentiles[18] if percentiles else None,
            client_cpu / number * 1e6 if self._service.is_apart else None,
            {part: _share_of(used, self._before[part], number) for part, used in after.items()},
        )


def _share_of(after: Used, before: Used, number: int) -> Share:
    calls = Counter(after.calls) - Counter(before.calls)
    means = {name: times / number for name, times in sorted(calls.items())}
    return Share((after.cpu - before.cpu) / number * 1e6, means)


_Part = Sequence[tuple[Client, range]]


def _split(service: Service, numbers: range, opened: ExitStack) -> _Part:
    parts = [numbers[start : start + _USES] for start in range(0, len(numbers), _USES)]
    return [(opened.enter_context(_open(service)), each) for each in parts]


def _open(service: Service) -> Client:
    client = Client(service.address, service.new_token())
    client.me()  # a first request connects
    return client


def _send(part: _Part, request: Request) -> list[float]:
    times = []
    for client, numbers in part:
        for number in numbers:
            started = time.perf_counter()
            request(client, number)
            times.append(time.perf_counter() - started)
    return times
