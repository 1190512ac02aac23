"""`python -m infra.bench.peers`: CPU a request of other resolvers and of our handlers, and their probes.

All peers of a size run at the same time and are called in turn, a batch each.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from random import Random
from statistics import median

from infra.bench.cases import Case
from infra.bench.dynamodb_local import NotHere
from infra.bench.machine import describe_machine
from infra.bench.peers.floor import Spend, spend_in_a_dictionary, spend_in_system_calls
from infra.bench.peers.rules import PROBES, Answer, Asked
from infra.bench.peers.servers import PEERS, Server, running
from infra.bench.records import registered
from infra.bench.table import write_machine, write_rows
from infra.bench.workers import events
from infra.bench.workers.processes import BARE, OURS, PYTHON, Worker, replay, running_stub, running_worker

SIZES = (1_000, 100_000)
"""Numbers of rules."""
REQUESTS = 150
"""Requests in a batch."""
OUR_HANDLER, BARE_HANDLER = "ours, the handler", "bare handler"
_ROUNDS = 5
_SECONDS = 5
"""The limit of a batch: it ends with the request that reaches this."""


@dataclass(frozen=True, slots=True)
class Spent:
    """CPU a request, at one number of rules."""

    cpu: float
    """Microseconds, the median of the rounds."""
    ratio: float
    """The ratio to our handler in the same round, the median."""


def measure(size: int, requests: int, servers: Mapping[str, Server]) -> dict[str, Spent]:
    """Call the servers and the handlers in turn, so many requests at a time, after a round that warms up."""
    numbers = list(range(size))
    Random(1).shuffle(numbers)  # noqa: S311  the same order in each run
    # Each name is used once if there are enough.
    batches = [
        [numbers[place % size] for place in range(start * requests, (start + 1) * requests)]
        for start in range(_ROUNDS + 1)
    ]
    with (
        running_stub() as stub,
        running_worker(OURS, stub) as ours,
        running_worker(BARE, stub) as bare,
        stub.connect() as connection,
    ):
        spenders = {
            OUR_HANDLER: _spend_by(ours),
            BARE_HANDLER: _spend_by(bare),
            "two system calls": spend_in_system_calls(connection),
            "a dictionary in memory": spend_in_a_dictionary(size),
            **{name: _spend_at(server) for name, server in servers.items()},
        }
        _, *rounds = ({name: spend(batch) for name, spend in spenders.items()} for batch in batches)
    return {
        name: Spent(
            median(spent[name] for spent in rounds),
            median(spent[name] / spent[OUR_HANDLER] for spent in rounds),
        )
        for name in spenders
    }


def judge(answer: Callable[[Asked], Answer]) -> dict[str, bool]:
    """Return for each probe whether the answer is right."""
    return {
        name: probe.is_right([answer(asked) for asked in probe.requests]) for name, probe in PROBES.items()
    }


def judge_handler() -> dict[str, bool]:
    """Return the same for our handler."""
    with running_stub() as stub:

        def answer(asked: Asked) -> Answer:
            event = events.get(asked.name, accept=asked.accept, method=asked.method)
            [response], _ = replay(OURS, [event], stub)
            return Answer(response["statusCode"], response["multiValueHeaders"].get("Location", [""])[0])

        return judge(answer)


def _spend_by(worker: Worker) -> Spend:
    start = 0

    def spend(numbers: Sequence[int]) -> float:
        nonlocal start
        start += len(numbers)  # names that are not in memory
        return worker.spend(Case.HIT, start, len(numbers))

    return spend


def _spend_at(server: Server) -> Spend:
    def spend(numbers: Sequence[int]) -> float:
        deadline, before, done = time.monotonic() + _SECONDS, server.cpu(), 0
        for done, number in enumerate(numbers, start=1):  # noqa: B007  read below
            if not server.answer(Asked(registered(number))).is_redirect:
                raise AssertionError(f"{registered(number)} is registered")
            if time.monotonic() > deadline:
                break
        return (server.cpu() - before) / done

    return spend


def compare(
    sizes: Sequence[int], requests: int, report: Callable[[str], object]
) -> tuple[dict[str, dict[str, bool]], dict[int, dict[str, Spent]]]:
    """Probe and measure the peers on this machine; `report` gets a line for each missing one."""
    right, spent = {OUR_HANDLER: judge_handler()}, {}
    for size in sizes:
        with ExitStack() as stack:
            servers = {}
            for name, start in PEERS.items():
                try:
                    servers[name] = stack.enter_context(running(start, size))
                except NotHere as reason:
                    report(f"{name}: {reason}")
            right |= {name: judge(server.answer) for name, server in servers.items() if name not in right}
            spent[size] = measure(size, requests, servers)
    return right, spent


def write_tables(right: Mapping[str, Mapping[str, bool]], spent: Mapping[int, Mapping[str, Spent]]) -> str:
    """Write a table of CPU by number of rules, and one of the probes."""
    columns = [column for size in spent for column in (f"{size:,} rules", "ratio")]
    rows = [
        (name, *(cell for by_name in spent.values() for cell in _cells(by_name.get(name))))
        for name in next(iter(spent.values()))
    ]
    probes = [
        (name, *("right" if is_right else "wrong" for is_right in answers.values()))
        for name, answers in right.items()
    ]
    return f"{write_rows([('', *columns), *rows])}\n\n{write_rows([('', *PROBES), *probes])}"


def _cells(spent: Spent | None) -> tuple[str, str]:
    return ("-", "-") if spent is None else (f"{_number(spent.cpu, 10)} µs", _number(spent.ratio, 0.1))


def _number(value: float, few: float) -> str:
    if value < few:
        return f"{value:.2g}"
    return f"{value:,.0f}" if few > 1 else f"{value:,.2f}"


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.peers", description=__doc__)
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES, help="numbers of rules")
    parser.add_argument("--requests", type=int, default=REQUESTS, help=f"in a batch (default: {REQUESTS})")
    options = parser.parse_args(arguments)
    tables = compare(options.sizes, options.requests, lambda line: print(line, file=sys.stderr))
    print(f"{write_machine(describe_machine(PYTHON))}\n\n{write_tables(*tables)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
