"""The files beside a report: its pages, the refused rows, and the uploaded file with all corrections."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ginuri.answer_tests.results import TestSummary
from ginuri.files.code_pages import is_code_page, to_code_page
from ginuri.files.formats import heading_reader, read_lines
from ginuri.files.options import UploadOptions, is_several, report_language
from ginuri.files.repairs.cell_corrections import MOST_BYTES, CellCorrections, is_repairable
from ginuri.files.repairs.writer import write_repaired
from ginuri.files.reports.digest import ReportDigest
from ginuri.files.reports.report import LineMarks, page_key, repaired_key, write_refused
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.streams import open_pieces
from ginuri.files.tables.letters import letters_by_heading
from ginuri.i18n.catalogue import spoken_languages
from ginuri.identifiers.errors import UnreadableFile
from ginuri.ingest.checkpoints import Attempt
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.reports.report_page import ReportContent, find_links, write_page
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
            self.corrections.add(verdict)
            yield verdict


def write_files(  # noqa: PLR0913, PLR0917  the contents of the files
    attempt: Attempt,
    options: UploadOptions,
    noted: NotedVerdicts,
    counts: Mapping[str, int],
    refused: str | None,
    tests: TestSummary,
    collaborators: IngestCollaborators,
) -> str | None:
    """Write the files, and return the key of the file with all corrections. Raises RegistryUnavailable."""
    upload, asked = attempt.upload, report_language(options)
    if refused:
        lines = read_lines(upload.key, collaborators.uploads.read(upload.key, upload.version), options)
        rows = write_refused(lines, noted.marks, heading_reader(upload.key, options))
        if is_code_page(options.encoding):
            rows = to_code_page(rows, options.encoding)
        collaborators.uploads.report(refused, open_pieces(rows))
    body = _read_small(attempt, noted, collaborators)
    repaired = _write_repaired(attempt, options, body, noted.corrections, collaborators)
    content = ReportContent(
        attempt,
        noted.digest,
        counts,
        noted.scope,
        options.is_dry_run,
        options.submitter,
        options.reason,
        refused,
        repaired,
        _find_letters(upload.key, options, body),
        asked,
        tests,
    )
    links = find_links(collaborators.canonical_host, collaborators.reports_address, collaborators.option)
    for language in spoken_languages():
        name = page_key(upload.key, attempt.version, "" if language == asked else language)
        collaborators.uploads.report(name, write_page(content, links, language))
    return repaired


def _read_small(attempt: Attempt, noted: NotedVerdicts, collaborators: IngestCollaborators) -> bytes:
    """Read an uploaded file with findings in its cells; empty if it is too large for memory, or gone."""
    upload, uploads = attempt.upload, collaborators.uploads
    if collaborators.is_offline or not noted.digest.has_columns:
        return b""
    head = uploads.head(upload.key, upload.version)
    if head is None or head.size > MOST_BYTES:
        return b""
    return b"".join(uploads.read(upload.key, upload.version))


def _write_repaired(
    attempt: Attempt,
    options: UploadOptions,
    content: bytes,
    corrections: CellCorrections,
    collaborators: IngestCollaborators,
) -> str | None:
    """Write the uploaded file with all corrections, if there are any and none is left out."""
    upload = attempt.upload
    is_possible = corrections.texts and corrections.is_complete and content
    if not (is_possible and is_repairable(upload.key, len(content))):
        return None
    try:
        repaired, cells = write_repaired(upload.key, content, corrections.texts, options)
    except UnreadableFile:  # unpacked, it is too large
        return None
    if not cells:
        return None
    key = repaired_key(upload.key, attempt.version)
    collaborators.uploads.report(key, repaired)
    return key


def _find_letters(key: str, options: UploadOptions, content: bytes) -> Mapping[str, str]:
    """Find the letters of the columns of a table; none of several sheets, whose columns differ."""
    heading = heading_reader(key, options)
    if heading is None or not content or is_several(options.sheet):
        return {}
    try:
        return letters_by_heading(read_lines(key, [content], options), heading)
    except UnreadableFile:
        return {}
