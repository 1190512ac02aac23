"""The answer of a resolver to a request, and the target of its redirect in one spelling."""

from __future__ import annotations

from dataclasses import dataclass, replace
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit, urlunsplit

from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.messages import Words

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_REDIRECT, _REFUSED = 3, 4
"""The classes of a status (RFC 9110 §15)."""


@dataclass(frozen=True, slots=True)
class ResolverAnswer:
    """The answer of a resolver, or the reason why there is none."""

    status: int = 0
    """The status code; 0 without an answer."""
    location: str | None = None
    """The unchanged `Location`."""
    media_type: str | None = None
    """The type of the content without parameters, in lower case."""
    error: Words = ""

    @property
    def is_known(self) -> bool:
        """Whether the answer is about the identifier, unlike a server error or a rate limit."""
        return (
            0 < self.status < HTTPStatus.INTERNAL_SERVER_ERROR and self.status != HTTPStatus.TOO_MANY_REQUESTS
        )

    @property
    def is_found(self) -> bool:
        """Whether the identifier is registered there, and in an acceptable form."""
        return self.is_known and self.kind < _REFUSED

    @property
    def is_redirect(self) -> bool:
        """Whether it leads on to a location."""
        return self.kind == _REDIRECT and self.location is not None

    @property
    def kind(self) -> int:
        """The class of the status (RFC 9110 §15): 2, 3, 4."""
        return self.status // 100


@dataclass(frozen=True, slots=True)
class Target:
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
