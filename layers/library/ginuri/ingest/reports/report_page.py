"""The report on an upload as an HTML page: refusals, then warnings, then changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from markupsafe import Markup

from ginuri.answer_tests.results import TestSummary
from ginuri.answer_tests.wording import write_failure, write_summary
from ginuri.files.reports.digest import ReportDigest
from ginuri.files.reports.remedies import rollback_command
from ginuri.files.reports.report import page_key, report_key
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.wording import (
    count_grouped,
    count_retiring,
    name_outcome,
    write_scope,
    write_uploaders,
)
from ginuri.i18n.catalogue import ENGLISH, spoken_languages
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.service_paths import REPORTS
from ginuri.ingest.checkpoints import Attempt
from ginuri.ingest.reports.report_rows import RowContext, find_changes, find_rows
from ginuri.registration.verdicts import Level, Outcome
from ginuri.web.pages.environment import make_environment
from ginuri.web.pages.frame import policy_in_page, script_in_page, style_in_page

if TYPE_CHECKING:
    from jinja2 import Template

_TILES = (Outcome.REFUSED, Outcome.WARNED, Outcome.CHANGED, Outcome.REGISTERED, Outcome.UNCHANGED)


@dataclass(frozen=True, slots=True)
class CorrectedFile:
    """The uploaded file with all corrections, or how to make it; neither without corrections."""

    key: str | None = None
    command: str = ""
    """The command that writes it, if it was not written here."""
    advice: Message | None = None
    """What to do instead, if no command writes it."""

    def members(self) -> Mapping[str, str]:
        """Return the members of the report about it."""
        found = {"repaired_file": self.key, "repair_command": self.command}
        return {name: text for name, text in found.items() if text}


@dataclass(frozen=True, slots=True)
class ReportContent:
    """The contents of a page about an upload."""

    attempt: Attempt
    digest: ReportDigest
    counts: Mapping[str, int]
    scope: ReportScope
    is_dry_run: bool = False
    submitter: str = ""
    reason: str = ""
    refused: str | None = None
    """The key of the refused rows."""
    corrected: CorrectedFile = CorrectedFile()
    letters: Mapping[str, str] = field(default_factory=dict)
    """The letters of the columns of a table, by their headings."""
    language: str = ENGLISH
    """The language of the report and of the page without a language in its name."""
    tests: TestSummary = field(default_factory=TestSummary)
    """The results of the tests that the upload affects."""
    principal: str = ""
    """Who uploaded the file, as authenticated."""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The targets of the links of a page."""

    service: str = ""
    """The address of the service, without a final slash."""
    uploads: str = ""
    """The address of the list of uploads, if there is one."""
    option: str = ""
    """The option of printed commands that names the stack, after a space; empty for a stack in AWS."""


def find_links(canonical_host: str, reports: str = "", option: str = "") -> PageLinks:
    """Find the addresses: the reports may be served at an address beside the service.

    >>> find_links("id.example")
    PageLinks(service='http://id.example', uploads='', option='')
    >>> find_links("id.example", "http://127.0.0.1:8000/reports/").uploads
    'http://127.0.0.1:8000/reports/'
    """
    if reports:
        return PageLinks(reports.removesuffix(f"/{REPORTS}/"), reports, option)
    return PageLinks(f"http://{canonical_host}" if canonical_host else "", option=option)


@dataclass(frozen=True, slots=True)
class _Tile:
    """A count of the page; one with findings or changes below limits the page to them."""

    outcome: Outcome
    number: str
    name: Message
    is_filter: bool


@dataclass(frozen=True, slots=True)
class _Tests:
    """The results of the tests, for a page."""

    summary: Message
    failures: Sequence[Message]
    more: int


def write_page(content: ReportContent, links: PageLinks, language: str = ENGLISH) -> bytes:
    """Write the page in a language; verdicts without findings or changes are only counted."""
    upload, digest, scope = content.attempt.upload, content.digest, content.scope
    title = message("Dry run of {file}", file=upload.key)
    if not content.is_dry_run:
        title = message("Report on {file}", file=upload.key)
    context = RowContext(links.service, scope.rows, upload.folder, content.letters)
    rows = [row for level in (Level.REFUSED, Level.WARNED) for row in find_rows(level, digest, context)]
    changes = list(find_changes(digest, context))
    listed = {Outcome(row.level) for row in rows} | ({Outcome.CHANGED} if changes else set())
    return (
        _template(language)
        .render(
            languages=((language, 1.0),),
            title=title,
            content=content,
            file=upload.name,
            folder=upload.folder,
            moment=f"{upload.put[:10]} {upload.put[11:16]} UTC",
            uploaders=write_uploaders(content.principal, content.submitter),
            scope=scope.rows and write_scope(scope),
            tiles=[
                _Tile(
                    outcome, f"{content.counts.get(outcome, 0):,}", name_outcome(outcome), outcome in listed
                )
                for outcome in _TILES
            ],
            is_filtered=len(listed) > 1,
            refused=content.refused and _link(content.refused, upload.key),
            repaired=content.corrected.key and _link(content.corrected.key, upload.key),
            report=_link(report_key(upload.key, content.attempt.version), upload.key),
            undo=_undo(content, links),
            service=links.service,
            uploads=links.uploads,
            pages={
                tag: _link(
                    page_key(upload.key, content.attempt.version, "" if tag == content.language else tag),
                    upload.key,
                )
                for tag in spoken_languages()
            },
            rows=rows,
            changes=changes,
            tests=_tests(content.tests),
            unlisted=digest.unlisted,
            grouped=digest.grouped and count_grouped(digest.grouped),
            retiring=digest.retiring and count_retiring(digest.retiring),
            more_changed=digest.changed - len(digest.changes()),
        )
        .encode()
    )


def _undo(content: ReportContent, links: PageLinks) -> str:
    """Return the command that undoes the upload; empty if it changed nothing."""
    upload = content.attempt.upload
    changed = content.counts.get(Outcome.REGISTERED, 0) + content.counts.get(Outcome.CHANGED, 0)
    if content.is_dry_run or not changed:
        return ""
    return rollback_command(upload.key, upload.version, links.option)


@cache
def _template(language: str) -> Template:
    environment = make_environment(language, "ginuri.ingest")
    # The page is read as a file, without response headers and other files.
    in_page = {
        "policy": policy_in_page(has_script=True),
        "style": Markup(style_in_page()),  # noqa: S704  a constant style
        "script": Markup(script_in_page()),  # noqa: S704  a constant script
    }
    return environment.get_template("report.html", globals=in_page)


def _link(key: str, upload: str) -> str:
    # The files are in one folder, so a relative link works wherever the folder is served or copied to.
    return f"./{quote(key.removeprefix(f'{upload}/'))}"


def _tests(tests: TestSummary) -> _Tests | None:
    if not tests.is_known:
        return None
    failures = list(map(write_failure, tests.failures))
    return _Tests(write_summary(tests), failures, tests.failed - len(tests.failures))
