"""Entity tags of generated documents, and conditions with them (RFC 9110 §8.8.3, §13)."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from typing import assert_never

from ginuri.frozen import replace
from ginuri.web.conditional.conditions import NotModified, PreconditionFailed, Proceed, Selected, evaluate
from ginuri.web.content import write_precondition_failed
from ginuri.web.headers import CORS, cache
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

_NEVER_STORED = cache(0)[0]
# RFC 9110 §8.8.1: a strong validator changes with the content, and may change with its metadata: two formats
# with the same bytes differ, and a 304, which has no links, must not hide changed links.
_TAGGED = frozenset({"Content-Type", "Content-Language", "Link"})
# RFC 9110 §15.4.5; the media type as well: the gateway adds application/json if there is none, and caches
# update stored responses with the headers of a 304 (RFC 9111 §3.2).
_NOT_MODIFIED = frozenset(
    {"Cache-Control", "Content-Location", "Content-Type", "Vary", *(name for name, _ in CORS)}
)
_DIGITS = 32
"""Hexadecimal digits of SHA-256 in a tag: 128 bits are enough to distinguish any two documents."""
_VARY: Headers = (("Vary", "Accept, Accept-Language"),)


def add_validators(response: Response, request: Request) -> Response:
    """Add the entity tag to a generated document, or answer 304 or 412 according to the request's conditions.

    Responses other than a 200, `no-store` ones, and files, which have a tag already, stay unchanged.
    """
    if not _is_selected(response, request):
        return response
    tag = _tag(response)
    outcome = evaluate(request.method, request.headers, Selected(tag, None, len(response.body)))
    match outcome:
        case Proceed():
            return replace(response, headers=(("ETag", tag), *response.headers))
        case NotModified():
            kept = (header for header in response.headers if header[0] in _NOT_MODIFIED)
            return Response(HTTPStatus.NOT_MODIFIED, (("ETag", tag), *kept))
        case PreconditionFailed():
            return write_precondition_failed(request.headers, (("ETag", tag), *_VARY, *CORS))
        case _:
            assert_never(outcome)


def _is_selected(response: Response, request: Request) -> bool:
    return (
        response.status == HTTPStatus.OK
        and request.method in {"GET", "HEAD"}
        and _NEVER_STORED not in response.headers
        and all(name != "ETag" for name, _ in response.headers)
    )


def _tag(response: Response) -> str:
    metadata = "".join(f"{name}: {value}\n" for name, value in response.headers if name in _TAGGED)
    digest = hashlib.sha256(f"{metadata}\n".encode())
    digest.update(response.body)
    return f'"{digest.hexdigest()[:_DIGITS]}"'
