"""The plan of an upload: the steps of a pass, and the tasks of each step.

Records that other checks depend on come first, one task after the other; resources, on which none depends, in
parallel; last, again in sequence, the resources that may redirect to an identifier of the registry.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from ginuri.files.options import UploadOptions
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.chunks import (
    BUCKETS,
    ROWS,
    STANDING,
    BucketRange,
    Chunk,
    find_ranges,
    ranges_of,
    read_finding,
    write_finding,
)
from ginuri.ingest.queue_messages import Pass
from ginuri.registration.positions import Headings
from ginuri.registration.prerequisites import Prerequisite, Prerequisites
from ginuri.registration.rows import RESOURCES
from ginuri.registration.verdicts import Finding

ABSENT = 1_000
"""The rank of identifiers missing from a snapshot, which are retired last."""
LEADING_BACK = 1_001
"""The rank of resources that may redirect to an identifier of the registry, which are judged last."""
FEW = 10
"""The number of identifiers that an upload may always change without `--many`."""
TENTH = 10
"""An upload may change one in this number of identifiers under its prefix without `--many`."""
_PLAN, _REQUESTED = "plan", "requested"


class Task(NamedTuple):
    """The rows of one rank in some buckets."""

    rank: int
    rows: int
    """The number of rows of any rank in these buckets; 0 for deferred rows."""


class Plan(NamedTuple):
    """The passes and steps of an upload."""

    passes: Sequence[Pass]
    steps: Sequence[Sequence[Task]]
    """The tasks of a step may run in parallel; a step starts when the one before is done."""
    standing: int = 0
    """The number of identifiers registered under the prefix, up to the relevant maximum."""
    unnamed: int | None = None
    """The line of an unreadable identifier, which prevents retirements."""
    needed: Sequence[Prerequisite] = ()
    """The prerequisites of the upload."""
    headings: Headings | None = None
    """The headings of a table by field."""
    remarks: Sequence[Finding] = ()
    """The findings about the file as a whole."""


def is_too_much(plan: Plan, options: UploadOptions, changed: int) -> bool:
    """Return whether an upload changes or retires more identifiers than it may without `--many`."""
    is_limited = Pass.TRY in plan.passes and (options.is_dry_run or plan.standing > FEW)
    return is_limited and not options.is_many and changed > max(FEW, plan.standing // TENTH)


class ChunkTotals:
    """The totals of all chunks; a large file has hundreds, so little is kept of each."""

    def __init__(self) -> None:
        self.rows, self.ranks, self.standing = ([0] * BUCKETS for _ in range(3))
        """For each bucket: the rows and names, the ranks of the rows as bits, and the names alone."""
        self.offsets: list[tuple[str, int, Sequence[int]]] = []
        """Kind and number of each chunk, and the offsets of its buckets."""
        self.prerequisites = Prerequisites()
        self.unnamed: int | None = None
        """The line of the first row with an unreadable identifier."""
        self.headings: Headings | None = None
        self.remarks: list[Finding] = []

    def add(self, chunk: Chunk) -> None:
        """Add the next chunk."""
        for bucket, number in enumerate(chunk.rows):
            self.rows[bucket] += number
            self.ranks[bucket] |= chunk.ranks[bucket] if chunk.kind == ROWS else 0
            self.standing[bucket] += number if chunk.kind == STANDING else 0
        self.offsets.append((chunk.kind, chunk.number, array("I", accumulate(chunk.lengths, initial=0))))
        self.prerequisites.add_all(chunk.prerequisites)
        if self.unnamed is None:
            self.unnamed = chunk.unnamed
        self.headings = self.headings or chunk.headings
        self.remarks += chunk.remarks


def plan_steps(totals: ChunkTotals, most_rows: int) -> Iterator[Iterable[tuple[Task, list[BucketRange]]]]:
    """Plan the steps of each pass, each task with its bucket ranges; the same for the same chunks.

    The ranges of a large file take much memory, so the tasks of a step are generated one by one.
    """
    rows = totals.rows
    for rank in (*range(max(totals.ranks).bit_length()), ABSENT):
        occupied = totals.standing if rank == ABSENT else [mask >> rank & 1 for mask in totals.ranks]
        buckets = [bucket for bucket in range(BUCKETS) if occupied[bucket]]
        tasks = (
            (
                Task(rank, sum(rows[bucket] for bucket in task_buckets)),
                [
                    bucket_range
                    for offsets in totals.offsets
                    for bucket_range in find_ranges(*offsets, ranges)
                ],
            )
            for task_buckets in _group_buckets(buckets, rows, most_rows)
            for ranges in [list(ranges_of(task_buckets))]
        )
        if rank not in {RESOURCES, ABSENT}:
            yield from ([task] for task in tasks)
        elif buckets:
            yield tasks


def _group_buckets(buckets: Sequence[int], rows: Sequence[int], most_rows: int) -> Iterator[list[int]]:
    task_buckets, task_rows = list[int](), 0
    for bucket in buckets:
        if task_buckets and task_rows + rows[bucket] > most_rows:
            yield task_buckets
            task_buckets, task_rows = [], 0
        task_buckets.append(bucket)
        task_rows += rows[bucket]
    if task_buckets:
        yield task_buckets


def has_plan(checkpoints: Checkpoints) -> bool:
    """Return whether the upload is planned, with all chunks written. Raises RegistryUnavailable."""
    return bool(checkpoints.names(_PLAN))


def read_plan(checkpoints: Checkpoints) -> Plan:
    """Read the plan of an upload. Raises RegistryUnavailable."""
    passes, steps, standing, unnamed, needed, headings, *remarks = json.loads(checkpoints.read(_PLAN))
    tasks = [[Task(*values) for values in step] for step in steps]
    prerequisites = [tuple(values) for values in needed]
    findings = tuple(map(read_finding, remarks))
    return Plan(
        [Pass(values) for values in passes], tasks, standing, unnamed, prerequisites, headings, findings
    )


def write_plan(checkpoints: Checkpoints, plan: Plan) -> None:
    """Write the plan of an upload. Raises RegistryUnavailable."""
    _write(checkpoints, _PLAN, (*plan[:-1], *map(write_finding, plan.remarks)))


def read_requested(checkpoints: Checkpoints) -> frozenset[str]:
    """Read the names that the tests in the file request. Raises RegistryUnavailable."""
    return frozenset(json.loads(checkpoints.read(_REQUESTED)) if checkpoints.names(_REQUESTED) else ())


def write_requested(checkpoints: Checkpoints, names: Iterable[str]) -> None:
    """Write the names that the tests in the file request. Raises RegistryUnavailable."""
    _write(checkpoints, _REQUESTED, sorted(names))


def read_runs(checkpoints: Checkpoints, step: int, number: int) -> list[BucketRange]:
    """Read the bucket ranges of a task. Raises PartsMissing and RegistryUnavailable."""
    return [BucketRange(*values) for values in json.loads(checkpoints.read(_runs_name(step, number)))]


def write_runs(checkpoints: Checkpoints, step: int, number: int, runs: Sequence[BucketRange]) -> None:
    """Write the bucket ranges of a task. Raises RegistryUnavailable."""
    _write(checkpoints, _runs_name(step, number), runs)


def _runs_name(step: int, number: int) -> str:
    return f"runs/{step:06d}/{number:06d}"


def _write(checkpoints: Checkpoints, name: str, planned: object) -> None:
    checkpoints.write(name, json.dumps(planned, separators=(",", ":")).encode())
