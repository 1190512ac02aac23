"""`ginuri rollback`: undoes an upload, by a new upload that states the previous values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any

import click

from ginuri.cli.ports import ExpectingArchive, Stack
from ginuri.cli.reports.upload_address import read_version
from ginuri.cli.stack import explaining_failures, find_stack, stack_option
from ginuri.cli.terminal import fault, format_field, format_value, localize, write_json
from ginuri.cli.undo.restatement import Draft, SubmitOptions, leave, submit_drafts, submit_options
from ginuri.cli.uploads.report_text import MOST_SHOWN
from ginuri.cli.uploads.waiting import describe_unfinished, read_report
from ginuri.files.options import UploadOptions
from ginuri.files.undoing import UndoPlan, changed_records, plan_undo, undo_name
from ginuri.identifiers.messages import message
from ginuri.registration.undo.rollback import Skipped
from ginuri.registry.model import StoredFile
from ginuri.registry.ports import Archive
from ginuri.registry.record.serialization import path_of

READERS = 8
"""The number of histories that are read at once."""


@click.command("rollback")
@click.argument("upload", type=read_version)
@stack_option
@submit_options
def rollback_command(upload: tuple[str, str], *, name: str | None, is_many: bool, **submitting: Any) -> None:  # noqa: ANN401  the fields of SubmitOptions
    """Undo UPLOAD (uri-gin/azgs/wells.csv#<version>, or the address of its report), by a new upload.

    Fields that it changed get their previous values, unless another upload changed them since: these are left
    unchanged and listed. Identifiers that it registered become reserved. On a terminal, shows what would
    change and asks you to confirm.

    Exits 1 if something was left unchanged or refused, if there is nothing to undo, or if you declined.
    """
    key, version = upload
    stack = find_stack(name)
    with explaining_failures(message("The report cannot be read"), stack.explain):
        changed = _changed(stack, key, version)
    with ExitStack() as open_files:
        with explaining_failures(message("The registry cannot be read"), stack.explain):
            plan, draft = _plan(stack.archive, key, version, changed, open_files)
        _submit(stack, plan, draft, UploadOptions(is_many=is_many), SubmitOptions(**submitting))


def _submit(
    stack: Stack,
    plan: UndoPlan,
    draft: Draft,
    options: UploadOptions,
    submitting: SubmitOptions,
) -> None:
    key, version = plan.key, plan.version
    options = replace(options, is_correction=plan.is_correction, reason=plan.reason)
    summary = [*_describe(plan.skipped), *_describe_files(list(plan.files.values()))]
    drafts = [draft] if draft.lines else []
    if not drafts:
        summary.append(localize(message("{upload}: nothing is left to undo", upload=f"{key}#{version}")))
    reports = submit_drafts(stack, drafts, options, submitting, summary, partial(_restore, stack, plan))
    if submitting.as_json:
        _print(key, version, plan.skipped, reports)
    leave(reports, is_whole=bool(drafts) and not plan.skipped)


def _describe_files(files: Sequence[StoredFile]) -> list[str]:
    shown = [
        message("restored first: {file} as of {moment}", file=format_value(file.key), moment=file.stored)
        for file in files
    ]
    more = message("… and {number} more", number=f"{len(shown) - MOST_SHOWN:,}")
    listed = [*shown[:MOST_SHOWN], *([more] if len(shown) > MOST_SHOWN else [])]
    return [f"  {localize(line)}" for line in listed]


def _restore(stack: Stack, plan: UndoPlan) -> None:
    for file in plan.files.values():  # so that registrations can name them again
        stack.restore(file)


def _changed(stack: Stack, key: str, version: str) -> list[tuple[str, str]]:
    """Return the identifiers that an upload changed, each with a record of it, or of some of its rules."""
    report = read_report(stack, key, version)
    if report is None:
        raise fault(
            message(
                "There is no report on {upload}. To list uploads, run {command}.",
                upload=f"{key}#{version}",
                command="`ginuri uploads`",
            )
        )
    if report["dry_run"]:
        raise fault(message("{upload} was a dry run and changed nothing.", upload=f"{key}#{version}"))
    if not report["is_complete"]:
        raise fault(describe_unfinished(key, version, report))
    return changed_records(report)


def _plan(
    archive: Archive, key: str, version: str, changed: Sequence[tuple[str, str]], open_files: ExitStack
) -> tuple[UndoPlan, Draft]:
    draft = Draft(undo_name(key), open_files)
    if isinstance(archive, ExpectingArchive):
        archive.expect([name for _, name in changed])
    with ThreadPoolExecutor(READERS) as pool:
        plan = plan_undo(
            UndoPlan(key, version, draft.add), changed, archive, partial(_below, archive), pool.map
        )
    return plan, draft


def _below(archive: Archive, prefixes: Sequence[str], reserved: set[str]) -> dict[str, str]:
    """Find for each prefix an identifier under it that is not part of the undo."""
    found: dict[str, str] = {}
    for name, values in archive.standing(""):
        if name not in reserved and values.get("status") != "reserved":
            found |= {prefix: name for prefix in prefixes if name.startswith(prefix) and name != prefix}
    return found


def _describe(skipped: Sequence[Skipped]) -> Iterator[str]:
    for skip in skipped[:MOST_SHOWN]:
        field = f": {format_field(skip.key)}" if skip.key else ""
        name = f"{format_value(skip.identifier)}{field}"
        unchanged = message("left unchanged: {name}: {reason}", name=name, reason=skip.because)
        yield f"  {localize(unchanged)}{_since(skip)}"
    if len(skipped) > MOST_SHOWN:
        yield "  " + localize(
            message("… and {number} more are left unchanged", number=f"{len(skipped) - MOST_SHOWN:,}")
        )


def _since(skipped: Skipped) -> str:
    stamp = skipped.since
    if not stamp:
        return ""
    return " " + localize(
        message(
            "({upload}, line {line}, {put})",
            upload=format_value(f"{stamp.upload}#{stamp.version}"),
            line=str(stamp.line),
            put=stamp.put,
        )
    )


def _print(key: str, version: str, skipped: Sequence[Skipped], reports: Sequence[dict[str, Any]]) -> None:
    entries = [
        {
            "identifier": skip.identifier,
            "verdict": "skipped",
            "field": path_of(skip.key) if skip.key else (),
            "because": str(skip.because),
            "since": {
                "put": skip.since.put,
                "upload": skip.since.upload,
                "version": skip.since.version,
                "line": skip.since.line,
            }
            if skip.since
            else None,
        }
        for skip in skipped
    ]
    result = {
        "rollback_of": {"key": key, "version": version},
        "skipped": entries,
        "report": reports[0] if reports else None,
    }
    click.echo(write_json(result, indent=1))
