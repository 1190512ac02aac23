"""Headers that responses share: CORS and caching."""

from __future__ import annotations

from ginuri.web.response import Headers

ALLOW = "GET, HEAD, OPTIONS"
FRESH_SECONDS, ABSENT_SECONDS, PERMANENT_SECONDS = 60, 30, 86_400
"""How long a response is fresh, in seconds (docs/reference/negotiation-and-caching.md): any, a 404, a 301."""
_READ = (
    "Accept, Accept-Datetime, Accept-Language, Accept-Profile, Content-Type, If-Match, If-Modified-Since, "
    "If-None-Match, If-Range, If-Unmodified-Since, Range"
)
_EXPOSED = (
    "Accept-Ranges, Allow, Content-Disposition, Content-Language, Content-Location, Content-Profile, "
    "Content-Range, ETag, Link, Location, Memento-Datetime, Retry-After, THUMP-Status"
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
