"""The CPU of a redirect: all servers run at once on one core, and are called in turn from another."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median

from infra.bench.one_machine.client import send
from infra.bench.one_machine.servers import OURS, memory_of, pin, used_cpu
from infra.bench.peers.servers import Server, family

KEPT, CLOSED = "kept", "closed"
"""The connections: one for many requests, or one for each."""


@dataclass(frozen=True, slots=True)
class Spent:
    """The CPU of a request in microseconds: the median of the rounds, and their range."""

    cpu: float
    least: float
    most: float
    ratio: float
    """The ratio to `ginuri serve` in the same round, the median."""


@dataclass(frozen=True, slots=True)
class Hits:
    """The figures of one server at one number of identifiers."""

    spent: Mapping[str, Spent]
    """By the kind of connection."""
    memory: float
    """The MiB of all its processes after the rounds."""


def measure(servers: Mapping[str, Server], size: int, rounds: int, seconds: int) -> dict[str, Hits]:
    """Call the servers in turn, in rounds of so many seconds each, after one that warms up.

    Raises NotHere without wrk, and RuntimeError if a request failed.
    """
    with _on_two_cores(servers.values()):
        spent = {
            kind: [
                {
                    name: _spend(server, size, seconds, is_kept=kind == KEPT, seed=seed)
                    for name, server in servers.items()
                }
                for seed in range(rounds + 1)  # other names in each round
            ][1:]
            for kind in (KEPT, CLOSED)
        }
    return {
        name: Hits(
            {kind: _summarize(name, measured) for kind, measured in spent.items()}, sum(memory_of(server))
        )
        for name, server in servers.items()
    }


@contextmanager
def _on_two_cores(servers: Iterable[Server]) -> Iterator[None]:
    """Let the servers run on the first core, and the client on the others, if there are several."""
    cores = os.sched_getaffinity(0)
    first = {min(cores)}
    for server in servers:
        for process in family(server.process):
            pin(process, first)
    pin(os.getpid(), cores - first or first)
    try:
        yield
    finally:
        pin(os.getpid(), cores)


def _spend(server: Server, size: int, seconds: int, *, is_kept: bool, seed: int) -> float:
    before = used_cpu(server)
    sent = send(server.port, size, seconds, is_kept=is_kept, seed=seed)
    return (used_cpu(server) - before) / sent.requests * 1e6


def _summarize(name: str, rounds: Sequence[Mapping[str, float]]) -> Spent:
    spent = [each[name] for each in rounds]
    ratios = (each[name] / each.get(OURS, each[name]) for each in rounds)
    return Spent(median(spent), min(spent), max(spent), median(ratios))
