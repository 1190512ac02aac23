"""`python -m infra.bench`: measure, and print a table or JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from infra.bench.figures import Figure, Size, measure
from infra.bench.machine import describe_machine
from infra.bench.table import write_json, write_table
from infra.bench.workers.processes import PYTHON


def main(arguments: list[str] | None = None) -> int:
    """Measure with the options of the command line, print the figures, and return the exit code."""
    options = _parser().parse_args(arguments)
    figures = measure(Size(options.starts, options.batches, options.requests, options.warming))
    machine = describe_machine(PYTHON)
    if options.json:
        print(json.dumps(write_json(machine, figures), indent=1))
    else:
        print(write_table(machine, figures))
    return exit_code(figures, strict=options.strict)


def exit_code(figures: Sequence[Figure], *, strict: bool) -> int:
    """Return 1 when a limit is missed in a strict run, else 0."""
    return int(strict and not all(figure.holds for figure in figures))


def _parser() -> argparse.ArgumentParser:
    size = Size()
    parser = argparse.ArgumentParser(
        prog="python -m infra.bench",
        description="Measure the resolve function beside a bare handler (docs/explanation/performance.md).",
    )
    parser.add_argument("--json", action="store_true", help="print JSON in place of a table")
    parser.add_argument("--strict", action="store_true", help="exit with 1 when a limit is missed")
    for name, default, help_text in (
        ("--starts", size.starts, "cold starts of each handler"),
        ("--batches", size.batches, "batches of each case and handler"),
        ("--requests", size.requests, "requests in a batch"),
        ("--warming", size.warming, "requests of each case before the first batch"),
    ):
        parser.add_argument(
            name, type=_count, default=default, metavar="N", help=f"{help_text} (default: {default})"
        )
    return parser


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a number of things to measure")
    return count


if __name__ == "__main__":
    sys.exit(main())
