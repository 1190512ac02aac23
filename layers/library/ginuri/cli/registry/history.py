"""`ginuri history`: the history of an identifier, and how it resolved on a day."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import click

from ginuri.cli.ports import Stack
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import format_field, format_value, localize, write_json, wrong_value
from ginuri.files.reports.listed_uploads import AT_ONCE, read_summaries
from ginuri.files.reports.summary import ReportSummary
from ginuri.files.reports.wording import write_uploaders
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import path_of
from ginuri.registration.verdicts import shown
from ginuri.registry.ports import Archive, Found
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.history import History, HistoryStep
from ginuri.registry.record.record import Record
from ginuri.registry.record.rule_records import has_rules_elsewhere, history_of, merge_histories
from ginuri.registry.record.serialization import path_of as stored_path_of
from ginuri.registry.rules.beginnings import record_of_beginning
from ginuri.registry.version_names import is_day
from ginuri.resolution.explanations.explanation import MEANINGS, record_of
from ginuri.resolution.outcomes import (
    AnsweredElsewhere,
    Choices,
    Decision,
    FallenBack,
    Give,
    PassedThrough,
    SeeRepresentation,
    SeeVersion,
    StandsFor,
)
from ginuri.resolution.versions.as_of import decide_then, end_of, stated_date

MOST_BEGINNINGS = 1_000
"""The most records with rules of a prefix that are read."""
LAST_DAY = "9999-12-31"
"""The day for the current record."""
Summaries = Mapping[tuple[str, str], ReportSummary]
"""The summaries of the reports on uploads, by key and version."""


def _read_day(value: str) -> str:
    if not is_day(value):
        raise wrong_value(message("{value} is not a day. Write it as in 2019-06-01.", value=shown(value)))
    return value


@click.command("history")
@click.argument("identifier", type=parse)
@click.option(
    "--at",
    "day",
    type=_read_day,
    metavar="DAY",
    help="As of the end of that day (UTC), such as 2019-06-01.",
)
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def history_command(identifier: Identifier, *, day: str | None, name: str | None, as_json: bool) -> None:
    """Show the changes of IDENTIFIER and who uploaded them; with --at, its record and its answer on a day.

    Exits 1 if it was never registered, or not yet on that day.
    """
    with open_stack(name, message("The registry cannot be read")) as stack:
        archive = stack.archive
        history = _with_grants(_with_rules(archive.history(identifier.normal_form), archive), archive)
        # Any other spelling redirects to the normal form, on any day.
        normal = replace(identifier, written=identifier.normal_form)
        decision = decide_then(normal, archive, day) if day else None
        summaries = {} if day else _read_summaries(history, stack)
    record = history.at(end_of(day or LAST_DAY))
    if day and decision:
        output = _as_of_json(history, record, day, decision)
        lines = _describe_as_of(history, record, day, decision)
    else:
        output, lines = _as_json(history, summaries), _describe(history, summaries)
    click.echo(write_json(output, indent=1) if as_json else "\n".join(lines))
    sys.exit(0 if record else 1)


def _with_rules(history: History, archive: Archive) -> History:
    """Add the rules of a prefix that are in other records, up to `MOST_BEGINNINGS` of them."""
    record, prefix = history.at(end_of(LAST_DAY)), history.identifier
    if record is None or not has_rules_elsewhere(record):
        return history
    page = archive.beginnings(prefix, most=MOST_BEGINNINGS)
    names = [record_of_beginning(prefix, beginning) for beginning in page.names]
    if page.next_cursor is not None:
        more = message(
            "The rules after {beginning} are left out; all are in {command}.",
            beginning=page.names[-1],
            command="`ginuri export --history`",
        )
        click.echo(localize(more), err=True)
    return merge_histories([history, *(history_of(prefix, archive.history(name)) for name in names)])


def _with_grants(history: History, archive: Archive) -> History:
    """Add the grants on a prefix, which are in another record."""
    grants = archive.history(record_of_grants(history.identifier))
    own = tuple(statement for statement in grants.statements if not statement.key.is_first)
    return merge_histories([history, replace(grants, statements=own)]) if own else history


def _read_summaries(history: History, stack: Stack) -> Summaries:
    uploads = ((step.stamp.upload, step.stamp.version) for step in history.steps())
    with ThreadPoolExecutor(AT_ONCE) as pool:
        return read_summaries(stack, uploads, pool.map)


def _describe(history: History, summaries: Summaries) -> Iterator[str]:
    yield history.identifier
    if not history.statements:
        yield localize(message("This identifier was never registered."))
    for step in history.steps():
        yield localize(
            message(
                "{put}  {upload} line {line}",
                put=step.stamp.put,
                upload=shown(f"{step.stamp.upload}#{step.stamp.version}"),
                line=str(step.stamp.line),
            )
        )
        summary = summaries.get((step.stamp.upload, step.stamp.version))
        if summary and (uploaders := write_uploaders(summary.uploader.principal, summary.submitter)):
            yield f"  {', '.join(map(localize, uploaders))}"
        for change in step.fields:
            before, after = format_value(change.before), format_value(change.after)
            yield f"  {format_field(change.key)}: {before} → {after}"


def _describe_as_of(history: History, record: Record | None, day: str, decision: Decision) -> Iterator[str]:
    yield localize(message("{identifier} at the end of {day} (UTC)", identifier=history.identifier, day=day))
    if record is not None:
        stamp = record.modified
        yield "  " + localize(
            message(
                "last changed {put} by {upload} line {line}",
                put=stamp.put,
                upload=shown(stamp.upload),
                line=str(stamp.line),
            )
        )
        for key, value in record.in_force().items():
            if not key.is_first:
                yield f"  {format_field(key)}: {format_value(value)}"
    else:
        yield from (f"  {localize(line)}" for line in _describe_absence(history))
    answer = _answer(decision)
    yield localize(
        message("answer: {outcome}: {meaning}", outcome=answer["outcome"], meaning=MEANINGS[type(decision)])
    )
    if "record" in answer:
        yield f"  {localize(message('record: {identifier}', identifier=format_value(answer['record'])))}"
    if "leads_to" in answer:
        yield f"  {localize(message('leads to: {address}', address=format_value(answer['leads_to'])))}"
    yield "  " + localize(
        message("for a client without preferences; other spellings of the identifier were not considered")
    )


def _describe_absence(history: History) -> Iterator[Message]:
    """Print the beginning of the records of an identifier that had none on a day."""
    if not history.statements:
        yield message("before our records: this identifier was never registered")
        return
    first = history.statements[0].stamp
    yield message(
        "before our records, which begin {put} with {upload} line {line}",
        put=first.put,
        upload=shown(first.upload),
        line=str(first.line),
    )
    if original := _original_date(history):
        yield message(
            "date in its own metadata: {property} {date}", property=original[0], date=shown(original[1])
        )


def _original_date(history: History) -> tuple[str, str] | None:
    current = history.at(end_of(LAST_DAY))
    return stated_date(current) if current else None


def _as_json(history: History, summaries: Summaries) -> Mapping[str, Any]:
    return {
        "identifier": history.identifier,
        "changes": [_step_as_json(step, summaries) for step in history.steps()],
    }


def _as_of_json(history: History, record: Record | None, day: str, decision: Decision) -> Mapping[str, Any]:
    return {
        "identifier": history.identifier,
        "at": day,
        "modified": record.modified.put if record else None,
        "record": record.values() if record else None,
        "original_date": dict([original]) if (original := _original_date(history)) else None,
        "answer": _answer(decision),
    }


def _step_as_json(step: HistoryStep, summaries: Summaries) -> Mapping[str, Any]:
    stamp = step.stamp
    summary = summaries.get((stamp.upload, stamp.version))
    return {
        "put": stamp.put,
        "upload": stamp.upload,
        "version": stamp.version,
        "line": stamp.line,
        "principal": (summary and summary.uploader.principal) or None,
        "submitter": (summary and summary.submitter) or None,
        "fields": [
            {"field": stored_path_of(change.key), "from": change.before, "to": change.after}
            for change in step.fields
        ],
    }


def _answer(decision: Decision) -> dict[str, Any]:
    record = record_of(decision)
    answer = {
        "outcome": type(decision).__name__,
        "because": str(MEANINGS[type(decision)]),
        "record": record.identifier if record else None,
        "leads_to": _leads_to(decision),
    }
    return {name: value for name, value in answer.items() if value is not None}


def _leads_to(decision: Decision) -> str | tuple[str, ...] | None:
    match decision:
        case AnsweredElsewhere(identifier, host) | FallenBack(Found(identifier), host):
            return identifier.uri(host)
        case SeeRepresentation() | PassedThrough() | Give():
            return decision.address
        case SeeVersion():
            return path_of(decision.name)
        case StandsFor():
            return path_of(decision.target)
        case Choices():
            return tuple(path_of(target) for target in decision.targets)
        case _:
            return None
