"""A request in a log, with its address as it was sent."""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

NOT_SENT = "-"
"""What logs write in place of a header that the request does not have."""
_PRINTABLE = "".join(sorted({*string.printable} - {*string.whitespace}))


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """A request, or several of the same kind."""

    target: str
    """Path and query."""
    host: str | None = None
    """None if the log does not have it."""
    accept: str | None = None
    """None if the log does not have it; empty if the request did not."""
    method: str = "GET"
    count: float = 1


LineReader = Callable[[bytes], LoggedRequest | None]
"""Reads a line of a log; None if it has no request."""


def read_request_line(line: str) -> tuple[str, str] | None:
    """Read the first line of a request: its method and target; None if it is none.

    RFC 9112 §3: request-line = method SP request-target SP HTTP-version

    >>> read_request_line("GET /net/a?b HTTP/1.1")
    ('GET', '/net/a?b')
    """
    pieces = line.split(" ")
    # HTTP/0.9 had no version; a scanner's requests have anything.
    if len(pieces) not in {2, 3} or not pieces[0].isalpha() or not pieces[0].isupper():
        return None
    return pieces[0], pieces[1]


def make_request(  # noqa: PLR0913  the parts of a request
    target: str,
    *,
    host: str | None = None,
    accept: str | None = None,
    method: str = "GET",
    count: float = 1,
    encoding: str = "utf-8",
) -> LoggedRequest | None:
    """Make a request from the values of a log; None if its target is no address.

    Bytes that are not allowed in a target are escaped, as clients do. RFC 9112 §3.2: the target may be a
    whole URI, whose host then replaces the other one.
    """
    if not target.startswith("/"):
        try:
            parts = urlsplit(target)
        except ValueError:
            return None
        if parts.scheme not in {"http", "https"} or not parts.netloc:
            return None
        host, target = parts.netloc, target.split(parts.netloc, 1)[1]
        target = target if target.startswith("/") else f"/{target}"
    known_host = None if host in {None, "", NOT_SENT, "_"} else _without_default_port(host)
    known_accept = "" if accept == NOT_SENT else accept
    return LoggedRequest(
        quote(target, safe=_PRINTABLE, encoding=encoding), known_host, known_accept, method, count
    )


def _without_default_port(host: str | None) -> str | None:
    return host and host.removesuffix(":443").removesuffix(":80")
