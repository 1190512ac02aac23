"""The way of an upload, on one screen: object → chunks of rows → parts → verdicts → registry → report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil

from ginuri.files.columns import fault_of_columns
from ginuri.files.formats import RowReader, fault_of, reader_for
from ginuri.files.options import UploadOptions, fault_of_options, read_options
from ginuri.files.reports.report import Upload, count, progress_key, write_progress
from ginuri.files.reports.summary import read_summary, summary_key
from ginuri.identifiers.errors import PartsMissing, UnreadableFile
from ginuri.ingest.checkpoints import Checkpoints, CheckpointStore, MemoryCheckpoints
from ginuri.ingest.chunking import (
    chunk_registered_names,
    continue_chunking,
    has_plan,
    make_plan,
    read_all_chunks,
    read_plan_of,
)
from ginuri.ingest.chunks import is_of_registered_names, write_chunk
from ginuri.ingest.collaborators import IngestCollaborators, Progress
from ginuri.ingest.plan import Plan
from ginuri.ingest.queue_messages import (
    Begin,
    ChunkRegisteredNames,
    ChunkRows,
    Part,
    RegisterRows,
    WriteReport,
    write_part,
)
from ginuri.ingest.reporting import refuse_whole, report_stored_file, write_final_report
from ginuri.ingest.scheduler import begin_pass, is_done, next_steps, rows_done
from ginuri.ingest.work_items import register_rows
from ginuri.registration.prerequisites import missing_prerequisites
from ginuri.registration.verdicts import Finding, refuse

MOST_TOLD = 100
"""How many identifiers are named that an upload waits for."""
_SAID = "said"
"""What was said beside the upload, put aside with its rows."""


@dataclass(frozen=True, slots=True)
class _PartResult:
    """What one part has come to: what follows it, and what was done where it was the report."""

    following: Sequence[Part] = ()
    counts: dict[str, int] = field(default_factory=lambda: count(()))


def ingest_part(message: Upload | Part, collaborators: IngestCollaborators) -> dict[str, int]:
    """Take in an upload, or go on with one, and put what follows into the queue; twice is the same as once.

    A small file is taken in to the end. Counts what was done where the report was written, else nothing.
    Raises RegistryUnavailable: then nothing is lost, and the next delivery goes on.
    """
    upload = message if isinstance(message, Upload) else message.upload
    known = collaborators.uploads.reported(summary_key(upload.key, upload.version))
    if known is not None:  # it is written last: all of it was done before
        return _done_before(known) if isinstance(message, Upload) else count(())
    try:
        return (
            _begin(upload, collaborators)
            if isinstance(message, Upload | Begin)
            else _go_on(message, collaborators)
        )
    except PartsMissing as missing_prerequisites:
        if isinstance(message, Upload):
            raise
        return _begin_again(message.upload, missing_prerequisites, collaborators)


def _begin(upload: Upload, collaborators: IngestCollaborators) -> dict[str, int]:
    said = collaborators.uploads.metadata(upload.key, upload.version)
    options = read_options(said)
    read = reader_for(upload.key, options)
    if read is None:
        return report_stored_file(upload, options, collaborators)
    fault = _fault_of_file(upload, collaborators)
    fault = fault or fault_of_options(options, upload.prefix) or fault_of_columns(options.columns)
    if fault is not None:
        return refuse_whole(upload, options, fault, collaborators)
    try:
        return _cut(upload, read, said, collaborators)
    except UnreadableFile as error:
        return refuse_whole(upload, options, refuse("", error.rule, error.value, error.reason), collaborators)


def _go_on(part: Part, collaborators: IngestCollaborators) -> dict[str, int]:
    upload, work = part.upload, CheckpointStore(collaborators.uploads, part.upload)
    options = read_options(_said(upload, work, collaborators))
    read = reader_for(upload.key, options)
    if read is None:
        return report_stored_file(upload, options, collaborators)
    # Once its rows are cut, nobody needs the file any more but to give refused lines back.
    fault = _fault_of_file(upload, collaborators) if isinstance(part, ChunkRows) else None
    if fault is not None:
        return refuse_whole(upload, options, fault, collaborators)
    try:
        done = _carry_out(part, read, options, work, collaborators)
    except UnreadableFile as error:
        return refuse_whole(upload, options, refuse("", error.rule, error.value, error.reason), collaborators)
    _send(done.following, collaborators)
    return done.counts


def _said(upload: Upload, work: Checkpoints, collaborators: IngestCollaborators) -> Mapping[str, str]:
    try:
        said: Mapping[str, str] = json.loads(work.read(_SAID))
    except PartsMissing:  # its rows were cut by an earlier release
        return collaborators.uploads.metadata(upload.key, upload.version)
    return said


def _begin_again(
    upload: Upload, missing_prerequisites: PartsMissing, collaborators: IngestCollaborators
) -> dict[str, int]:
    """Cut a file again of which something is missing that was put aside: what is done already stays done."""
    if not is_of_registered_names(missing_prerequisites.key):
        return _begin(upload, collaborators)
    finding = refuse(
        "",
        "parts",
        "",
        "The work files of this upload are gone ({key}), and with them its report. What was registered so "
        "far stays registered. Upload it again.",
        key=missing_prerequisites.key,
    )
    return refuse_whole(upload, UploadOptions(), finding, collaborators)


def _fault_of_file(upload: Upload, collaborators: IngestCollaborators) -> Finding | None:
    return fault_of(upload.key, collaborators.uploads.size(upload.key, upload.version))


def _done_before(summary: bytes) -> dict[str, int]:
    told = read_summary(json.loads(summary))
    return count(()) if told.is_dry_run else dict(told.counts)


def _cut(
    upload: Upload, read: RowReader, said: Mapping[str, str], collaborators: IngestCollaborators
) -> dict[str, int]:
    options = read_options(said)
    chunks = read_all_chunks(upload, read, options, collaborators)
    first = next(chunks, None)
    if first is not None and not (first[0].is_last and sum(first[0].rows) <= collaborators.limits.task_rows):
        kept = CheckpointStore(collaborators.uploads, upload)
        kept.write(_SAID, json.dumps(dict(said)).encode())
        write_chunk(kept, *first)
        del first  # what is put aside need not be held any longer
        further = continue_chunking(upload, chunks, kept, collaborators)
        following = [further] if further else _when_cut(upload, options, kept, collaborators)
        _send(following, collaborators)
        return count(())
    work = MemoryCheckpoints()
    if first is not None:
        write_chunk(work, *first)
    parts, counts = _when_cut(upload, options, work, collaborators), count(())
    if any(isinstance(part, Begin) for part in parts):
        _send(parts, collaborators)
        return counts
    while parts:
        done = _carry_out(parts.pop(0), read, options, work, collaborators)
        parts += done.following
        counts = done.counts
    return counts


def _carry_out(
    part: Part, read: RowReader, options: UploadOptions, work: Checkpoints, collaborators: IngestCollaborators
) -> _PartResult:
    upload = part.upload
    match part:
        case Begin():
            raise AssertionError("what begins is not carried out before it has begun")
        case ChunkRows():
            chunks = read_all_chunks(
                upload, read, options, collaborators, number=part.chunk, after=part.after
            )
            further = continue_chunking(upload, chunks, work, collaborators)
            return _PartResult([further] if further else _when_cut(upload, options, work, collaborators))
        case ChunkRegisteredNames():
            standing = (
                None
                if has_plan(work)
                else chunk_registered_names(part, options.snapshot, work, collaborators)
            )
            return _PartResult(
                [standing] if standing else _when_all_is_cut(upload, options, work, collaborators)
            )
        case RegisterRows():
            plan = read_plan_of(work)
            if not is_done(part, work):
                tell = Progress(lambda done, of: _tell(upload, done, of, collaborators), collaborators.clock)
                register_rows(part, plan, options, work, collaborators, tell)
            if isinstance(work, CheckpointStore):
                _tell(upload, *rows_done(part, plan, work), collaborators)
            return _PartResult(next_steps(part, plan, work))
        case WriteReport():
            return _PartResult(
                counts=write_final_report(part, read_plan_of(work), options, work, collaborators)
            )


def _when_cut(
    upload: Upload, options: UploadOptions, work: Checkpoints, collaborators: IngestCollaborators
) -> list[Part]:
    if options.snapshot and not has_plan(work):  # what stands now may be more than stood then
        return [ChunkRegisteredNames(upload, 0, "")]
    return _when_all_is_cut(upload, options, work, collaborators)


def _when_all_is_cut(
    upload: Upload, options: UploadOptions, work: Checkpoints, collaborators: IngestCollaborators
) -> list[Part]:
    plan = make_plan(upload, options, work, collaborators)
    # Before anything of it is taken in: so nothing is half done while it waits.
    return _wait(upload, plan, collaborators) or begin_pass(upload, plan, work, plan.passes[0])


def _wait(upload: Upload, plan: Plan, collaborators: IngestCollaborators) -> list[Part]:
    """Have an upload begin later where it needs what may be on its way: two are put at once, and overtake."""
    age = (collaborators.now() - datetime.fromisoformat(upload.put)).total_seconds()
    left = collaborators.limits.wait_seconds - age
    lacking = missing_prerequisites(plan.needed, collaborators.registry) if left > 0 and plan.needed else []
    if not lacking:
        return []
    told = write_progress(0, 0, lacking[:MOST_TOLD])
    collaborators.uploads.report(progress_key(upload.key, upload.version), told)
    return [Begin(upload, max(1, ceil(min(left, collaborators.limits.wait_step))))]


def _send(parts: Sequence[Part], collaborators: IngestCollaborators) -> None:
    begin_later = [part for part in parts if isinstance(part, Begin)]
    collaborators.queue.send([write_part(part) for part in parts if not isinstance(part, Begin)])
    for part in begin_later:
        collaborators.queue.send([write_part(part)], part.delay)


def _tell(upload: Upload, done: int, of: int, collaborators: IngestCollaborators) -> None:
    collaborators.uploads.report(progress_key(upload.key, upload.version), write_progress(done, of))
