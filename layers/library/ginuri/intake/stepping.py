"""What follows when a part is done: nothing yet, the next step, the next pass, or the report."""

from __future__ import annotations

from ginuri.documents.reports import Upload
from ginuri.intake.parts import Part, Pass, Report, TakeIn
from ginuri.intake.planning import Plan, most_changes
from ginuri.intake.verdicts import add_up, of_pass, of_step, read_summary, where
from ginuri.intake.work import Work


def begin(upload: Upload, plan: Plan, through: Pass, step: int = 0) -> list[Part]:
    """Give the parts of a step; after the last step the report on the pass."""
    if step == len(plan.steps):
        return [Report(upload, through)]
    return [TakeIn(upload, through, step, number) for number in range(len(plan.steps[step]))]


def is_done(part: TakeIn, work: Work) -> bool:
    """Tell whether a part was done before, by an earlier delivery. Raises RegistryUnavailable."""
    return bool(work.names(where(part)))


def after(part: TakeIn, plan: Plan, work: Work) -> list[Part]:
    """Give the parts that may begin when one is done. Raises RegistryUnavailable.

    Two that are the last of a step at the same time may both give what follows: it is done twice then.
    """
    done = work.names(of_step(part.through, part.step))
    if len(done) < len(plan.steps[part.step]):
        return []
    is_tried = part.through is not plan.passes[-1] and part.step + 1 == len(plan.steps)
    if is_tried and not _is_too_much(plan, work):
        return begin(part.upload, plan, plan.passes[-1])
    return begin(part.upload, plan, part.through, part.step + 1)


def _is_too_much(plan: Plan, work: Work) -> bool:
    found = (work.read(name) for name in work.names(of_pass(Pass.TRY)))
    return add_up([read_summary(body) for body in found]).changed > most_changes(plan.standing)


def rows_done(part: TakeIn, plan: Plan, work: Work) -> tuple[int, int]:
    """Tell how many rows of how many are done in this pass. Raises RegistryUnavailable."""
    of = sum(task.rows for step in plan.steps for task in step)
    before = sum(task.rows for step in plan.steps[: part.step] for task in step)
    names = work.names(of_step(part.through, part.step))
    numbers = (int(name.rpartition("/")[2]) for name in names)
    return before + sum(plan.steps[part.step][number].rows for number in numbers), of
