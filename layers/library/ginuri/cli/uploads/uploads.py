"""`ginuri uploads`: the last uploads, newest first, with their uploaders, reasons and results."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

import click

from ginuri.cli.options import folder_option
from ginuri.cli.ports import Stack
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import format_value, localize, say, write_json
from ginuri.cli.uploads.report_text import write_page_address
from ginuri.files.reports.listed_uploads import AT_ONCE, ListedUpload, read_newest
from ginuri.files.reports.report import report_key, way_out_of
from ginuri.files.reports.wording import write_counts, write_uploaders
from ginuri.identifiers.messages import message


@click.command("uploads")
@folder_option("--under", help="Only list uploads to this folder, such as uri-gin/azgs/.")
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="The number of uploads.")
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per upload.")
def uploads_command(*, under: str | None, last: int, name: str | None, as_json: bool) -> None:
    """List the last uploads, newest first: when, by whom and why, and the result.

    Exits 0, 1 if nothing was uploaded, and 2 if the command could not be carried out.
    """
    with (
        open_stack(name, message("The uploads cannot be listed")) as stack,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        uploads = read_newest(stack, under or "", last, pool.map)
    for upload in uploads:
        click.echo(write_json(_as_json(upload, stack)) if as_json else "\n".join(_lines(upload, stack)))
    if not uploads:
        nothing = message("Nothing was uploaded yet.")
        say(message("Nothing was uploaded under {folder}.", folder=under) if under else nothing, err=True)
    sys.exit(0 if uploads else 1)


def _lines(upload: ListedUpload, stack: Stack) -> Iterator[str]:
    summary = upload.summary
    yield f"{summary.put}  {format_value(f'{upload.key}#{upload.version}')}"
    uploaders = write_uploaders(summary.uploader.principal, summary.submitter)
    if uploaders or summary.reason:
        who = ", ".join(map(localize, uploaders))
        why = format_value(summary.reason) if summary.reason else ""
        yield f"  {': '.join(filter(None, (who, why)))}"
    dry_run = f"{localize(message('dry run'))}: " if summary.is_dry_run else ""
    yield f"  {dry_run}{_outcome(upload)}"
    if upload.is_reported and not summary.is_stored and not upload.unfinished:
        yield f"  {write_page_address(upload.key, upload.version, summary.language, stack)}"


def _outcome(upload: ListedUpload) -> str:
    if not upload.is_reported:
        return localize(message("no report yet"))
    if upload.unfinished:
        return localize(message("not finished. {way_out}", way_out=way_out_of(upload.unfinished)))
    if upload.summary.is_stored:
        return localize(message("stored, for registrations to name"))
    if not upload.is_counted:
        return localize(message("reported; the counts are in the report"))
    return localize(write_counts(upload.summary.counts, upload.summary.scope))


def _as_json(upload: ListedUpload, stack: Stack) -> Mapping[str, Any]:
    summary = upload.summary
    return {
        "put": summary.put,
        "key": upload.key,
        "version": upload.version,
        **{name: text or None for name, text in asdict(summary.uploader).items()},
        "submitter": summary.submitter or None,
        "reason": summary.reason or None,
        "dry_run": summary.is_dry_run,
        "stored": summary.is_stored,
        "counts": dict(summary.counts) if upload.is_counted else None,
        "unfinished": upload.unfinished,
        "state": upload.state,
        "report": stack.report_location(report_key(upload.key, upload.version))
        if upload.is_reported
        else None,
    }
