"""Giving a stored file: whole, in part, or not again (RFC 9110 §13, §14)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from http import HTTPStatus

from ginuri.core.content import ContentStore
from ginuri.core.model import StoredFile
from ginuri.core.negotiation import Preferences
from ginuri.core.outcomes import Give
from ginuri.web.conditions import NotModified, PreconditionFailed, Selected, evaluate
from ginuri.web.headers import FRESH_SECONDS, cache
from ginuri.web.problems import Problem, write_problem
from ginuri.web.ranges import Part, Unsatisfiable, Whole, choose_range
from ginuri.web.response import Headers, Response
from ginuri.web.sentences import said

MOST_GIVEN = 4_500_000
"""Bytes of content in one answer: the gateway takes 6,291,556, of which base64 uses a quarter."""
ANY_TYPE = "application/octet-stream"
_SHOWN = ("text/", "image/", "audio/", "video/", "application/pdf", "application/json", "application/xml")
_SHOWN_SUFFIXES = ("+json", "+xml")
_CHANGED = Problem(
    "This is another version",
    "The content is not the one that the request expects: ETag and Last-Modified tell which one it is.",
)


def give(  # noqa: PLR0911  one answer an outcome
    decision: Give, file: StoredFile, method: str, sent: Mapping[str, str], content: ContentStore
) -> Response:
    """Answer with a file, as the conditions and the range of a request have it.

    Raises ContentMissing and RegistryUnavailable.
    """
    modified = datetime.fromisoformat(file.stored).astimezone(UTC)
    selected = Selected(f'"{file.sha256}"', modified, file.length)
    validators = (
        ("ETag", selected.etag),
        ("Last-Modified", format_datetime(modified, usegmt=True)),  # RFC 9110 §5.6.7  IMF-fixdate
        ("Content-Location", decision.address),
        *cache(FRESH_SECONDS),
    )
    outcome = evaluate(method, sent, selected)
    if isinstance(outcome, NotModified):
        # RFC 9110 §15.4.5: what has an ETag need not tell its date again.
        told = tuple(each for each in validators if each[0] != "Last-Modified")
        # The gateway calls JSON what has no type, and caches take over what they are told (RFC 9111 §3.2).
        return Response(HTTPStatus.NOT_MODIFIED, (*told, _content_type(decision)))
    if isinstance(outcome, PreconditionFailed):
        return _refuse(HTTPStatus.PRECONDITION_FAILED, _CHANGED, sent, validators)
    headers = (*validators, *_described(decision))
    extent = choose_range(method, sent, selected)
    if isinstance(extent, Unsatisfiable):
        told = (*validators, ("Content-Range", extent.content_range))
        return _refuse(HTTPStatus(416), _no_such_part(file), sent, told)
    length = extent.length if isinstance(extent, Part) else file.length
    if length > MOST_GIVEN:
        link = content.link(file, decision.representation.media_type or ANY_TYPE, method)
        return Response(HTTPStatus.TEMPORARY_REDIRECT, (("Location", link), *cache(FRESH_SECONDS)))
    if method == "HEAD":
        return Response(HTTPStatus.OK, headers)
    match extent:
        case Whole():
            return Response(HTTPStatus.OK, headers, content.read(file))
        case Part(first, last):
            told = (*headers, ("Content-Range", extent.content_range))
            return Response(HTTPStatus.PARTIAL_CONTENT, told, content.read(file, first, last))


def _refuse(status: HTTPStatus, problem: Problem, sent: Mapping[str, str], headers: Headers) -> Response:
    # It is true for who set the condition or the range: a cache must not keep it for others.
    told = tuple(each for each in headers if each[0] not in {"Cache-Control", "Content-Location"})
    preferences = Preferences(sent.get("accept"), sent.get("accept-language"))
    return write_problem(status, problem, preferences, (*told, *cache(0)))


def _no_such_part(file: StoredFile) -> Problem:
    detail = said("Nothing of the range is in the content, which has {bytes} bytes.", bytes=str(file.length))
    return Problem("There is no such part", detail)


def _content_type(decision: Give) -> tuple[str, str]:
    return ("Content-Type", decision.representation.media_type or ANY_TYPE)


def _described(decision: Give) -> Headers:
    representation = decision.representation
    name, media_type = _content_type(decision)
    language = (("Content-Language", representation.language),) if representation.language else ()
    return (
        (name, media_type),
        *language,
        ("Content-Disposition", _disposition(media_type, decision.address)),
        ("Accept-Ranges", "bytes"),
        # A stored page or drawing must not script this origin, which is everybody's.
        ("Content-Security-Policy", "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'"),
        ("X-Content-Type-Options", "nosniff"),
    )


def _disposition(media_type: str, address: str) -> str:
    name = address.rstrip("/").rpartition("/")[2]
    kind = media_type.partition(";")[0]
    how = "inline" if kind.startswith(_SHOWN) or kind.endswith(_SHOWN_SUFFIXES) else "attachment"
    # RFC 6266 §4.1, RFC 8187 §3.2: an identifier's own escapes are those of an extended value.
    return f"{how}; filename*=UTF-8''{name}" if "%" in name or "'" in name else f'{how}; filename="{name}"'
