"""`python -m infra.bench.api`: registrations and reads over HTTP by `ginuri.client`.

Prints a table for `ginuri serve` on a new folder, and two for the local stack: times, and the calls of AWS.
"""

from __future__ import annotations

import argparse
import json
import sys

from infra.bench.api.places import on_local_stack, one_machine, wait_for_publication
from infra.bench.api.requests import measure, measure_puts
from infra.bench.api.sending import Sent, Service
from infra.bench.api.tables import Figures, write_figures, write_json
from infra.bench.machine import describe_machine
from infra.bench.one_machine.__main__ import describe

NUMBER, STACKED = 1_000, 100
_WARMING, _LEAST = 5, 2


def measure_stack(service: Service, number: int) -> Sent:
    """Register so many identifiers by one client: the API function of the local stack has one process."""
    measure_puts(service, "warming-", 1, _WARMING)
    return measure_puts(service, "well-", 1, number)


def _number(text: str) -> int:
    number = int(text)
    if number < _LEAST:
        raise argparse.ArgumentTypeError(f"{text} is too few for a percentile")
    return number


def main(arguments: list[str] | None = None) -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.api", description=__doc__)
    parser.add_argument(
        "number", type=_number, nargs="?", default=NUMBER, help="requests of each kind (default: 1000)"
    )
    parser.add_argument(
        "--stack", type=_number, default=STACKED, metavar="N", help="on the local stack (default: 100)"
    )
    parser.add_argument("--without-stack", action="store_true", help="measure one machine only")
    parser.add_argument("--json", action="store_true", help="print JSON in place of tables")
    options = parser.parse_args(arguments)
    with one_machine(wait_for_publication) as service:
        served = measure(service, options.number)
    stacked = []
    if not options.without_stack:
        with on_local_stack() as service:
            stacked.append(measure_stack(service, options.stack))
    figures = Figures(describe_machine(), served, stacked)
    print(
        json.dumps(write_json(figures), indent=1)
        if options.json
        else f"{describe()}\n\n{write_figures(figures)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
