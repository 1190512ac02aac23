"""The reports on uploads: the report, its progress, the refused lines, and the last uploads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import islice
from typing import Any

from ginuri.api.exchanges import UploadName, send_json, write_json
from ginuri.api.ports import ApiCollaborators
from ginuri.api.problems import PRIVATE, Kind, Problem
from ginuri.files.reports.listed_uploads import ListedUpload, find_last_attempt, read_newest, read_reported
from ginuri.files.reports.progress import progress_key
from ginuri.files.reports.report import refused_key, report_key
from ginuri.files.reports.scope import scope_members
from ginuri.files.reports.summary import summary_key
from ginuri.frozen import replace
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import message
from ginuri.web.response import LARGEST_BODY, Headers, Response, Stream

MOST_LISTED = 100
"""The most uploads of one answer."""
MOST_SEARCHED = 500
"""The most uploads among which those in a state are found."""
RETRY_SECONDS = 1
"""The seconds after which a client may look for a report again."""
_WAITING: Headers = (("Retry-After", str(RETRY_SECONDS)),)
STATES = ("complete", "waiting", "unfinished", "given up")


def read_whole_report(using: ApiCollaborators, upload: UploadName) -> bytes | None:
    """Read the report on an upload; None while it is not complete and may still become so.

    A complete report counts once its summary is there too, which lists and histories show.
    """
    chunks = using.reports.report(report_key(upload.key, upload.version))
    if chunks is None:
        return None
    report = b"".join(chunks)
    # Only complete ones are large, and their first members say so.
    if b'"is_complete": false' in report[:4_096]:
        return report if json.loads(report)["unfinished"]["is_given_up"] else None
    has_ended = using.reports.report(summary_key(upload.key, upload.version)) is not None
    return report if has_ended else None


def answer_report(using: ApiCollaborators, upload: UploadName) -> Response:
    """Answer with the report on an upload, or with its progress. Raises Problem."""
    last = UploadName(upload.key, find_last_attempt(using.reports, upload.key, upload.version))
    if (report := read_whole_report(using, last)) is not None:
        return send_report(using, last, report)
    return _answer_waiting(using, upload)


def _answer_waiting(using: ApiCollaborators, upload: UploadName) -> Response:
    _require(using, upload)
    progress = read_reported(using.reports, progress_key(upload.key, upload.version))
    return write_json({"state": "waiting", "progress": progress}, HTTPStatus.ACCEPTED, _WAITING)


def send_report(using: ApiCollaborators, upload: UploadName, report: bytes) -> Response:
    """Answer with a report, or with a link to a large one."""
    return _send_long(using, report_key(upload.key, upload.version), send_json(report))


def answer_refused(using: ApiCollaborators, upload: UploadName) -> Response:
    """Answer with the refused lines of an upload, as a file, or with its progress. Raises Problem."""
    last = find_last_attempt(using.reports, upload.key, upload.version)
    key = refused_key(upload.key, last)
    chunks = using.reports.report(key)
    if chunks is None:
        is_complete = read_whole_report(using, UploadName(upload.key, last)) is not None
        return Response(HTTPStatus.NO_CONTENT, PRIVATE) if is_complete else _answer_waiting(using, upload)
    name = key.rpartition("/")[2].encode("ascii", "replace").decode().replace('"', "_")
    disposition = ("Content-Disposition", f'attachment; filename="{name}"')
    kind = ("Content-Type", "application/octet-stream")
    return _send_long(using, key, Response(HTTPStatus.OK, (kind, disposition, *PRIVATE), b"".join(chunks)))


def _send_long(using: ApiCollaborators, key: str, response: Response) -> Response:
    """Return a response, or a link to its content if it is too large for an answer."""
    if (length := len(response.body)) <= LARGEST_BODY:
        return response
    if using.link is None:
        return replace(response, body=b"", stream=Stream(length, [response.body]))
    return Response(HTTPStatus.TEMPORARY_REDIRECT, (("Location", using.link(key)), *PRIVATE))


def _require(using: ApiCollaborators, upload: UploadName) -> None:
    if using.files.head(upload.key, upload.version) is None:
        raise Problem(
            Kind.NOT_FOUND,
            message("There is no upload {upload}.", upload=f"{upload.key}#{upload.version}"),
        )


def list_uploads(
    using: ApiCollaborators, folders: Sequence[str], last: int, after: int, state: str
) -> Mapping[str, Any]:
    """List the last uploads to folders, newest first, after a number of even newer ones."""
    size = MOST_SEARCHED if state else last
    newest = sorted(
        (
            upload
            for folder in folders
            for upload in read_newest(using.reports, folder, after + size + 1, using.mapper)
        ),
        key=lambda upload: upload.summary.put,
        reverse=True,
    )[after:]
    seen, chosen = 0, list[ListedUpload]()
    for upload in islice(newest, size):
        if len(chosen) == last:
            break
        seen += 1
        if state in {"", upload.state}:
            chosen.append(upload)
    return {
        "uploads": [_member(upload) for upload in chosen],
        "next": after + seen if len(newest) > seen else None,
    }


def _member(upload: ListedUpload) -> Mapping[str, Any]:
    summary = upload.summary
    return {
        "key": upload.key,
        "version": upload.version,
        "put": summary.put,
        "state": upload.state,
        "principal": summary.uploader.principal or None,
        "submitter": summary.submitter or None,
        "reason": summary.reason or None,
        "dry_run": summary.is_dry_run,
        "stored": summary.is_stored,
        "counts": dict(summary.counts) if upload.is_counted else None,
        **(scope_members(summary.scope) if upload.is_counted else {}),
        "language": summary.language,
        "report": UploadName(upload.key, upload.version).path,
    }


def findings_of(report: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the findings of the refused verdicts of a report."""
    for verdict in report["verdicts"]:
        if verdict["verdict"] == "refused":
            yield from verdict["findings"]
    yield from (group["finding"] for group in report.get("finding_groups", ()))


def read_json_report(report: bytes) -> Mapping[str, Any]:
    """Read a report. Raises RegistryUnavailable for one of an upload that was given up."""
    members: Mapping[str, Any] = json.loads(report)
    if not members["is_complete"]:
        raise RegistryUnavailable(message("{reason}", reason=members["unfinished"]["reason"]))
    return members
