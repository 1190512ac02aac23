"""Headers that answers have in common: who may read them from a page, and for how long they hold."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

from ginuri.web.response import Headers, Response

ALLOW = "GET, HEAD, OPTIONS"
FRESH_SECONDS, ABSENT_SECONDS, PERMANENT_SECONDS = 60, 30, 86_400
"""How long an answer holds, in seconds (docs/reference/negotiation-and-caching.md): any, a 404, a 301."""
_READ = (
    "Accept, Accept-Datetime, Accept-Language, Accept-Profile, Content-Type, If-Match, If-Modified-Since, "
    "If-None-Match, If-Range, If-Unmodified-Since, Range"
)
_EXPOSED = (
    "Accept-Ranges, Allow, Content-Disposition, Content-Language, Content-Location, Content-Range, "
    "ETag, Link, Location, Memento-Datetime, Retry-After"
)
CORS: Headers = (("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", _EXPOSED))
PREFLIGHT: Headers = (
    ("Allow", ALLOW),
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", ALLOW),
    ("Access-Control-Allow-Headers", _READ),
    ("Access-Control-Max-Age", str(PERMANENT_SECONDS)),
)
_OVERRIDE = "x-http-method-override"
"""A REST API of AWS obeys it: the event has this method in the place of the one that was sent."""

_NOT_ALLOWED = HTTPStatus.METHOD_NOT_ALLOWED  # for speed: every redirect is compared with it


def cache(seconds: int) -> Headers:
    """Say how many seconds an answer holds; 0 is not at all."""
    return (("Cache-Control", f"max-age={seconds}" if seconds else "no-store"),)


def guard_caches(response: Response, sent: Mapping[str, str]) -> Response:
    """Make a 405, and any answer to an overridden method, `no-store`; field names in lower case.

    A cache in front of the gateway knows the method that was sent, not the one that overrode it: it would
    store the empty answer to a HEAD, or a 405, as the answer to a GET.
    """
    if _OVERRIDE not in sent and response.status is not _NOT_ALLOWED:
        return response
    kept = tuple(header for header in response.headers if header[0] != "Cache-Control")
    return Response(response.status, (*kept, *cache(0)), response.body)
