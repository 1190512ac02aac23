"""One of the two handlers in a long-running process, like Lambda: measures batches of requests.

A line of JSON on standard input, `["hit", 1000, 100]`, asks for the requests 1000 to 1099 of the case "hit";
the answer is the CPU time in microseconds a request. The output of the handler is discarded, line by line.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, TextIO

from infra.bench import mix, records
from infra.bench.cases import Case
from infra.bench.workers import events
from infra.bench.workers.context import Context
from infra.bench.workers.own_process import stay_on

Handler = Callable[[dict[str, Any], object], dict[str, Any]]


_NAMES: Mapping[Case, Callable[[int], str]] = {
    Case.HIT: records.registered,
    Case.PART: lambda number: f"{records.registered(number)}{records.A_PART}",
    Case.RULE: records.ruled,
    Case.WORST_RULES: records.worst_ruled,
    Case.PAGE: lambda number: f"about.html/{records.registered(number)}",
    Case.JSON_LD: lambda number: f"about.jsonld/{records.registered(number)}",
    Case.TURTLE: lambda number: f"about.ttl/{records.registered(number)}",
}
"""The names of the requests of a case, by number."""


def requests(case: Case, start: int, count: int) -> list[dict[str, Any]]:
    """Return the events of a batch."""
    numbers = range(start, start + count)
    match case:
        case Case.MEMORY:
            return [events.get(records.registered(start)) for _ in numbers]
        case Case.MISS:
            return [events.get(records.unregistered(number), accept="application/json") for number in numbers]
        case Case.MIX:
            return [mix.request(number) for number in numbers]
        case _:
            return [events.get(_NAMES[case](number)) for number in numbers]


def measure(handle: Handler, batch: list[dict[str, Any]], statuses: Collection[int]) -> float:
    """Return the CPU time of a batch in microseconds a request. Raises AssertionError on a wrong status."""
    context = Context()
    started = time.process_time_ns()
    answers = [handle(event, context) for event in batch]
    spent = time.process_time_ns() - started
    for answer in answers:
        if answer["statusCode"] not in statuses:
            raise AssertionError(f"{answer['statusCode']} is none of {statuses}: {answer}")
    return spent / 1000 / len(batch)


def work(handle: Handler, batches: TextIO, output: TextIO) -> None:
    """Measure batch after batch until the input ends."""
    for line in batches:
        name, start, count = json.loads(line)
        case = Case(name)
        spent = measure(handle, requests(case, start, count), case.statuses)
        output.write(f"{spent}\n")
        output.flush()


def main(module: str) -> None:
    """Import a handler and work for it."""
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    with Path(os.devnull).open("w", buffering=1) as nowhere, redirect_stdout(nowhere):
        work(importlib.import_module(module).handle, sys.stdin, output)


if __name__ == "__main__":
    stay_on(0)
    main(sys.argv[1])
