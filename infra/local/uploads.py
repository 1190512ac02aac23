"""Uploads a folder that is laid out like the uploads bucket, as a steward would, and reads the reports."""

import json
import mimetypes
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ginuri.files.upload_order import lines_of, stages
from infra.local.functions.event_source import Delivery, EventSource
from infra.local.stack import Stack

_PAUSE = 0.01  # seconds between two checks of the deliveries
_BESIDE = 4  # lines of files that are uploaded in parallel, so that ingest never waits for the next file
_PATIENCE = 10.0  # seconds without work after which a missing report will not come

_TYPES = mimetypes.MimeTypes()
_TYPES.add_type("application/jsonl", ".jsonl")
_TYPES.add_type("text/csv", ".csv")

Say = Callable[[str], None]


class UploadFailed(RuntimeError):
    """Raised when nothing of a file was registered, or it has no report."""


@dataclass(frozen=True)
class Upload:
    """An uploaded file, the (monotonic) time of its upload, and the address of its report."""

    key: str
    version: str
    put: float

    @property
    def report_key(self) -> str:
        """The report's key in the reports bucket."""
        return f"{self.key}/{self.version}.json"


def upload_folder(stack: Stack, folder: Path, host_from: Path, say: Say) -> None:
    """Upload everything under `folder`; without a `_host/` in it, that of `host_from` as well.

    A registry file waits for the previous one in the same outermost folder; those in other folders are
    uploaded in parallel. Raises UploadFailed for a file without a report, or without any registration.
    """
    for stage in stages(folder, host_from):
        _upload_lines(stack, lines_of(stage), say)


def _upload_lines(stack: Stack, lines: Iterable[deque[tuple[str, Path]]], say: Say) -> None:
    """Upload the files of each line one after the other, and some lines in parallel."""
    waiting = deque(lines)
    underway: dict[Upload, deque[tuple[str, Path]]] = {}
    delivered: defaultdict[Upload, list[Delivery]] = defaultdict(list)
    looked = [0 for _ in stack.sources]  # the number of seen deliveries of each
    while waiting or underway:
        while waiting and len(underway) < _BESIDE:
            line = waiting.popleft()
            underway[_put(stack, *line.popleft())] = line
        new = [source.deliveries[seen:] for source, seen in zip(stack.sources, looked, strict=True)]
        looked = [seen + len(deliveries) for seen, deliveries in zip(looked, new, strict=True)]
        for upload in list(underway):
            its_own = [delivery for delivery in chain(*new) if upload.version in delivery.body]
            delivered[upload] += its_own
            report = _report(stack, upload) if its_own else None
            if report is None:
                _check_hope(stack.sources, upload, delivered[upload])
                continue
            _print_report(upload, report, say)
            if line := underway.pop(upload):
                underway[_put(stack, *line.popleft())] = line
        time.sleep(_PAUSE)


def _put(stack: Stack, key: str, path: Path) -> Upload:
    kind = _TYPES.guess_type(path.name)[0] or "application/octet-stream"
    with path.open("rb") as file:
        put = stack.client("s3").put_object(Bucket=stack.uploads_bucket, Key=key, Body=file, ContentType=kind)
    return Upload(key, put["VersionId"], time.monotonic())


def _report(stack: Stack, upload: Upload) -> dict[str, Any] | None:
    """Return the report on an upload, which exists when its last delivery is done."""
    s3 = stack.client("s3")
    with suppress(s3.exceptions.NoSuchKey):
        body = s3.get_object(Bucket=stack.reports_bucket, Key=upload.report_key)["Body"].read()
        report: dict[str, Any] = json.loads(body)
        return report
    return None


def _check_hope(sources: Sequence[EventSource], upload: Upload, deliveries: Sequence[Delivery]) -> None:
    """Raise UploadFailed if a report will not come, or only after somebody has intervened."""
    for delivery in deliveries:
        if delivery.failure:
            raise UploadFailed(f"{upload.key}: the ingest function failed: {delivery.failure}")
    idle = min((source.idle_for() for source in sources), default=_PATIENCE)
    is_late = min(idle, time.monotonic() - upload.put) >= _PATIENCE
    if is_late and not any(source.has_delayed() for source in sources):
        heard = "took it and wrote none" if deliveries else "never heard of it"
        raise UploadFailed(f"{upload.key}: no report; the ingest function {heard}")


def _print_report(upload: Upload, report: dict[str, Any], say: Say) -> None:
    counts = {name: count for name, count in report["counts"].items() if count}
    summary = "  ".join(f"{name} {count}" for name, count in counts.items())
    say(f"{upload.key}  {summary or ('stored' if report.get('stored') else 'nothing in it')}")
    refused = [verdict for verdict in report["verdicts"] if verdict["verdict"] == "refused"]
    for verdict in refused:
        lines = ", ".join(str(line) for line in verdict["lines"])
        for finding in verdict["findings"]:
            say(f"  line {lines}  {finding['field'] or 'all'}: {finding['message']}")
    if refused and not counts.keys() & {"registered", "changed", "unchanged"}:
        raise UploadFailed(f"{upload.key}: nothing in it could be registered")
