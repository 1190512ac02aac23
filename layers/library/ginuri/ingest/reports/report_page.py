"""The report on an upload as an HTML page: refusals, then warnings, then changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import Markup

from ginuri.answer_tests.results import TestSummary
from ginuri.answer_tests.wording import write_failure, write_summary
from ginuri.files.reports.digest import Entry, Occurrence, ReportDigest, changes_of
from ginuri.files.reports.line_ranges import LineRanges
from ginuri.files.reports.report import page_key, report_key
from ginuri.files.reports.scope import ReportScope
from ginuri.files.reports.wording import (
    count_grouped,
    count_retiring,
    write_change,
    write_counts,
    write_entry,
    write_finding,
    write_lines,
    write_numbers,
    write_place,
)
from ginuri.i18n.catalogue import ENGLISH, spoken_languages
from ginuri.i18n.translation import translate
from ginuri.identifiers.messages import Message, counted, message, translatable
from ginuri.identifiers.service_paths import REPORTS, description_path
from ginuri.ingest.checkpoints import Attempt
from ginuri.registration.verdicts import Level, Verdict
from ginuri.web.pages.environment import make_environment
from ginuri.web.pages.frame import policy_in_page, style_in_page

if TYPE_CHECKING:
    from jinja2 import Template

_MOST_NUMBERS = 100
"""The number of line numbers of one entry on a page."""
_HEADINGS = {Level.REFUSED: translatable("Refused"), Level.WARNED: translatable("Warnings")}


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
    language: str = ENGLISH
    """The language of the report and of the page without a language in its name."""
    tests: TestSummary = field(default_factory=TestSummary)
    """The results of the tests that the upload affects."""


@dataclass(frozen=True, slots=True)
class PageLinks:
    """The targets of the links of a page."""

    service: str = ""
    """The address of the service, without a final slash."""
    uploads: str = ""
    """The address of the list of uploads, if there is one."""


def find_links(canonical_host: str, reports: str = "") -> PageLinks:
    """Find the addresses: the reports may be served at an address beside the service.

    >>> find_links("id.example")
    PageLinks(service='http://id.example', uploads='')
    >>> find_links("id.example", "http://127.0.0.1:8000/reports/")
    PageLinks(service='http://127.0.0.1:8000', uploads='http://127.0.0.1:8000/reports/')
    """
    if reports:
        return PageLinks(reports.removesuffix(f"/{REPORTS}/"), reports)
    return PageLinks(f"http://{canonical_host}" if canonical_host else "")


def write_page(content: ReportContent, links: PageLinks, language: str = ENGLISH) -> bytes:
    """Write the page in a language; verdicts without findings or changes are only counted."""
    upload, digest = content.attempt.upload, content.digest
    title = message("Dry run of {file}", file=upload.key)
    if not content.is_dry_run:
        title = message("Report on {file}", file=upload.key)
    others = [other for other in spoken_languages() if other != language]
    english = message("This report in English")
    return (
        _template(language)
        .render(
            languages=((language, 1.0),),
            title=title,
            content=content,
            moment=f"{upload.put[:10]} {upload.put[11:16]} UTC",
            counts=write_counts(content.counts, content.scope),
            refused=content.refused and _link(content.refused.removeprefix(upload.key).removeprefix("/")),
            report=_link(report_key("", content.attempt.version).removeprefix("/")),
            uploads=links.uploads,
            translations=[(other, _link_page(content, other), translate(english, other)) for other in others],
            sections=[section for level in _HEADINGS if (section := _section(level, digest, links))],
            changes=[_changes(verdict, links) for verdict in digest.changes()],
            tests=_tests(content.tests),
            unlisted=digest.unlisted,
            grouped=digest.grouped and count_grouped(digest.grouped),
            retiring=digest.retiring and count_retiring(digest.retiring),
            more_changed=digest.changed - len(digest.changes()),
        )
        .encode()
    )


@cache
def _template(language: str) -> Template:
    environment = make_environment(language, "ginuri.ingest")
    # The page is read as a file, without response headers and other files.
    in_page = {"policy": policy_in_page(), "style": Markup(style_in_page())}  # noqa: S704  a constant style
    return environment.get_template("report.html", globals=in_page)


def _link(name: str) -> str:
    # The files are in one folder, so a relative link works wherever the folder is served or copied to.
    return f"./{quote(name)}"


def _link_page(content: ReportContent, language: str) -> str:
    other = "" if language == content.language else language
    return _link(page_key("", content.attempt.version, other).removeprefix("/"))


def _tests(tests: TestSummary) -> Mapping[str, Any] | None:
    if not tests.is_known:
        return None
    return {
        "summary": write_summary(tests),
        "failures": list(map(write_failure, tests.failures)),
        "more": tests.failed - len(tests.failures),
    }


def _section(level: Level, digest: ReportDigest, links: PageLinks) -> Mapping[str, Any] | None:
    entries = digest.entries(level)
    if not entries:
        return None
    return {"heading": _HEADINGS[level], "rows": [_row(entry, links) for entry in entries]}


def _row(entry: Entry, links: PageLinks) -> Mapping[str, Any]:
    return {
        "place": write_place(entry, _MOST_NUMBERS) if entry.is_about_upload else _numbers(entry),
        "sentence": write_entry(entry, write_finding(entry.finding)),
        "occurrences": list(_occurrences(entry, links)),
        "summary": counted("{number} finding", "{number} findings", entry.count),
        "more": entry.count - len(entry.occurrences),
    }


def _numbers(entry: Entry) -> Message | None:
    return write_numbers(entry.lines, _MOST_NUMBERS) if entry.lines.count else None


def _occurrences(entry: Entry, links: PageLinks) -> Iterator[Mapping[str, Any]]:
    for occurrence in entry.occurrences:
        if occurrence.identifier is not None or entry.count > 1:
            yield {
                "identifier": occurrence.identifier,
                "address": _address(occurrence.identifier, links),
                "lines": write_lines(LineRanges(occurrence.lines), _MOST_NUMBERS)
                if occurrence.lines and entry.count > 1
                else None,
                "sentence": _sentence_of(occurrence, entry),
            }


def _sentence_of(occurrence: Occurrence, entry: Entry) -> Message | None:
    """Write the differences of one of the findings of an entry."""
    finding = occurrence.finding
    if finding.message != entry.finding.message:
        return write_finding(finding)
    return message("{value}", value=finding.value) if finding.value != entry.finding.value else None


def _changes(verdict: Verdict, links: PageLinks) -> Mapping[str, Any]:
    sentences = [write_change(change) for change in changes_of(verdict)]
    if verdict.difference.untold:
        sentences.append(message("and {number} more fields", number=f"{verdict.difference.untold:,}"))
    return {
        "lines": write_numbers(LineRanges(verdict.lines), _MOST_NUMBERS) if verdict.lines else None,
        "identifier": verdict.identifier,
        "address": _address(verdict.identifier, links),
        "sentences": sentences,
    }


def _address(identifier: str | None, links: PageLinks) -> str:
    return f"{links.service}{description_path(identifier)}" if identifier and links.service else ""
