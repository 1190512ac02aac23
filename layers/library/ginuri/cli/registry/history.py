"""`ginuri history`: what was registered of an identifier and when, and what it got on a day."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import click

from ginuri.cli.stack import open_archive, stack_option
from ginuri.cli.terminal import format_field, format_value
from ginuri.identifiers import Identifier, parse
from ginuri.identifiers.roots import path_of
from ginuri.registration.verdicts import shown
from ginuri.registry.record.history import History, HistoryStep
from ginuri.registry.record.record import Record, is_first
from ginuri.registry.version_names import is_day
from ginuri.resolution.explanation import record_of
from ginuri.resolution.outcomes import (
    AnsweredElsewhere,
    Choices,
    Decision,
    Give,
    SeeRepresentation,
    SeeVersion,
    StandsFor,
)
from ginuri.resolution.versions.as_of import decide_then, end_of, stated_date

LAST_DAY = "9999-12-31"
"""What stands at its end is what stands."""


def _read_day(value: str) -> str:
    if not is_day(value):
        raise click.BadParameter(f"{shown(value)} is no day such as 2019-06-01")
    return value


@click.command("history")
@click.argument("identifier", type=parse)
@click.option(
    "--at",
    "day",
    type=_read_day,
    metavar="DAY",
    help="Tell of the end of that day (UTC), such as 2019-06-01.",
)
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def history_command(identifier: Identifier, *, day: str | None, name: str | None, as_json: bool) -> None:
    """Say what was registered of IDENTIFIER, by which upload and when; with --at, how it stood on a day.

    Exits 1 where nothing was registered of it, or not yet on that day.
    """
    with open_archive(name) as archive:
        history = archive.history(identifier.normal_form)
        # Another writing gets the normal form, on any day; what is asked is what that got.
        normal = replace(identifier, written=identifier.normal_form)
        answer = _answer(decide_then(normal, archive, day)) if day else {}
    then = history.at(end_of(day or LAST_DAY))
    if as_json:
        told = _told_then(history, then, day, answer) if day else _told(history)
        click.echo(json.dumps(told, ensure_ascii=False, indent=1))
    else:
        click.echo("\n".join(_describe_then(history, then, day, answer) if day else _describe(history)))
    sys.exit(0 if then else 1)


def _describe(history: History) -> Iterator[str]:
    yield history.identifier
    if not history.statements:
        yield "nothing was ever registered of it"
    for step in history.steps():
        stamp = step.stamp
        yield f"{stamp.put}  {shown(f'{stamp.upload}#{stamp.version}')} line {stamp.line}"
        for change in step.fields:
            before, after = format_value(change.before), format_value(change.after)
            yield f"  {format_field(change.path)}: {before} → {after}"


def _describe_then(
    history: History, then: Record | None, day: str, answer: Mapping[str, Any]
) -> Iterator[str]:
    yield f"{history.identifier} at the end of {day} (UTC)"
    if then is not None:
        yield f"  last changed {then.modified.put} by {shown(then.modified.upload)} line {then.modified.line}"
        for path, value in then.in_force().items():
            if not is_first(path):
                yield f"  {format_field(path)}: {format_value(value)}"
    elif history.statements:
        first = history.statements[0].stamp
        yield f"  before our records, which begin {first.put} with {shown(first.upload)} line {first.line}"
        if original := _original_date(history):
            yield f"  it says of itself that it was {original[0]} on {original[1]}"
    else:
        yield "  before our records: nothing was ever registered of it"
    yield f"answer: {answer['outcome']}: {answer['because']}"
    for name in ("record", "leads_to"):
        if name in answer:
            yield f"  {name.replace('_', ' ')}: {format_value(answer[name])}"
    yield "  for a client without preferences; other writings of the identifier were not looked at"


def _original_date(history: History) -> tuple[str, str] | None:
    now = history.at(end_of(LAST_DAY))
    return stated_date(now) if now else None


def _told(history: History) -> Mapping[str, Any]:
    return {"identifier": history.identifier, "changes": [_told_step(each) for each in history.steps()]}


def _told_then(
    history: History, then: Record | None, day: str, answer: Mapping[str, Any]
) -> Mapping[str, Any]:
    return {
        "identifier": history.identifier,
        "at": day,
        "modified": then.modified.put if then else None,
        "record": then.values() if then else None,
        "original_date": dict([original]) if (original := _original_date(history)) else None,
        "answer": answer,
    }


def _told_step(step: HistoryStep) -> Mapping[str, Any]:
    stamp = step.stamp
    fields = [{"field": each.path, "from": each.before, "to": each.after} for each in step.fields]
    return {
        "put": stamp.put,
        "upload": stamp.upload,
        "version": stamp.version,
        "line": stamp.line,
        "fields": fields,
    }


def _answer(decision: Decision) -> dict[str, Any]:
    record, where = record_of(decision), _leads_to(decision)
    told = {
        "outcome": type(decision).__name__,
        "because": (type(decision).__doc__ or "").partition("\n")[0],
        "record": record.identifier if record else None,
        "leads_to": where,
    }
    return {name: value for name, value in told.items() if value is not None}


def _leads_to(decision: Decision) -> str | tuple[str, ...] | None:
    match decision:
        case AnsweredElsewhere(identifier, host):
            return identifier.uri(host)
        case SeeRepresentation() | Give():
            return decision.address
        case SeeVersion():
            return path_of(decision.name)
        case StandsFor():
            return path_of(decision.target)
        case Choices():
            return tuple(path_of(target) for target in decision.targets)
        case _:
            return None
