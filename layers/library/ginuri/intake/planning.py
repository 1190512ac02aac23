"""What follows when all rows are cut: the steps of a pass, and which parts each of them has.

What others are judged by comes before them, one part after the other; resources, which nothing is judged by,
all at once.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ginuri.core.rows import RESOURCES
from ginuri.intake.chunks import Chunk, read_index, write_index
from ginuri.intake.parts import Pass

ABSENT = 1_000
"""The rank of what a snapshot does not name: it is retired when everything else is done."""
FEW = 10
"""How many identifiers an upload may always change."""
TENTH = 10
"""Of what stands under its prefix an upload may change one in so many without saying so."""


@dataclass(frozen=True, slots=True)
class Task:
    """The rows of one rank in some buckets."""

    rank: int
    buckets: Sequence[int]
    rows: int
    """How many rows there are in those buckets, whatever their rank."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How an upload is taken in."""

    passes: Sequence[Pass]
    steps: Sequence[Sequence[Task]]
    """The tasks of a step may run beside each other; a step begins when the one before is done."""
    chunks: Sequence[Chunk] = ()
    standing: int = 0
    """How many identifiers stood under the folder, as far as that matters."""
    unnamed: int | None = None
    """The line because of which nothing is retired: whom it names is not known."""


def most_changes(standing: int) -> int:
    """Give how many identifiers may be changed or retired without saying so."""
    return max(FEW, standing // TENTH)


def plan_steps(chunks: Sequence[Chunk], standing: Sequence[Chunk], most_rows: int) -> list[list[Task]]:
    """Plan the steps of each pass, the same for the same chunks. `standing` is empty but for a snapshot."""
    rows: Counter[int] = Counter()
    by_rank: dict[int, set[int]] = {}
    for chunk in (*chunks, *standing):
        for bucket in chunk.buckets:
            rows[bucket.number] += bucket.rows
            for rank in bucket.ranks if chunk.kind == "rows" else [ABSENT]:
                by_rank.setdefault(rank, set()).add(bucket.number)
    steps: list[list[Task]] = []
    for rank, buckets in sorted(by_rank.items()):
        tasks = list(_tasks(rank, sorted(buckets), rows, most_rows))
        steps += [tasks] if rank in {RESOURCES, ABSENT} else [[task] for task in tasks]
    return steps


def _tasks(rank: int, buckets: Sequence[int], rows: Counter[int], most_rows: int) -> Iterator[Task]:
    begun: list[int] = []
    held = 0
    for bucket in buckets:
        if begun and held + rows[bucket] > most_rows:
            yield Task(rank, begun, held)
            begun, held = [], 0
        begun.append(bucket)
        held += rows[bucket]
    if begun:
        yield Task(rank, begun, held)


def write_plan(plan: Plan) -> bytes:
    """Write a plan, for the parts to follow."""
    steps = [[[task.rank, list(task.buckets), task.rows] for task in step] for step in plan.steps]
    told = {
        "passes": [str(each) for each in plan.passes],
        "steps": steps,
        "chunks": [write_index(chunk) for chunk in plan.chunks],
        "standing": plan.standing,
        "unnamed": plan.unnamed,
    }
    return json.dumps(told, separators=(",", ":")).encode()


def read_plan(body: bytes) -> Plan:
    """Read what `write_plan` wrote."""
    told = json.loads(body)
    return Plan(
        [Pass(each) for each in told["passes"]],
        [[Task(*task) for task in step] for step in told["steps"]],
        [read_index(each) for each in told["chunks"]],
        told["standing"],
        told["unnamed"],
    )
