"""Responses with a stored file: the whole file, a range of it, or 304 (RFC 9110 §13, §14)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from email.utils import format_datetime
from http import HTTPStatus

from ginuri.frozen import Frozen
from ginuri.identifiers.messages import message
from ginuri.registry.content import ContentStore, StreamingStore
from ginuri.registry.model import StoredFile
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import Give
from ginuri.web.answers.problems import Problem, write_problem
from ginuri.web.conditional.conditions import NotModified, PreconditionFailed, Selected, evaluate
from ginuri.web.conditional.ranges import PartialContent, UnsatisfiableRange, WholeContent, choose_range
from ginuri.web.headers import FRESH_SECONDS, cache
from ginuri.web.request import Request
from ginuri.web.response import LARGEST_BODY, Headers, Response, Stream

ANY_TYPE = "application/octet-stream"
_SHOWN = ("text/", "image/", "audio/", "video/", "application/pdf", "application/json", "application/xml")
_SHOWN_SUFFIXES = ("+json", "+xml")
_CHANGED = Problem(
    "The content has changed",
    "The content is not the version that the request expects; the ETag header has the current one.",
)
_OF_CONTENT = frozenset({"Cache-Control", "Content-Location"})
"""Headers of the content that an error must not repeat."""


class StoredContent(Frozen):
    """A stored file: its headers, and the functions that read it, and link to it or open it."""

    selected: Selected
    media_type: str
    shared: Headers
    """Headers of a 304 too (RFC 9110 §15.4.5), beside the entity tag and the media type."""
    described: Headers
    """Headers that only a 200 and a 206 have."""
    read: Callable[[WholeContent | PartialContent], bytes]
    open_long: Callable[[WholeContent | PartialContent], str | Iterable[bytes]]
    """Signs a link that is valid for the method of the request, or returns the chunks."""


def give(decision: Give, file: StoredFile, request: Request, content: ContentStore) -> Response:
    """Respond with a stored representation, according to the conditions and the range of the request.

    Raises ContentMissing and RegistryUnavailable.
    """
    media_type = decision.representation.media_type or ANY_TYPE

    def read(extent: WholeContent | PartialContent) -> bytes:
        return content.read(file, *limits_of(extent))

    def open_long(extent: WholeContent | PartialContent) -> str | Iterable[bytes]:
        if isinstance(content, StreamingStore):
            return () if request.method == "HEAD" else content.chunks(file, *limits_of(extent))
        return content.link(file, media_type, request.method)

    stored = StoredContent(
        selected=Selected(f'"{file.sha256}"', datetime.fromisoformat(file.stored), file.length),
        media_type=media_type,
        shared=(("Content-Location", request.complete(decision.address)), *cache(FRESH_SECONDS)),
        described=_content_headers(decision, media_type),
        read=read,
        open_long=open_long,
    )
    return give_stored(stored, request.method, request.headers)


def give_stored(stored: StoredContent, method: str, sent: Mapping[str, str]) -> Response:
    """Respond with a stored file, a range of it, a link or an error; raises what its functions raise."""
    selected = stored.selected
    validators = (*_validators(selected), *stored.shared)
    # Without a type the gateway adds application/json, and caches store that (RFC 9111 §3.2).
    media_type = ("Content-Type", stored.media_type)
    outcome = evaluate(method, sent, selected)
    if isinstance(outcome, NotModified):
        # RFC 9110 §15.4.5: with an ETag, a 304 need not repeat the date.
        headers = tuple(header for header in validators if header[0] != "Last-Modified")
        return Response(HTTPStatus.NOT_MODIFIED, (*headers, media_type))
    if isinstance(outcome, PreconditionFailed):
        return write_precondition_failed(sent, validators)
    extent = choose_range(method, sent, selected)
    if isinstance(extent, UnsatisfiableRange):
        headers = (*validators, ("Content-Range", extent.content_range))
        whole = str(selected.length)
        detail = message("The requested range is outside the content, which has {bytes} bytes.", bytes=whole)
        return _refuse(HTTPStatus(416), Problem("Range not satisfiable", detail), sent, headers)
    length = extent.length if isinstance(extent, PartialContent) else selected.length
    headers = (*validators, media_type, *stored.described, ("Accept-Ranges", "bytes"))
    body, stream = b"", None
    if length > LARGEST_BODY:
        long = stored.open_long(extent)
        if isinstance(long, str):
            return Response(HTTPStatus.TEMPORARY_REDIRECT, (("Location", long), *cache(FRESH_SECONDS)))
        stream = Stream(length, long)
    elif method == "HEAD":
        stream = Stream(length)
    else:
        body = stored.read(extent)
    if isinstance(extent, WholeContent):
        return Response(HTTPStatus.OK, headers, body, stream)
    headers = (*headers, ("Content-Range", extent.content_range))
    return Response(HTTPStatus.PARTIAL_CONTENT, headers, body, stream)


def write_precondition_failed(sent: Mapping[str, str], validators: Headers) -> Response:
    """Write a 412, with the validators of the current version."""
    return _refuse(HTTPStatus.PRECONDITION_FAILED, _CHANGED, sent, validators)


def limits_of(extent: WholeContent | PartialContent) -> tuple[int, int | None]:
    """Return the first and the last byte of a range; None as the last one of the whole content."""
    return (extent.first, extent.last) if isinstance(extent, PartialContent) else (0, None)


def _validators(selected: Selected) -> Headers:
    if selected.last_modified is None:
        return (("ETag", selected.etag),)
    # RFC 9110 §5.6.7  IMF-fixdate
    return (("ETag", selected.etag), ("Last-Modified", format_datetime(selected.last_modified, usegmt=True)))


def _refuse(status: HTTPStatus, problem: Problem, sent: Mapping[str, str], headers: Headers) -> Response:
    # The error is specific to this condition or range: caches must not reuse it.
    kept = tuple(header for header in headers if header[0] not in _OF_CONTENT)
    preferences = Preferences(sent.get("accept"), sent.get("accept-language"))
    return write_problem(status, problem, preferences, (*kept, *cache(0)))


def _content_headers(decision: Give, media_type: str) -> Headers:
    language = decision.representation.language
    return (
        *((("Content-Language", language),) if language else ()),
        ("Content-Disposition", _disposition(media_type, decision.address)),
        # A stored page or drawing must not run scripts in this origin, which all authorities share.
        ("Content-Security-Policy", "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"),
        ("X-Content-Type-Options", "nosniff"),
    )


def _disposition(media_type: str, address: str) -> str:
    name = address.rstrip("/").rpartition("/")[2]
    kind = media_type.partition(";")[0]
    how = "inline" if kind.startswith(_SHOWN) or kind.endswith(_SHOWN_SUFFIXES) else "attachment"
    # RFC 6266 §4.1, RFC 8187 §3.2: the escapes of an identifier are valid in an extended value.
    return f"{how}; filename*=UTF-8''{name}" if "%" in name or "'" in name else f'{how}; filename="{name}"'
