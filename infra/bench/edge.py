"""`python -m infra.bench.edge`: the CPU of the edge's function, and the hit rate of the edge.

The function runs in the engine of the local edge, not in CloudFront's. Clients are a mix of those in
`clients.json`, with their shares of a hundred requests. They request identifiers, the n-th 1/n times as often
as the first, from an edge that caches answers for a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from ginuri.server.asgi import Message, Receive, Scope, Send, reply
from infra.bench.machine import describe_machine
from infra.bench.table import write_machine, write_rows
from infra.edge_function import FUNCTION
from infra.local import ROOT
from infra.local.edge.distribution import Distribution
from infra.local.edge.edge import Edge
from infra.local.edge.freshness import Lifetimes
from infra.local.edge.function import Fields, ViewerFunction, ViewerRequest
from infra.local.template import expand

RATES = (1, 10, 100)
"""Requests a second."""
_IDENTIFIERS = 1_000
_FRESH = (("cache-control", "max-age=60"),)
_BARE = "function handler(event) { return event.request; }"
_WORST = " , ".join(f"z/{number:02} ; a=11 ; b=2222 ; c=33 ; q=.1" for number in range(24, 0, -1))
"""With one more element or parameter the header would be passed on unchanged."""
_BATCHES = 15


class Client(NamedTuple):
    """The headers of a client, and its share of a hundred requests."""

    name: str
    share: int
    headers: Fields


def read_clients() -> list[Client]:
    """Read the mix of clients."""
    recorded = json.loads(Path(__file__).with_name("clients.json").read_text(encoding="utf-8"))
    return [
        Client(
            client["client"],
            client["share"],
            tuple((name, value) for name, value in client.items() if name.startswith("accept")),
        )
        for client in recorded
    ]


def measure_call(code: str, headers: Fields, calls: int) -> float:
    """Return the CPU time of a call in microseconds, less that of an empty function."""
    request = ViewerRequest("GET", "/uri-gin/azgs/", "", (("host", "a.example"), *headers))
    run, bare = ViewerFunction(code), ViewerFunction(_BARE)
    return median(_time(run, request, calls) - _time(bare, request, calls) for _ in range(_BATCHES))


def measure_hits(code: str, rate: int, requests: int) -> float:
    """Return the share of requests that the edge answers from its cache, at so many requests a second."""
    return asyncio.run(_hit_rate(code, rate, requests))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print two tables, and return 0."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.edge", description=__doc__)
    parser.add_argument("--requests", type=int, default=20_000, help="for each hit rate (default: 20000)")
    parser.add_argument("--calls", type=int, default=200, help="of a client's in a batch (default: 200)")
    options = parser.parse_args(arguments)
    code = FUNCTION.read_text(encoding="utf-8")
    calls = {client.name: client.headers for client in read_clients()} | {"worst": (("accept", _WORST),)}
    rows = [["a call of the function for", "CPU, µs"]]
    rows += [[name, f"{measure_call(code, headers, options.calls):.0f}"] for name, headers in calls.items()]
    hits = [["requests a second", "hits, as sent", "hits, one writing"]]
    for rate in RATES:
        shares = (measure_hits(each, rate, options.requests) for each in (_BARE, code))
        hits.append([str(rate), *(f"{share:.1%}" for share in shares)])
    print(
        write_machine(describe_machine()), f"\n\nThe function has {len(code.encode()):,} of 10,240 bytes.\n"
    )
    print(write_rows(rows), write_rows(hits), sep="\n\n")
    return 0


def _time(run: ViewerFunction, request: ViewerRequest, calls: int) -> float:
    run(request)
    started = time.process_time()
    for _ in range(calls):
        run(request)
    return (time.process_time() - started) / calls * 1e6


async def _hit_rate(code: str, rate: int, requests: int) -> float:
    random, clients = Random(1), read_clients()  # noqa: S311  the same requests in each run
    shares = [client.share for client in clients]
    popularity = list(accumulate(1 / place for place in range(1, _IDENTIFIERS + 1)))
    now, asked = 0.0, 0

    async def origin(_scope: Scope, _receive: Receive, send: Send) -> None:
        nonlocal asked
        asked += 1
        await reply(send, 303, _FRESH)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_message: Message) -> None:
        """Accept the message; nobody reads the answer."""

    edge = Edge(_distribution(code), origin, lambda: now)
    for _ in range(requests):
        now += random.expovariate(rate)
        [client] = random.choices(clients, shares)
        [place] = random.choices(range(_IDENTIFIERS), cum_weights=popularity)
        scope: Scope = {
            "method": "GET",
            "raw_path": b"/uri-gin/azgs/%d" % place,
            "query_string": b"",
            "headers": [
                (name.encode(), value.encode()) for name, value in (("host", "a.example"), *client.headers)
            ],
            "client": None,
        }
        await edge(scope, receive, send)
    return 1 - asked / requests


def _distribution(code: str) -> Distribution:
    """Return a distribution with the cache key of the template's."""
    policy = expand(ROOT / "template.yaml")["Resources"]["CachePolicy"]["Properties"]["CachePolicyConfig"]
    key = policy["ParametersInCacheKeyAndForwardedToOrigin"]["HeadersConfig"]["Headers"]
    methods = frozenset({"GET"})
    return Distribution(
        function=code,
        methods=methods,
        kept_methods=methods,
        key_headers=tuple(name.lower() for name in key),
        sent_headers=frozenset(),
        origin_headers=(),
        lifetimes=Lifetimes(0, 0, 60),
        error_seconds={},
        patience=10,
    )


if __name__ == "__main__":
    sys.exit(main())
