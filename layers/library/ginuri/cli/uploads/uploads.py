"""`ginuri uploads`: what was handed in, the newest first, by whom and why, and what became of it."""

from __future__ import annotations

import heapq
import json
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from botocore.exceptions import ClientError

from ginuri.cli.stack import Stack, explaining_failures, find_stack, stack_option
from ginuri.cli.terminal import format_value, localize, localize_all, terminal_language
from ginuri.cli.uploads.folder import folder_option
from ginuri.cli.uploads.upload import read_reported
from ginuri.files.options import read_options
from ginuri.files.reports.report import page_key, report_key, way_out_of
from ginuri.files.reports.summary import ReportSummary, read_summary, summarize, summary_key
from ginuri.files.reports.wording import write_counts
from ginuri.identifiers.messages import message

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import ObjectVersionTypeDef

_AT_ONCE = 8
_MOST_BRIEF = 64 * 1024
"""How long a report may be, in bytes, that says of nothing but what stopped it."""
_ABSENT = {"403", "404", "AccessDenied", "NoSuchKey"}
"""How S3 says that there is no such object; without leave to list, that it is forbidden."""


@dataclass(frozen=True, slots=True)
class ListedUpload:
    """One upload, and what is known of it."""

    key: str
    version: str
    summary: ReportSummary
    is_counted: bool
    """Whether the summary is that of its report."""
    is_reported: bool
    unfinished: Mapping[str, Any] | None = None
    """What its report says of the part that stopped it, where it says so."""


@click.command("uploads")
@folder_option("--under", help="Only what was uploaded there, such as uri-gin/azgs/.")
@click.option("--last", default=20, show_default=True, type=click.IntRange(1), help="How many to tell of.")
@stack_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object an upload.")
def uploads_command(*, under: str | None, last: int, name: str | None, as_json: bool) -> None:
    """Say what was uploaded, the newest first: when, by whom and why, and what became of it.

    Exits 0, 1 where nothing was uploaded, and 2 when it could not be carried out.
    """
    with explaining_failures(message("The uploads cannot be listed")):
        stack = find_stack(name)
        found = read_newest(stack, under or "", last)
    for each in found:
        told = json.dumps(_told(each, stack), ensure_ascii=False)
        click.echo(told if as_json else "\n".join(_lines(each, stack)))
    if not found:
        nothing = message("Nothing was uploaded yet.")
        if under:
            nothing = message("Nothing was uploaded under {folder}.", folder=under)
        click.echo(localize(nothing), err=True)
    sys.exit(0 if found else 1)


def read_newest(stack: Stack, folder: str, last: int) -> list[ListedUpload]:
    """Give the last uploads into a folder, the newest first."""
    lister = stack.s3.get_paginator("list_object_versions")
    pages = lister.paginate(Bucket=stack.uploads_bucket, Prefix=folder)
    versions = (each for page in pages for each in page.get("Versions", ()))
    chosen = heapq.nlargest(last, versions, key=lambda each: each["LastModified"])
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        found = pool.map(lambda each: _look_into(stack, each), chosen)
        # S3 lists by the second, reports tell by the millisecond.
        return sorted(found, key=lambda each: each.summary.put, reverse=True)


def _look_into(stack: Stack, stored: ObjectVersionTypeDef) -> ListedUpload:
    key, version = stored["Key"], stored["VersionId"]
    told = read_reported(stack, summary_key(key, version))
    if told is not None:
        return ListedUpload(key, version, read_summary(told), is_counted=True, is_reported=True)
    said = stack.s3.head_object(Bucket=stack.uploads_bucket, Key=key, VersionId=version)["Metadata"]
    put = stored["LastModified"].strftime("%Y-%m-%dT%H:%M:%SZ")
    summary = summarize(put, {}, read_options(said))
    length = _length(stack, report_key(key, version))
    report = read_reported(stack, report_key(key, version)) if length and length < _MOST_BRIEF else None
    unfinished = report.get("unfinished") if report else None
    return ListedUpload(
        key, version, summary, is_counted=False, is_reported=length > 0, unfinished=unfinished
    )


def _length(stack: Stack, key: str) -> int:
    """Give how long a report is, in bytes; 0 where there is none."""
    try:
        return stack.s3.head_object(Bucket=stack.reports_bucket, Key=key)["ContentLength"]
    except ClientError as error:
        if error.response["Error"]["Code"] in _ABSENT:
            return 0
        raise


def _lines(handed: ListedUpload, stack: Stack) -> Iterator[str]:
    summary = handed.summary
    yield f"{summary.put}  {format_value(f'{handed.key}#{handed.version}')}"
    if summary.submitter or summary.reason:
        by = message("by {name}", name=format_value(summary.submitter))
        who = localize(by) if summary.submitter else ""
        why = format_value(summary.reason) if summary.reason else ""
        yield f"  {': '.join(each for each in (who, why) if each)}"
    dry_run = f"{localize(message('dry run'))}: " if summary.is_dry_run else ""
    yield f"  {dry_run}{_outcome(handed)}"
    if handed.is_reported and not summary.is_stored and not handed.unfinished:
        address = stack.report_address(page_key(handed.key, handed.version, terminal_language()))
        yield f"  {localize(message('to read: {address}', address=address))}"


def _outcome(handed: ListedUpload) -> str:
    if not handed.is_reported:
        return localize(message("no report yet"))
    if handed.unfinished:
        return localize(message("not finished. {way_out}", way_out=way_out_of(handed.unfinished)))
    if handed.summary.is_stored:
        return localize(message("stored, for registrations to name"))
    if not handed.is_counted:
        return localize(message("reported; the counts are in the report"))
    return localize_all(write_counts(handed.summary.counts))


def _told(handed: ListedUpload, stack: Stack) -> Mapping[str, Any]:
    summary = handed.summary
    report = f"s3://{stack.reports_bucket}/{report_key(handed.key, handed.version)}"
    return {
        "put": summary.put,
        "key": handed.key,
        "version": handed.version,
        "submitter": summary.submitter or None,
        "reason": summary.reason or None,
        "dry_run": summary.is_dry_run,
        "stored": summary.is_stored,
        "counts": dict(summary.counts) if handed.is_counted else None,
        "unfinished": handed.unfinished,
        "report": report if handed.is_reported else None,
    }
