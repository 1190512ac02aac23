"""`ginuri diff`: how two exports differ, field by field."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ginuri.cli.terminal import format_field, format_value
from ginuri.registration.undo.export_diff import ExportDifference, Subject, compare_exports, subject_of

_FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
_SIGNS = {(True, True): "~", (True, False): "-", (False, True): "+"}


@click.command("diff")
@click.argument("before", type=_FILE)
@click.argument("after", type=_FILE)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each difference.")
def diff_command(before: Path, after: Path, *, as_json: bool) -> None:
    """Say how the export AFTER differs from the export BEFORE, whatever the order of their lines.

    `-` is only in BEFORE, `+` only in AFTER, `~` differs. Exits 1 where anything does.
    """
    differences = list(compare_exports(_read(before), _read(after)))
    for each in differences:
        click.echo(json.dumps(_told(each), ensure_ascii=False) if as_json else _describe(each))
    sys.exit(1 if differences else 0)


def _read(file: Path) -> Mapping[Subject, Mapping[str, Any]]:
    lines: dict[Subject, Mapping[str, Any]] = {}
    for number, text in enumerate(file.read_bytes().split(b"\n"), start=1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
            subject = subject_of(line)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise click.UsageError(
                f"{file}, line {number}: this is no line of an export ({error})"
            ) from error
        if subject in lines:
            raise click.UsageError(
                f"{file}, line {number}: {subject.identifier} stands there twice; keep one"
            )
        lines[subject] = line
    return lines


def _describe(difference: ExportDifference) -> str:
    subject = difference.subject
    of = " ".join(piece for piece in (subject.record, subject.pattern) if piece)
    sign = _SIGNS[difference.is_before, difference.is_after]
    named = f"{sign} {format_value(subject.identifier)}" + (f" ({format_value(of)})" if of else "")
    changes = [
        f"    {format_field(each.path)}: {format_value(each.before)} → {format_value(each.after)}"
        for each in difference.fields
    ]
    return "\n".join([named, *changes] if sign == "~" else [named])


def _told(difference: ExportDifference) -> Mapping[str, Any]:
    subject = difference.subject
    fields = [{"field": each.path, "from": each.before, "to": each.after} for each in difference.fields]
    return {
        "difference": _SIGNS[difference.is_before, difference.is_after],
        "identifier": subject.identifier,
        "record": subject.record or None,
        "pattern": subject.pattern or None,
        "fields": fields,
    }
