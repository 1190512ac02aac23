"""The way of an upload, on one screen: object → chunks of rows → parts → verdicts → registry → report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, islice

from ginuri.core.errors import UnreadableFile
from ginuri.core.verdicts import refuse
from ginuri.documents.columns import fault_of_columns
from ginuri.documents.formats import Reader, fault_of, reader_for
from ginuri.documents.options import Options, fault_of_options, read_options
from ginuri.documents.reports import Upload, count, progress_key, write_progress
from ginuri.documents.summaries import read_summary, summary_key
from ginuri.intake.cutting import chunks_of, cut_on, cut_standing, make_plan, read_plan_of
from ginuri.intake.desk import Desk, Progress
from ginuri.intake.parts import CutRows, CutStanding, Part, Report, TakeIn, write_part
from ginuri.intake.reporting import refuse_whole, report, report_stored
from ginuri.intake.stepping import after, begin, is_done, rows_done
from ginuri.intake.tasks import take_in_rows
from ginuri.intake.work import KeptWork, Scratch, Work


@dataclass(frozen=True, slots=True)
class _Done:
    """What one part has come to: what follows it, and what was done where it was the report."""

    following: Sequence[Part] = ()
    counts: dict[str, int] = field(default_factory=lambda: count(()))


def take_in(message: Upload | Part, desk: Desk) -> dict[str, int]:
    """Take in an upload, or go on with one, and put what follows into the queue; twice is the same as once.

    A small file is taken in to the end. Counts what was done where the report was written, else nothing.
    Raises RegistryUnavailable: then nothing is lost, and the next delivery goes on.
    """
    upload = message if isinstance(message, Upload) else message.upload
    known = desk.uploads.reported(summary_key(upload.key, upload.version))
    if known is not None:  # it is written last: all of it was done before
        return _done_before(known) if isinstance(message, Upload) else count(())
    options = read_options(desk.uploads.metadata(upload.key, upload.version))
    read = reader_for(upload.key, options)
    if read is None:
        return report_stored(upload, options, desk)
    fault = fault_of(upload.key, desk.uploads.size(upload.key, upload.version))
    fault = fault or fault_of_options(options, upload.folder) or fault_of_columns(options.columns)
    if fault is not None:
        return refuse_whole(upload, options, fault, desk)
    try:
        if isinstance(message, Upload):
            return _begin(message, read, options, desk)
        done = _carry_out(message, read, options, KeptWork(desk.uploads, upload), desk)
    except UnreadableFile as error:
        return refuse_whole(upload, options, refuse("", error.rule, error.value, error.reason), desk)
    desk.queue.send([write_part(part) for part in done.following])
    return done.counts


def _done_before(summary: bytes) -> dict[str, int]:
    told = read_summary(json.loads(summary))
    return count(()) if told.is_dry_run else dict(told.counts)


def _begin(upload: Upload, read: Reader, options: Options, desk: Desk) -> dict[str, int]:
    chunks = chunks_of(upload, read, options, desk)
    first = list(islice(chunks, 2))
    if len(first) > 1 or sum(chunk.rows for chunk, _ in first) > desk.limits.task_rows:
        kept = KeptWork(desk.uploads, upload)
        further = cut_on(upload, chain(first, chunks), kept, desk)
        following = [further] if further else _when_cut(upload, options, kept, desk)
        desk.queue.send([write_part(part) for part in following])
        return count(())
    work = Scratch()
    cut_on(upload, iter(first), work, desk)
    parts, counts = _when_cut(upload, options, work, desk), count(())
    while parts:
        done = _carry_out(parts.pop(0), read, options, work, desk)
        parts += done.following
        counts = done.counts
    return counts


def _carry_out(part: Part, read: Reader, options: Options, work: Work, desk: Desk) -> _Done:
    upload = part.upload
    match part:
        case CutRows():
            chunks = chunks_of(upload, read, options, desk, number=part.chunk, after=part.after)
            further = cut_on(upload, chunks, work, desk)
            return _Done([further] if further else _when_cut(upload, options, work, desk))
        case CutStanding():
            standing = cut_standing(part, options.snapshot, work, desk)
            return _Done([standing] if standing else _when_all_is_cut(upload, options, work, desk))
        case TakeIn():
            plan = read_plan_of(work)
            if not is_done(part, work):
                tell = Progress(lambda done, of: _tell(upload, done, of, desk), desk.clock)
                take_in_rows(part, plan, options, work, desk, tell)
            if isinstance(work, KeptWork):
                _tell(upload, *rows_done(part, plan, work), desk)
            return _Done(after(part, plan, work))
        case Report():
            return _Done(counts=report(part, read_plan_of(work), options, work, desk))


def _when_cut(upload: Upload, options: Options, work: Work, desk: Desk) -> list[Part]:
    if options.snapshot:
        return [CutStanding(upload, 0, "")]
    return _when_all_is_cut(upload, options, work, desk)


def _when_all_is_cut(upload: Upload, options: Options, work: Work, desk: Desk) -> list[Part]:
    plan = make_plan(upload, options, work, desk)
    return begin(upload, plan, plan.passes[0])


def _tell(upload: Upload, done: int, of: int, desk: Desk) -> None:
    desk.uploads.report(progress_key(upload.key, upload.version), write_progress(done, of))
