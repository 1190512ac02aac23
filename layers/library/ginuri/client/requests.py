"""The requests of the client: writes that are safe to repeat, waiting for reports, pages, and large files."""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from http import HTTPStatus
from io import BytesIO
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from ginuri.client.connection import IDEMPOTENCY_KEY, Answer, Connections, Sent, put_signed
from ginuri.client.errors import RegistrationRefused, ReportMissing, ServiceError, ServiceUnreachable
from ginuri.client.options import is_stored
from ginuri.client.values import Json, Problem, Report, Submitted, Waiting

MOST_BODY_BYTES = 3_000_000
"""The most bytes of a file in one request; a larger one is put to a presigned address."""
MOST_WAIT = 10
"""The most seconds that a service waits for a report before it answers."""
PAGE = 100
"""The number of uploads, or of rows, of one answer."""
MOST_READ, MOST_NAMES = 64, 1_000
"""The most records, or identifiers alone, of one answer."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 5.0
_SEEN = "x-amz-version-id"
"""The header in which S3 returns the version of an object."""


File = str | Path | bytes | IO[bytes]
"""A path, a content, or an open file."""


def new_key() -> str:
    """Make an idempotency key."""
    return uuid.uuid4().hex


def upload_path(key: str, version: str, member: str = "") -> str:
    """Write the path of an upload, or of a member of it such as `/rows`."""
    return f"/api/uploads/{quote(key, safe='')}/{quote(version, safe='')}{member}"


def record_path(identifier: str, member: str = "") -> str:
    """Write the path of a record; the identifier is one segment.

    >>> record_path("uri-gin/azgs/doc/1", "/history")
    '/api/records/uri-gin%2Fazgs%2Fdoc%2F1/history'
    """
    return f"/api/records/{quote(identifier, safe='')}{member}"


class Requests:
    """The requests to one service."""

    def __init__(
        self, service: str, headers: Mapping[str, str], timeout: float, sleep: Callable[[float], None]
    ) -> None:
        self._timeout = timeout
        self._sleep = sleep
        self.connections = Connections(service, headers, timeout, sleep)

    def get(self, path: str, query: Iterable[tuple[str, str]] = ()) -> Answer:
        """Read a path. Raises ServiceError and ServiceUnreachable."""
        return self.connections.ask(Sent("GET", path, query))

    def document(self, path: str, query: Iterable[tuple[str, str]] = ()) -> Json:
        """Read the JSON of a path."""
        document: Json = self.get(path, query).document
        return document

    def pages(self, path: str, query: Mapping[str, str], member: str, cursor: str) -> Iterator[Json]:
        """Read the items of all pages of a list; `cursor` is the argument that takes `next`."""
        after: Mapping[str, str] = {}
        while True:
            page = self.document(
                path, {name: value for name, value in {**query, **after}.items() if value}.items()
            )
            yield from page[member]
            if page.get("next") is None:
                return
            after = {cursor: str(page["next"])}

    def read_records(self, names: Sequence[str], *, with_history: bool) -> Iterator[Json]:
        """Read the statements about identifiers, in several answers if one would be too large."""
        left = list(names)
        while left:
            asked = {"names": left, "history": with_history}
            document = self.write("POST", "/api/records", asked).document
            yield from document["records"]
            left = document.get("left", [])

    def write(  # noqa: PLR0913  the parts of a request
        self,
        method: str,
        path: str,
        document: object = None,
        *,
        headers: Mapping[str, str] | None = None,
        key: str = "",
        wait: float = 0,
    ) -> Answer:
        """Send JSON with an idempotency key, and let the service wait for the report."""
        stated = {"Content-Type": "application/json", **(headers or {}), **_keyed(key), **_preferring(wait)}
        body = None if document is None else json.dumps(document).encode()
        return self.connections.ask(Sent(method, path, (), body, stated))

    def submit(  # noqa: PLR0913  the parts of a request
        self,
        file: File,
        folder: str,
        name: str,
        options: Mapping[str, str],
        *,
        key: str = "",
        wait: float = 0,
    ) -> Submitted:
        """Upload a file, with options under the names that they have in the metadata of an upload."""
        query = [("folder", folder), ("name", name), *options.items()]
        # The same content, stored once more, changes nothing.
        is_harmless = is_stored(name, options)
        with _open(file) as content:
            length = content.seek(0, os.SEEK_END)
            content.seek(0)
            if length > MOST_BODY_BYTES:
                return self._put_file(query, content, length, key, is_harmless=is_harmless)
            return self.post_file("/api/uploads", query, content.read(), key, wait, is_harmless=is_harmless)

    def post_file(  # noqa: PLR0913  the parts of a request
        self,
        path: str,
        query: Sequence[tuple[str, str]],
        body: bytes,
        key: str = "",
        wait: float = 0,
        *,
        is_harmless: bool = False,
    ) -> Submitted:
        """Send a file, and return the upload that it became."""
        headers = {"Content-Type": "application/octet-stream", **_keyed(key), **_preferring(wait)}
        return read_submitted(self.connections.ask(Sent("POST", path, query, body, headers, is_harmless)))

    def _put_file(
        self,
        query: Sequence[tuple[str, str]],
        content: IO[bytes],
        length: int,
        key: str,
        *,
        is_harmless: bool,
    ) -> Submitted:
        """Put a large file to a presigned address; a service without any takes it in one request."""
        sized = [*query, ("size", str(length))]
        try:
            signed = self.connections.ask(Sent("POST", "/api/uploads", sized, headers=_keyed(key))).document
        except ServiceError as error:
            if error.status != HTTPStatus.BAD_REQUEST:
                raise
            return self.post_file("/api/uploads", query, content.read(), key, is_harmless=is_harmless)
        put = signed["put"]
        answer = put_signed(put["url"], put["headers"], content, self._timeout, self._sleep)
        if answer.status < HTTPStatus.BAD_REQUEST and _SEEN in answer.headers:
            return Submitted(signed["key"], answer.headers[_SEEN])
        if answer.status == HTTPStatus.PRECONDITION_FAILED:  # an earlier attempt arrived
            return self._find_put(signed["key"])
        reason = f"The file was not accepted: {answer.status} {answer.body[:500].decode(errors='replace')}"
        raise ServiceUnreachable(reason)

    def _find_put(self, key: str) -> Submitted:
        query = {"folder": key[: key.rfind("/") + 1]}
        for upload in self.pages("/api/uploads", query, "uploads", "after"):
            if upload["key"] == key:
                return Submitted(key, upload["version"])
        raise ServiceUnreachable(f"{key} was put, and is not listed yet")

    def look(self, key: str, version: str) -> Report | Waiting:
        """Return the report on an upload, or its progress while there is none."""
        answer = self.get(upload_path(key, version))
        if answer.status == HTTPStatus.OK:
            return Report(answer.document)
        return Waiting(answer.document.get("state", "waiting"), answer.document.get("progress") or {})

    def wait(self, key: str, version: str, seconds: float) -> Report:
        """Wait for the complete report on an upload. Raises ReportMissing if there is none in time."""
        deadline, pause = time.monotonic() + seconds, _FIRST_PAUSE
        while True:
            found = self.look(key, version)
            if isinstance(found, Report) and found.is_complete:
                return found
            left = deadline - time.monotonic()
            if left <= 0 or _is_given_up(found):
                raise ReportMissing(key, version, _reason(found))
            self._sleep(min(pause, left))
            pause = min(pause * 1.5, _LONGEST_PAUSE)

    def finish(self, submitted: Submitted, seconds: float) -> Report:
        """Return the report on an upload, if necessary after waiting for it."""
        return submitted.report or self.wait(submitted.key, submitted.version, seconds)


def read_submitted(answer: Answer) -> Submitted:
    """Read the upload that a write became: with its report, if the service waited for it."""
    document = answer.document
    if answer.status == HTTPStatus.OK and "upload" in document:
        report = Report(document)
        return Submitted(report.key, report.version, report if report.is_complete else None)
    return Submitted(document["key"], document["version"])


def accept(report: Report) -> Report:
    """Return the report on one registration. Raises RegistrationRefused if it was refused."""
    if not report.is_refused:
        return report
    title = "The registration was refused"
    document = {"report": upload_path(report.key, report.version)}
    raise RegistrationRefused(
        Problem(HTTPStatus.UNPROCESSABLE_ENTITY, title, findings=tuple(report.findings), document=document)
    )


def name_of(file: File) -> str:
    """Return the name of the file at a path; a content has none."""
    return Path(file).name if isinstance(file, str | Path) else ""


def _open(file: File) -> AbstractContextManager[IO[bytes]]:
    match file:
        case str() | Path():
            return Path(file).open("rb")
        case bytes():
            return BytesIO(file)
        case _:
            return nullcontext(file)


def _keyed(key: str) -> dict[str, str]:
    return {IDEMPOTENCY_KEY: key} if key else {}


def _preferring(wait: float) -> dict[str, str]:
    # RFC 7240 §4.3, in whole seconds.
    seconds = int(min(wait, MOST_WAIT))
    return {"Prefer": f"wait={seconds}"} if seconds else {}


def _is_given_up(found: Report | Waiting) -> bool:
    if isinstance(found, Waiting):
        return found.state == "given up"
    return bool((found.document.get("unfinished") or {}).get("is_given_up"))


def _reason(found: Report | Waiting) -> str:
    if isinstance(found, Waiting):
        return f"There is no report yet ({found.state})."
    unfinished: Mapping[str, Any] = found.document.get("unfinished") or {}
    return str(unfinished.get("way_out", "It is not finished."))
