"""Headers that responses share: CORS and caching."""

from __future__ import annotations

from datetime import datetime

from ginuri.web.response import Headers

ALLOW = "GET, HEAD, OPTIONS"
FRESH_SECONDS, ABSENT_SECONDS, PUBLISHED_SECONDS, PERMANENT_SECONDS = 60, 30, 3_600, 86_400
"""How long a response is fresh, in seconds (docs/reference/negotiation-and-caching.md): any, a 404, what is
published, a 301.
"""
STALE_SECONDS = 86_400
"""How long a cache may give a stale response instead of an error, in seconds (RFC 5861 §4)."""
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
    """Return the Cache-Control header for so many seconds; 0 means `no-store`."""
    return (("Cache-Control", f"max-age={seconds}" if seconds else "no-store"),)


def fresh_until(day: str | None, moment: datetime) -> int:
    """Return how long a response may be fresh that a day ends, in seconds.

    It is none that caches may give after the day (`OUTLASTING_ERRORS`).
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
"""Each Cache-Control header, but that of guesses about what is absent, as one that lets caches give the
response while the service fails.
"""
