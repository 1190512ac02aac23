"""A client that sends requests at fixed moments, however long the answers take."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import count
from random import Random
from statistics import quantiles

from infra.bench.peers.rules import Asked
from infra.bench.records import registered

RATE = 200
"""Requests a second, on all connections together."""
CONNECTIONS = 8
_SEE_OTHER = 303


@dataclass(frozen=True, slots=True)
class Latency:
    """The milliseconds from the moment when a request was due to the end of its answer."""

    requests: int
    median: float
    p99: float
    most: float


def send_paced(port: int, size: int, goes_on: Callable[[], bool]) -> Latency:
    """Ask for random names on kept connections. Raises AssertionError if an answer is not a redirect."""
    started = time.perf_counter()
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        lists = list(pool.map(lambda place: _send(place, port, size, started, goes_on), range(CONNECTIONS)))
    times = sorted(seconds * 1000 for each in lists for seconds in each)
    percentiles = quantiles(times, n=100, method="inclusive")
    return Latency(len(times), percentiles[49], percentiles[98], times[-1])


def _send(place: int, port: int, size: int, started: float, goes_on: Callable[[], bool]) -> list[float]:
    times: list[float] = []
    numbers = Random(place)  # noqa: S311  the same names in each run
    headers = {"Accept": Asked("").accept, "Accept-Language": "en-GB,en;q=0.7"}
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        for request in count():
            due = started + (place + request * CONNECTIONS) / RATE
            time.sleep(max(0, due - time.perf_counter()))
            if not goes_on():
                return times
            connection.request("GET", f"/{registered(numbers.randrange(size))}", headers=headers)
            response = connection.getresponse()
            response.read()
            times.append(time.perf_counter() - due)
            if response.status != _SEE_OTHER:
                raise AssertionError(f"a registered name was answered with {response.status}")
    raise AssertionError("count() has no end")
