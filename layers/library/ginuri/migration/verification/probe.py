"""Requests to a resolver over HTTP. Redirects are not followed, and only the head of an answer is used."""

from __future__ import annotations

import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

from ginuri.identifiers.messages import message
from ginuri.migration.verification.answers import ResolverAnswer

AGENT = "ginuri-verify"
_MOST_DRAINED = 64 * 1024
"""The most bytes of content that are read, so that the connection can be used again."""
Headers = Sequence[tuple[str, str]]


class Resolver:
    """A resolver; its connections are kept open, and each thread that asks uses one."""

    def __init__(self, address: str, seconds: float) -> None:
        """Take the address, `https://purl.example.org` or only the host, and the time-out in seconds.

        Raises ValueError if the address is neither.
        """
        parts = urlsplit(address if "://" in address else f"http://{address}")
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None:
            raise ValueError(f"{address!r} is neither a host nor an http or https URL of one")
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host, self._port, self._base = parts.hostname, parts.port, parts.path.rstrip("/")
        self._seconds = seconds
        self._idle: deque[HTTPConnection] = deque()
        self.scheme, self.host = parts.scheme, parts.netloc
        """The scheme and the default host of requests."""
        self.address = f"{parts.scheme}://{parts.netloc}{self._base}"

    def ask(self, host: str | None, target: str, headers: Headers = ()) -> ResolverAnswer:
        """Request a path and query of a host, byte for byte, with only these headers."""
        try:
            kept = self._idle.pop()
        except IndexError:
            return self._ask(self._connect(), host, target, headers, is_fresh=True)
        # The server may have closed the connection since its last answer.
        with suppress(ConnectionError):
            return self._ask(kept, host, target, headers, is_fresh=False)
        return self._ask(self._connect(), host, target, headers, is_fresh=True)

    def close(self) -> None:
        """Close the connections."""
        while self._idle:
            self._idle.pop().close()

    def _connect(self) -> HTTPConnection:
        return self._kind(self._host, self._port, timeout=self._seconds)

    def _ask(
        self, connection: HTTPConnection, host: str | None, target: str, headers: Headers, *, is_fresh: bool
    ) -> ResolverAnswer:
        """Ask once. Raises ConnectionError if the connection was kept open, and is no longer."""
        # The time-out of a socket restarts with each read, so a trickling server would never reach it.
        late = threading.Event()
        watch = threading.Timer(self._seconds, _cut, (connection, late))
        watch.daemon = True
        watch.start()
        is_kept = False
        try:
            answer = self._send(connection, host, target, headers)
            if late.is_set():  # the head of the answer was cut off
                return self._late()
            is_kept = _drain(answer)
            return ResolverAnswer(answer.status, answer.headers["Location"], _media_type(answer))
        except (OSError, HTTPException, ValueError) as error:
            if late.is_set():
                return self._late()
            if not is_fresh and isinstance(error, ConnectionError):
                raise
            return ResolverAnswer(error=f"{type(error).__name__}: {error}")
        finally:
            watch.cancel()
            if is_kept and not late.is_set():
                self._idle.append(connection)
            else:
                connection.close()

    def _send(
        self, connection: HTTPConnection, host: str | None, target: str, headers: Headers
    ) -> HTTPResponse:
        connection.putrequest("GET", f"{self._base}{target}", skip_host=True, skip_accept_encoding=True)
        for name, value in (("Host", host or self.host), ("User-Agent", AGENT), *headers):
            connection.putheader(name, value)
        connection.endheaders()
        return connection.getresponse()

    def _late(self) -> ResolverAnswer:
        return ResolverAnswer(error=message("no answer within {seconds} s", seconds=f"{self._seconds:g}"))


def _drain(answer: HTTPResponse) -> bool:
    """Read short content, and return whether the connection can be used again."""
    if answer.will_close or (answer.length or 0) > _MOST_DRAINED:
        return False
    with suppress(OSError, HTTPException, ValueError):
        answer.read(_MOST_DRAINED + 1)
        return answer.isclosed()
    return False


def _media_type(answer: HTTPResponse) -> str | None:
    stated = answer.headers["Content-Type"]
    return stated and stated.partition(";")[0].strip().lower()


def _cut(connection: HTTPConnection, late: threading.Event) -> None:
    late.set()
    if connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)


class RateLimit:
    """Limits the requests per second of all threads together."""

    def __init__(
        self,
        rate: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._apart = 1 / rate
        self._clock, self._sleep = clock, sleep
        self._turn = threading.Lock()
        self._next = 0.0

    def wait(self) -> None:
        """Wait until the next request is allowed."""
        with self._turn:
            now = self._clock()
            mine = max(now, self._next)
            self._next = mine + self._apart
        if mine > now:
            self._sleep(mine - now)
