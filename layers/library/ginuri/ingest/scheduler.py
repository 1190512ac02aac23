"""What follows when a part is done: nothing yet, the next step, the next pass, or the report."""

from __future__ import annotations

from ginuri.files.reports.report import Upload
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.plan import LEADING_BACK, Plan, most_changes
from ginuri.ingest.queue_messages import Part, Pass, RegisterRows, WriteReport
from ginuri.ingest.verdicts import add_up, of_pass, of_step, read_summary, verdicts_key, where_of


def begin_pass(upload: Upload, plan: Plan, work: Checkpoints, through: Pass, step: int = 0) -> list[Part]:
    """Give the parts of a step in which there is anything to do; after the last, what follows the pass.

    That is the next pass, or the report. Raises RegistryUnavailable.
    """
    for further in range(step, len(plan.steps)):
        numbers = numbers_of(plan, work, through, further)
        if _is_last(plan, further):  # one after the other
            done = work.names(of_step(through, further))
            numbers = [number for number in numbers if where_of(through, further, number) not in done][:1]
        if numbers:
            return [RegisterRows(upload, through, further, number) for number in numbers]
    if through is not plan.passes[-1] and not _is_too_much(plan, work):
        return begin_pass(upload, plan, work, plan.passes[-1])
    return [WriteReport(upload, through)]


def numbers_of(plan: Plan, work: Checkpoints, through: Pass, step: int) -> list[int]:
    """Give the numbers of the tasks of a step in which there is anything to do, done ones as well.

    Raises RegistryUnavailable.
    """
    if _is_last(plan, step):
        return [int(name.rpartition("/")[2]) for name in work.names(checkpoint_key(through))]
    return list(range(len(plan.steps[step])))


def checkpoint_key(through: Pass) -> str:
    """Give what the names of files begin with in which tasks put aside what may lead back."""
    return f"leading-back/{through}/"


def _is_last(plan: Plan, step: int) -> bool:
    return bool(plan.steps[step]) and plan.steps[step][0].rank == LEADING_BACK


def is_done(part: RegisterRows, work: Checkpoints) -> bool:
    """Tell whether a part was done before, by an earlier delivery. Raises RegistryUnavailable."""
    return bool(work.names(verdicts_key(part)))


def next_steps(part: RegisterRows, plan: Plan, work: Checkpoints) -> list[Part]:
    """Give the parts that may begin when one is done. Raises RegistryUnavailable.

    Two that are the last of a step at the same time may both give what follows: it is done twice then.
    """
    if _is_last(plan, part.step):
        return begin_pass(part.upload, plan, work, part.through, part.step)
    done = work.names(of_step(part.through, part.step))
    if len(done) < len(plan.steps[part.step]):
        return []
    return begin_pass(part.upload, plan, work, part.through, part.step + 1)


def _is_too_much(plan: Plan, work: Checkpoints) -> bool:
    found = (work.read(name) for name in work.names(of_pass(Pass.TRY)))
    return add_up([read_summary(body) for body in found]).changed > most_changes(plan.standing)


def rows_done(part: RegisterRows, plan: Plan, work: Checkpoints) -> tuple[int, int]:
    """Tell how many rows of how many are done in this pass. Raises RegistryUnavailable."""
    of = sum(task.rows for step in plan.steps for task in step)
    before = sum(task.rows for step in plan.steps[: part.step] for task in step)
    names = work.names(of_step(part.through, part.step))
    numbers = (int(name.rpartition("/")[2]) for name in names)
    return before + sum(plan.steps[part.step][number].rows for number in numbers), of
