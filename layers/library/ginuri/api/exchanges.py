"""One request to the interface: its caller, and an answer that waits for a report."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, unquote

from ginuri.api.authentication import Caller
from ginuri.api.problems import PRIVATE, Kind, Problem
from ginuri.files.json_lines import read_json
from ginuri.identifiers.messages import message
from ginuri.identifiers.service_paths import API
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

MOST_WAIT = 10
"""The most seconds that a request may wait for its report."""
_MOST_DIGITS = 2
# RFC 7240 §2  preference = token [ BWS "=" BWS word ] *( OWS ";" [ OWS parameter ] )
# A comma within quotes separates nothing; an unclosed quote includes the rest.
_PREFERENCE = re.compile(
    r"""([^\s",;=]+)\s*(?:=\s*("?)([0-9]*)\2(?=\s*(?:[,;]|\Z)))?(?:[^",]|"(?:[^"\\]|\\.?)*(?:"|\Z))*"""
)
JSON, MERGE_PATCH = "application/json", "application/merge-patch+json"
PATCHES = f"{JSON}, {MERGE_PATCH}"
"""The media types of a change (RFC 5789 §3.1)."""


@dataclass(frozen=True, slots=True)
class UploadName:
    """The key and the version of an upload."""

    key: str
    version: str

    @property
    def path(self) -> str:
        """The path of its report: the key is one escaped segment.

        >>> UploadName("uri-gin/azgs/wells.csv", "v1").path
        '/api/uploads/uri-gin%2Fazgs%2Fwells.csv/v1'
        """
        return f"/{API}/uploads/{quote(self.key, safe='')}/{quote(self.version, safe='')}"


@dataclass(frozen=True, slots=True)
class Pending:
    """An upload whose report is awaited, and the answer once it is there: a response, or the next upload."""

    upload: UploadName
    conclude: Callable[[bytes], Response | Pending]
    meanwhile: Response


@dataclass(slots=True)
class Exchange:
    """One request; `pending` is set if its answer may wait for a report."""

    request: Request
    caller: Caller
    pending: Pending | None = None
    response: Response | None = None
    has_begun: bool = False
    """Whether its route has begun: its body is as documented."""
    fault: Exception | None = None
    """The problem in place of a response."""

    @property
    def moment(self) -> datetime:
        """When the request arrived."""
        return self.request.moment

    def wait_seconds(self, default: int = 0) -> int:
        """Return how long the client waits for the report (RFC 7240 §4.3)."""
        preferences: dict[str, str] = {}
        for found in _PREFERENCE.finditer(self.request.headers.get("prefer", "")):
            preferences.setdefault(found[1].lower(), found[3] or "")  # §2: only the first one counts
        if digits := preferences.get("wait"):
            return MOST_WAIT if len(digits.lstrip("0")) > _MOST_DIGITS else min(int(digits), MOST_WAIT)
        return 0 if "respond-async" in preferences else default


def write_json(value: object, status: HTTPStatus = HTTPStatus.OK, headers: Headers = ()) -> Response:
    """Write an answer in JSON."""
    body = json.dumps(value, ensure_ascii=False).encode()
    return send_json(body, status, headers)


def send_json(body: bytes, status: HTTPStatus = HTTPStatus.OK, headers: Headers = ()) -> Response:
    """Answer with JSON that is written already."""
    return Response(status, (("Content-Type", "application/json"), *headers, *PRIVATE), body)


def refuse_media_type(accepted: str, header: str = "Accept") -> Problem:
    """Return the problem of a body in another media type than the accepted ones (RFC 9110 §15.5.16)."""
    return Problem(
        Kind.MEDIA_TYPE, message("Send JSON, as {type}.", type=accepted), headers=((header, accepted),)
    )


def read_object(request: Request) -> dict[str, Any]:
    """Read the JSON object in a body; that of a PATCH may be a merge patch (RFC 7396). Raises Problem."""
    stated = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    is_patch = request.method == "PATCH"
    if stated not in {"", JSON, *((MERGE_PATCH,) if is_patch else ())}:
        raise refuse_media_type(*((PATCHES, "Accept-Patch") if is_patch else (JSON,)))
    try:
        value = read_json(request.body.decode("utf-8-sig"))
    except (UnicodeDecodeError, json.JSONDecodeError):
        value = None
    except ValueError as error:  # with its reason, such as a name that occurs twice
        raise Problem(Kind.MALFORMED, error.args[0]) from error
    if not isinstance(value, dict):
        raise Problem(Kind.MALFORMED, message("The body of the request must be one JSON object."))
    return value


def read_segment(written: str) -> str:
    """Read an escaped segment of a path, which may contain slashes. Raises Problem."""
    try:
        text = unquote(written, errors="strict")
    except UnicodeDecodeError:
        text = ""
    if not text or not text.isprintable():
        raise Problem(Kind.MALFORMED, message("A segment of the path is no text in UTF-8."))
    return text


def read_parameters(request: Request, known: Mapping[str, object] | frozenset[str]) -> Mapping[str, str]:
    """Return the parameters of a request. Raises Problem for an unknown one."""
    for name in request.parameters:
        if name not in known:
            raise Problem(
                Kind.MALFORMED,
                message(
                    "There is no parameter {name} here. Known are {known}.",
                    name=repr(name),
                    known=", ".join(sorted(known)),
                ),
            )
    return request.parameters
