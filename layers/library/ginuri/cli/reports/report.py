"""`ginuri report`: prints the report on an upload, or its progress."""

from __future__ import annotations

import sys

import click

from ginuri.cli.reports.upload_address import find_version, read_upload
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import fault, say, write_json
from ginuri.cli.uploads.report_text import describe, describe_uploaders
from ginuri.cli.uploads.waiting import describe_unfinished, read_report, wait_for_report
from ginuri.files.reports.listed_uploads import read_reported
from ginuri.files.reports.progress import UploadProgress, describe_progress, progress_key, read_progress
from ginuri.identifiers.messages import Message, message

_UNFINISHED = 2
"""The exit code while there is no complete report."""


@click.command("report")
@click.argument("upload", type=read_upload)
@stack_option
@click.option(
    "--wait", default=0, help="Seconds to wait for the report and show the progress; without it, none."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def report_command(upload: tuple[str, str | None], *, name: str | None, wait: int, as_json: bool) -> None:
    """Print the report on UPLOAD, or its progress while it is being processed.

    UPLOAD is uri-gin/azgs/wells.csv for the newest version of this file, uri-gin/azgs/wells.csv#<version>
    for another one, or the address of the report.

    Exits 0 when all is well, 1 when a line was refused, and 2 if there is no complete report.
    """
    key = upload[0]
    with open_stack(name, message("The report cannot be read")) as stack:
        version = find_version(stack, *upload)
        report = read_report(stack, key, version)
        if report is None and wait:
            report = wait_for_report(stack, key, version, wait, quiet=as_json)
        progress = None if report else read_reported(stack, progress_key(key, version))
    if as_json:
        unreported = {"upload": {"key": key, "version": version}, "is_complete": False, "progress": progress}
        click.echo(write_json(report or unreported, indent=1))
    elif report is None:
        say(_describe(f"{key}#{version}", read_progress(progress or {})))
    elif not report["is_complete"]:
        raise fault(describe_unfinished(key, version, report))
    else:
        click.echo("\n".join([describe(report, stack), *describe_uploaders(report)]))
    if report is None or not report["is_complete"]:
        sys.exit(_UNFINISHED)
    sys.exit(1 if report["counts"]["refused"] else 0)


def _describe(upload: str, progress: UploadProgress) -> Message:
    if progress.waits_for:
        return message(
            "{upload} waits until these are registered: {names}",
            upload=upload,
            names=", ".join(progress.waits_for),
        )
    if words := describe_progress(progress):
        return message("{upload} is being processed: {progress}.", upload=upload, progress=words)
    return message("There is no report on {upload} yet.", upload=upload)
