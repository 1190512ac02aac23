"""Writes the report on an upload, from the verdicts of its parts or on its refusal as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Any

from ginuri.answer_tests.results import TestSummary, summary_members
from ginuri.files.options import UploadOptions, warn_of_language
from ginuri.files.reports.finding_groups import FindingGroups
from ginuri.files.reports.repeated_warnings import find_repeated
from ginuri.files.reports.report import (
    Upload,
    count,
    refused_key,
    report_key,
    write_report,
    write_stored,
)
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.summary import summarize, summary_key, write_summary
from ginuri.files.tables.heading import UnusableHeading
from ginuri.identifiers.errors import PartsMissing, RecordsMissing, UnreadableFile
from ginuri.identifiers.messages import message
from ginuri.ingest.checkpoints import Attempt, Checkpoints, CheckpointStore
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.plan import Plan
from ginuri.ingest.progress import FileProgress
from ginuri.ingest.queue_messages import Pass
from ginuri.ingest.reports.files_beside import NotedVerdicts, write_files
from ginuri.ingest.reports.streams import open_pieces
from ginuri.ingest.reports.upload_findings import judge_tests, judge_upload, on_upload, stop
from ginuri.ingest.reports.verdicts import open_verdicts, pass_prefix
from ginuri.ingest.scheduler import numbers_of
from ginuri.ingest.test_runs.results import read_results
from ginuri.registration.verdicts import Finding, Level, Outcome, Verdict, refuse, warn
from ginuri.registry.clock import write_moment
from ginuri.registry.ports import MOST_FETCHED, Registry
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.registry.record.stamps import Stamp


@dataclass(frozen=True, slots=True)
class _Beside:
    """The contents of a report beside its verdicts."""

    groups: FindingGroups = field(default_factory=FindingGroups)
    """The findings that the verdicts leave out."""
    tests: TestSummary = field(default_factory=TestSummary)
    repeated: Collection[str] = ()
    """The marks of warnings that are the same for several rows."""


def write_final_report(  # noqa: PLR0913, PLR0917  the contents of a report
    progress: FileProgress,
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
    attempt, upload = progress.attempt, progress.attempt.upload
    expected = sum(len(numbers_of(plan, checkpoints, through, step)) for step in range(len(plan.steps)))
    if len(checkpoints.names(pass_prefix(through))) < expected:
        raise PartsMissing(pass_prefix(through))
    tests = read_results(checkpoints, through)
    with open_verdicts(checkpoints, through, collaborators.make_spool) as (summary, stored, groups):
        if through is Pass.REGISTER and isinstance(checkpoints, CheckpointStore):
            _check_witnesses(upload, summary.witnesses, collaborators.registry)
        counts, beside = dict(summary.counts), _Beside(groups, tests, find_repeated(summary.warnings))
        verdicts = progress.watch_report(stored, sum(counts.values()))
        is_stopped = through is not plan.passes[-1]  # only the dry run took place
        findings = [
            *judge_tests(tests, is_strict=options.is_strict and (is_stopped or options.is_dry_run)),
            *judge_upload(plan, summary, options),
        ]
        upload_verdicts = list(map(on_upload, findings))
        if is_stopped:
            stopped = chain(upload_verdicts, stop(verdicts, findings[0]))
            about_upload = count(upload_verdicts)
            # Warned ones are already counted by their outcomes.
            number = sum(number for name, number in counts.items() if name != Level.WARNED)
            counts = {**about_upload, "refused": about_upload["refused"] + number}
            return _write(attempt, options, stopped, counts, None, collaborators, beside)
        can_return = counts["refused"] and collaborators.uploads.head(upload.key, upload.version) is not None
        refused = refused_key(upload.key, attempt.version) if can_return else None
        for verdict in upload_verdicts:
            counts = {name: number + count([verdict])[name] for name, number in counts.items()}
        all_verdicts = chain(upload_verdicts, verdicts)
        return _write(attempt, options, all_verdicts, counts, refused, collaborators, beside)


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


def refuse_unreadable(
    attempt: Attempt, options: UploadOptions, error: UnreadableFile, collaborators: IngestCollaborators
) -> dict[str, int]:
    """Refuse a file that cannot be read, or a table with an unusable heading. Raises RegistryUnavailable."""
    if isinstance(error, UnusableHeading):
        return refuse_upload(attempt, options, error.findings, collaborators, error.line)
    finding = refuse("", error.rule, error.value, error.reason)
    return refuse_upload(attempt, options, [finding], collaborators)


def parts_gone(key: str) -> Finding:
    """Return the finding that refuses an upload without its work files."""
    return refuse(
        "",
        "parts",
        "",
        "The work files of this upload are gone ({key}), and with them its report. What was registered so "
        "far stays registered. Upload it again.",
        key=key,
    )


def refuse_upload(  # noqa: PLR0913  the contents of a report
    attempt: Attempt,
    options: UploadOptions,
    findings: Sequence[Finding],
    collaborators: IngestCollaborators,
    line: int = 1,
    *,
    is_denied: bool = False,
) -> dict[str, int]:
    """Refuse a file whose rows cannot be read, with one verdict on a line. Raises RegistryUnavailable.

    `is_denied` means that its uploader may not upload it: it is not replayed.
    """
    verdict = Verdict(Outcome.REFUSED, (line,), None, findings)
    # No row was read, even below the titles and the heading of a table.
    refused = count([verdict])
    return _write(
        attempt,
        options,
        [verdict],
        refused,
        None,
        collaborators,
        first_row=line + 1,
        is_denied=is_denied,
    )


def report_stored_file(
    attempt: Attempt, options: UploadOptions, collaborators: IngestCollaborators
) -> dict[str, int]:
    """Report on a file that registrations may name. Raises RegistryUnavailable."""
    upload = attempt.upload
    verdicts = [] if options.is_stored else list(_judge_stored_file(upload, options, collaborators))
    collaborators.uploads.report(
        report_key(upload.key, attempt.version),
        write_stored(upload, options, verdicts, attempt.uploader),
    )
    _write_summary(attempt, options, count(verdicts), collaborators.now(), collaborators, is_stored=True)
    return count(())


def _judge_stored_file(
    upload: Upload, options: UploadOptions, collaborators: IngestCollaborators
) -> Iterator[Verdict]:
    if collaborators.uploads.head(upload.key, upload.version) is None:
        return
    from ginuri.files.mistaken_files import way_out_of_content

    content = collaborators.uploads.read(upload.key, upload.version)
    if way_out := way_out_of_content(upload.key, content, options.columns):
        unread = message("The file is stored, and nothing in it is registered. {way_out}", way_out=way_out)
        yield on_upload(warn("", "stored", "", unread))


def _write(  # noqa: PLR0913, PLR0917  the contents of a report
    attempt: Attempt,
    options: UploadOptions,
    verdicts: Iterable[Verdict],
    counts: dict[str, int],
    refused: str | None,
    collaborators: IngestCollaborators,
    beside: _Beside | None = None,
    *,
    first_row: int = 1,
    is_denied: bool = False,
) -> dict[str, int]:
    upload, beside = attempt.upload, beside or _Beside()
    if (finding := warn_of_language(options)) is not None:
        verdicts = chain([on_upload(finding)], verdicts)
        counts = {**counts, "warned": counts.get("warned", 0) + 1}
    counts = {**count(()), **counts}
    noted = NotedVerdicts(first_row)

    def close() -> Mapping[str, Any]:
        for group in beside.groups:
            noted.digest.add_group(group)
        tests = beside.tests
        return write_files(attempt, options, noted, counts, refused, tests, collaborators).members()

    report = write_report(
        upload,
        options,
        noted.note_each(verdicts),
        counts,
        noted.scope,
        refused,
        groups=beside.groups,
        most_bytes=collaborators.limits.detail_bytes,
        further={"tests": summary_members(beside.tests)} if beside.tests.is_known else {},
        repeated=beside.repeated,
        close=close,  # before the end: a visible report has all the files that it names
        uploader=attempt.uploader,
    )
    collaborators.uploads.report(report_key(upload.key, attempt.version), open_pieces(report))
    processed = collaborators.now()
    if not options.is_dry_run:
        _note_applied(upload, counts, processed, collaborators)
    _write_summary(attempt, options, counts, processed, collaborators, noted.scope, is_denied=is_denied)
    return count(()) if options.is_dry_run else counts


def _note_applied(
    upload: Upload, counts: Mapping[str, int], processed: datetime, collaborators: IngestCollaborators
) -> None:
    second = f"{processed:%Y-%m-%dT%H:%M:%SZ}"
    collaborators.registry.note_applied(AppliedUpload(upload.key, upload.version, upload.put, second, counts))


def _write_summary(  # noqa: PLR0913, PLR0917  the contents of a summary
    attempt: Attempt,
    options: UploadOptions,
    counts: dict[str, int],
    processed: datetime,
    collaborators: IngestCollaborators,
    scope: ReportScope | None = None,
    *,
    is_stored: bool = False,
    is_denied: bool = False,
) -> None:
    # The summary is written last, as it ends the attempt.
    upload = attempt.upload
    summary = summarize(upload.put, counts, options, scope, is_stored=is_stored)
    collaborators.uploads.report(
        summary_key(upload.key, attempt.version),
        write_summary(
            replace(
                summary,
                attempt=attempt.number,
                processed=write_moment(processed),
                uploader=attempt.uploader,
                is_denied=is_denied,
            )
        ),
    )
