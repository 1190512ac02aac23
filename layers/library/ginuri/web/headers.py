"""Headers that responses share: CORS and caching."""

from __future__ import annotations

import re

from ginuri.identifiers.service_paths import ASSETS
from ginuri.web.response import Headers, Response

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


_SECURITY_POLICY = "Content-Security-Policy"
_OWN_SCRIPTS = "script-src 'self'"
_HOST_SOURCE = r"[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?"
"""A host that a policy can name (CSP 3 §2.3.1, host-part and port-part)."""


def limit_scripts(response: Response, host: str) -> Response:
    """Let a page load scripts from /assets/ of its host only: stewards may store scripts elsewhere on it.

    Without a scheme, a source matches the page's own, and https (CSP 3 §6.7.2.8). On a host that a policy
    cannot name, such as an IPv6 address, pages have no scripts.
    """
    if not response.body:
        return response
    source = f"{host}/{ASSETS}/" if re.fullmatch(_HOST_SOURCE, host) else "'none'"
    headers = [
        (name, value.replace(_OWN_SCRIPTS, f"script-src {source}") if name == _SECURITY_POLICY else value)
        for name, value in response.headers
    ]
    return Response(response.status, tuple(headers), response.body)


def cache(seconds: int) -> Headers:
    """Return the Cache-Control header for so many seconds; 0 means `no-store`."""
    return (("Cache-Control", f"max-age={seconds}" if seconds else "no-store"),)


OUTLASTING_ERRORS = {
    header: (header[0], f"{header[1]}, stale-if-error={STALE_SECONDS}")
    for seconds in (FRESH_SECONDS, PUBLISHED_SECONDS, PERMANENT_SECONDS)
    for header in cache(seconds)
}
"""Each Cache-Control header, but that of guesses about what is absent, as one that lets caches give the
response while the service fails.
"""
