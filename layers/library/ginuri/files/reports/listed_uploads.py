"""The last uploads with their results, read from the files beside their reports."""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import count, pairwise
from operator import attrgetter
from typing import Any, Literal, Protocol, TypeVar, runtime_checkable

from ginuri.files.options import read_options
from ginuri.files.reports.report import report_key
from ginuri.files.reports.summary import (
    ReportSummary,
    attempt_version,
    read_summary,
    summarize,
    summary_key,
)
from ginuri.registry.content import UploadVersion

UploadState = Literal["complete", "waiting", "unfinished", "given up"]
_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
AT_ONCE = 8
"""The number of uploads that a mapper reads from a network at once."""
_MOST_BRIEF = 64 * 1024
"""The greatest size in bytes of a report that only has the reason why an upload stopped."""


class ReportedUploads(Protocol):
    """The uploads of a stack, and the reports on them. Its methods raise RegistryUnavailable."""

    def versions(self, prefix: str) -> Iterator[UploadVersion]:
        """List the versions of uploads by key, the newest version of a key first."""

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        """Read the metadata of an upload."""

    def report(self, key: str) -> Iterator[bytes] | None:
        """Open a report, or a file beside it, and return its chunks; None if it is missing or forbidden."""


@runtime_checkable
class NewestFirst(Protocol):
    """Uploads that are listed by a service, the newest first, so that not all are read for some."""

    def newest(self, folder: str, number: int) -> Iterable[UploadVersion]:
        """List the newest versions of uploads to a folder. Raises RegistryUnavailable."""


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


class Mapper(Protocol):
    """Calls a function with each item, as `map` does."""

    def __call__(self, function: Callable[[_Item], _Result], items: Iterable[_Item], /) -> Iterable[_Result]:
        """Return the results in order."""


def read_newest(
    uploads: ReportedUploads, folder: str, last: int, mapper: Mapper = map, after: int = 0
) -> list[ListedUpload]:
    """Read the last uploads to a folder, newest first, after a number of even newer ones.

    A mapper with threads reads several at once.
    """
    most = after + last
    versions = uploads.newest(folder, most) if isinstance(uploads, NewestFirst) else uploads.versions(folder)
    chosen = heapq.nlargest(most, versions, key=attrgetter("put"))[after:]
    # A stack may list times in seconds; reports have milliseconds.
    listed = mapper(partial(_read_upload, uploads), chosen)
    return sorted(listed, key=lambda upload: upload.summary.put, reverse=True)


def read_summaries(
    uploads: ReportedUploads, versions: Iterable[tuple[str, str]], mapper: Mapper = map
) -> dict[tuple[str, str], ReportSummary]:
    """Read the summaries of some uploads, by key and version; without those that are missing or forbidden.

    A mapper with threads reads several at once.
    """
    wanted = list(dict.fromkeys(versions))
    found = mapper(lambda each: read_reported(uploads, summary_key(*each)), wanted)
    return {each: read_summary(members) for each, members in zip(wanted, found, strict=True) if members}


def read_reported(uploads: ReportedUploads, key: str) -> dict[str, Any] | None:
    """Read JSON beside the reports; None if it is missing or may not be read."""
    chunks = uploads.report(key)
    return None if chunks is None else json.loads(b"".join(chunks))


def find_last_attempt(uploads: ReportedUploads, key: str, version: str) -> str:
    """Find the version in the names of the last complete report, which may be of a further attempt."""
    attempts = pairwise(attempt_version(version, number) for number in count(1))
    return next(
        last for last, further in attempts if read_reported(uploads, summary_key(key, further)) is None
    )


def _read_upload(uploads: ReportedUploads, uploaded: UploadVersion) -> ListedUpload:
    key, version = uploaded.key, uploaded.version
    stored_summary = read_reported(uploads, summary_key(key, version))
    if stored_summary is not None:
        return ListedUpload(key, version, read_summary(stored_summary), is_counted=True, is_reported=True)
    summary = summarize(
        f"{uploaded.put:%Y-%m-%dT%H:%M:%SZ}", {}, read_options(uploads.metadata(key, version))
    )
    start = _read_start(uploads.report(report_key(key, version)) or ())
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
