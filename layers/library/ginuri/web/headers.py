"""Headers that responses share: CORS and caching."""

from __future__ import annotations

from datetime import datetime

from ginuri.web.response import Headers

ALLOW = "GET, HEAD, OPTIONS"
FRESH_SECONDS, ABSENT_SECONDS, PUBLISHED_SECONDS, PERMANENT_SECONDS = 60, 30, 3_600, 86_400
"""The seconds that a response is fresh (docs/reference/negotiation-and-caching.md).

They are for any response, a 404, a published file, and a 301.
"""
STALE_SECONDS = 86_400
"""The seconds that a cache may serve a stale response instead of an error (RFC 5861 §4)."""
_READ = (
    "Accept, Accept-Datetime, Accept-Language, Accept-Profile, Content-Type, If-Match, If-Modified-Since, "
    "If-None-Match, If-Range, If-Unmodified-Since, Range"
)
_EXPOSED = (
    "Accept-Post, Accept-Ranges, Allow, Content-Disposition, Content-Language, Content-Location, "
    "Content-Profile, Content-Range, ETag, Link, Location, Memento-Datetime, Retry-After, THUMP-Status"
)
CORS: Headers = (("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", _EXPOSED))
PREFLIGHT: Headers = (
    ("Allow", ALLOW),
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", ALLOW),
    ("Access-Control-Allow-Headers", _READ),
    ("Access-Control-Max-Age", str(PERMANENT_SECONDS)),
)


def cache(seconds: int) -> Headers:
    """Return the Cache-Control header for a number of seconds; 0 means `no-store`."""
    return (("Cache-Control", f"max-age={seconds}" if seconds else "no-store"),)


def fresh_until(day: str | None, moment: datetime) -> int:
    """Return how many seconds a response is fresh if its content changes on a day.

    Caches must not serve the response after that day (`OUTLASTING_ERRORS`).
    """
    if day is None:
        return FRESH_SECONDS
    left = datetime.fromisoformat(f"{day}T00:00Z") - moment
    return max(0, min(ABSENT_SECONDS, int(left.total_seconds())))


OUTLASTING_ERRORS = {
    header: (header[0], f"{header[1]}, stale-if-error={STALE_SECONDS}")
    for seconds in (FRESH_SECONDS, PUBLISHED_SECONDS, PERMANENT_SECONDS)
    for header in cache(seconds)
}
"""Cache-Control headers by themselves, with the permission to serve a stale response on an error.

The header of a 404 is excluded.
"""
