"""Locations of representations: absolute `http` or `https` URIs."""

from __future__ import annotations

import re
from functools import lru_cache

from ginuri.identifiers.characters import PCHAR

MOST_CHARACTERS = 2_000
# RFC 9110 §4.2.1  http-URI = "http" "://" authority path-abempty [ "?" query ]   ; no user information
# RFC 3986 §3.5    fragment = *( pchar / "/" / "?" )
# No piece takes what the next begins with, so that none need give back (`*+`): every redirect pays for it.
_LOCATION = re.compile(
    r"https?://(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9\-._~%!$&'()*+,;=]++)"
    rf"(?::[0-9]*+)?(?:/{PCHAR}*+)*+(?:\?(?:{PCHAR}|[/?])*+)?(?:#(?:{PCHAR}|[/?])*+)?",
    re.IGNORECASE,
)


@lru_cache(maxsize=256)  # Every redirect asks for it again.
def is_location(text: str) -> bool:
    """Return whether a text is a location: no other protocol, no user information, escapes where needed.

    >>> is_location("https://example.org/a%20map.pdf"), is_location("javascript:alert(1)")
    (True, False)
    """
    return len(text) <= MOST_CHARACTERS and _LOCATION.fullmatch(text) is not None


def append_query(location: str, query: str) -> str:
    """Append a query, without its question mark, to a location that may have one, before any fragment.

    >>> append_query("https://example.org/a?b#c", "d=e")
    'https://example.org/a?b&d=e#c'
    """
    address, mark, fragment = location.partition("#")
    return f"{address}{'&' if '?' in address else '?'}{query}{mark}{fragment}"
