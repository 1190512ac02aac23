"""An HTTP response, its form for the gateway, and its greatest size."""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Iterable
from http import HTTPStatus
from typing import Any

from ginuri.frozen import Frozen

Headers = tuple[tuple[str, str], ...]

LARGEST_EVENT = 6_291_556
"""The largest result that Lambda accepts from a function, in bytes of its JSON."""
LARGEST_BODY = 4_500_000
"""The largest body in bytes: base64 adds a third, and the headers need the rest."""
LARGEST_HEADERS = 10_240
"""The quota of a REST API for the headers of a response together, in bytes."""


class Stream(Frozen):
    """A body that is not read at once."""

    length: int
    """The number of its bytes."""
    chunks: Iterable[bytes] = ()
    """They raise RegistryUnavailable; none in a response to a HEAD."""


class Response(Frozen):
    """One response; servers remove the body of a response to a HEAD."""

    status: HTTPStatus
    headers: Headers
    body: bytes = b""
    stream: Stream | None = None
    """The body of a long stored file, from a store that links to none, or the length for a HEAD."""


class Answered(Frozen):
    """An outcome and its response: a server needs the first for its log, and the second to send."""

    outcome: object
    response: Response


def write_gateway(response: Response, method: str) -> dict[str, Any]:
    """Write the response for a REST API: the body in base64, so that every byte stays unchanged."""
    status, headers, body = complete(response)
    return {
        "statusCode": int(status),
        "multiValueHeaders": headers,
        "body": "" if method == "HEAD" else b2a_base64(body, newline=False).decode("ascii"),
        "isBase64Encoded": True,
    }


def complete(response: Response) -> tuple[HTTPStatus, dict[str, list[str]], bytes]:
    """Return the status, the headers by name, and the body that a server sends.

    A redirect without a body gets a short note that links its target (RFC 9110 §15.4). A response that Lambda
    or the gateway would refuse becomes a problem document, on every server.
    """
    headers: dict[str, list[str]] = {}
    length = 0
    for name, value in response.headers:
        length += len(name) + len(value)
        headers.setdefault(name, []).append(value)
    if length > LARGEST_HEADERS or len(response.body) > LARGEST_BODY:
        # The problem itself is small, so this happens at most twice.
        from ginuri.web.answers.problems import replace_excess

        return complete(replace_excess(response, length))
    body = response.body
    if "Location" in headers and not body:
        headers["Content-Type"] = ["text/html; charset=utf-8"]
        body = _note(response.status, headers["Location"][0])
    return response.status, headers, body


def _note(status: HTTPStatus, where: str) -> bytes:
    link = where.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'<!doctype html><title>{status.phrase}</title><a href="{link}">{link}</a>\n'.encode()
