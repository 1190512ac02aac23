"""The way of an upload, on one screen: object → chunks of rows → parts → verdicts → registry → report."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import ceil

from ginuri.files.columns import fault_of_columns
from ginuri.files.formats import Reader, fault_of, reader_for
from ginuri.files.options import Options, fault_of_options, read_options
from ginuri.files.reports.report import Upload, count, progress_key, write_progress
from ginuri.files.reports.summary import read_summary, summary_key
from ginuri.identifiers.errors import PartsMissing, UnreadableFile
from ginuri.ingest.checkpoints import KeptWork, Scratch, Work
from ginuri.ingest.chunking import chunks_of, cut_on, cut_standing, is_planned, make_plan, read_plan_of
from ginuri.ingest.chunks import is_of_standing, write_chunk
from ginuri.ingest.collaborators import Desk, Progress
from ginuri.ingest.plan import Plan
from ginuri.ingest.queue_messages import Begin, CutRows, CutStanding, Part, Report, TakeIn, write_part
from ginuri.ingest.reporting import refuse_whole, report, report_stored
from ginuri.ingest.scheduler import after, begin, is_done, rows_done
from ginuri.ingest.work_items import take_in_rows
from ginuri.registration.prerequisites import missing
from ginuri.registration.verdicts import Finding, refuse

MOST_TOLD = 100
"""How many identifiers are named that an upload waits for."""
_SAID = "said"
"""What was said beside the upload, put aside with its rows."""


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
    try:
        return _begin(upload, desk) if isinstance(message, Upload | Begin) else _go_on(message, desk)
    except PartsMissing as missing:
        if isinstance(message, Upload):
            raise
        return _begin_again(message.upload, missing, desk)


def _begin(upload: Upload, desk: Desk) -> dict[str, int]:
    said = desk.uploads.metadata(upload.key, upload.version)
    options = read_options(said)
    read = reader_for(upload.key, options)
    if read is None:
        return report_stored(upload, options, desk)
    fault = _fault_of_file(upload, desk)
    fault = fault or fault_of_options(options, upload.prefix) or fault_of_columns(options.columns)
    if fault is not None:
        return refuse_whole(upload, options, fault, desk)
    try:
        return _cut(upload, read, said, desk)
    except UnreadableFile as error:
        return refuse_whole(upload, options, refuse("", error.rule, error.value, error.reason), desk)


def _go_on(part: Part, desk: Desk) -> dict[str, int]:
    upload, work = part.upload, KeptWork(desk.uploads, part.upload)
    options = read_options(_said(upload, work, desk))
    read = reader_for(upload.key, options)
    if read is None:
        return report_stored(upload, options, desk)
    # Once its rows are cut, nobody needs the file any more but to give refused lines back.
    fault = _fault_of_file(upload, desk) if isinstance(part, CutRows) else None
    if fault is not None:
        return refuse_whole(upload, options, fault, desk)
    try:
        done = _carry_out(part, read, options, work, desk)
    except UnreadableFile as error:
        return refuse_whole(upload, options, refuse("", error.rule, error.value, error.reason), desk)
    _send(done.following, desk)
    return done.counts


def _said(upload: Upload, work: Work, desk: Desk) -> Mapping[str, str]:
    try:
        said: Mapping[str, str] = json.loads(work.read(_SAID))
    except PartsMissing:  # its rows were cut by an earlier release
        return desk.uploads.metadata(upload.key, upload.version)
    return said


def _begin_again(upload: Upload, missing: PartsMissing, desk: Desk) -> dict[str, int]:
    """Cut a file again of which something is missing that was put aside: what is done already stays done."""
    if not is_of_standing(missing.key):
        return _begin(upload, desk)
    finding = refuse(
        "",
        "parts",
        "",
        "The work files of this upload are gone ({key}), and with them its report. What was registered so "
        "far stays registered. Upload it again.",
        key=missing.key,
    )
    return refuse_whole(upload, Options(), finding, desk)


def _fault_of_file(upload: Upload, desk: Desk) -> Finding | None:
    return fault_of(upload.key, desk.uploads.size(upload.key, upload.version))


def _done_before(summary: bytes) -> dict[str, int]:
    told = read_summary(json.loads(summary))
    return count(()) if told.is_dry_run else dict(told.counts)


def _cut(upload: Upload, read: Reader, said: Mapping[str, str], desk: Desk) -> dict[str, int]:
    options = read_options(said)
    chunks = chunks_of(upload, read, options, desk)
    first = next(chunks, None)
    if first is not None and not (first[0].is_last and sum(first[0].rows) <= desk.limits.task_rows):
        kept = KeptWork(desk.uploads, upload)
        kept.write(_SAID, json.dumps(dict(said)).encode())
        write_chunk(kept, *first)
        del first  # what is put aside need not be held any longer
        further = cut_on(upload, chunks, kept, desk)
        following = [further] if further else _when_cut(upload, options, kept, desk)
        _send(following, desk)
        return count(())
    work = Scratch()
    if first is not None:
        write_chunk(work, *first)
    parts, counts = _when_cut(upload, options, work, desk), count(())
    if any(isinstance(part, Begin) for part in parts):
        _send(parts, desk)
        return counts
    while parts:
        done = _carry_out(parts.pop(0), read, options, work, desk)
        parts += done.following
        counts = done.counts
    return counts


def _carry_out(part: Part, read: Reader, options: Options, work: Work, desk: Desk) -> _Done:
    upload = part.upload
    match part:
        case Begin():
            raise AssertionError("what begins is not carried out before it has begun")
        case CutRows():
            chunks = chunks_of(upload, read, options, desk, number=part.chunk, after=part.after)
            further = cut_on(upload, chunks, work, desk)
            return _Done([further] if further else _when_cut(upload, options, work, desk))
        case CutStanding():
            standing = None if is_planned(work) else cut_standing(part, options.snapshot, work, desk)
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
    if options.snapshot and not is_planned(work):  # what stands now may be more than stood then
        return [CutStanding(upload, 0, "")]
    return _when_all_is_cut(upload, options, work, desk)


def _when_all_is_cut(upload: Upload, options: Options, work: Work, desk: Desk) -> list[Part]:
    plan = make_plan(upload, options, work, desk)
    # Before anything of it is taken in: so nothing is half done while it waits.
    return _wait(upload, plan, desk) or begin(upload, plan, work, plan.passes[0])


def _wait(upload: Upload, plan: Plan, desk: Desk) -> list[Part]:
    """Have an upload begin later where it needs what may be on its way: two are put at once, and overtake."""
    age = (desk.now() - datetime.fromisoformat(upload.put)).total_seconds()
    left = desk.limits.wait_seconds - age
    lacking = missing(plan.needed, desk.registry) if left > 0 and plan.needed else []
    if not lacking:
        return []
    told = write_progress(0, 0, lacking[:MOST_TOLD])
    desk.uploads.report(progress_key(upload.key, upload.version), told)
    return [Begin(upload, max(1, ceil(min(left, desk.limits.wait_step))))]


def _send(parts: Sequence[Part], desk: Desk) -> None:
    begin_later = [part for part in parts if isinstance(part, Begin)]
    desk.queue.send([write_part(part) for part in parts if not isinstance(part, Begin)])
    for part in begin_later:
        desk.queue.send([write_part(part)], part.delay)


def _tell(upload: Upload, done: int, of: int, desk: Desk) -> None:
    desk.uploads.report(progress_key(upload.key, upload.version), write_progress(done, of))
