"""Sends requests to a service: connections that stay open, and further attempts after a failure."""

from __future__ import annotations

import json
import os
import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, IncompleteRead
from typing import IO, Any
from urllib.parse import urlencode, urlsplit

from ginuri.client.errors import ServiceUnreachable, error_of
from ginuri.client.sockets import open_connection
from ginuri.client.values import read_problem

ATTEMPTS = 5
"""The most attempts at a request."""
IDEMPOTENCY_KEY = "Idempotency-Key"
_SAFE = {"GET", "DELETE"}
"""The methods that may be repeated without an idempotency key."""
_BUSY = {
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
}
_REDIRECTS = {HTTPStatus.FOUND, HTTPStatus.SEE_OTHER, HTTPStatus.TEMPORARY_REDIRECT}
_IDLE_SECONDS = 4.0
"""How long an open connection is used again; servers close idle ones after five seconds or more."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
_CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True)
class Sent:
    """A request."""

    method: str
    path: str
    query: Iterable[tuple[str, str]] = ()
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_harmless: bool = False
    """Whether a second one would change nothing."""

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be sent again although the service may have received it."""
        return self.is_harmless or self.method in _SAFE or IDEMPOTENCY_KEY in self.headers


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request."""

    status: int
    headers: Mapping[str, str]
    """By name, in small letters."""
    body: bytes = field(repr=False)

    @property
    def document(self) -> Any:  # noqa: ANN401  any JSON
        """The JSON of the body; None if it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None


class Connections:
    """The open connections to one service, for any number of threads."""

    def __init__(
        self, service: str, headers: Mapping[str, str], timeout: float, sleep: Callable[[float], None]
    ) -> None:
        self._service = service
        self._base = urlsplit(service).path
        self._headers = headers
        self._timeout = timeout
        self._sleep = sleep
        self._idle = deque[tuple[float, HTTPConnection]]()

    def ask(self, sent: Sent) -> Answer:
        """Send a request, if necessary several times, and return its answer.

        Raises ServiceError for an answer of 400 and above, and ServiceUnreachable.
        """
        attempt = 0
        while True:
            attempt += 1
            asked = ""
            try:
                answer = self._send(sent)
            except (OSError, HTTPException) as error:
                is_over = not (sent.is_repeatable or isinstance(error, _NotConnected))
                if is_over or attempt == ATTEMPTS:
                    raise self._unreachable(error) from error
            else:
                if not _is_worth_another(answer, sent) or attempt == ATTEMPTS:
                    return self._follow(_refuse(answer))
                asked = answer.headers.get("retry-after", "")
            self._sleep(_pause(attempt, asked))

    def _follow(self, answer: Answer) -> Answer:
        """Read a large answer from the signed link that leads to it, without the token there."""
        if answer.status not in _REDIRECTS:
            return answer
        found, chunks = self._open(answer.headers["location"], {})
        return Answer(_refuse(found).status, found.headers, b"".join(chunks))

    def download(self, path: str) -> Iterator[bytes]:
        """Read a file in chunks: from the service, or from the signed link that leads to it.

        Raises ServiceError and ServiceUnreachable.
        """
        answer, chunks = self._open(f"{self._service}{path}", self._headers)
        if answer.status in _REDIRECTS:
            answer, chunks = self._open(answer.headers["location"], {})
        _refuse(answer)
        return chunks

    def _open(self, address: str, headers: Mapping[str, str]) -> tuple[Answer, Iterator[bytes]]:
        try:
            connection = open_connection(address, self._timeout)
            try:
                connection.request("GET", _origin_form(address), headers=dict(headers))
                response = connection.getresponse()
                if response.status < HTTPStatus.MULTIPLE_CHOICES:
                    answer = Answer(response.status, _lower(response), b"")
                    return answer, self._chunks(connection, response)
                answer = Answer(response.status, _lower(response), response.read())
            except BaseException:
                connection.close()
                raise
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from error
        connection.close()
        return answer, iter(())

    def _chunks(self, connection: HTTPConnection, response: HTTPResponse) -> Iterator[bytes]:
        try:
            while chunk := response.read(_CHUNK):
                yield chunk
            if response.length:  # http.client takes the end of the connection for that of the body
                raise IncompleteRead(b"", response.length)
        except (OSError, HTTPException) as error:
            raise self._unreachable(error) from error
        finally:
            connection.close()

    def _send(self, sent: Sent) -> Answer:
        target = f"{self._base}{_target(sent.path, sent.query)}"
        # A server may just have closed an open connection, which looks like an answer that was lost.
        connection = self._take() if sent.is_repeatable else None
        try:
            connection = connection or open_connection(self._service, self._timeout)
        except OSError as error:
            raise _NotConnected(error.strerror or str(error)) from error
        try:
            connection.request(sent.method, target, sent.body, {**self._headers, **sent.headers})
            response = connection.getresponse()
            answer = Answer(response.status, _lower(response), response.read())
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._idle.append((time.monotonic(), connection))
        return answer

    def _take(self) -> HTTPConnection | None:
        """Take a connection that is open; close those that were idle for too long."""
        while True:
            try:
                since, connection = self._idle.pop()
            except IndexError:
                return None
            if time.monotonic() - since < _IDLE_SECONDS:
                return connection
            connection.close()

    def close(self) -> None:
        """Close the open connections."""
        while self._idle:
            self._idle.pop()[1].close()

    def _unreachable(self, error: Exception) -> ServiceUnreachable:
        words = getattr(error, "strerror", None) or str(error) or type(error).__name__
        return ServiceUnreachable(f"{self._service} does not answer: {words}")


class _NotConnected(OSError):
    """No connection came about, so nothing was sent."""


def put_signed(
    url: str, headers: Mapping[str, str], body: IO[bytes], timeout: float, sleep: Callable[[float], None]
) -> Answer:
    """Put a file to a presigned address, which accepts one object only, and return the answer.

    A lost connection is tried again; the address refuses a second object with 412. Raises ServiceUnreachable.
    """
    stated = {name.lower(): value for name, value in headers.items()}
    stated["content-length"] = str(body.seek(0, os.SEEK_END))  # S3 takes no chunked bodies
    attempt = 0
    while True:
        attempt += 1
        body.seek(0)
        try:
            connection = open_connection(url, timeout)
            try:
                connection.request("PUT", _origin_form(url), body, stated)
                response = connection.getresponse()
                answer = Answer(response.status, _lower(response), response.read())
            finally:
                connection.close()
        except (OSError, HTTPException) as error:
            if attempt == ATTEMPTS:
                raise ServiceUnreachable(f"{urlsplit(url).netloc} does not answer: {error}") from error
        else:
            if answer.status < HTTPStatus.INTERNAL_SERVER_ERROR or attempt == ATTEMPTS:
                return answer
        sleep(_pause(attempt))


def _is_worth_another(answer: Answer, sent: Sent) -> bool:
    # 429: it was not carried out.
    return answer.status in _BUSY and (sent.is_repeatable or answer.status == HTTPStatus.TOO_MANY_REQUESTS)


def _refuse(answer: Answer) -> Answer:
    if answer.status < HTTPStatus.BAD_REQUEST:
        return answer
    try:
        title = HTTPStatus(answer.status).phrase
    except ValueError:
        title = "Unknown status"
    raise error_of(read_problem(answer.status, answer.document, title))


def _target(path: str, query: Iterable[tuple[str, str]]) -> str:
    arguments = urlencode(list(query))
    return f"{path}?{arguments}" if arguments else path


def _origin_form(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


def _pause(attempt: int, asked: str = "") -> float:
    """Return the seconds before the next attempt: those that the service asks for, else growing ones."""
    if asked.isdecimal():
        return min(float(asked), _LONGEST_PAUSE)
    # Several clients that failed at once do not come back at once.
    return _FIRST_PAUSE * 2.0 ** (attempt - 1) * (0.5 + random.random() / 2)  # noqa: S311  no secret


def _lower(response: HTTPResponse) -> Mapping[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}
