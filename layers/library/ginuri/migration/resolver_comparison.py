"""The comparison of the answers of two resolvers to one identifier."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from http import HTTPStatus
from urllib.parse import urljoin, urlsplit, urlunsplit

from ginuri.identifiers.characters import normalise_escapes
from ginuri.identifiers.messages import Words

_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


@dataclass(frozen=True, slots=True)
class ResolverAnswer:
    """The answer of a resolver, or the reason why there is none."""

    status: int = 0
    """The status code; 0 without an answer."""
    location: str | None = None
    """The unchanged `Location`."""
    error: Words = ""

    @property
    def is_known(self) -> bool:
        """Whether the answer is about the identifier, unlike a server error or a rate limit."""
        return (
            0 < self.status < HTTPStatus.INTERNAL_SERVER_ERROR and self.status != HTTPStatus.TOO_MANY_REQUESTS
        )

    @property
    def is_found(self) -> bool:
        """Whether the identifier is registered there."""
        return self.is_known and self.status < HTTPStatus.BAD_REQUEST

    @property
    def kind(self) -> int:
        """The class of the status (RFC 9110 §15): 2, 3, 4."""
        return self.status // 100


class AnswerComparison(StrEnum):
    """The result of comparing two answers."""

    SAME = "same"
    DIFFERENT = "different"
    ONLY_THERE = "only there"
    ONLY_HERE = "only here"
    ERROR = "error"


def compare_answers(uri: str, ours: ResolverAnswer, theirs: ResolverAnswer) -> AnswerComparison:
    """Compare two answers to a URI by the class of the status and the target of a redirect.

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
    here, there = (answer.location and normalise_location(answer.location, uri) for answer in (ours, theirs))
    is_same = ours.kind == theirs.kind and (ours.kind != 3 or here == there)  # noqa: PLR2004  redirects
    return AnswerComparison.SAME if is_same else AnswerComparison.DIFFERENT


def normalise_location(location: str, uri: str) -> str:
    """Normalise a `Location`, so that equivalent ones are equal (RFC 9110 §10.2.2, RFC 3986 §6.2).

    It may be relative to the requested URI. One that cannot be parsed is returned unchanged.

    >>> normalise_location("//PURL.example.org:80/b", "http://purl.example.org/a")
    'http://purl.example.org/b'
    """
    try:
        parts = urlsplit(urljoin(uri, location))
    except ValueError:
        return location
    host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(parts.scheme, ":"))
    path, query, fragment = map(normalise_escapes, (parts.path, parts.query, parts.fragment))
    return urlunsplit((parts.scheme, host, path or "/", query, fragment))
