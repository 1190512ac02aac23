"""A server of one socket with scripted answers, byte by byte, that records its requests."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

Script = Callable[[socket.socket, bytes], bool | None]
"""The reaction to a whole request; the connection is closed if it returns True."""


def response(
    document: Mapping[str, Any] | bytes,
    status: int = 200,
    *,
    crc: int | None = None,
    length: int | None = None,
    date: str = "Fri, 17 May 2024 10:04:31 GMT",
) -> bytes:
    """Write an answer like DynamoDB's; `crc` and `length` are right unless they are given."""
    body = document if isinstance(document, bytes) else json.dumps(document).encode()
    head = (
        f"HTTP/1.1 {status} Whatever\r\nDate: {date}\r\nContent-Type: application/x-amz-json-1.0\r\n"
        f"Content-Length: {len(body) if length is None else length}\r\n"
        f"x-amz-crc32: {zlib.crc32(body) if crc is None else crc}\r\n\r\n"
    )
    return head.encode() + body


def send(*parts: bytes, pause: float = 0.0, close: bool = False) -> Script:
    """Send some bytes, with a pause after each part."""

    def script(connection: socket.socket, _: bytes) -> bool:
        for part in parts:
            connection.sendall(part)
            time.sleep(pause)
        return close

    return script


def relay(endpoint: str, is_lost: Callable[[bytes], bool]) -> Script:
    """Pass requests on to a service; close the connection in place of an answer that must be lost."""
    address = urlsplit(endpoint)

    def script(connection: socket.socket, request: bytes) -> bool:
        head, _, body = request.partition(b"\r\n\r\n")
        headers = (line.decode().partition(": ") for line in head.split(b"\r\n")[1:])
        service = HTTPConnection(str(address.hostname), address.port, timeout=10)
        try:
            service.request("POST", "/", body, {name: value for name, _, value in headers})
            answer = service.getresponse()
            written = response(answer.read(), answer.status)
        finally:
            service.close()
        if is_lost(request):
            return True
        connection.sendall(written)
        return False

    return script


class ScriptedServer:
    """Answers the first request by the first script, and so on; the last script is for all later ones."""

    def __init__(self, *scripts: Script, tls: ssl.SSLContext | None = None) -> None:
        self._scripts = list(scripts)
        self._tls = tls
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._open: list[socket.socket] = []
        self.requests: list[bytes] = []
        self.connections = 0

    @property
    def url(self) -> str:
        """The address."""
        scheme, port = "https" if self._tls else "http", self._listening.getsockname()[1]
        return f"{scheme}://127.0.0.1:{port}"

    def start(self) -> None:
        """Accept connections from now on."""
        self._begin(self._accept)

    def stop(self) -> None:
        """Close everything."""
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for connection in self._open:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _begin(self, run: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=run, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                self.connections += 1
                self._open.append(connection)
                self._begin(self._serve, connection)

    def _serve(self, connection: socket.socket) -> None:
        with suppress(OSError), connection:
            channel = self._tls.wrap_socket(connection, server_side=True) if self._tls else connection
            with channel:
                while request := _receive(channel):
                    self.requests.append(request)
                    script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
                    if script(channel, request):
                        return


@contextmanager
def scripted(*scripts: Script, tls: ssl.SSLContext | None = None) -> Iterator[ScriptedServer]:
    """Run a server."""
    server = ScriptedServer(*scripts, tls=tls)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _receive(connection: socket.socket) -> bytes:
    received = b""
    while b"\r\n\r\n" not in received:
        part = connection.recv(65536)
        if not part:
            return b""
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next((int(line[15:]) for line in lines if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body
