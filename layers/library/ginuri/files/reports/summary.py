"""The summary beside a report, which may be too large to read for its counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields

from ginuri.files.options import UploadOptions, report_language
from ginuri.files.reports.scope import ReportScope, read_scope, scope_members
from ginuri.i18n.catalogue import ENGLISH
from ginuri.registry.transfer import SUMMARY


@dataclass(frozen=True, slots=True)
class Uploader:
    """Who uploaded a file."""

    identity: str = ""
    """Who put the file, as the store authenticated them; empty if that is not known."""
    principal: str = ""
    """For whom it was put: the owner of the token of an upload through the API, else the identity."""
    token: str = ""
    """The id of the token of an upload through the API."""


NOBODY = Uploader()
"""The uploader of a file that was not uploaded, or before uploaders were noted."""


@dataclass(frozen=True, slots=True)
class ReportSummary:
    """The result of an upload in brief."""

    put: str
    """When it was put, RFC 3339 in UTC."""
    counts: Mapping[str, int]
    """The number of identifiers by verdict; for a dry run, the expected ones."""
    is_dry_run: bool = False
    is_stored: bool = False
    """Whether the file was only stored, not read as a registry file."""
    submitter: str = ""
    reason: str = ""
    scope: ReportScope = field(default_factory=ReportScope)
    language: str = ENGLISH
    attempt: int = 1
    """The number of the attempt that the report is about."""
    processed: str = ""
    """When its report was written, RFC 3339 in UTC with milliseconds; empty in older summaries."""
    uploader: Uploader = NOBODY
    is_denied: bool = False
    """Whether it was refused before it was read, because of its uploader."""

    @property
    def changes_registry(self) -> bool:
        """Whether the upload was meant to change the registry."""
        return not (self.is_dry_run or self.is_stored or self.is_denied)


def attempt_version(version: str, number: int) -> str:
    """Return the version of an upload in the names of the files about an attempt."""
    return version if number == 1 else f"{version}.{number}"


def summary_key(key: str, version: str) -> str:
    """Return the key of the summary, which is written after the report."""
    return f"{key}/{version}{SUMMARY}"


def summarize(
    put: str,
    counts: Mapping[str, int],
    options: UploadOptions,
    scope: ReportScope | None = None,
    *,
    is_stored: bool = False,
) -> ReportSummary:
    """Summarize an upload from its time, the counts of its report and their scope, and its options."""
    return ReportSummary(
        put,
        counts,
        options.is_dry_run,
        is_stored,
        options.submitter,
        options.reason,
        scope or ReportScope(),
        report_language(options),
    )


def write_summary(summary: ReportSummary) -> bytes:
    """Write a summary as JSON."""
    members = {
        "put": summary.put,
        **({"processed": summary.processed} if summary.processed else {}),
        "dry_run": summary.is_dry_run,
        "stored": summary.is_stored,
        **uploader_members(summary.uploader),
        "submitter": summary.submitter,
        "reason": summary.reason,
        "language": summary.language,
        "counts": dict(summary.counts),
        **scope_members(summary.scope),
        **({"attempt": summary.attempt} if summary.attempt > 1 else {}),
        **({"denied": True} if summary.is_denied else {}),
    }
    return json.dumps(members, ensure_ascii=False, indent=1).encode()


def read_summary(members: Mapping[str, object]) -> ReportSummary:
    """Read a summary from its JSON; missing members get their defaults."""
    counts = members.get("counts")
    return ReportSummary(
        str(members.get("put", "")),
        {str(name): int(number) for name, number in counts.items()} if isinstance(counts, Mapping) else {},
        bool(members.get("dry_run")),
        bool(members.get("stored")),
        str(members.get("submitter", "")),
        str(members.get("reason", "")),
        read_scope(members),
        str(members.get("language", ENGLISH)),
        int(str(members.get("attempt", 1))),
        str(members.get("processed", "")),
        read_uploader(members),
        bool(members.get("denied")),
    )


def uploader_members(uploader: Uploader) -> Mapping[str, str]:
    """Return the members of reports and summaries about an uploader, without empty ones."""
    return {name: text for name, text in asdict(uploader).items() if text}


def read_uploader(members: Mapping[str, object]) -> Uploader:
    """Read the members of `uploader_members`."""
    return Uploader(*(str(members.get(each.name, "")) for each in fields(Uploader)))
