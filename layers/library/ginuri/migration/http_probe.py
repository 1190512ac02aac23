"""Asking a resolver over HTTP what it answers, without following it: its head is read, and nothing else."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

from ginuri.migration.resolver_comparison import ResolverAnswer

AGENT = "ginuri-verify"


class Resolver:
    """A machine that dereferences: asked on a connection each, and left alone between them."""

    def __init__(self, address: str, seconds: float) -> None:
        """Take where it is, `https://purl.example.org` or a mere host, and how long it may take to answer.

        Raises ValueError where that is no address.
        """
        parts = urlsplit(address if "://" in address else f"http://{address}")
        if parts.scheme not in {"http", "https"} or not parts.hostname or parts.username is not None:
            raise ValueError(f"{address!r} is no host, nor an http or https URL of one")
        self._kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        self._host, self._port, self._base = parts.hostname, parts.port, parts.path.rstrip("/")
        self._seconds = seconds
        self.host = parts.netloc
        """What a request that names no host of its own is for."""

    def ask(self, host: str | None, target: str) -> ResolverAnswer:
        """Ask for a path, with its query, of a host: byte for byte, and nothing preferred."""
        connection = self._kind(self._host, self._port, timeout=self._seconds)
        # A time-out is told of each read: a server that trickles would be waited for without end.
        late = threading.Event()
        watch = threading.Timer(self._seconds, _cut, (connection, late))
        watch.daemon = True
        watch.start()
        told = ""
        try:
            connection.putrequest("GET", f"{self._base}{target}", skip_host=True, skip_accept_encoding=True)
            for name, value in (("Host", host or self.host), ("User-Agent", AGENT), ("Connection", "close")):
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
        except (OSError, HTTPException, ValueError) as error:
            told = f"{type(error).__name__}: {error}"
        else:
            if not late.is_set():  # else its head was cut off
                return ResolverAnswer(answer.status, answer.headers["Location"])
        finally:
            watch.cancel()
            connection.close()
        return ResolverAnswer(error=f"no answer within {self._seconds:g} s" if late.is_set() else told)


def _cut(connection: HTTPConnection, late: threading.Event) -> None:
    late.set()
    if connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)


class RateLimit:
    """Lets so many through a second, whoever asks."""

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
        """Wait for one's turn."""
        with self._turn:
            now = self._clock()
            mine = max(now, self._next)
            self._next = mine + self._apart
        if mine > now:
            self._sleep(mine - now)
