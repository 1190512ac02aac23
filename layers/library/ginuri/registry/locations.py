"""Locations of representations: absolute `http` or `https` URIs."""

from __future__ import annotations

import re
from functools import lru_cache

from ginuri.identifiers.characters import PCHAR

MOST_CHARACTERS = 2_000
# RFC 9110 §4.2.1  http-URI = "http" "://" authority path-abempty [ "?" query ]   ; no user information
# RFC 3986 §3.5    fragment = *( pchar / "/" / "?" )
# Possessive quantifiers (`*+`) avoid backtracking, because no piece matches the beginning of the next.
_LOCATION = re.compile(
    r"https?://(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9\-._~%!$&'()*+,;=]++)"
    rf"(?::[0-9]*+)?(?:/{PCHAR}*+)*+(?:\?(?:{PCHAR}|[/?])*+)?(?:#(?:{PCHAR}|[/?])*+)?",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)  # every redirect checks it again
def is_location(text: str) -> bool:
    """Return whether a text is a location: http or https, without user information, correctly escaped.

    >>> is_location("https://example.org/a%20map.pdf"), is_location("javascript:alert(1)")
    (True, False)
    """
    return len(text) <= MOST_CHARACTERS and _LOCATION.fullmatch(text) is not None


def append_suffix(location: str, suffix: str) -> str:
    """Append the rest of an identifier, from a slash or a dot on, to a location.

    It never becomes part of the host, and a double slash at the joint becomes a single one.

    >>> append_suffix("https://example.org", ".example.com/a"), append_suffix("https://a.example/a/", "/b.c")
    ('https://example.org/.example.com/a', 'https://a.example/a/b.c')
    >>> append_suffix("https://example.org/get?id=7", "/b.c")
    'https://example.org/get?id=7/b.c'
    """
    _, _, below = location.partition("://")
    if not any(mark in below for mark in "/?#"):
        location += "/"
    return f"{location}{suffix[1:] if location.endswith('/') and suffix.startswith('/') else suffix}"


def append_query(location: str, query: str) -> str:
    """Append a query without question mark to a location, after its own query and before its fragment.

    >>> append_query("https://example.org/a?b#c", "d=e")
    'https://example.org/a?b&d=e#c'
    """
    address, mark, fragment = location.partition("#")
    return f"{address}{'&' if '?' in address else '?'}{query}{mark}{fragment}"
