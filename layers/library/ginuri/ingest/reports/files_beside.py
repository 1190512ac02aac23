"""The files beside a report: its pages, the refused rows, and the uploaded file with all corrections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from ginuri.answer_tests.results import TestSummary
from ginuri.files.code_pages import is_code_page, to_code_page
from ginuri.files.formats import heading_reader, is_graph, read_lines
from ginuri.files.options import UploadOptions, is_several, report_language
from ginuri.files.repairs.cell_corrections import MOST_BYTES, CellCorrections, fits, write_all
from ginuri.files.reports.digest import ReportDigest
from ginuri.files.reports.remedies import not_rewritten, repair_command
from ginuri.files.reports.report import LineMarks, page_key, repaired_key, write_refused
from ginuri.files.reports.scope import ReportScope
from ginuri.files.tables.letters import letters_by_heading
from ginuri.i18n.catalogue import spoken_languages
from ginuri.identifiers.errors import UnreadableFile
from ginuri.ingest.checkpoints import Attempt
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.reports.report_page import CorrectedFile, ReportContent, find_links, write_page
from ginuri.ingest.reports.streams import open_pieces
from ginuri.registration.verdicts import Verdict


class NotedVerdicts:
    """What the files beside a report need of its verdicts, noted while the report is written."""

    def __init__(self, first_row: int = 1) -> None:
        self.marks, self.digest, self.scope = LineMarks(), ReportDigest(), ReportScope()
        self.corrections = CellCorrections()
        self._first_row = first_row

    def note_each(self, verdicts: Iterable[Verdict]) -> Iterator[Verdict]:
        """Pass on verdicts in the order of the file."""
        for verdict in verdicts:
            new = sum(line >= self._first_row and not self.marks.begins(line) for line in verdict.lines)
            self.scope.add(verdict, new)
            self.marks.add(verdict)
            self.digest.add(verdict)
            self.corrections.add(verdict.findings)
            yield verdict


def write_files(  # noqa: PLR0913, PLR0917  the contents of the files
    attempt: Attempt,
    options: UploadOptions,
    noted: NotedVerdicts,
    counts: Mapping[str, int],
    refused: str | None,
    tests: TestSummary,
    collaborators: IngestCollaborators,
) -> CorrectedFile:
    """Write the files beside a report. Raises RegistryUnavailable."""
    upload, asked = attempt.upload, report_language(options)
    if refused:
        lines = read_lines(upload.key, collaborators.uploads.read(upload.key, upload.version), options)
        rows = write_refused(lines, noted.marks, heading_reader(upload.key, options))
        if is_code_page(options.encoding):
            rows = to_code_page(rows, options.encoding)
        collaborators.uploads.report(refused, open_pieces(rows))
    body = _read_small(attempt, noted, collaborators)
    corrected = CorrectedFile()
    if noted.corrections.texts and not collaborators.is_offline:
        corrected = _correct(attempt, options, body, noted.corrections, collaborators)
    content = ReportContent(
        attempt,
        noted.digest,
        counts,
        noted.scope,
        options.is_dry_run,
        options.submitter,
        options.reason,
        refused,
        corrected,
        _find_letters(upload.key, options, body),
        asked,
        tests,
        attempt.uploader.principal,
    )
    links = find_links(collaborators.canonical_host, collaborators.reports_address, collaborators.option)
    for language in spoken_languages():
        name = page_key(upload.key, attempt.version, "" if language == asked else language)
        collaborators.uploads.report(name, write_page(content, links, language))
    return corrected


def _read_small(attempt: Attempt, noted: NotedVerdicts, collaborators: IngestCollaborators) -> bytes:
    """Read an uploaded file with findings in its cells; empty if it is too large for memory, or gone."""
    upload, uploads = attempt.upload, collaborators.uploads
    if collaborators.is_offline or not noted.digest.has_columns:
        return b""
    head = uploads.head(upload.key, upload.version)
    if head is None or head.size > MOST_BYTES:
        return b""
    return b"".join(uploads.read(upload.key, upload.version))


def _correct(
    attempt: Attempt,
    options: UploadOptions,
    content: bytes,
    corrections: CellCorrections,
    collaborators: IngestCollaborators,
) -> CorrectedFile:
    """Write the uploaded file with all corrections, if it is not too large and none is left out."""
    upload = attempt.upload
    if is_graph(upload.key):
        return CorrectedFile(advice=not_rewritten(upload.name))
    written = None
    with suppress(UnreadableFile):  # unpacked, it is too large
        if content and corrections.is_complete and fits(upload.key, content):
            written = write_all(upload.key, upload.prefix, content, corrections.texts, options)
    if written is None:
        return CorrectedFile(command=repair_command(upload.key, options))
    repaired, cells = written
    if not cells:
        return CorrectedFile()
    key = repaired_key(upload.key, attempt.version)
    collaborators.uploads.report(key, repaired)
    return CorrectedFile(key)


def _find_letters(key: str, options: UploadOptions, content: bytes) -> Mapping[str, str]:
    """Find the letters of the columns of a table; none of several sheets, whose columns differ."""
    heading = heading_reader(key, options)
    if heading is None or not content or is_several(options.sheet):
        return {}
    try:
        return letters_by_heading(read_lines(key, [content], options), heading)
    except UnreadableFile:
        return {}
