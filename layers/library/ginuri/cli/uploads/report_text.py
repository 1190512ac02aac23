"""A report as text for a terminal, in the language of the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ginuri.answer_tests.results import read_summary
from ginuri.answer_tests.wording import write_failure, write_summary
from ginuri.cli.next_steps import next_steps
from ginuri.cli.ports import Stack
from ginuri.cli.terminal import localize, terminal_language
from ginuri.files.formats import is_graph
from ginuri.files.reports.digest import Reach, ReportDigest, changes_of
from ginuri.files.reports.entries import Entry
from ginuri.files.reports.remedies import line_to_paste, not_rewritten
from ginuri.files.reports.report import Upload, page_key
from ginuri.files.reports.scope import read_scope
from ginuri.files.reports.verdict_lines import group_of, verdict_of
from ginuri.files.reports.wording import (
    count_grouped,
    count_retiring,
    name_outcome,
    write_change,
    write_corrections,
    write_counts,
    write_number,
    write_place,
    write_problem,
    write_uploaders,
)
from ginuri.i18n.catalogue import ENGLISH
from ginuri.identifiers.messages import message
from ginuri.registration.verdicts import Level

MOST_SHOWN = 50
"""The maximum number of refusals, of warnings and of changes that are printed; the report has all of them."""
_MOST_NUMBERS = 10
"""The maximum number of line numbers that are printed for one finding."""
_MOST_EXAMPLES = 3
"""The maximum number of different corrections that are printed on one line."""
_MOST_CHARACTERS = 60
"""The maximum number of characters of a value that are printed."""


def describe(report: Mapping[str, Any], stack: Stack) -> str:
    """Write a report for a terminal: the counts, then refusals, warnings and changes.

    Without a dry run, changes are only listed if they were refused with the whole upload.
    """
    upload, digest = report["upload"], _digest(report)
    if report.get("stored"):
        stored = message("{file} is stored. Registrations can name it in `file`.", file=upload["key"])
        return "\n".join([localize(stored), *_findings(report, digest)])
    subject = f"{upload['key']} → {stack.name}"
    if report["dry_run"]:
        subject = f"{subject}, {localize(message('dry run'))}"
    lines = [f"{subject}: {_counts(report)}", *_findings(report, digest), *_tests(report)]
    if is_graph(upload["key"]) and digest.has_corrections:
        lines.append(localize(not_rewritten(Upload(**upload).name)))
    if report["dry_run"] or digest.is_stopped:
        lines += _changes(digest)
    page = write_page_address(upload["key"], upload["version"], report.get("language", ENGLISH), stack)
    return "\n".join([*lines, page, *next_steps(report, stack)])


def describe_uploaders(report: Mapping[str, Any]) -> Iterator[str]:
    """Write who uploaded the file, for readers who did not."""
    uploaders = write_uploaders(report.get("principal", ""), report.get("submitter", ""))
    if uploaders:
        yield f"  {', '.join(map(localize, uploaders))}"


def describe_judged(report: Mapping[str, Any]) -> str:
    """Write the report on a file that was checked without a registry."""
    without = localize(message("checked without a registry"))
    first = f"{report['upload']['key']}, {without}: {_counts(report)}"
    last = message(
        "What is already registered was not looked at. For that, use {command}.",
        command="`ginuri upload --dry-run`",
    )
    return "\n".join([first, *_findings(report, _digest(report)), localize(last)])


def describe_planned(report: Mapping[str, Any]) -> str:
    """Write the report on a file of a plan: the counts, then refusals, warnings and changes."""
    digest = _digest(report)
    first = f"{report['upload']['key']}: {_counts(report)}"
    return "\n".join([first, *_findings(report, digest), *_tests(report), *_changes(digest)])


def _digest(report: Mapping[str, Any]) -> ReportDigest:
    digest = ReportDigest(map(verdict_of, report["verdicts"]))
    for group in report.get("finding_groups", ()):
        digest.add_group(group_of(group))
    return digest


def _counts(report: Mapping[str, Any]) -> str:
    return localize(write_counts(report["counts"], read_scope(report)))


def _findings(report: Mapping[str, Any], digest: ReportDigest) -> Iterator[str]:
    """Write the refusals, then the warnings; findings with one correction are one line."""
    rows, folder = read_scope(report).rows, Upload(**report["upload"]).folder
    for level in (Level.REFUSED, Level.WARNED):
        yield from _cut(
            [_line(entry, digest, digest.reach_of(entry, rows), folder) for entry in digest.entries(level)]
        )
    if digest.grouped:
        yield f"  {localize(count_grouped(digest.grouped))}"


def _tests(report: Mapping[str, Any]) -> Iterator[str]:
    """Write the numbers of tests, and the failures."""
    if "tests" not in report:
        return
    tests = read_summary(report["tests"])
    yield f"  {localize(write_summary(tests))}"
    yield from _cut([f"    {localize(write_failure(each))}" for each in tests.failures], tests.failed)


def write_page_address(key: str, version: str, report_language: str, stack: Stack) -> str:
    """Write the address of the page of a report in the language of the user."""
    language = terminal_language()
    page = page_key(key, version, "" if language == report_language else language)
    return localize(message("to read: {address}", address=stack.report_address(page)))


def _cut(lines: Sequence[str], number: int = 0) -> list[str]:
    left_out = max(number, len(lines)) - MOST_SHOWN
    if left_out <= 0:
        return list(lines)
    more = message("… and {number} more, all in the report", number=f"{left_out:,}")
    return [*lines[:MOST_SHOWN], f"  {localize(more)}"]


def _changes(digest: ReportDigest) -> Iterator[str]:
    """Write the intended changes, in the order of identifiers; retirements first."""
    if digest.retiring:
        yield f"  {localize(count_retiring(digest.retiring))}"
    lines = [
        f"  {verdict.identifier}: {localize(write_change(change, _MOST_CHARACTERS))}"
        for verdict in digest.changes()
        for change in changes_of(verdict)
    ]
    yield from _cut(lines, digest.changes_number)
    if digest.more_fields:
        yield "  " + localize(message("… and {number} more changed fields", number=f"{digest.more_fields:,}"))


def _line(entry: Entry, digest: ReportDigest, reach: Reach, folder: str) -> str:
    finding, place = entry.finding, localize(write_place(entry, _MOST_NUMBERS, reach))
    # The place already names the column.
    field = "" if entry.column else f": {finding.field}".rstrip(": ")
    corrections, number = write_corrections(entry, _MOST_EXAMPLES), write_number(entry)
    value = f" ({finding.value})" if finding.value and not corrections else ""
    subject = f"{localize(name_outcome(finding.level))}{field}{value}"
    if corrections:
        subject += f": {localize(corrections)}"
    if number:
        subject += f" {localize(number)}"
    line = f"  {place}: {subject}: {localize(write_problem(entry))}"
    paste = line_to_paste(entry, digest, reach, folder)
    return f"{line}\n    {localize(message('to paste: {line}', line=paste))}" if paste else line
