"""A report as it is told on a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ginuri.cli.stack import Stack
from ginuri.files.reports.report import page_key, report_key

MOST_SHOWN = 50
"""How many refused lines, and how many changes, are printed; all of them are in the report."""
_MOST_NUMBERS = 10
"""How many line numbers are printed of those that are refused together."""
_MOST_CHARACTERS = 60
"""How much of a value is printed."""


def describe(report: dict[str, Any], stack: Stack) -> str:
    """Write a report for a terminal: the counts, then every refused line and how to mend it."""
    upload, counts = report["upload"], report["counts"]
    if report.get("stored"):
        return f"{upload['key']} is stored; registrations can name it in `file`"
    lines = [f"{upload['key']} → {stack.name}: {_counted(counts)}"]
    if any(_is_stopped(finding) for verdict in report["verdicts"] for finding in verdict["findings"]):
        lines += _changes(report["verdicts"])  # it was only tried out
    lines += describe_findings(report)
    if report["refused_lines"]:
        lines.append(
            f"refused lines, to correct and upload: s3://{stack.reports_bucket}/{report['refused_lines']}"
        )
    return "\n".join([*lines, *_where(upload, stack)])


def describe_preview(report: dict[str, Any], stack: Stack) -> str:
    """Write the report on a dry run: what would change, field by field, before what is told of any."""
    upload = report["upload"]
    first = f"{upload['key']} → {stack.name}, tried out: {_counted(report['counts'])}"
    return "\n".join(
        [first, *_changes(report["verdicts"]), *describe_findings(report), *_where(upload, stack)]
    )


def describe_judged(report: dict[str, Any]) -> str:
    """Write the report on a file that was judged without a registry."""
    first = f"{report['upload']['key']}, judged without a registry: {_counted(report['counts'])}"
    last = "What is registered there already was not asked for: `ginuri upload --dry-run` does."
    return "\n".join([first, *describe_findings(report), last])


def describe_findings(report: dict[str, Any]) -> list[str]:
    """Write every refused line and how to mend it, then each kind of warning."""
    said = [(verdict, finding) for verdict in report["verdicts"] for finding in verdict["findings"]]
    refused = [_line(*each) for each in said if each[1]["level"] == "refused" and not _is_stopped(each[1])]
    return [*_cut(refused), *_warnings([each for each in said if each[1]["level"] == "warned"])]


def _is_stopped(finding: dict[str, Any]) -> bool:
    """Tell whether a line is refused only because the whole upload is, of which that is said once."""
    is_stopped: bool = finding["rule"] == "many" and not finding["value"]
    return is_stopped


def _where(upload: dict[str, Any], stack: Stack) -> Iterator[str]:
    yield f"to read: {stack.report_address(page_key(upload['key'], upload['version']))}"
    yield f"report: s3://{stack.reports_bucket}/{report_key(upload['key'], upload['version'])}"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{number} {outcome}" for outcome, number in counts.items())


def _cut(lines: Sequence[str]) -> list[str]:
    if len(lines) <= MOST_SHOWN:
        return list(lines)
    return [*lines[:MOST_SHOWN], f"  … and {len(lines) - MOST_SHOWN} more, all in the report"]


def _changes(verdicts: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Tell what would be changed; what would be retired first."""
    changed = [(verdict, change) for verdict in verdicts for change in verdict["changes"]]
    changed.sort(key=lambda each: not _retires(each[1]))
    if retired := sum(_retires(change) for _, change in changed):
        yield f"  {retired} of the changes {'retires' if retired == 1 else 'retire'} something"
    yield from _cut([_change(*each) for each in changed])
    if more := sum(verdict["more_changes"] for verdict in verdicts):
        yield f"  … and {more} fields more, of identifiers of which very much changes"


def _retires(change: dict[str, Any]) -> bool:
    is_status: bool = change["field"] == "status" or change["field"].endswith("].status")
    return is_status and change["after"] == "retired"


def _change(verdict: dict[str, Any], change: dict[str, Any]) -> str:
    before, after = _value(change["before"]), _value(change["after"])
    return f"  {verdict['identifier']}: {change['field']}: {before} → {after}"


def _value(text: str | None) -> str:
    if text is None:
        return "nothing"
    return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"


def _warnings(said: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[str]:
    """Tell each kind of warning once, with the first line that has it and how many do."""
    kinds: dict[tuple[str, str], list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    for verdict, finding in said:
        kinds.setdefault((finding["field"], finding["rule"]), []).append((verdict, finding))
    for same in kinds.values():
        more = f" (and {len(same) - 1} more like it)" if len(same) > 1 else ""
        yield _line(*same[0]) + more


def _line(verdict: dict[str, Any], finding: dict[str, Any]) -> str:
    numbers = verdict["lines"]
    more = f" and {len(numbers) - _MOST_NUMBERS:,} more" if len(numbers) > _MOST_NUMBERS else ""
    where = f"line{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers[:_MOST_NUMBERS]))}{more}"
    if not numbers:  # it is about the whole, or about what stands and is not in the file
        where = verdict["identifier"] or "the whole upload"
    what = f" {finding['field']}" if finding["field"] else ""
    value = f" ({finding['value']})" if finding["value"] else ""
    about = f"{what}{value}:" if what or value else ""
    return f"  {where}: {finding['level']}:{about} {finding['message']}"
