"""Requests to a resolver over HTTP. Redirects are not followed, and only the head of an answer is read."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from ginuri.identifiers.messages import Words, message
from ginuri.migration.resolver_comparison import ResolverAnswer

AGENT = "ginuri-verify"


class Resolver:
    """A resolver; each request opens a new connection."""

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
        self.host = parts.netloc
        """The default host of requests."""

    def ask(self, host: str | None, target: str) -> ResolverAnswer:
        """Request a path and query of a host, byte for byte and without preferences."""
        connection = self._kind(self._host, self._port, timeout=self._seconds)
        # The time-out of a socket restarts with each read, so a trickling server would never reach it.
        late = threading.Event()
        watch = threading.Timer(self._seconds, _cut, (connection, late))
        watch.daemon = True
        watch.start()
        failure: Words = ""
        try:
            connection.putrequest("GET", f"{self._base}{target}", skip_host=True, skip_accept_encoding=True)
            for name, value in (("Host", host or self.host), ("User-Agent", AGENT), ("Connection", "close")):
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
        except (OSError, HTTPException, ValueError) as error:
            failure = f"{type(error).__name__}: {error}"
        else:
            if not late.is_set():  # otherwise the head of the answer was cut off
                return ResolverAnswer(answer.status, answer.headers["Location"])
        finally:
            watch.cancel()
            connection.close()
        if late.is_set():
            failure = message("no answer within {seconds} s", seconds=f"{self._seconds:g}")
        return ResolverAnswer(error=failure)


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
