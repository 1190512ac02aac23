"""`python -m infra.bench.one_machine`: `ginuri serve` beside other servers, and while it ingests; over HTTP.

Prints a table of CPU for each kind of connection, and one of starts, sizes and an upload. Standard error gets
both for each number of identifiers as soon as they are measured.
"""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

from infra.bench.dynamodb_local import NotHere
from infra.bench.machine import describe_machine
from infra.bench.one_machine.busy import measure_busy
from infra.bench.one_machine.hits import Hits, measure
from infra.bench.one_machine.registry import make_registry
from infra.bench.one_machine.servers import OTHERS, OURS, memory_of, run_command, serve, wait_until_idle
from infra.bench.one_machine.sizes import WORKERS, measure_folder, measure_start, weigh_wheel
from infra.bench.one_machine.tables import Watched, write_hits, write_watched
from infra.bench.peers.rules import Asked
from infra.bench.peers.servers import Start, running
from infra.bench.records import registered

SIZES = (1_000, 100_000, 1_000_000)
"""Numbers of identifiers."""


def compare(
    size: int, starts: Mapping[str, Start], rounds: int, seconds: int, report: Callable[[str], object]
) -> dict[str, Hits]:
    """Measure the servers at one number of identifiers; `report` gets a line for each missing one."""
    with ExitStack() as stack:
        servers = {}
        for name, start in starts.items():
            try:
                servers[name] = server = stack.enter_context(running(start, size))
            except NotHere as reason:
                report(f"{name}: {reason}")
                continue
            if not server.answer(Asked(registered(0))).is_redirect:
                raise RuntimeError(f"{name} does not redirect {registered(0)}")
            server.connection.close()  # a server may keep a thread for it, or close it while others start
        for server in servers.values():
            wait_until_idle(server)
        return measure(servers, size, rounds, seconds)


def watch(registry: Path, size: int, rows: int, rest_seconds: float) -> Watched:
    """Measure the start, the memory and, unless `rows` is 0, an upload to a registry."""
    ready, stored = measure_start(registry), measure_folder(registry)
    with running(partial(serve, registry, WORKERS), size) as server:
        wait_until_idle(server)
        memory = memory_of(server)
        busy = measure_busy(server, registry, size, rows, rest_seconds) if rows else None
        return Watched(ready, stored, memory, busy, memory_of(server))


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.one_machine", description=__doc__)
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES, help="numbers of identifiers")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each server (default: 5)")
    parser.add_argument("--seconds", type=int, default=2, help="seconds of a round (default: 2)")
    parser.add_argument("--rows", type=int, default=100_000, help="rows of the upload (default: 100000)")
    parser.add_argument("--rest", type=float, default=30, help="seconds at rest before it (default: 30)")
    parser.add_argument(
        "--also", action="append", default=[], metavar="NAME=COMMAND", help="another server (repeatable)"
    )
    options = parser.parse_args(arguments)
    others = dict(OTHERS)
    for also in options.also:
        name, _, command = also.partition("=")
        others[name] = partial(run_command, command)
    print(f"{describe()}\n", flush=True)
    hits: dict[int, dict[str, Hits]] = {}
    watched: dict[int, Watched] = {}
    for size in options.sizes:
        with TemporaryDirectory() as folder:
            registry = Path(folder, "registry")
            make_registry(registry, size)
            starts: dict[str, Start] = {OURS: partial(serve, registry, 1), **others}
            hits[size] = compare(size, starts, options.rounds, options.seconds, _report)
            _report(f"{size:,} identifiers:\n\n{write_hits({size: hits[size]})}\n")
            watched[size] = watch(registry, size, options.rows, options.rest)
            _report(f"{write_watched({size: watched[size]})}\n")
    print(f"{write_hits(hits)}\n\n{write_watched(watched)}\n\nwheel: {weigh_wheel():.2f} MiB")
    return 0


def describe() -> str:
    """Describe this machine, and the software that the figures depend on."""
    machine = describe_machine()
    return (
        f"{machine.processor}, {machine.cores} cores, {machine.system}; {machine.python}, "
        f"uvicorn {version('uvicorn')}, SQLite {sqlite3.sqlite_version}"
    )


def _report(line: str) -> None:
    print(line, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
