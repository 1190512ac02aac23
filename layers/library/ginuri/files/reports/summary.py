"""What a report says in brief, beside it: a report itself may be too large to read for its counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from ginuri.files.options import UploadOptions


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """What became of an upload, in brief."""

    put: str
    """When it was put, RFC 3339 in UTC."""
    counts: Mapping[str, int]
    """How many identifiers have which verdict; of a dry run, would have."""
    is_dry_run: bool = False
    is_stored: bool = False
    """Whether it is no registry file, and was only stored."""
    submitter: str = ""
    reason: str = ""


def summary_key(key: str, version: str) -> str:
    """Give where the summary of the report on an upload is written: after the report, when all is done."""
    return f"{key}/{version}.summary.json"


def summarize(
    put: str, counts: Mapping[str, int], options: UploadOptions, *, is_stored: bool = False
) -> ReportSummary:
    """Sum up an upload from when it was put, the counts of its report and what was asked for beside it."""
    return ReportSummary(put, counts, options.is_dry_run, is_stored, options.submitter, options.reason)


def write_summary(summary: ReportSummary) -> bytes:
    """Write a summary."""
    told = {
        "put": summary.put,
        "dry_run": summary.is_dry_run,
        "stored": summary.is_stored,
        "submitter": summary.submitter,
        "reason": summary.reason,
        "counts": dict(summary.counts),
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def read_summary(told: Mapping[str, object]) -> ReportSummary:
    """Read a summary from its JSON; what it does not tell is as nothing was said."""
    counts = told.get("counts")
    return ReportSummary(
        str(told.get("put", "")),
        {str(name): int(number) for name, number in counts.items()} if isinstance(counts, Mapping) else {},
        bool(told.get("dry_run")),
        bool(told.get("stored")),
        str(told.get("submitter", "")),
        str(told.get("reason", "")),
    )
