"""An HTTP response, and its form for the gateway."""

from __future__ import annotations

from binascii import b2a_base64
from http import HTTPStatus
from typing import Any

from ginuri.frozen import Frozen

Headers = tuple[tuple[str, str], ...]


class Response(Frozen):
    """One response; `write_gateway` removes the body of a response to a HEAD."""

    status: HTTPStatus
    headers: Headers
    body: bytes = b""


def write_gateway(response: Response, method: str) -> dict[str, Any]:
    """Write the response for a REST API: the body in base64, so that no byte is changed on the way."""
    headers: dict[str, list[str]] = {}
    for name, value in response.headers:
        headers.setdefault(name, []).append(value)
    body = b"" if method == "HEAD" else response.body
    return {
        "statusCode": int(response.status),
        "multiValueHeaders": headers,
        "body": b2a_base64(body, newline=False).decode("ascii"),
        "isBase64Encoded": True,
    }
