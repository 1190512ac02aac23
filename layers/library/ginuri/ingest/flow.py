"""The ingestion of an upload: object → chunks of rows → parts → verdicts → registry → report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from ginuri.files.formats import RowReader, fault_of, fault_of_reading, reader_for
from ginuri.files.options import UploadOptions, fault_of_options, read_options, write_options
from ginuri.files.reports.report import Upload, count
from ginuri.files.reports.summary import ReportSummary
from ginuri.identifiers.errors import PartsMissing, RecordsMissing, UnreadableFile
from ginuri.ingest.admission import admit, note_begun
from ginuri.ingest.checkpoints import (
    Attempt,
    Checkpoints,
    CheckpointStore,
    MemoryCheckpoints,
    find_attempt,
    identify,
)
from ginuri.ingest.chunking import (
    chunk_registered_names,
    continue_chunking,
    make_plan,
    read_all_chunks,
)
from ginuri.ingest.chunks import is_of_registered_names, write_chunk
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import has_plan, read_plan
from ginuri.ingest.principals import write_principal
from ginuri.ingest.progress import FileProgress
from ginuri.ingest.queue_messages import (
    Begin,
    ChunkRegisteredNames,
    ChunkRows,
    Part,
    RegisterRows,
    RunTests,
    WriteReport,
    write_part,
)
from ginuri.ingest.reports.reporting import (
    parts_gone,
    refuse_unreadable,
    refuse_upload,
    report_stored_file,
    write_final_report,
)
from ginuri.ingest.reports.verdicts import verdicts_key
from ginuri.ingest.scheduler import PartResult, begin_pass, next_steps, sent_key
from ginuri.ingest.stored_mappings import with_mapping
from ginuri.ingest.test_runs.results import is_to_test
from ginuri.ingest.waiting import wait
from ginuri.ingest.work_items import register_rows
from ginuri.registration.verdicts import Finding

_METADATA = "metadata"


def ingest_part(message: Upload | Part, collaborators: IngestCollaborators) -> dict[str, int]:
    """Ingest an upload or one part of it, and put the parts that follow into the queue; safe to repeat.

    A small file is processed completely. Returns the counts if the report was written, else zeros. Raises
    RegistryUnavailable; the next delivery then continues without a loss.
    """
    upload = message if isinstance(message, Upload) else message.upload
    attempt = find_attempt(upload, collaborators.uploads, collaborators.registry)
    if isinstance(attempt, ReportSummary):
        is_counted = isinstance(message, Upload) and not attempt.is_dry_run
        return dict(attempt.counts) if is_counted else count(())
    if not isinstance(message, Upload):
        attempt = replace(attempt, restart=message.restart)
    try:
        return (
            _begin(attempt, collaborators)
            if isinstance(message, Upload | Begin)
            else _continue(message, attempt, collaborators)
        )
    except PartsMissing as missing:
        if isinstance(message, Upload):
            raise
        return _begin_again(attempt, missing, collaborators)
    except RecordsMissing:
        # The intermediate results belong to the registry before it was restored.
        FileProgress(attempt, MemoryCheckpoints(), collaborators).begin_again()
        _send([Begin(upload, 0)], replace(attempt, restart=attempt.restart + 1), collaborators)
        return count(())


def _begin(attempt: Attempt, collaborators: IngestCollaborators) -> dict[str, int]:
    upload = attempt.upload
    head = collaborators.uploads.head(upload.key, upload.version)
    metadata = head.metadata if head else {}
    stated = read_options(metadata)
    identified = admit(attempt, metadata, collaborators)
    if isinstance(identified, Finding):
        return refuse_upload(attempt, stated, [identified], collaborators, is_denied=True)
    attempt = identified
    options = with_mapping(stated, upload.folder, collaborators.uploads)
    if isinstance(options, Finding):
        return refuse_upload(attempt, stated, [options], collaborators)
    read = reader_for(upload.key, options)
    if read is None:
        return report_stored_file(attempt, options, collaborators)
    fault = (
        fault_of(upload.key, head and head.size)
        or fault_of_options(options, upload.prefix)
        or fault_of_reading(upload.key, options)
    )
    if fault is not None:
        return refuse_upload(attempt, options, [fault], collaborators)
    try:
        return _chunk(attempt, read, options, head.size if head else 0, collaborators)
    except UnreadableFile as error:
        return refuse_unreadable(attempt, options, error, collaborators)


def _continue(part: Part, attempt: Attempt, collaborators: IngestCollaborators) -> dict[str, int]:
    upload, checkpoints = part.upload, CheckpointStore(collaborators.uploads, attempt)
    metadata = json.loads(checkpoints.read(_METADATA))
    options = read_options(metadata)
    identified = identify(attempt, metadata, collaborators)
    if isinstance(identified, Finding):
        return refuse_upload(attempt, options, [identified], collaborators, is_denied=True)
    attempt = identified
    read = reader_for(upload.key, options)
    if read is None:
        return report_stored_file(attempt, options, collaborators)
    # Once all chunks are written, the file is only needed to return refused lines.
    if isinstance(part, ChunkRows):
        head = collaborators.uploads.head(upload.key, upload.version)
        fault = fault_of(upload.key, head and head.size)
        if fault is not None:
            return refuse_upload(attempt, options, [fault], collaborators)
    try:
        progress = FileProgress(attempt, checkpoints, collaborators)
        result = _carry_out(part, progress, read, options, checkpoints, collaborators)
    except UnreadableFile as error:
        return refuse_unreadable(attempt, options, error, collaborators)
    _send(result.following, attempt, collaborators)
    if result.following and result.sent:
        checkpoints.write(result.sent, b"")
    return result.counts


def _begin_again(
    attempt: Attempt, missing: PartsMissing, collaborators: IngestCollaborators
) -> dict[str, int]:
    """Start again after the loss of a checkpoint; registered rows stay registered."""
    if not is_of_registered_names(missing.key):
        FileProgress(attempt, MemoryCheckpoints(), collaborators).begin_again()
        return _begin(attempt, collaborators)
    head = collaborators.uploads.head(attempt.upload.key, attempt.upload.version)
    metadata = head.metadata if head else {}
    identified = identify(attempt, metadata, collaborators)
    known = attempt if isinstance(identified, Finding) else identified
    return refuse_upload(known, read_options(metadata), [parts_gone(missing.key)], collaborators)


def _chunk(
    attempt: Attempt,
    read: RowReader,
    options: UploadOptions,
    size: int,
    collaborators: IngestCollaborators,
) -> dict[str, int]:
    upload, checkpoints = attempt.upload, MemoryCheckpoints()
    progress = FileProgress(attempt, checkpoints, collaborators)
    chunks = read_all_chunks(
        upload, read, options, collaborators, watch=lambda pieces: progress.watch_reading(pieces, size)
    )
    first = next(chunks, None)
    if first is not None and not (first[0].is_last and sum(first[0].rows) <= collaborators.limits.task_rows):
        store = CheckpointStore(collaborators.uploads, attempt)
        pinned = write_principal(attempt.principal)
        store.write(_METADATA, json.dumps(write_options(options) | pinned).encode())
        progress.begin()
        write_chunk(store, *first)
        del first  # written, so free its memory
        further = continue_chunking(upload, chunks, store, collaborators)
        following = [further] if further else _after_rows(attempt, options, store, collaborators)
        _send(following, attempt, collaborators)
        return count(())
    if first is not None:
        write_chunk(checkpoints, *first)
    parts, counts = _after_rows(attempt, options, checkpoints, collaborators), count(())
    if any(isinstance(part, Begin) for part in parts):
        _send(parts, attempt, collaborators)
        return counts
    while parts:
        result = _carry_out(parts.pop(0), progress, read, options, checkpoints, collaborators)
        parts += result.following
        counts = result.counts
    return counts


def _carry_out(  # noqa: PLR0913, PLR0917  a part, its upload, and the collaborators
    part: Part,
    progress: FileProgress,
    read: RowReader,
    options: UploadOptions,
    checkpoints: Checkpoints,
    collaborators: IngestCollaborators,
) -> PartResult:
    upload, attempt = part.upload, progress.attempt
    match part:
        case Begin():
            raise AssertionError("what begins is not carried out before it has begun")
        case ChunkRows():
            chunks = read_all_chunks(
                upload, read, options, collaborators, number=part.chunk, after=part.after
            )
            further = continue_chunking(upload, chunks, checkpoints, collaborators)
            return PartResult(
                [further] if further else _after_rows(attempt, options, checkpoints, collaborators)
            )
        case ChunkRegisteredNames():
            standing = (
                None
                if has_plan(checkpoints)
                else chunk_registered_names(part, options.snapshot, checkpoints, collaborators)
            )
            return PartResult(
                [standing] if standing else _after_chunking(attempt, options, checkpoints, collaborators)
            )
        case RegisterRows() | RunTests():
            return _work(part, progress, options, checkpoints, collaborators)
        case WriteReport():
            return PartResult(
                counts=write_final_report(
                    progress, part.through, read_plan(checkpoints), options, checkpoints, collaborators
                )
            )


def _work(
    part: RegisterRows | RunTests,
    progress: FileProgress,
    options: UploadOptions,
    checkpoints: Checkpoints,
    collaborators: IngestCollaborators,
) -> PartResult:
    """Register rows or run tests, unless an earlier delivery did it and sent the parts that follow."""
    plan = read_plan(checkpoints)
    if isinstance(part, RunTests):
        sent = f"sent/{part.through}/tests"
        is_done = not is_to_test(checkpoints, part.through)
    else:
        sent, is_done = sent_key(part, plan), bool(checkpoints.names(verdicts_key(part)))
    if is_done and checkpoints.names(sent):
        return PartResult()
    if isinstance(part, RunTests):
        if not is_done:
            from ginuri.ingest.test_runs.run import run_tests

            run_tests(part, checkpoints, collaborators)
        further = begin_pass(part.upload, plan, options, checkpoints, part.through, len(plan.steps))
        return PartResult(further, sent)
    if not is_done:
        watch = progress.watch_part(part, plan)
        register_rows(part, plan, options, checkpoints, collaborators, watch, progress.attempt.scope)
    progress.finish_part(part, plan)
    return PartResult(next_steps(part, plan, options, checkpoints), sent)


def _after_rows(
    attempt: Attempt, options: UploadOptions, checkpoints: Checkpoints, collaborators: IngestCollaborators
) -> list[Part]:
    if options.snapshot and not has_plan(checkpoints):  # later, more names may be registered
        return [ChunkRegisteredNames(attempt.upload, 0, "")]
    return _after_chunking(attempt, options, checkpoints, collaborators)


def _after_chunking(
    attempt: Attempt, options: UploadOptions, checkpoints: Checkpoints, collaborators: IngestCollaborators
) -> list[Part]:
    upload = attempt.upload
    plan = make_plan(upload, options, checkpoints, collaborators)
    # Wait before any row is registered, so that no half of an upload is registered meanwhile.
    if waiting := wait(attempt, plan, collaborators):
        return waiting
    note_begun(attempt, collaborators)
    return begin_pass(upload, plan, options, checkpoints, plan.passes[0])


def _send(parts: Sequence[Part], attempt: Attempt, collaborators: IngestCollaborators) -> None:
    parts = [replace(part, restart=attempt.restart) for part in parts]
    collaborators.queue.send([write_part(part) for part in parts if not isinstance(part, Begin)])
    for part in parts:
        if isinstance(part, Begin):
            collaborators.queue.send([write_part(part)], part.delay)
