"""The report on an upload, from what its parts found; and that of one that is refused as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from tempfile import SpooledTemporaryFile

from ginuri.files.formats import has_heading, read_lines
from ginuri.files.options import UploadOptions
from ginuri.files.reports.report import (
    LineMarks,
    Upload,
    count,
    page_key,
    refused_key,
    report_key,
    write_refused,
    write_report,
    write_stored,
)
from ginuri.files.reports.summary import summarize, summary_key, write_summary
from ginuri.i18n.catalogue import spoken_languages
from ginuri.identifiers.errors import PartsMissing
from ginuri.identifiers.messages import message
from ginuri.ingest.checkpoints import Checkpoints
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import FEW, Plan, most_changes
from ginuri.ingest.queue_messages import Pass, WriteReport
from ginuri.ingest.report_page import NotableVerdicts, write_page
from ginuri.ingest.scheduler import numbers_of
from ginuri.ingest.verdicts import VerdictSummary, all_found, of_pass
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict, refuse, warn

_IN_MEMORY = 64 * 1024
"""How much of a report is held in memory; more goes to a disk."""


def write_final_report(
    part: WriteReport,
    plan: Plan,
    options: UploadOptions,
    work: Checkpoints,
    collaborators: IngestCollaborators,
) -> dict[str, int]:
    """Write the one report on an upload, and count what was done.

    Raises PartsMissing where the verdicts of a task are, and RegistryUnavailable.
    """
    upload = part.upload
    expected = sum(len(numbers_of(plan, work, part.through, step)) for step in range(len(plan.steps)))
    if len(work.names(of_pass(part.through))) < expected:
        raise PartsMissing(of_pass(part.through))
    with all_found(work, part.through) as (summary, verdicts):
        counts = dict(summary.counts)
        said = list(_about_the_whole(plan, summary, options))
        if part.through is not plan.passes[-1]:  # it was only tried, and must not be done
            stopped = chain(said, _stopped(verdicts, said[0].findings[0]))
            return _write(upload, options, stopped, {"refused": _sum(counts) + 1}, None, collaborators)
        is_there = collaborators.uploads.size(upload.key, upload.version) is not None
        refused = refused_key(upload.key, upload.version) if counts["refused"] and is_there else None
        for verdict in said:
            counts = {name: number + count([verdict])[name] for name, number in counts.items()}
        return _write(upload, options, chain(said, verdicts), counts, refused, collaborators)


def refuse_whole(
    upload: Upload, options: UploadOptions, finding: Finding, collaborators: IngestCollaborators
) -> dict[str, int]:
    """Refuse a file of which not even the rows are known. Raises RegistryUnavailable."""
    verdict = Verdict(Outcome.REFUSED, (1,), None, (finding,))
    return _write(upload, options, [verdict], count([verdict]), None, collaborators)


def report_stored_file(
    upload: Upload, options: UploadOptions, collaborators: IngestCollaborators
) -> dict[str, int]:
    """Report on a file that is stored for registrations to name. Raises RegistryUnavailable."""
    collaborators.uploads.report(report_key(upload.key, upload.version), write_stored(upload))
    _sum_up(upload, options, count(()), collaborators, is_stored=True)
    return count(())


def _about_the_whole(plan: Plan, summary: VerdictSummary, options: UploadOptions) -> Iterator[Verdict]:
    """Say what is about no line: more would change than is done unasked, nothing or not all is retired."""
    changed, spared = summary.changed, summary.spared
    if Pass.TRY in plan.passes and changed > most_changes(plan.standing) and not options.is_many:
        say = warn if options.is_dry_run else refuse
        many = message(
            "This upload would change or retire {number} identifiers: more than {few}, and more than a "
            "tenth of those under its prefix. If that is intended, upload it again with --many.",
            number=f"{changed:,}",
            few=str(FEW),
        )
        outcome = Outcome.WARNED if options.is_dry_run else Outcome.REFUSED
        yield Verdict(outcome, (), None, (say("", "many", changed, many),))
    if plan.unnamed is not None:
        unnamed = refuse(
            "identifier",
            "snapshot",
            "",
            "Nothing is retired under {prefix}, as the identifier in line {line} cannot be read. Correct "
            "that line, and upload the whole file again.",
            prefix=options.snapshot,
            line=str(plan.unnamed),
        )
        yield Verdict(Outcome.REFUSED, (), None, (unnamed,))
    if spared.number:
        names = ", ".join([*spared.names, *(["…"] if spared.number > len(spared.names) else [])])
        kept = warn(
            "",
            "snapshot",
            spared.number,
            "These identifiers are not in the file, but were registered under {prefix} after it was "
            "uploaded, and are therefore not retired: {names}. A later snapshot retires what it does not "
            "contain.",
            prefix=options.snapshot,
            names=names,
        )
        yield Verdict(Outcome.WARNED, (), None, (kept,))


def _stopped(verdicts: Iterable[Verdict], why: Finding) -> Iterator[Verdict]:
    """Refuse what was found to be good, with what would have changed: so it can be looked through."""
    stopped = refuse(
        "", why.rule, "", "Nothing of this upload was registered; see the message about the whole upload."
    )
    for verdict in verdicts:
        is_refused = verdict.outcome is Outcome.REFUSED
        findings = verdict.findings if is_refused else (stopped, *verdict.findings)
        yield replace(verdict, outcome=Outcome.REFUSED, findings=findings)


def _write(  # noqa: PLR0913, PLR0917  what a report consists of
    upload: Upload,
    options: UploadOptions,
    verdicts: Iterable[Verdict],
    counts: dict[str, int],
    refused: str | None,
    collaborators: IngestCollaborators,
) -> dict[str, int]:
    counts = {**count(()), **counts}
    marks, notable = LineMarks(), NotableVerdicts()
    with SpooledTemporaryFile(_IN_MEMORY) as told, SpooledTemporaryFile(_IN_MEMORY) as again:
        for piece in write_report(upload, options, _seen(verdicts, marks, notable), counts, refused):
            told.write(piece)
        if refused:
            lines = read_lines(upload.key, collaborators.uploads.read(upload.key, upload.version), options)
            again.writelines(write_refused(lines, marks, has_heading=has_heading(upload.key)))
            again.seek(0)
            collaborators.uploads.report(refused, again)
        for language in spoken_languages():
            page = write_page(upload, notable, counts, language, is_dry_run=options.is_dry_run)
            collaborators.uploads.report(page_key(upload.key, upload.version, language), page)
        told.seek(0)
        collaborators.uploads.report(report_key(upload.key, upload.version), told)
    _sum_up(upload, options, counts, collaborators)
    return count(()) if options.is_dry_run else counts


def _sum_up(
    upload: Upload,
    options: UploadOptions,
    counts: dict[str, int],
    collaborators: IngestCollaborators,
    *,
    is_stored: bool = False,
) -> None:
    # It comes last: that it is there says that everything is done.
    summary = write_summary(summarize(upload.put, counts, options, is_stored=is_stored))
    collaborators.uploads.report(summary_key(upload.key, upload.version), summary)


def _seen(verdicts: Iterable[Verdict], marks: LineMarks, notable: NotableVerdicts) -> Iterator[Verdict]:
    for verdict in verdicts:
        marks.add(verdict)
        notable.add(verdict)
        yield verdict


def _sum(counts: dict[str, int]) -> int:
    """Count verdicts: those that are warned have an outcome beside."""
    return sum(number for name, number in counts.items() if name != Level.WARNED)
