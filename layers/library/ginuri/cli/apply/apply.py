"""`ginuri apply`: compares a folder of registration files with a registry, and uploads what differs."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ginuri.cli.apply.folder import Folder, RegistrationFile, read_folder
from ginuri.cli.apply.plan import Plan, Planner
from ginuri.cli.apply.plan_text import describe_plan, write_markdown
from ginuri.cli.options import folder_option
from ginuri.cli.ports import Stack
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import asked_language, fault, is_terminal, say, write_json
from ginuri.cli.uploads.report_text import describe
from ginuri.cli.uploads.upload import confirm, submit
from ginuri.files.options import UploadOptions, write_options
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import folder_to_prefix

_STORED = write_options(UploadOptions(is_stored=True))


@click.command("apply")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, readable=True, path_type=Path))
@stack_option
@click.option("--plan", "is_plan", is_flag=True, help="Show what would change; change nothing.")
@click.option("--yes", "is_sure", is_flag=True, help="Apply the plan without asking.")
@folder_option(
    "--snapshot",
    "snapshots",
    multiple=True,
    help="The files are complete for this prefix: retire all other identifiers under it. May be repeated.",
)
@click.option("--many", "is_many", is_flag=True, help="Allow a file to change over a tenth of its folder.")
@click.option(
    "--strict-tests", "is_strict", is_flag=True, help="Register nothing of a file if a test would fail."
)
@click.option("--partly", "is_partly", is_flag=True, help="Apply the others if a registration is refused.")
@click.option("--reason", default="", help="The reason for people; it is kept with each upload.")
@click.option("--submitter", default="", help="The name of the submitter; it is kept with each upload.")
@click.option(
    "--markdown",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="Also write the plan to this file, for a pull request.",
)
@click.option("--wait", default=900, show_default=True, help="Seconds to wait for each report.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan and the reports as JSON.")
def apply_command(  # noqa: PLR0913  the options of a command
    folder: Path,
    *,
    name: str | None,
    is_plan: bool,
    is_sure: bool,
    snapshots: Sequence[str],
    is_many: bool,
    is_strict: bool,
    is_partly: bool,
    reason: str,
    submitter: str,
    markdown: Path | None,
    wait: int,
    as_json: bool,
) -> None:
    """Bring a registry to the state of FOLDER: registration files, laid out like the uploads.

    Shows what each file would register and change, then uploads only files that change something, in the
    order in which they need each other. Nothing is retired, except where a file says so or with --snapshot.
    Files that registrations name in `file` are stored first if their content differs. `ginuri.toml` in FOLDER
    has the options of files. On a terminal, asks you to confirm.

    Exits 0 when all is applied or there is nothing to change, and with --plan when nothing is refused; 1 when
    a registration is refused, which applies nothing without --partly, or you declined; 2 when it could not be
    carried out.
    """
    common = UploadOptions(
        is_many=is_many,
        is_strict=is_strict,
        reason=reason,
        submitter=submitter,
        language=asked_language(),
    )
    found = _with_options(read_folder(folder), common)
    with open_stack(name, message("The folder cannot be applied")) as stack:
        planner = Planner(stack.readers, found.files)
        plan = planner.plan(found.registrations, list(map(folder_to_prefix, snapshots)), common)
        if markdown:
            markdown.write_text(write_markdown(plan, stack), encoding="utf-8")
        if not as_json:
            click.echo(describe_plan(plan, stack))
        is_applied = not (is_plan or plan.is_empty or (plan.refused and not is_partly))
        if is_applied and not (is_sure or as_json) and is_terminal():
            confirm("", message("Apply it?"))
        reports = _apply(plan, stack, wait, is_quiet=as_json) if is_applied else []
    if as_json:
        click.echo(write_json(_as_json(plan, reports), indent=1))
    elif plan.refused and not (is_plan or is_partly):
        say(message("Nothing was applied. Correct the refused lines, or apply the others with --partly."))
    refused = plan.refused + sum(report["counts"]["refused"] for report in reports)
    sys.exit(1 if refused else 0)


def _with_options(folder: Folder, common: UploadOptions) -> Folder:
    """Add the options of the command to those of each file, which count first."""
    if not folder.registrations:
        raise fault(
            message(
                "The folder has no registration files. Lay it out like the uploads: _host/schemes.jsonl, "
                "uri-gin/azgs/wells.csv."
            )
        )
    return Folder([_with_common(file, common) for file in folder.registrations], folder.files)


def _with_common(file: RegistrationFile, common: UploadOptions) -> RegistrationFile:
    own = file.options
    options = replace(
        own,
        is_many=own.is_many or common.is_many,
        is_strict=own.is_strict or common.is_strict,
        reason=own.reason or common.reason,
        submitter=own.submitter or common.submitter,
        language=own.language or common.language,
    )
    return replace(file, options=options)


def _apply(plan: Plan, stack: Stack, wait: int, *, is_quiet: bool) -> list[dict[str, Any]]:
    """Upload the stored files, then each pending file after the report on the one before."""
    for key, path in plan.stored.items():
        with path.open("rb") as body:
            stack.put(key, body, _STORED)
    reports = []
    for planned in plan.pending:
        file = planned.file
        report = submit(stack, file.key, file.read(), file.options, wait, quiet=is_quiet)
        reports.append(report)
        if not is_quiet:
            click.echo(describe(report, stack))
    return reports


def _as_json(plan: Plan, reports: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return {
        "is_empty": plan.is_empty,
        "refused": plan.refused,
        "stored": list(plan.stored),
        "files": [
            {"key": each.file.key, "is_pending": each.is_pending, "report": each.report}
            for each in plan.files
        ],
        "contradictions": [
            {"identifier": each.identifier, "field": each.field, "files": [each.first, each.second]}
            for each in plan.contradictions
        ],
        "unretired": list(plan.unretired),
        "reports": list(reports),
    }
