"""`ginuri upload`: hand in a registry file, wait, and print what became of every line."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from botocore.exceptions import BotoCoreError, ClientError
from tqdm import tqdm

from ginuri.cli.stack import Stack, find_stack
from ginuri.core.errors import MalformedIdentifier
from ginuri.core.identifiers import parse
from ginuri.core.placing import HOST_FOLDER
from ginuri.documents.reports import progress_key, report_key

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0
"""Seconds between two looks for the report: it grows from the first to the longest."""
MOST_SHOWN = 50
"""How many refused lines are printed; all of them are in the report."""


@click.command("upload")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path))
@click.option(
    "--under", required=True, help="The identifier prefix to register under, such as uri-gin/azgs/."
)
@click.option(
    "--stack", "name", envvar="GINURI_STACK", help="A stack in AWS; without it, the one that runs here."
)
@click.option("--wait", default=900, show_default=True, help="Seconds to wait for the report.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def upload_command(file: Path, *, under: str, name: str | None, wait: int, as_json: bool) -> None:
    """Upload FILE (.jsonl or .csv, also with .gz), wait for the report and print it.

    Exits 1 when a line was refused. A file of another kind is stored, for registrations to name in `file`.
    """
    key = f"{_folder(under)}{file.name}"
    try:
        stack = find_stack(name)
        version = put(stack, file, key)
        report = wait_for_report(stack, key, version, wait, quiet=as_json)
    except (ClientError, BotoCoreError) as error:
        raise click.UsageError(f"the stack did not take it: {error}") from error
    if report is None:
        raise click.UsageError(
            f"no report on {key} after {wait} s; "
            f"it will be at s3://{stack.reports_bucket}/{report_key(key, version)}"
        )
    click.echo(json.dumps(report, ensure_ascii=False, indent=1) if as_json else describe(report, stack))
    sys.exit(1 if report["counts"]["refused"] else 0)


def put(stack: Stack, file: Path, key: str) -> str:
    """Put a file into the uploads bucket and give the version it became."""
    answer = stack.s3.put_object(Bucket=stack.uploads_bucket, Key=key, Body=file.read_bytes())
    return answer["VersionId"]


def wait_for_report(
    stack: Stack, key: str, version: str, seconds: float, *, quiet: bool = False
) -> dict[str, Any] | None:
    """Wait for the report on an upload, and show how far it is; None where none came in time."""
    pause, deadline = FIRST_PAUSE, time.monotonic() + seconds
    with tqdm(desc=key, unit=" identifiers", disable=quiet or not sys.stderr.isatty(), leave=False) as bar:
        while time.monotonic() < deadline:
            report = _read(stack, report_key(key, version))
            if report is not None:
                return report
            progress = _read(stack, progress_key(key, version))
            if progress is not None:
                bar.total = progress["of"]
                bar.update(progress["done"] - bar.n)
            time.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)
    return None


def describe(report: dict[str, Any], stack: Stack) -> str:
    """Write a report for a terminal: the counts, then every refused line and how to mend it."""
    upload, counts = report["upload"], report["counts"]
    if report.get("stored"):
        return f"{upload['key']} is stored; registrations can name it in `file`"
    told = ", ".join(f"{number} {outcome}" for outcome, number in counts.items())
    lines = [f"{upload['key']} → {stack.name}: {told}"]
    said = [(verdict, finding) for verdict in report["verdicts"] for finding in verdict["findings"]]
    refused = [_line(*each) for each in said if each[1]["level"] == "refused"]
    lines += refused[:MOST_SHOWN]
    if len(refused) > MOST_SHOWN:
        lines.append(f"  … and {len(refused) - MOST_SHOWN} more, all in the report")
    lines += _warnings([each for each in said if each[1]["level"] == "warned"])
    if report["refused_lines"]:
        lines.append(
            f"refused lines, to correct and upload: s3://{stack.reports_bucket}/{report['refused_lines']}"
        )
    lines.append(f"report: s3://{stack.reports_bucket}/{report_key(upload['key'], upload['version'])}")
    return "\n".join(lines)


def _warnings(said: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[str]:
    """Tell each kind of warning once, with the first line that has it and how many do."""
    kinds: dict[tuple[str, str], list[tuple[dict[str, Any], dict[str, Any]]]] = {}
    for verdict, finding in said:
        kinds.setdefault((finding["field"], finding["rule"]), []).append((verdict, finding))
    for same in kinds.values():
        more = f" (and {len(same) - 1} more like it)" if len(same) > 1 else ""
        yield _line(*same[0]) + more


def _line(verdict: dict[str, Any], finding: dict[str, Any]) -> str:
    where = f"line{'s' if len(verdict['lines']) > 1 else ''} {', '.join(map(str, verdict['lines']))}"
    what = f" {finding['field']}" if finding["field"] else ""
    value = f" ({finding['value']})" if finding["value"] else ""
    return f"  {where}: {finding['level']}:{what}{value}: {finding['message']}"


def _folder(under: str) -> str:
    folder = under if under.endswith("/") else f"{under}/"
    if folder == HOST_FOLDER:
        return folder
    try:
        return parse(folder).normal_form
    except MalformedIdentifier as error:
        raise click.BadParameter(f"{error}; or {HOST_FOLDER}", param_hint="--under") from error


def _read(stack: Stack, key: str) -> dict[str, Any] | None:
    try:
        body = stack.s3.get_object(Bucket=stack.reports_bucket, Key=key)["Body"].read()
    except ClientError as error:
        if error.response["Error"]["Code"] in {
            "NoSuchKey",
            "AccessDenied",
        }:  # without leave to list, both mean no
            return None
        raise
    read: dict[str, Any] = json.loads(body)
    return read
