"""`python -m infra.bench.ingest`: the CPU to ingest a record, by the number of records in the file."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from infra.bench.cases import INGEST_RATIO
from infra.bench.large_records import write_large_records
from infra.bench.machine import describe_machine
from infra.bench.table import write_machine, write_rows
from infra.bench.workers.processes import PYTHON, Stub, running_stub, take_in_fresh

SIZES = (1_000, 10_000, 100_000, 1_000_000)
"""Numbers of records."""
WARMING = 200
"""Records ingested before the measurement."""
BARE = 2_000
"""The most records of the bare side: it has no file, so its figures are flat."""
MOST_RATIO = 1.10
"""The factor by which each figure of a record in a large file may exceed that in the smallest."""
_HEADINGS = ("records", "CPU", "ratio", "bare", "ratio", "writes", "calls", "peak", "ratio", "wall", "")
_WRITES = {"PutItem", "TransactWriteItems"}
_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Taken:
    """The cost of ingesting a file."""

    records: int
    cpu: float
    """Microseconds a record."""
    writes: float
    """Writes a record."""
    calls: float
    """Calls to DynamoDB a record, writes included."""
    peak: float
    """MiB of the process, as Lambda measures them."""
    wall: float
    """Microseconds a record, which depend on the stub."""
    bare: float
    """Microseconds of CPU of a `PutItem` in a loop, with an unconfigured botocore client."""

    @property
    def bare_ratio(self) -> float:
        """The cost of a record in such calls."""
        return self.cpu / self.bare

    def holds(self, first: Taken) -> bool:
        """Whether the row is flat and within the limit of its ratio to the bare side."""
        return self.is_flat(first) and self.bare_ratio <= INGEST_RATIO

    def is_flat(self, first: Taken) -> bool:
        """Whether time and writes a record, and memory, are the same as in another file."""
        pairs = ((self.cpu, first.cpu), (self.writes, first.writes), (self.peak, first.peak))
        return all(ours <= theirs * MOST_RATIO for ours, theirs in pairs)


def measure(sizes: Sequence[int]) -> list[Taken]:
    """Ingest a file of each size, each in a fresh process with a fresh stub."""
    return [_taken(size) for size in sizes]


def _taken(records: int) -> Taken:
    with running_stub() as stub, TemporaryDirectory() as folder:
        # Before and after: if the machine slows down meanwhile, both sides slow down.
        bare = [_bare(min(records, BARE), stub)]
        before = Counter(stub.counts())
        spent = take_in_fresh(records, WARMING, stub, Path(folder))
        counts = Counter(stub.counts()) - before
        bare.append(_bare(min(records, BARE), stub))
    total = records + WARMING
    return Taken(
        records,
        spent["cpu"] / records * 1e6,
        sum(counts.get(name, 0) for name in _WRITES) / total,
        sum(counts.values()) / total,
        spent["peak"] / _MIB,
        spent["wall"] / records * 1e6,
        mean(bare),
    )


def _bare(records: int, stub: Stub) -> float:
    return take_in_fresh(records, WARMING, stub)["cpu"] / records * 1e6


def write_table(figures: Sequence[Taken]) -> str:
    """Write a Markdown table with ratios to the first size."""
    first = figures[0]
    rows = [
        (
            f"{figure.records:,}",
            f"{figure.cpu:.0f} µs",
            f"{figure.cpu / first.cpu:.2f}",
            f"{figure.bare:.0f} µs",
            f"{figure.bare_ratio:.2f}",
            f"{figure.writes:.2f}",
            f"{figure.calls:.2f}",
            f"{figure.peak:.1f} MiB",
            f"{figure.peak / first.peak:.2f}" if first.peak else "-",
            f"{figure.wall:.0f} µs",
            _verdict(figure, first),
        )
        for figure in figures
    ]
    return write_rows([_HEADINGS, *rows])


def _verdict(figure: Taken, first: Taken) -> str:
    if not figure.is_flat(first):
        return "not flat"
    return "flat" if figure.holds(first) else f"flat, above {INGEST_RATIO:.2f} × bare"


def main(arguments: list[str] | None = None) -> int:
    """Measure, print the tables, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.ingest", description=__doc__)
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES, help="how many records, smallest first")
    parser.add_argument("--strict", action="store_true", help="exit with 1 where a limit is missed")
    options = parser.parse_args(arguments)
    figures = measure(options.sizes)
    print(f"{write_machine(describe_machine(PYTHON))}\n\n{write_table(figures)}\n\n{write_large_records()}")
    return int(options.strict and not all(figure.holds(figures[0]) for figure in figures))


if __name__ == "__main__":
    sys.exit(main())
