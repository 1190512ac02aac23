"""The file → chunks of rows, the registry → chunks of names, and the plan that follows from both."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.files.formats import Reader, read_lines
from ginuri.files.options import Options
from ginuri.files.reports.report import Upload
from ginuri.ingest.checkpoints import Work
from ginuri.ingest.chunks import ROWS, STANDING, Chunk, Run, cut_names, cut_rows, read_chunks, write_chunk
from ginuri.ingest.collaborators import Desk
from ginuri.ingest.plan import (
    FEW,
    TENTH,
    Contents,
    Plan,
    Task,
    plan_last,
    plan_steps,
    read_plan,
    read_runs,
    write_compactly,
)
from ginuri.ingest.queue_messages import CutRows, CutStanding, Pass, TakeIn
from ginuri.registration.checks.authorization import HOST_FOLDER
from ginuri.registration.rows import Row

_PLAN = "plan"


def chunks_of(  # noqa: PLR0913  what is read, how, and from where on
    upload: Upload, read: Reader, options: Options, desk: Desk, *, number: int = 0, after: int = 0
) -> Iterator[tuple[Chunk, bytes]]:
    """Cut the rows that begin after a line. Raises UnreadableFile and RegistryUnavailable."""
    lines = read_lines(upload.key, desk.uploads.read(upload.key, upload.version), options)
    rows: Iterator[Row] = read(lines, after)
    yield from cut_rows(rows, number, desk.limits.chunk_rows, desk.limits.chunk_bytes, upload.prefix)


def cut_on(upload: Upload, chunks: Iterator[tuple[Chunk, bytes]], work: Work, desk: Desk) -> CutRows | None:
    """Put chunks aside until there are no more, or it has taken long enough: then another call goes on."""
    begun = desk.clock()
    for chunk, content in chunks:
        write_chunk(work, chunk, content)
        del content  # before the next is read
        if desk.clock() - begun >= desk.limits.cut_seconds:
            return CutRows(upload, chunk.number + 1, chunk.last)
    return None


def cut_standing(part: CutStanding, prefix: str, work: Work, desk: Desk) -> CutStanding | None:
    """Put aside the names of what stands under a prefix, likewise."""
    begun, number, after = desk.clock(), part.chunk, part.after
    while True:
        names: list[str] = []
        is_last = False
        while not is_last and len(names) < desk.limits.names:
            page = desk.lister.members(prefix, after)
            names += [name for name in page.names if name != prefix]
            after, is_last = page.next_cursor or "", page.next_cursor is None
        if names:
            write_chunk(work, *cut_names(names, number))
            number += 1
        if is_last:
            return None
        if desk.clock() - begun >= desk.limits.cut_seconds:
            return CutStanding(part.upload, number, after)


def make_plan(upload: Upload, options: Options, work: Work, desk: Desk) -> Plan:
    """Plan how an upload is taken in when everything is cut; it is planned once."""
    if is_planned(work):
        return read_plan_of(work)
    contents = Contents()
    for chunk in read_chunks(work, ROWS):
        contents.add(chunk)
    if contents.unnamed is None:
        for chunk in read_chunks(work, STANDING):
            contents.add(chunk)
    number = sum(contents.rows)
    stood = 0
    if options.is_dry_run:
        passes = [Pass.TRY]
        stood = _count(upload, number, desk)
    elif options.is_many or number <= FEW:
        passes = [Pass.REGISTER]
    else:
        stood = _count(upload, number, desk)
        may_be_many = FEW < stood < number * TENTH
        passes = [Pass.TRY, Pass.REGISTER] if may_be_many else [Pass.REGISTER]
    steps: list[list[Task]] = []
    for step in plan_steps(contents, desk.limits.task_rows):
        tasks: list[Task] = []
        for task, runs in step:
            work.write(_runs_name(len(steps), len(tasks)), write_compactly(runs))
            tasks.append(task)
        steps.append(tasks)
    if last := plan_last(steps):
        steps.append(last)
    needed = contents.prerequisites.from_elsewhere()
    plan = Plan(passes, steps, stood, contents.unnamed if options.snapshot else None, needed)
    work.write(_PLAN, write_compactly(plan))
    return plan


def read_runs_of(part: TakeIn, work: Work) -> list[Run]:
    """Read where the rows of a part stand. Raises PartsMissing and RegistryUnavailable."""
    return read_runs(work.read(_runs_name(part.step, part.number)))


def _runs_name(step: int, number: int) -> str:
    return f"runs/{step:06d}/{number:06d}"


def is_planned(work: Work) -> bool:
    """Tell whether everything was cut before. Raises RegistryUnavailable."""
    return bool(work.names(_PLAN))


def read_plan_of(work: Work) -> Plan:
    """Read how an upload is taken in. Raises RegistryUnavailable."""
    return read_plan(work.read(_PLAN))


def _count(upload: Upload, rows: int, desk: Desk) -> int:
    """Count what stands under the folder, as far as so many rows could change a tenth of it."""
    if upload.folder == HOST_FOLDER:
        return 0
    return desk.lister.count(upload.prefix, rows * TENTH)
