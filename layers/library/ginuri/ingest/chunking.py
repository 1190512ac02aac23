"""Splits the file into chunks of rows, and the registered names into chunks, and plans the upload."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ginuri.files.formats import RowReader, heading_reader, is_spreadsheet, read_lines
from ginuri.files.options import UploadOptions
from ginuri.files.reports.report import Upload
from ginuri.files.schema.recent_rules import without_later_rules
from ginuri.files.tables.damaged_numbers import DamagedCells
from ginuri.files.tables.doubts import doubt_numbers
from ginuri.files.tables.heading import UnusableHeading
from ginuri.identifiers.stewards import HOST_FOLDER
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.chunks import (
    ROWS,
    STANDING,
    Chunk,
    chunk_names,
    chunk_rows,
    read_chunks,
    write_chunk,
)
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import (
    FEW,
    LEADING_BACK,
    TENTH,
    ChunkTotals,
    Plan,
    Task,
    has_plan,
    plan_steps,
    read_plan,
    write_plan,
    write_requested,
    write_runs,
)
from ginuri.ingest.queue_messages import ChunkRegisteredNames, ChunkRows, Pass
from ginuri.registration.rows import DOUBTS_SINCE, RESOURCES, Row
from ginuri.registration.verdicts import Finding, is_refused


def read_all_chunks(  # noqa: PLR0913  the input, the reader, and the start
    upload: Upload,
    read: RowReader,
    options: UploadOptions,
    collaborators: IngestCollaborators,
    *,
    number: int = 0,
    after: int = 0,
    watch: Callable[[Iterable[bytes]], Iterable[bytes]] = iter,
) -> Iterator[tuple[Chunk, bytes]]:
    """Split the rows after a line into chunks, while `watch` passes on the content of the file.

    Raises UnreadableFile and RegistryUnavailable.
    """
    remarks: list[Finding] = []
    content = watch(collaborators.uploads.read(upload.key, upload.version))
    damaged = DamagedCells()
    lines = read_lines(upload.key, content, options, remarks.append, damaged=damaged)
    rows: Iterator[Row] = read(lines, after)
    heading = heading_reader(upload.key, options)
    if heading is not None and upload.put >= DOUBTS_SINCE:
        rows = doubt_numbers(rows, damaged, heading, is_text=not is_spreadsheet(upload.key))
    if upload.put < DOUBTS_SINCE:
        rows = without_later_rules(rows, upload.put)
    limits = collaborators.limits
    chunks = chunk_rows(rows, number, limits.chunk_rows, limits.chunk_bytes, upload.prefix)
    try:
        yield from map(partial(_with_remarks, remarks), chunks)
    except UnusableHeading as error:
        raise UnusableHeading(error.line, [*error.findings, *remarks]) from None


def _with_remarks(remarks: Sequence[Finding], chunk: tuple[Chunk, bytes]) -> tuple[Chunk, bytes]:
    index, content = chunk
    return (replace(index, remarks=tuple(remarks)) if index.number == 0 else index), content


def continue_chunking(
    upload: Upload,
    chunks: Iterator[tuple[Chunk, bytes]],
    checkpoints: Checkpoints,
    collaborators: IngestCollaborators,
) -> ChunkRows | None:
    """Write chunks to the checkpoints; return the message for the next call when the time is up."""
    started = collaborators.clock()
    for chunk, content in chunks:
        write_chunk(checkpoints, chunk, content)
        del content  # before the next is read
        if collaborators.clock() - started >= collaborators.limits.cut_seconds:
            return ChunkRows(upload, chunk.number + 1, chunk.last)
    return None


def chunk_registered_names(
    part: ChunkRegisteredNames, prefix: str, checkpoints: Checkpoints, collaborators: IngestCollaborators
) -> ChunkRegisteredNames | None:
    """Write the names registered under a prefix in chunks; return the part that continues, or None."""
    started, number, after = collaborators.clock(), part.chunk, part.after
    while True:
        names, is_last = list[str](), False
        while not is_last and len(names) < collaborators.limits.names:
            page = collaborators.lister.members(prefix, after)
            names += [name for name in page.names if name != prefix]
            after, is_last = page.next_cursor or "", page.next_cursor is None
        if names:
            write_chunk(checkpoints, *chunk_names(names, number))
            number += 1
        if is_last:
            return None
        if collaborators.clock() - started >= collaborators.limits.cut_seconds:
            return ChunkRegisteredNames(part.upload, number, after)


def make_plan(
    upload: Upload, options: UploadOptions, checkpoints: Checkpoints, collaborators: IngestCollaborators
) -> Plan:
    """Plan an upload once all chunks are written; an existing plan is read again."""
    if has_plan(checkpoints):
        return read_plan(checkpoints)
    totals = ChunkTotals()
    for chunk in read_chunks(checkpoints, ROWS):
        totals.add(chunk)
    if totals.unnamed is None and not is_refused(totals.remarks):
        for chunk in read_chunks(checkpoints, STANDING):
            totals.add(chunk)
    number = sum(totals.rows)
    is_limited = options.is_dry_run or not (options.is_many or number <= FEW)
    standing = _count_standing(upload, number, collaborators) if is_limited else 0
    passes = [Pass.TRY] if options.is_dry_run else [Pass.REGISTER]
    if not options.is_dry_run and (options.is_strict or FEW < standing < number * TENTH):
        passes = [Pass.TRY, Pass.REGISTER]
    steps: list[list[Task]] = []
    for step in plan_steps(totals, collaborators.limits.task_rows):
        tasks: list[Task] = []
        for task, runs in step:
            write_runs(checkpoints, len(steps), len(tasks), runs)
            tasks.append(task)
        steps.append(tasks)
    # For each task of resources, one for the rows that it defers.
    if last := [Task(LEADING_BACK, 0) for step in steps for task in step if task.rank == RESOURCES]:
        steps.append(last)
    needed = totals.prerequisites.from_elsewhere()
    unnamed = totals.unnamed if options.snapshot else None
    plan = Plan(passes, steps, standing, unnamed, needed, totals.headings, totals.remarks)
    if names := totals.prerequisites.requested:
        write_requested(checkpoints, names)
    write_plan(checkpoints, plan)
    return plan


def _count_standing(upload: Upload, rows: int, collaborators: IngestCollaborators) -> int:
    """Count the identifiers under the prefix, up to ten times the number of rows."""
    if upload.folder == HOST_FOLDER:
        return 0
    return collaborators.lister.count(upload.prefix, rows * TENTH)
