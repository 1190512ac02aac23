"""`ginuri rollback`: undoes an upload, by a new upload that states the previous values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import click

from ginuri.cli.ports import Stack
from ginuri.cli.reports.upload_address import ENDINGS, read_version
from ginuri.cli.stack import explaining_failures, find_stack, stack_option
from ginuri.cli.terminal import fault, format_field, format_value, localize, write_json
from ginuri.cli.undo.restatement import Draft, SubmitOptions, leave, submit_drafts, submit_options
from ginuri.cli.uploads.report_text import MOST_SHOWN
from ginuri.cli.uploads.waiting import describe_unfinished, read_report
from ginuri.files.export import write_restatement
from ginuri.files.options import UploadOptions
from ginuri.identifiers.messages import message
from ginuri.registration.undo.rollback import Restatement, Skipped, plan_rollback
from ginuri.registration.verdicts import Outcome
from ginuri.registry.model import RecordType, StoredFile
from ginuri.registry.ports import Archive
from ginuri.registry.record.history import History
from ginuri.registry.record.rule_records import history_of
from ginuri.registry.record.serialization import path_of
from ginuri.registry.rules.beginnings import record_of_rule

READERS = 8
"""The number of histories that are read at once."""
_MOST_NAME = 100
"""The maximum number of characters of a file name that are repeated in the name of its rollback."""
_ABOVE_OTHERS = {
    RecordType.SCHEME,
    RecordType.HOST,
    RecordType.AUTHORITY,
    RecordType.NAMESPACE,
    RecordType.RESOURCE_TYPE,
}


@dataclass(slots=True)
class _RollbackPlan:
    """The values to state again, and those to leave unchanged."""

    draft: Draft
    skipped: list[Skipped] = field(default_factory=list)
    reserved: set[str] = field(default_factory=set)
    files: dict[str, StoredFile] = field(default_factory=dict)
    """The stored files to restore first, by key."""
    is_correction: bool = False


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
            plan = _plan(stack.archive, key, version, changed, open_files)
        _submit(stack, plan, (key, version), UploadOptions(is_many=is_many), SubmitOptions(**submitting))


def _submit(
    stack: Stack,
    plan: _RollbackPlan,
    undone: tuple[str, str],
    options: UploadOptions,
    submitting: SubmitOptions,
) -> None:
    key, version = undone
    options = replace(options, is_correction=plan.is_correction, reason=f"rollback of {key}#{version}")
    summary = [*_describe(plan.skipped), *_describe_files(list(plan.files.values()))]
    drafts = [plan.draft] if plan.draft.lines else []
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


def _restore(stack: Stack, plan: _RollbackPlan) -> None:
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
    outcomes = {Outcome.REGISTERED, Outcome.CHANGED}
    changed = (verdict for verdict in report["verdicts"] if verdict["verdict"] in outcomes)
    return list(dict.fromkeys(record for verdict in changed for record in _records_of(verdict)))


def _records_of(verdict: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    # Older rules are in the record of their prefix, whatever their pattern begins with.
    name = verdict["identifier"]
    yield name, name
    if "pattern" in verdict:
        yield name, record_of_rule(name, verdict["pattern"])


def _history(archive: Archive, record: tuple[str, str]) -> History:
    identifier, name = record
    history = archive.history(name)
    return history if name == identifier else history_of(identifier, history)


def _plan(
    archive: Archive, key: str, version: str, changed: Sequence[tuple[str, str]], open_files: ExitStack
) -> _RollbackPlan:
    folder, _, file = key.rpartition("/")
    stem = PurePosixPath(re.sub(rf"(?:{ENDINGS})$", "", file, flags=re.IGNORECASE)).name[:_MOST_NAME]
    plan = _RollbackPlan(Draft(f"{folder}/rollback-{stem}.jsonl", open_files))
    above: list[Restatement] = []
    with ThreadPoolExecutor(READERS) as pool:
        for undone in pool.map(lambda each: plan_rollback(_history(archive, each), key, version), changed):
            if isinstance(undone, Skipped):
                plan.skipped.append(undone)
            elif isinstance(undone, Restatement):
                if undone.reserves:
                    plan.reserved.add(undone.identifier)
                if undone.reserves and undone.record in _ABOVE_OTHERS:
                    above.append(undone)
                else:
                    _add(plan, undone, folder)
    below = _below(archive, [restatement.identifier for restatement in above], plan.reserved) if above else {}
    for restatement in above:
        name = restatement.identifier
        if name in below:
            reason = message("{identifier} is registered under it.", identifier=below[name])
            plan.skipped.append(Skipped(name, None, reason))
        else:
            _add(plan, restatement, folder)
    return plan


def _add(plan: _RollbackPlan, restatement: Restatement, folder: str) -> None:
    for file in restatement.files:
        if plan.files.setdefault(file.key, file).sha256 != file.sha256:
            reason = message(
                "Another version of the stored file {file} is restored for another identifier.", file=file.key
            )
            plan.skipped.append(Skipped(restatement.identifier, None, reason))
            return
    plan.draft.add(write_restatement(restatement, f"{folder}/"))
    plan.is_correction = plan.is_correction or restatement.is_correction


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
