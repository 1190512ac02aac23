"""A report as text for a terminal, in the language of the user."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ginuri.cli.stack import Stack
from ginuri.cli.terminal import localize, localize_all, terminal_language
from ginuri.files.reports.report import message_of, page_key, report_key
from ginuri.files.reports.wording import NOTHING, name_outcome, write_cell, write_counts, write_lines
from ginuri.identifiers.messages import Message, counted, message
from ginuri.registration.verdicts import Level

MOST_SHOWN = 50
"""The maximum number of refused lines, and of changes, that are printed; the report has all of them."""
_MOST_NUMBERS = 10
"""The maximum number of line numbers that are printed for one finding."""
_MOST_CHARACTERS = 60
"""The maximum number of characters of a value that are printed."""

_Subject = tuple[dict[str, Any], dict[str, Any]]
"""A verdict, and a finding or a change in it."""


def describe(report: dict[str, Any], stack: Stack) -> str:
    """Write a report for a terminal: the counts, then every refused line and how to correct it."""
    upload, counts = report["upload"], report["counts"]
    if report.get("stored"):
        return localize(message("{file} is stored. Registrations can name it in `file`.", file=upload["key"]))
    lines = [f"{upload['key']} → {stack.name}: {localize_all(write_counts(counts))}"]
    if any(_is_stopped(finding) for verdict in report["verdicts"] for finding in verdict["findings"]):
        lines += _changes(report["verdicts"])  # the whole upload was refused: show what it would change
    lines += describe_findings(report)
    if report["refused_lines"]:
        address = f"s3://{stack.reports_bucket}/{report['refused_lines']}"
        lines.append(
            localize(message("refused lines, to correct and upload again: {address}", address=address))
        )
    return "\n".join([*lines, *_where(upload, stack)])


def describe_preview(report: dict[str, Any], stack: Stack) -> str:
    """Write the report on a dry run: what would change, field by field, before any findings."""
    upload = report["upload"]
    dry_run = localize(message("dry run"))
    first = f"{upload['key']} → {stack.name}, {dry_run}: {localize_all(write_counts(report['counts']))}"
    return "\n".join(
        [first, *_changes(report["verdicts"]), *describe_findings(report), *_where(upload, stack)]
    )


def describe_judged(report: dict[str, Any]) -> str:
    """Write the report on a file that was checked without a registry."""
    without = localize(message("checked without a registry"))
    first = f"{report['upload']['key']}, {without}: {localize_all(write_counts(report['counts']))}"
    last = message(
        "What is already registered was not looked at. For that, use {command}.",
        command="`ginuri upload --dry-run`",
    )
    return "\n".join([first, *describe_findings(report), localize(last)])


def describe_findings(report: dict[str, Any]) -> list[str]:
    """Write every refused line and how to correct it, then each kind of warning."""
    found = [(verdict, finding) for verdict in report["verdicts"] for finding in verdict["findings"]]
    refused = [
        _line(verdict, finding)
        for verdict, finding in found
        if finding["level"] == "refused" and not _is_stopped(finding)
    ]
    return [*_cut(refused), *_warnings([subject for subject in found if subject[1]["level"] == "warned"])]


def _is_stopped(finding: dict[str, Any]) -> bool:
    """Tell whether a line is refused only because the whole upload is, which is reported once."""
    is_stopped: bool = finding["rule"] == "many" and not finding["value"]
    return is_stopped


def _where(upload: dict[str, Any], stack: Stack) -> Iterator[str]:
    address = stack.report_address(page_key(upload["key"], upload["version"], terminal_language()))
    yield localize(message("to read: {address}", address=address))
    report = f"s3://{stack.reports_bucket}/{report_key(upload['key'], upload['version'])}"
    yield localize(message("report: {address}", address=report))


def _cut(lines: Sequence[str]) -> list[str]:
    if len(lines) <= MOST_SHOWN:
        return list(lines)
    more = message("… and {number} more, all in the report", number=f"{len(lines) - MOST_SHOWN:,}")
    return [*lines[:MOST_SHOWN], f"  {localize(more)}"]


def _changes(verdicts: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Write what would change; retirements first."""
    changed = [(verdict, change) for verdict in verdicts for change in verdict["changes"]]
    changed.sort(key=lambda subject: not _retires(subject[1]))
    if retired := sum(_retires(change) for _, change in changed):
        retiring = counted(
            "{number} of the changes retires something", "{number} of the changes retire something", retired
        )
        yield f"  {localize(retiring)}"
    yield from _cut([_change(*subject) for subject in changed])
    if more := sum(verdict["more_changes"] for verdict in verdicts):
        left_out = message("… and {number} more fields of identifiers with many changes", number=f"{more:,}")
        yield f"  {localize(left_out)}"


def _retires(change: dict[str, Any]) -> bool:
    is_status: bool = change["field"] == "status" or change["field"].endswith("].status")
    return is_status and change["after"] == "retired"


def _change(verdict: dict[str, Any], change: dict[str, Any]) -> str:
    before, after = _value(change["before"]), _value(change["after"])
    return f"  {verdict['identifier']}: {change['field']}: {before} → {after}"


def _value(text: str | None) -> str:
    if text is None:
        return localize(NOTHING)
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"


def _warnings(found: Sequence[_Subject]) -> Iterator[str]:
    """Write each kind of warning once, with the first line that has it and how many do."""
    kinds: dict[tuple[str, str], list[_Subject]] = {}
    for verdict, finding in found:
        kinds.setdefault((finding["field"], finding["rule"]), []).append((verdict, finding))
    for first, *others in kinds.values():
        more = message("(and {number} more like it)", number=f"{len(others):,}")
        yield _line(*first) + (f" {localize(more)}" if others else "")


def _line(verdict: dict[str, Any], finding: dict[str, Any]) -> str:
    # A column that is named before is not named again.
    field = "" if finding["column"] else f": {finding['field']}".rstrip()
    value = f" ({finding['value']})" if finding["value"] else ""
    subject = f"{localize(name_outcome(Level(finding['level'])))}{field}{value}".rstrip(":")
    return f"  {localize(_place(verdict, finding))}: {subject}: {localize(message_of(finding))}"


def _place(verdict: dict[str, Any], finding: dict[str, Any]) -> Message:
    if finding["line"] and finding["column"]:
        return write_cell(finding["line"], finding["column"])
    if finding["column"] and verdict["lines"]:
        lines = write_lines(verdict["lines"], _MOST_NUMBERS)
        return message("{lines}, column {column}", lines=lines, column=finding["column"])
    if verdict["lines"]:
        return write_lines(verdict["lines"], _MOST_NUMBERS)
    # It is about the whole upload, or about an identifier that is not in the file.
    if verdict["identifier"]:
        return message("{identifier}", identifier=verdict["identifier"])
    return message("the whole upload")
