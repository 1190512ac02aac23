"""One request and its answer, over a connection of its own, sent byte for byte.

No HTTP client does that: each of them normalizes a path, adds headers or refuses to send forbidden
characters.
"""

import socket
import ssl
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import BadStatusLine, HTTPException, HTTPResponse, IncompleteRead, RemoteDisconnected
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


class NoAnswer(Exception):
    """Raised when the response is incomplete, with the reason."""


@dataclass(frozen=True)
class Address:
    """The address of a service."""

    scheme: str
    host: str
    port: int
    path: str
    """The text before every target, such as the name of a stage; without a final slash."""

    @classmethod
    def read(cls, url: str) -> "Address":
        """Read an address. Raises ValueError for a scheme other than http or https, or without a host."""
        parts = urlsplit(url)
        if parts.scheme not in _PORTS or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(f"{url} is not the address of a service, such as https://id.example.org")
        return cls(parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme], parts.path.rstrip("/"))

    def over(self, scheme: str) -> "Address":
        """Return the address with another scheme, at its usual port; unchanged for its own or no scheme."""
        return self if scheme in {"", self.scheme} else Address(scheme, self.host, _PORTS[scheme], self.path)

    @property
    def authority(self) -> str:
        """The value of Host."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


@dataclass(frozen=True)
class Reply:
    """A whole answer. Names of headers are in lower case; repeated ones are joined."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def exchange(  # noqa: PLR0913, PLR0917  a request
    address: Address, method: str, target: str, headers: Mapping[str, str], data: str, seconds: float
) -> Reply:
    """Send a request and return the whole answer, within that time. Raises NoAnswer."""
    lines = [
        f"{method} {address.path}{target} HTTP/1.1",
        *(f"{name}: {value}" for name, value in ({"Host": address.authority} | dict(headers)).items()),
        *([f"Content-Length: {len(data)}"] if data else []),
        "Connection: close",
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n" + data).encode("latin-1")
    with _connection(address, seconds) as connection, _deadline(connection, seconds) as expired:
        late = f"no whole answer within {seconds:g} s"
        try:
            connection.sendall(request)
            response = HTTPResponse(connection, method=method)
            response.begin()
            body = response.read()
        except (HTTPException, OSError) as error:
            late_or_broken = late if expired.is_set() or isinstance(error, TimeoutError) else _explain(error)
            raise NoAnswer(late_or_broken) from error
        if expired.is_set():
            raise NoAnswer(late)
    fields: dict[str, str] = {}
    for name, value in response.getheaders():
        known = fields.get(name.lower())
        fields[name.lower()] = value if known is None else f"{known}, {value}"
    return Reply(response.status, fields, body)


@contextmanager
def _connection(address: Address, seconds: float) -> Iterator[socket.socket]:
    try:
        connection = socket.create_connection((address.host, address.port), seconds)
    except OSError as error:
        raise NoAnswer(f"no connection to {address.host}:{address.port}: {_explain(error)}") from error
    with connection:
        if address.scheme == "http":
            yield connection
            return
        try:
            secured = ssl.create_default_context().wrap_socket(connection, server_hostname=address.host)
        except OSError as error:
            raise NoAnswer(f"no TLS with {address.host}: {_explain(error)}") from error
        with secured:
            yield secured


@contextmanager
def _deadline(connection: socket.socket, seconds: float) -> Iterator[threading.Event]:
    """Close the connection once the time is up, even if bytes still arrive; the event reports it."""
    expired = threading.Event()

    def expire() -> None:
        expired.set()
        socket.socket.shutdown(connection, socket.SHUT_RDWR)

    timer = threading.Timer(seconds, expire)
    timer.start()
    try:
        yield expired
    finally:
        timer.cancel()
        timer.join()


def _explain(error: Exception) -> str:
    match error:
        case IncompleteRead(partial=partial):
            return f"the answer was cut off after {len(partial)} bytes of its body"
        case RemoteDisconnected():
            return "the connection was closed without an answer"
        case BadStatusLine():
            return f"what came is no HTTP: {str(error).strip()}"
        case ConnectionRefusedError():
            return "it was refused"
        case TimeoutError():
            return "it took too long"
        case _:
            return str(error) or type(error).__name__
