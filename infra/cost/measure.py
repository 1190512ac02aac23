"""`python -m infra.cost.measure`: measure CPU again, and write it to measured.json with date and machine."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from infra.bench.cases import Case
from infra.bench.figures import Size, measure
from infra.bench.machine import describe_machine
from infra.bench.workers.processes import PYTHON

MEASURED = Path(__file__).with_name("measured.json")
CASES = (Case.MEMORY, Case.HIT, Case.MISS, Case.PAGE)
HOW = "make cost-measure: medians of warm batches of infra.bench, CPU of the process, DynamoDB a stub"


def main(size: Size, path: Path = MEASURED) -> None:
    """Measure, and write the figures. The figure of ingest comes from `make bench-ingest`."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    figures = {figure.name: figure.ours for figure in measure(size)}
    written = {
        "date": datetime.now(UTC).date().isoformat(),
        "how": HOW,
        "machine": asdict(describe_machine(PYTHON)),
        "microseconds": {case: round(figures[case]) for case in CASES},
        "registration": kept["registration"],
    }
    path.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Size(starts=1, batches=int(sys.argv[1]) if sys.argv[1:] else 20))
