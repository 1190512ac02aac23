"""The uploads that changed a registry, in the order in which they were processed.

The first of two contradicting uploads to be processed wins, so the order of processing decides, not that of
stamps. It is the order in which the summaries of reports were written.
"""

from __future__ import annotations

import json
from bisect import insort
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from ginuri.files.options import read_options
from ginuri.files.reports.listed_uploads import read_reported
from ginuri.files.reports.report import Upload, report_key
from ginuri.files.reports.summary import Uploader, read_summary, read_uploader, summary_key
from ginuri.registry.clock import write_moment
from ginuri.registry.content import UploadVersion
from ginuri.replay.ports import ReplayStack

MARGIN = timedelta(minutes=5)
"""The time before a stated moment whose uploads are processed again as well: clocks and restores differ."""


@dataclass(frozen=True, slots=True)
class ProcessedUpload:
    """An upload, and what its report said."""

    upload: Upload
    processed: datetime
    """When its first report was written; when it was put, if no report is left."""
    counts: Mapping[str, int] | None
    """The number of verdicts by outcome, without zeros; None if no report is left."""
    api_identity: str = ""
    """The identity of the API that put it; empty for an upload without a token."""


@dataclass(frozen=True, slots=True)
class UploadOrder:
    """The uploads to process again, in order, and those that the queue still has."""

    uploads: list[ProcessedUpload]
    unfinished: list[Upload]
    """Uploads without a complete report while the queue has messages, or with a part that failed."""
    puts: dict[str, list[tuple[str, str]]]
    """When each version of a key was put, in order, and the version."""


@dataclass(frozen=True, slots=True)
class _Summary:
    put: str
    processed: datetime
    counts: Mapping[str, int]
    changes_registry: bool
    uploader: Uploader


def order_uploads(stack: ReplayStack, since: datetime | None = None) -> UploadOrder:
    """Read which uploads changed the registry; with `since`, only those processed later, or `MARGIN` before.

    An upload without a summary is placed by its report, and one without a report by the time at which it was
    put, which a stack lists in seconds. Raises RegistryUnavailable.
    """
    summaries, is_idle = dict(_read_summaries(stack)), not stack.whole.waiting()
    order = UploadOrder([], [], {})
    for version in stack.reported.versions(""):
        summary, report = summaries.get(summary_key(version.key, version.version)), None
        if summary is None:
            report = read_reported(stack.reported, report_key(version.key, version.version))
            summary = _summarize(report)
        put = summary.put if summary else write_moment(version.put)
        identity = summary.uploader.identity if summary else ""
        upload = Upload("", version.key, version.version, put, identity)
        insort(order.puts.setdefault(version.key, []), (put, version.version))
        if summary is None and (report is not None or not is_idle):
            order.unfinished.append(upload)
            continue
        found = _processed(upload, summary)
        is_later = since is None or found.processed >= since - MARGIN
        if is_later and (summary.changes_registry if summary else _changes_registry(stack, version)):
            order.uploads.append(found)
    order.uploads.sort(key=lambda each: (each.processed, each.upload.put, each.upload.key))
    return order


def _read_summaries(stack: ReplayStack) -> Iterator[tuple[str, _Summary]]:
    for file, body in stack.whole.summaries():
        summary = read_summary(json.loads(body))
        processed = datetime.fromisoformat(summary.processed or file.written)
        yield (
            file.key,
            _Summary(
                summary.put,
                processed,
                _without_zeros(summary.counts),
                summary.changes_registry,
                summary.uploader,
            ),
        )


def _summarize(report: Mapping[str, Any] | None) -> _Summary | None:
    """Return the summary of a complete report, which has no time of its own."""
    if report is None or not report["is_complete"]:
        return None
    put, is_registered = report["upload"]["put"], not (report["dry_run"] or report.get("stored"))
    counts = _without_zeros(report["counts"])
    return _Summary(put, datetime.fromisoformat(put), counts, is_registered, read_uploader(report))


def _changes_registry(stack: ReplayStack, version: UploadVersion) -> bool:
    return not read_options(stack.reported.metadata(version.key, version.version)).is_dry_run


def _processed(upload: Upload, summary: _Summary | None) -> ProcessedUpload:
    moment = datetime.fromisoformat(upload.put)
    if summary is None:
        return ProcessedUpload(upload, moment, None)
    # Clocks differ: no upload was processed before it was put.
    processed = max(summary.processed, moment)
    # Another stack may have processed it: its API had another identity.
    api_identity = upload.identity.partition(":")[0] if summary.uploader.token else ""
    return ProcessedUpload(upload, processed, summary.counts, api_identity)


def _without_zeros(counts: Mapping[str, int]) -> dict[str, int]:
    return {outcome: number for outcome, number in counts.items() if number}
