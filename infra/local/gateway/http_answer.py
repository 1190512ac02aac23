"""Converts the answer of a function to the HTTP response of the gateway."""

import base64
import binascii
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_FIELDS = {"statusCode", "headers", "multiValueHeaders", "body", "isBase64Encoded"}
# Headers of the gateway itself; the function's are passed on under other names.
_REMAPPED = {"authorization", "connection", "content-length", "content-md5", "date", "expect", "host"} | {
    "max-forwards",
    "proxy-authenticate",
    "server",
    "trailer",
    "upgrade",
    "user-agent",
    "www-authenticate",
}
_DROPPED = {"transfer-encoding"}
_LARGEST_HEADERS = 10_240  # the quota of a REST API for all header values together


class MalformedAnswer(ValueError):
    """Raised for an answer that a proxy integration must not return."""


@dataclass(frozen=True)
class HttpAnswer:
    """A response without the headers of the server."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes


def plain(status: int, message: str) -> HttpAnswer:
    """Return an answer of the gateway's own."""
    return HttpAnswer(
        status, (("content-type", "application/json"),), json.dumps({"message": message}).encode()
    )


def http_answer(payload: bytes) -> HttpAnswer:
    """Return the response for the return value of a function.

    Raises MalformedAnswer if the gateway would answer 502.
    """
    answer = json.loads(payload)
    if not isinstance(answer, dict) or answer.keys() - _FIELDS:
        raise MalformedAnswer("an answer is an object of statusCode, headers, multiValueHeaders, body")
    headers = list(_headers(answer))
    if sum(len(value.encode()) for _, value in headers) > _LARGEST_HEADERS:
        raise MalformedAnswer(f"the headers have more than {_LARGEST_HEADERS:,} bytes")
    if all(name != "content-type" for name, _ in headers):
        headers.append(("content-type", "application/json"))
    return HttpAnswer(_status(answer.get("statusCode") or 200), tuple(headers), _body(answer))


def _status(code: object) -> int:
    try:
        status = int(str(code))
    except ValueError as error:
        raise MalformedAnswer(f"{code!r} is no status code") from error
    if not 200 <= status <= 599:  # noqa: PLR2004 - the final statuses of HTTP
        raise MalformedAnswer(f"{status} is no status code of a response")
    return status


def _headers(answer: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the headers; if a name is in both objects, multiValueHeaders wins."""
    many: dict[str, list[Any]] = {}
    for name, value in (answer.get("headers") or {}).items():
        many[name.lower()] = [value]
    for name, values in (answer.get("multiValueHeaders") or {}).items():
        if not isinstance(values, list):
            raise MalformedAnswer(f"multiValueHeaders.{name} is no list")
        many[name.lower()] = values
    for name, values in many.items():
        if name not in _DROPPED:
            renamed = f"x-amzn-remapped-{name}" if name in _REMAPPED else name
            yield from ((renamed, _text(name, value)) for value in values)


def _text(name: str, value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | float):
        raise MalformedAnswer(f"the header {name} is no text")
    if any(character in str(value) for character in "\r\n\0"):
        raise MalformedAnswer(f"the header {name} has a line break")
    return str(value)


def _body(answer: Mapping[str, Any]) -> bytes:
    body = answer.get("body") or ""
    if not isinstance(body, str):
        raise MalformedAnswer("the body is no text")
    if not answer.get("isBase64Encoded"):
        return body.encode("utf-8", "surrogatepass")
    try:
        return base64.b64decode(body, validate=True)
    except binascii.Error as error:
        raise MalformedAnswer("the body is not base64") from error
