"""`ginuri uploads`: the last uploads, newest first, with their submitters, reasons and results."""

from __future__ import annotations

import heapq
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from typing import Any, Literal

import click

from ginuri.cli.options import folder_option
from ginuri.cli.ports import Stack, UploadVersion
from ginuri.cli.stack import open_stack, stack_option
from ginuri.cli.terminal import format_value, localize, say, write_json
from ginuri.cli.uploads.report_text import write_page_address
from ginuri.cli.uploads.upload import read_reported
from ginuri.files.options import read_options
from ginuri.files.reports.report import report_key, way_out_of
from ginuri.files.reports.summary import ReportSummary, read_summary, summarize, summary_key
from ginuri.files.reports.wording import write_counts
from ginuri.identifiers.messages import message

UploadState = Literal["complete", "waiting", "unfinished", "given up"]
_AT_ONCE = 8
_MOST_BRIEF = 64 * 1024
"""The greatest size in bytes of a report that only has the reason why an upload stopped."""


@dataclass(frozen=True, slots=True)
class ListedUpload:
    """An upload, and its result."""

    key: str
    version: str
    summary: ReportSummary
    is_counted: bool
    """Whether the summary has the counts of its report."""
    is_reported: bool
    unfinished: Mapping[str, Any] | None = None
    """The part that stopped it, according to its report."""

    @property
    def state(self) -> UploadState:
        """Its progress: a part that failed is tried once more, or was given up until an operator comes."""
        if self.unfinished:
            return "given up" if self.unfinished["is_given_up"] else "unfinished"
        return "complete" if self.is_reported else "waiting"


@click.command("uploads")
@folder_option("--under", help="Only list uploads to this folder, such as uri-gin/azgs/.")
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="The number of uploads.")
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per upload.")
def uploads_command(*, under: str | None, last: int, name: str | None, as_json: bool) -> None:
    """List the last uploads, newest first: when, by whom and why, and the result.

    Exits 0, 1 if nothing was uploaded, and 2 if the command could not be carried out.
    """
    with open_stack(name, message("The uploads cannot be listed")) as stack:
        uploads = read_newest(stack, under or "", last)
    for upload in uploads:
        click.echo(write_json(_as_json(upload, stack)) if as_json else "\n".join(_lines(upload, stack)))
    if not uploads:
        nothing = message("Nothing was uploaded yet.")
        say(message("Nothing was uploaded under {folder}.", folder=under) if under else nothing, err=True)
    sys.exit(0 if uploads else 1)


def read_newest(stack: Stack, folder: str, last: int) -> list[ListedUpload]:
    """Read the last uploads to a folder, newest first."""
    chosen = heapq.nlargest(last, stack.versions(folder), key=attrgetter("put"))
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        uploads = pool.map(partial(_read_upload, stack), chosen)
        # A stack may list times in seconds; reports have milliseconds.
        return sorted(uploads, key=lambda upload: upload.summary.put, reverse=True)


def _read_upload(stack: Stack, uploaded: UploadVersion) -> ListedUpload:
    key, version = uploaded.key, uploaded.version
    stored_summary = read_reported(stack, summary_key(key, version))
    if stored_summary is not None:
        return ListedUpload(key, version, read_summary(stored_summary), is_counted=True, is_reported=True)
    summary = summarize(f"{uploaded.put:%Y-%m-%dT%H:%M:%SZ}", {}, read_options(stack.metadata(key, version)))
    start = _read_start(stack.report(report_key(key, version)) or ())
    report = json.loads(start) if start and len(start) < _MOST_BRIEF else {}
    return ListedUpload(
        key,
        version,
        summary,
        is_counted=False,
        is_reported=bool(start),
        unfinished=report.get("unfinished"),
    )


def _read_start(chunks: Iterable[bytes]) -> bytes:
    start = b""
    for chunk in chunks:
        start += chunk
        if len(start) >= _MOST_BRIEF:
            break
    return start


def _lines(upload: ListedUpload, stack: Stack) -> Iterator[str]:
    summary = upload.summary
    yield f"{summary.put}  {format_value(f'{upload.key}#{upload.version}')}"
    if summary.submitter or summary.reason:
        by = message("by {name}", name=format_value(summary.submitter))
        who = localize(by) if summary.submitter else ""
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
