"""An HTTP server on this machine that answers with a function, for tests of clients."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar


@dataclass(frozen=True)
class Asked:
    """A request as it arrived."""

    method: str
    target: str
    headers: Mapping[str, str]
    """By name, in small letters."""
    body: bytes
    port: int
    """The client's port, one for each connection."""


@dataclass(frozen=True)
class Answered:
    """An answer; one without a status closes the connection."""

    status: int | None
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    is_cut: bool = False
    """Whether the connection ends before the last byte."""


@contextmanager
def answering(answer: Callable[[Asked], Answered]) -> Iterator[str]:
    """Run a server that answers with a function, and yield its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout: ClassVar[float] = 5
        wbufsize = -1  # head and body in one packet: a second one would wait 40 ms

        def do(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            answered = answer(
                Asked(self.command, self.path, headers, self.rfile.read(length), self.client_address[1])
            )
            if answered.status is None:
                self.close_connection = True
                return
            self.send_response(answered.status)
            for name, value in {**answered.headers, "Content-Length": str(len(answered.body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answered.body[:-1] if answered.is_cut else answered.body)
            self.close_connection |= answered.is_cut

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do  # noqa: N815  the names of http.server

        def log_message(self, *_arguments: object) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
