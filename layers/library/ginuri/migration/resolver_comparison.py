"""What two resolvers answered to one identifier, beside each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit, urlunsplit

from ginuri.identifiers.characters import normalise_escapes

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class ResolverAnswer:
    """What a resolver answered, or why that is not known."""

    status: int = 0
    """0 where there was no answer."""
    location: str | None = None
    """As it was sent."""
    error: str = ""

    @property
    def is_known(self) -> bool:
        """Whether it says what becomes of the identifier: a server at fault, or too busy, does not."""
        return (
            0 < self.status < HTTPStatus.INTERNAL_SERVER_ERROR and self.status != HTTPStatus.TOO_MANY_REQUESTS
        )

    @property
    def is_found(self) -> bool:
        """Whether there is something by that name."""
        return self.is_known and self.status < HTTPStatus.BAD_REQUEST

    @property
    def kind(self) -> int:
        """The class of the status (RFC 9110 §15): 2, 3, 4."""
        return self.status // 100


class AnswerComparison(StrEnum):
    """How two answers compare."""

    SAME = "same"
    DIFFERENT = "different"
    ONLY_THERE = "only there"
    ONLY_HERE = "only here"
    ERROR = "error"


def compare_answers(uri: str, ours: ResolverAnswer, theirs: ResolverAnswer) -> AnswerComparison:
    """Compare two answers to a URI: the class of the status, and where a redirect leads.

    >>> moved = ResolverAnswer(301, "HTTPS://example.org:443/%7ea")
    >>> compare_answers("http://purl.example.org/a", moved, ResolverAnswer(302, "https://example.org/~a")).value
    'same'
    >>> compare_answers("http://purl.example.org/a", ResolverAnswer(404), moved).value
    'only there'
    """
    if not (ours.is_known and theirs.is_known):
        return AnswerComparison.ERROR
    if ours.is_found != theirs.is_found:
        return AnswerComparison.ONLY_HERE if ours.is_found else AnswerComparison.ONLY_THERE
    here, there = (each.location and where_it_leads(each.location, uri) for each in (ours, theirs))
    is_same = ours.kind == theirs.kind and (ours.kind != 3 or here == there)  # noqa: PLR2004  §15.4
    return AnswerComparison.SAME if is_same else AnswerComparison.DIFFERENT


def where_it_leads(location: str, uri: str) -> str:
    """Write a `Location` so that two that mean the same are the same (RFC 9110 §10.2.2, RFC 3986 §6.2).

    It may be relative to the URI that was asked for. One that cannot be read stays as it is.

    >>> where_it_leads("//PURL.example.org:80/b", "http://purl.example.org/a")
    'http://purl.example.org/b'
    """
    try:
        parts = urlsplit(urljoin(uri, location))
    except ValueError:
        return location
    host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(parts.scheme, ":"))
    path, query, fragment = (normalise_escapes(each) for each in (parts.path, parts.query, parts.fragment))
    return urlunsplit((parts.scheme, host, path or "/", query, fragment))
