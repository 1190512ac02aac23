"""What follows when all rows are cut: the steps of a pass, and which parts each of them has.

What others are judged by comes before them, one part after the other; resources, which nothing is judged by,
all at once; in the end, again one part after the other, those of them that may lead back to a name of ours.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ginuri.ingest.chunks import BUCKETS, ROWS, STANDING, BucketRange, Chunk, find_ranges, ranges_of
from ginuri.ingest.queue_messages import Pass
from ginuri.registration.prerequisites import Prerequisite, Prerequisites
from ginuri.registration.rows import RESOURCES

ABSENT = 1_000
"""The rank of what a snapshot does not name: it is retired when everything else is done."""
LEADING_BACK = 1_001
"""The rank of what may lead back to a name of ours: it is judged when everything else is done."""
FEW = 10
"""How many identifiers an upload may always change."""
TENTH = 10
"""Of what stands under its prefix an upload may change one in so many without saying so."""


class Task(NamedTuple):
    """The rows of one rank in some buckets."""

    rank: int
    rows: int
    """How many rows there are in those buckets, whatever their rank; 0 of those that were put aside."""


class Plan(NamedTuple):
    """How an upload is taken in."""

    passes: Sequence[Pass]
    steps: Sequence[Sequence[Task]]
    """The tasks of a step may run beside each other; a step begins when the one before is done."""
    standing: int = 0
    """How many identifiers stood under the folder, as far as that matters."""
    unnamed: int | None = None
    """The line because of which nothing is retired: whom it names is not known."""
    needed: Sequence[Prerequisite] = ()
    """What must be registered before it."""


def most_changes(standing: int) -> int:
    """Give how many identifiers may be changed or retired without saying so."""
    return max(FEW, standing // TENTH)


class ChunkTotals:
    """What is told of all chunks, added up: a large file has hundreds, and little is held of each."""

    def __init__(self) -> None:
        self.rows, self.ranks, self.standing = ([0] * BUCKETS for _ in range(3))
        """How many there are in each bucket, of whatever kind; the ranks of its rows, as bits; the names."""
        self.begins: list[tuple[str, int, Sequence[int]]] = []
        """Kind and number of each chunk, and where its buckets begin."""
        self.prerequisites = Prerequisites()
        self.unnamed: int | None = None
        """The line of the first row that was to name an identifier, and names none."""

    def add(self, chunk: Chunk) -> None:
        """Take in the next chunk."""
        for bucket, number in enumerate(chunk.rows):
            self.rows[bucket] += number
            self.ranks[bucket] |= chunk.ranks[bucket] if chunk.kind == ROWS else 0
            self.standing[bucket] += number if chunk.kind == STANDING else 0
        self.begins.append((chunk.kind, chunk.number, array("I", accumulate(chunk.lengths, initial=0))))
        self.prerequisites.add_all(chunk.prerequisites)
        if self.unnamed is None:
            self.unnamed = chunk.unnamed


def plan_steps(contents: ChunkTotals, most_rows: int) -> Iterator[Iterable[tuple[Task, list[BucketRange]]]]:
    """Plan the steps of each pass, each task with where its rows stand; the same for the same chunks.

    Where the rows of a large file stand is a lot: the tasks of a step are made one after the other.
    """
    rows = contents.rows
    for rank in (*range(max(contents.ranks).bit_length()), ABSENT):
        wanted = contents.standing if rank == ABSENT else [mask >> rank & 1 for mask in contents.ranks]
        buckets = [bucket for bucket in range(BUCKETS) if wanted[bucket]]
        tasks = (
            (
                Task(rank, sum(rows[bucket] for bucket in same)),
                [run for of_chunk in contents.begins for run in find_ranges(*of_chunk, stretches)],
            )
            for same in _together(buckets, rows, most_rows)
            for stretches in [list(ranges_of(same))]
        )
        if rank not in {RESOURCES, ABSENT}:
            yield from ([task] for task in tasks)
        elif buckets:
            yield tasks


def plan_last(steps: Sequence[Sequence[Task]]) -> list[Task]:
    """Plan the last step: a task for each of the resources, for what that one puts aside, if anything."""
    return [Task(LEADING_BACK, 0) for step in steps for task in step if task.rank == RESOURCES]


def _together(buckets: Sequence[int], rows: Sequence[int], most_rows: int) -> Iterator[list[int]]:
    begun: list[int] = []
    held = 0
    for bucket in buckets:
        if begun and held + rows[bucket] > most_rows:
            yield begun
            begun, held = [], 0
        begun.append(bucket)
        held += rows[bucket]
    if begun:
        yield begun


def read_runs(body: bytes) -> list[BucketRange]:
    """Read where the rows of a task stand, from JSON."""
    return [BucketRange(*each) for each in json.loads(body)]


def read_plan(body: bytes) -> Plan:
    """Read a plan from JSON."""
    passes, steps, standing, unnamed, needed = json.loads(body)
    tasks = [[Task(*each) for each in step] for step in steps]
    return Plan([Pass(each) for each in passes], tasks, standing, unnamed, [tuple(each) for each in needed])


def write_compactly(planned: Plan | Sequence[BucketRange]) -> bytes:
    """Write a plan, or where the rows of a task stand, as JSON."""
    return json.dumps(planned, separators=(",", ":")).encode()
