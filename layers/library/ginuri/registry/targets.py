"""The target of a redirect in one spelling, to compare it with others."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit, urlunsplit

from ginuri.frozen import Frozen, replace
from ginuri.identifiers.characters import normalise_escapes

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Target(Frozen):
    """The target of a redirect, normalised."""

    scheme: str
    """Empty if host and scheme are those of the request: the target is on the same server."""
    host: str
    path: str
    query: str
    fragment: str

    def is_at(self, uri: str) -> bool:
        """Return whether it is a requested URI itself, whatever the scheme."""
        requested = read_target(uri, uri)
        return requested is not None and replace(self, scheme="", fragment="") == requested


def read_target(location: str, uri: str) -> Target | None:
    """Read a `Location`, so that equivalent ones are equal (RFC 9110 §10.2.2, RFC 3986 §6.2).

    It may be relative to the requested URI. None if it cannot be parsed.

    >>> print(read_target("//PURL.example.org:80/b", "http://purl.example.org/a"))
    Target(scheme='', host='purl.example.org', path='/b', query='', fragment='')
    """
    try:
        parts = urlsplit(normalise_location(location, uri))
        asked = urlsplit(normalise_location(uri, uri))
    except ValueError:
        return None
    is_own = (parts.scheme, parts.netloc) == (asked.scheme, asked.netloc)
    return Target("" if is_own else parts.scheme, parts.netloc, parts.path, parts.query, parts.fragment)


def normalise_location(location: str, uri: str) -> str:
    """Write a `Location` as an absolute URI in normal form; one that cannot be parsed is returned unchanged.

    >>> normalise_location("HTTPS://A.example:443/%7eb", "http://purl.example.org/a")
    'https://a.example/~b'
    """
    try:
        parts = urlsplit(urljoin(uri, location))
    except ValueError:
        return location
    host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(parts.scheme, ":"))
    path, query, fragment = map(normalise_escapes, (parts.path, parts.query, parts.fragment))
    return urlunsplit((parts.scheme, host, path or "/", query, fragment))
