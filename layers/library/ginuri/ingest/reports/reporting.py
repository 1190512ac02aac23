"""Writes the report on an upload, from the verdicts of its parts or on its refusal as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from ginuri.files.formats import heading_reader, read_lines
from ginuri.files.mistaken_files import way_out_of_content
from ginuri.files.options import UploadOptions, report_language, warn_of_language
from ginuri.files.reports.digest import STOPPED, ReportDigest
from ginuri.files.reports.finding_groups import FindingGroups
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
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.streams import open_pieces
from ginuri.files.reports.summary import summarize, summary_key, write_summary
from ginuri.i18n.catalogue import spoken_languages
from ginuri.identifiers.errors import PartsMissing, RecordsMissing
from ginuri.identifiers.messages import message
from ginuri.ingest.checkpoints import Attempt, Checkpoints, CheckpointStore
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import FEW, Plan, most_changes
from ginuri.ingest.queue_messages import Pass
from ginuri.ingest.reports.report_page import ReportContent, find_links, write_page
from ginuri.ingest.reports.verdicts import VerdictSummary, open_verdicts, pass_prefix
from ginuri.ingest.scheduler import numbers_of
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict, is_refused, refuse, warn
from ginuri.registry.ports import MOST_FETCHED, Registry
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.registry.record.stamps import Stamp


def write_final_report(  # noqa: PLR0913, PLR0917  the contents of a report
    attempt: Attempt,
    through: Pass,
    plan: Plan,
    options: UploadOptions,
    checkpoints: Checkpoints,
    collaborators: IngestCollaborators,
) -> dict[str, int]:
    """Write the final report on an upload, and return the counts.

    Raises PartsMissing if the verdicts of a task are missing, RecordsMissing if its records are, and
    RegistryUnavailable.
    """
    upload = attempt.upload
    expected = sum(len(numbers_of(plan, checkpoints, through, step)) for step in range(len(plan.steps)))
    if len(checkpoints.names(pass_prefix(through))) < expected:
        raise PartsMissing(pass_prefix(through))
    with open_verdicts(checkpoints, through, collaborators.make_spool) as (summary, verdicts, groups):
        if through is Pass.REGISTER and isinstance(checkpoints, CheckpointStore):
            _check_witnesses(upload, summary.witnesses, collaborators.registry)
        counts = dict(summary.counts)
        upload_verdicts = [_on_upload(finding) for finding in _judge_upload(plan, summary, options)]
        if through is not plan.passes[-1]:  # only the dry run took place: too much would change
            stopped = chain(upload_verdicts, _stopped(verdicts, upload_verdicts[0].findings[0]))
            about_upload = count(upload_verdicts)
            # Warned ones are already counted by their outcomes.
            number = sum(number for name, number in counts.items() if name != Level.WARNED)
            counts = {**about_upload, "refused": about_upload["refused"] + number}
            return _write(attempt, options, stopped, counts, None, collaborators, groups=groups)
        can_return = counts["refused"] and collaborators.uploads.head(upload.key, upload.version) is not None
        refused = refused_key(upload.key, attempt.version) if can_return else None
        for verdict in upload_verdicts:
            counts = {name: number + count([verdict])[name] for name, number in counts.items()}
        return _write(
            attempt, options, chain(upload_verdicts, verdicts), counts, refused, collaborators, groups=groups
        )


def _check_witnesses(upload: Upload, names: Sequence[str], registry: Registry) -> None:
    """Raise RecordsMissing if a task's last record has lost the statements of the upload."""
    for first in range(0, len(names), MOST_FETCHED):
        some = names[first : first + MOST_FETCHED]
        records = registry.read(some)
        for name in some:
            stamps = [entry.stamp for entry in records[name].entries.values()] if name in records else []
            # A later statement displaced it into the history.
            if not any(_is_of(upload, stamp) for stamp in stamps) and not any(
                _is_of(upload, statement.stamp) for statement in registry.history(name).statements
            ):
                raise RecordsMissing(name)


def _is_of(upload: Upload, stamp: Stamp) -> bool:
    return (stamp.upload, stamp.version) == (upload.key, upload.version)


def refuse_upload(
    attempt: Attempt,
    options: UploadOptions,
    findings: Sequence[Finding],
    collaborators: IngestCollaborators,
    line: int = 1,
) -> dict[str, int]:
    """Refuse a file whose rows cannot be read, with one verdict on a line. Raises RegistryUnavailable."""
    verdict = Verdict(Outcome.REFUSED, (line,), None, findings)
    # No row was read, even below the titles and the heading of a table.
    return _write(attempt, options, [verdict], count([verdict]), None, collaborators, first_row=line + 1)


def report_stored_file(
    attempt: Attempt, options: UploadOptions, collaborators: IngestCollaborators
) -> dict[str, int]:
    """Report on a file that registrations may name. Raises RegistryUnavailable."""
    upload = attempt.upload
    verdicts = [] if options.is_stored else list(_judge_stored_file(upload, options, collaborators))
    collaborators.uploads.report(
        report_key(upload.key, attempt.version), write_stored(upload, options, verdicts)
    )
    _write_summary(attempt, options, count(verdicts), collaborators, is_stored=True)
    return count(())


def _judge_stored_file(
    upload: Upload, options: UploadOptions, collaborators: IngestCollaborators
) -> Iterator[Verdict]:
    if collaborators.uploads.head(upload.key, upload.version) is None:
        return
    content = collaborators.uploads.read(upload.key, upload.version)
    if way_out := way_out_of_content(upload.key, content, options.columns):
        unread = message("The file is stored, and nothing in it is registered. {way_out}", way_out=way_out)
        yield _on_upload(warn("", "stored", "", unread))


def _on_upload(finding: Finding) -> Verdict:
    return Verdict(Outcome(finding.level), (), None, (finding,))


def _judge_upload(plan: Plan, summary: VerdictSummary, options: UploadOptions) -> Iterator[Finding]:
    """Return the findings on the whole upload: too many changes, or identifiers that are not retired."""
    changed, spared = summary.changed, summary.spared
    if Pass.TRY in plan.passes and changed > most_changes(plan.standing) and not options.is_many:
        make_finding = warn if options.is_dry_run else refuse
        many = message(
            "This upload would change or retire {number} identifiers: more than {few}, and more than a "
            "tenth of those under its prefix. If that is intended, upload it again with --many.",
            number=f"{changed:,}",
            few=str(FEW),
        )
        yield make_finding("", STOPPED, changed, many)
    if plan.unnamed is not None:
        yield refuse(
            "identifier",
            "snapshot",
            "",
            "Nothing is retired under {prefix}, as the identifier in line {line} cannot be read. Correct "
            "that line, and upload the whole file again.",
            prefix=options.snapshot,
            line=str(plan.unnamed),
        )
    yield from plan.remarks
    if options.snapshot and is_refused(plan.remarks):
        yield refuse(
            "",
            "snapshot",
            "",
            "Nothing is retired under {prefix}, as identifiers in other sheets were not read. If one sheet "
            "is complete for the prefix, upload the file again and name that sheet with {option}.",
            prefix=options.snapshot,
            option="--sheet",
        )
    if spared.number:
        names = ", ".join([*spared.names, *(["…"] if spared.number > len(spared.names) else [])])
        yield warn(
            "",
            "snapshot",
            spared.number,
            "These identifiers are not in the file, but were registered under {prefix} after it was "
            "uploaded, and are therefore not retired: {names}. A later snapshot retires what it does not "
            "contain.",
            prefix=options.snapshot,
            names=names,
        )


def _stopped(verdicts: Iterable[Verdict], why: Finding) -> Iterator[Verdict]:
    """Refuse all verdicts, and keep their intended changes for the report."""
    stopped = refuse(
        "", why.rule, "", "Nothing of this upload was registered; see the message about the whole upload."
    )
    for verdict in verdicts:
        why_refused = () if verdict.outcome is Outcome.REFUSED else (stopped,)
        yield replace(verdict, outcome=Outcome.REFUSED, findings=(*why_refused, *verdict.findings))


def _write(  # noqa: PLR0913, PLR0917  the contents of a report
    attempt: Attempt,
    options: UploadOptions,
    verdicts: Iterable[Verdict],
    counts: dict[str, int],
    refused: str | None,
    collaborators: IngestCollaborators,
    *,
    groups: FindingGroups | None = None,
    first_row: int = 1,
) -> dict[str, int]:
    upload = attempt.upload
    if (finding := warn_of_language(options)) is not None:
        verdicts = chain([_on_upload(finding)], verdicts)
        counts = {**counts, "warned": counts.get("warned", 0) + 1}
    counts, asked = {**count(()), **counts}, report_language(options)
    marks, digest, scope = LineMarks(), ReportDigest(), ReportScope()
    noted = _note_each(verdicts, marks, digest, scope, first_row)

    def files_beside() -> None:
        for group in groups or ():
            digest.add_group(group)
        if refused:
            lines = read_lines(upload.key, collaborators.uploads.read(upload.key, upload.version), options)
            rows = write_refused(lines, marks, heading_reader(upload.key, options))
            collaborators.uploads.report(refused, open_pieces(rows))
        given = options.is_dry_run, options.submitter, options.reason
        content = ReportContent(attempt, digest, counts, scope, *given, refused, asked)
        links = find_links(collaborators.canonical_host, collaborators.reports_address)
        for language in spoken_languages():
            name = page_key(upload.key, attempt.version, "" if language == asked else language)
            collaborators.uploads.report(name, write_page(content, links, language))

    most_bytes = collaborators.limits.detail_bytes
    report = write_report(upload, options, noted, counts, scope, refused, groups, most_bytes)
    pieces = _followed_by(report, files_beside)
    collaborators.uploads.report(report_key(upload.key, attempt.version), open_pieces(pieces))
    if not options.is_dry_run:
        _note_applied(upload, counts, collaborators)
    _write_summary(attempt, options, counts, collaborators, scope)
    return count(()) if options.is_dry_run else counts


def _followed_by(pieces: Iterator[bytes], act: Callable[[], None]) -> Iterator[bytes]:
    """Act after the last piece, before the end: a visible report has all the files that it names."""
    yield from pieces
    act()


def _note_applied(upload: Upload, counts: Mapping[str, int], collaborators: IngestCollaborators) -> None:
    processed = f"{collaborators.now():%Y-%m-%dT%H:%M:%SZ}"
    collaborators.registry.note_applied(
        AppliedUpload(upload.key, upload.version, upload.put, processed, counts)
    )


def _write_summary(  # noqa: PLR0913  the contents of a summary
    attempt: Attempt,
    options: UploadOptions,
    counts: dict[str, int],
    collaborators: IngestCollaborators,
    scope: ReportScope | None = None,
    *,
    is_stored: bool = False,
) -> None:
    # The summary is written last, as it ends the attempt.
    upload = attempt.upload
    summary = summarize(upload.put, counts, options, scope, is_stored=is_stored)
    collaborators.uploads.report(
        summary_key(upload.key, attempt.version), write_summary(replace(summary, attempt=attempt.number))
    )


def _note_each(
    verdicts: Iterable[Verdict], marks: LineMarks, digest: ReportDigest, scope: ReportScope, first_row: int
) -> Iterator[Verdict]:
    for verdict in verdicts:
        scope.add(verdict, sum(line >= first_row and not marks.begins(line) for line in verdict.lines))
        marks.add(verdict)
        digest.add(verdict)
        yield verdict
