"""The file → chunks of rows, the registry → chunks of names, and the plan that follows from both."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.files.formats import RowReader, read_lines
from ginuri.files.options import UploadOptions
from ginuri.files.reports.report import Upload
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.chunks import (
    ROWS,
    STANDING,
    BucketRange,
    Chunk,
    chunk_names,
    chunk_rows,
    read_chunks,
    write_chunk,
)
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import (
    FEW,
    TENTH,
    ChunkTotals,
    Plan,
    Task,
    plan_last,
    plan_steps,
    read_plan,
    read_runs,
    write_compactly,
)
from ginuri.ingest.queue_messages import ChunkRegisteredNames, ChunkRows, Pass, RegisterRows
from ginuri.registration.checks.authorization import HOST_FOLDER
from ginuri.registration.rows import Row

_PLAN = "plan"


def read_all_chunks(  # noqa: PLR0913  what is read, how, and from where on
    upload: Upload,
    read: RowReader,
    options: UploadOptions,
    collaborators: IngestCollaborators,
    *,
    number: int = 0,
    after: int = 0,
) -> Iterator[tuple[Chunk, bytes]]:
    """Cut the rows that begin after a line. Raises UnreadableFile and RegistryUnavailable."""
    lines = read_lines(upload.key, collaborators.uploads.read(upload.key, upload.version), options)
    rows: Iterator[Row] = read(lines, after)
    yield from chunk_rows(
        rows, number, collaborators.limits.chunk_rows, collaborators.limits.chunk_bytes, upload.prefix
    )


def continue_chunking(
    upload: Upload,
    chunks: Iterator[tuple[Chunk, bytes]],
    work: Checkpoints,
    collaborators: IngestCollaborators,
) -> ChunkRows | None:
    """Put chunks aside until there are no more, or it has taken long enough: then another call goes on."""
    begun = collaborators.clock()
    for chunk, content in chunks:
        write_chunk(work, chunk, content)
        del content  # before the next is read
        if collaborators.clock() - begun >= collaborators.limits.cut_seconds:
            return ChunkRows(upload, chunk.number + 1, chunk.last)
    return None


def chunk_registered_names(
    part: ChunkRegisteredNames, prefix: str, work: Checkpoints, collaborators: IngestCollaborators
) -> ChunkRegisteredNames | None:
    """Put aside the names of what stands under a prefix, likewise."""
    begun, number, after = collaborators.clock(), part.chunk, part.after
    while True:
        names: list[str] = []
        is_last = False
        while not is_last and len(names) < collaborators.limits.names:
            page = collaborators.lister.members(prefix, after)
            names += [name for name in page.names if name != prefix]
            after, is_last = page.next_cursor or "", page.next_cursor is None
        if names:
            write_chunk(work, *chunk_names(names, number))
            number += 1
        if is_last:
            return None
        if collaborators.clock() - begun >= collaborators.limits.cut_seconds:
            return ChunkRegisteredNames(part.upload, number, after)


def make_plan(
    upload: Upload, options: UploadOptions, work: Checkpoints, collaborators: IngestCollaborators
) -> Plan:
    """Plan how an upload is taken in when everything is cut; it is planned once."""
    if has_plan(work):
        return read_plan_of(work)
    contents = ChunkTotals()
    for chunk in read_chunks(work, ROWS):
        contents.add(chunk)
    if contents.unnamed is None:
        for chunk in read_chunks(work, STANDING):
            contents.add(chunk)
    number = sum(contents.rows)
    stood = 0
    if options.is_dry_run:
        passes = [Pass.TRY]
        stood = _count(upload, number, collaborators)
    elif options.is_many or number <= FEW:
        passes = [Pass.REGISTER]
    else:
        stood = _count(upload, number, collaborators)
        may_be_many = FEW < stood < number * TENTH
        passes = [Pass.TRY, Pass.REGISTER] if may_be_many else [Pass.REGISTER]
    steps: list[list[Task]] = []
    for step in plan_steps(contents, collaborators.limits.task_rows):
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


def read_runs_of(part: RegisterRows, work: Checkpoints) -> list[BucketRange]:
    """Read where the rows of a part stand. Raises PartsMissing and RegistryUnavailable."""
    return read_runs(work.read(_runs_name(part.step, part.number)))


def _runs_name(step: int, number: int) -> str:
    return f"runs/{step:06d}/{number:06d}"


def has_plan(work: Checkpoints) -> bool:
    """Tell whether everything was cut before. Raises RegistryUnavailable."""
    return bool(work.names(_PLAN))


def read_plan_of(work: Checkpoints) -> Plan:
    """Read how an upload is taken in. Raises RegistryUnavailable."""
    return read_plan(work.read(_PLAN))


def _count(upload: Upload, rows: int, collaborators: IngestCollaborators) -> int:
    """Count what stands under the folder, as far as so many rows could change a tenth of it."""
    if upload.folder == HOST_FOLDER:
        return 0
    return collaborators.lister.count(upload.prefix, rows * TENTH)
