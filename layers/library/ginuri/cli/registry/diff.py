"""`ginuri diff`: the differences between two exports, field by field."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ginuri.cli.stack import aws_options
from ginuri.cli.terminal import fault, format_field, format_value, write_json
from ginuri.identifiers.messages import message
from ginuri.registration.undo.export_diff import ExportDifference, Subject, compare_exports, subject_of
from ginuri.registry.record.serialization import path_of

_FILE = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
_SIGNS = {(True, True): "~", (True, False): "-", (False, True): "+"}


def _read_argument(context: click.Context, parameter: click.Parameter, value: str) -> str:
    if not context.params["is_whole"]:
        _FILE.convert(value, parameter, context)
    return value


@click.command("diff")
@click.argument("before", callback=_read_argument)
@click.argument("after", callback=_read_argument)
@click.option(
    "--history",
    "is_whole",
    is_flag=True,
    is_eager=True,
    help="Compare two whole registries: folders, `stack:NAME` in AWS, or `stack:` for the local stack.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each difference.")
@aws_options
def diff_command(before: str, after: str, *, is_whole: bool, as_json: bool) -> None:
    """Compare the exports BEFORE and AFTER, in any order of their lines.

    `-` is only in BEFORE, `+` only in AFTER, `~` in both with other values. Exits 1 if there is a difference.
    """
    if is_whole:
        from ginuri.cli.registry.whole_diff import print_differences

        sys.exit(1 if print_differences(before, after, as_json=as_json) else 0)
    differences = list(compare_exports(_read(Path(before)), _read(Path(after))))
    for difference in differences:
        click.echo(write_json(_as_json(difference)) if as_json else _describe(difference))
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
            raise fault(
                message(
                    "{file}, line {line}: this is not a line of an export ({error}). To make an export, run "
                    "`ginuri export`.",
                    file=str(file),
                    line=str(number),
                    error=str(error),
                )
            ) from error
        if subject in lines:
            raise fault(
                message(
                    "{file}, line {line}: {identifier} occurs twice. Keep one of the two lines.",
                    file=str(file),
                    line=str(number),
                    identifier=format_value(subject.identifier),
                )
            )
        lines[subject] = line
    return lines


def _describe(difference: ExportDifference) -> str:
    subject = difference.subject
    qualifier = " ".join(filter(None, (subject.record, subject.pattern, subject.to)))
    sign = _SIGNS[difference.is_before, difference.is_after]
    line = f"{sign} {format_value(subject.identifier)}"
    line += f" ({format_value(qualifier)})" if qualifier else ""
    changes = [
        f"    {format_field(change.key)}: {format_value(change.before)} → {format_value(change.after)}"
        for change in difference.fields
    ]
    return "\n".join([line, *changes] if sign == "~" else [line])


def _as_json(difference: ExportDifference) -> Mapping[str, Any]:
    subject = difference.subject
    return {
        "difference": _SIGNS[difference.is_before, difference.is_after],
        "identifier": subject.identifier,
        "record": subject.record or None,
        "pattern": subject.pattern or None,
        **({"to": subject.to} if subject.to else {}),
        "fields": [
            {"field": path_of(change.key), "from": change.before, "to": change.after}
            for change in difference.fields
        ],
    }
