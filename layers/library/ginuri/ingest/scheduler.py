"""Schedules the work after a part: nothing yet, the next step, the next pass, or the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ginuri.files.options import UploadOptions
from ginuri.files.reports.report import Upload, count
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.plan import LEADING_BACK, Plan, is_too_much
from ginuri.ingest.queue_messages import Part, Pass, RegisterRows, RunTests, WriteReport
from ginuri.ingest.reports.verdicts import (
    add_up,
    pass_prefix,
    read_summary,
    step_prefix,
    verdicts_key,
)
from ginuri.ingest.test_runs.results import is_to_test, read_results


@dataclass(frozen=True, slots=True)
class PartResult:
    """The result of one part: the parts that follow, and the counts once the report is written."""

    following: Sequence[Part] = ()
    sent: str = ""
    """The name of the file that marks the following parts as sent."""
    counts: dict[str, int] = field(default_factory=lambda: count(()))


def begin_pass(  # noqa: PLR0913, PLR0917  the upload, its plan and options, and the place in it
    upload: Upload,
    plan: Plan,
    options: UploadOptions,
    checkpoints: Checkpoints,
    through: Pass,
    step: int = 0,
) -> list[Part]:
    """Return the unfinished parts of the next step with any; then the tests, the next pass, or the report.

    Raises RegistryUnavailable.
    """
    for further in range(step, len(plan.steps)):
        done = checkpoints.names(step_prefix(through, further))
        numbers = numbers_of(plan, checkpoints, through, further)
        parts = [RegisterRows(upload, through, further, number) for number in numbers]
        if left := [part for part in parts if verdicts_key(part) not in done]:
            return [*(left[:1] if _is_last(plan, further) else left)]
    is_final = through is plan.passes[-1]
    if (is_final or options.is_strict) and is_to_test(checkpoints, through):
        return [RunTests(upload, through)]
    if not (is_final or stops(plan, options, checkpoints)):
        return begin_pass(upload, plan, options, checkpoints, plan.passes[-1])
    return [WriteReport(upload, through)]


def numbers_of(plan: Plan, checkpoints: Checkpoints, through: Pass, step: int) -> list[int]:
    """Return the numbers of the tasks of a step that have any work, finished ones included.

    Raises RegistryUnavailable.
    """
    if _is_last(plan, step):
        return [int(name.rpartition("/")[2]) for name in checkpoints.names(leading_back_prefix(through))]
    return list(range(len(plan.steps[step])))


def leading_back_prefix(through: Pass) -> str:
    """Return the prefix of the files with the rows that tasks defer."""
    return f"leading-back/{through}/"


def _is_last(plan: Plan, step: int) -> bool:
    return bool(plan.steps[step]) and plan.steps[step][0].rank == LEADING_BACK


def next_steps(
    part: RegisterRows, plan: Plan, options: UploadOptions, checkpoints: Checkpoints
) -> list[Part]:
    """Return the parts that may start when one is done. Raises RegistryUnavailable.

    If two parts end a step at the same moment, both may return the next parts, which then run twice.
    """
    if _is_last(plan, part.step):
        return begin_pass(part.upload, plan, options, checkpoints, part.through, part.step)
    if len(checkpoints.names(step_prefix(part.through, part.step))) < len(plan.steps[part.step]):
        return []
    return begin_pass(part.upload, plan, options, checkpoints, part.through, part.step + 1)


def sent_key(part: RegisterRows, plan: Plan) -> str:
    """Return the name of the file that exists once the parts after this one, or after its step, were sent.

    Without it, each further delivery of a finished part would send a whole step again, and each part of that
    the step after it.
    """
    name = f"sent/{part.through}/{part.step:06d}"
    return f"{name}/{part.number:06d}" if _is_last(plan, part.step) else name


def stops(plan: Plan, options: UploadOptions, checkpoints: Checkpoints) -> bool:
    """Return whether an upload ends after its dry run: it would change too much, or tests would fail.

    Raises RegistryUnavailable.
    """
    summaries = (checkpoints.read(name) for name in checkpoints.names(pass_prefix(Pass.TRY)))
    changed = add_up([read_summary(body) for body in summaries]).changed
    fails = options.is_strict and bool(read_results(checkpoints, Pass.TRY).failed)
    return fails or is_too_much(plan, options, changed)
