"""The protocol of the server writes an answer that needs no other thread in one piece."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import pytest

from ginuri.server.application import Sent
from ginuri.server.asgi import Receive, Scope, Send, reply
from ginuri.server.http_server import make_server
from ginuri.server.raw_targets import RawTargets

_GET = b"GET /%b HTTP/1.1\r\nHost: id.example\r\n%b\r\n"


class Application:
    """Answers `/once` at once, `/broken` with a broken header, and all other paths by messages."""

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        """Answer by messages."""
        await reply(send, 200, (), scope["raw_path"])

    def answer_at_once(self, scope: Scope) -> Sent | None:
        """Answer two paths."""
        headers = {b"/once": (b"X-Name", b"1"), b"/broken": (b"X-Name", b"1\r\nX-Other: 2")}
        header = headers.get(scope["raw_path"])
        return Sent(HTTPStatus.OK, [header, (b"Content-Length", b"2")], b"ok", None) if header else None


class Transport(asyncio.Transport):
    """Records what is written."""

    def __init__(self) -> None:
        super().__init__({"sockname": ("127.0.0.1", 80), "peername": ("127.0.0.1", 1)})
        self.written: list[bytes] = []
        self.closed = False

    def write(self, data: Any) -> None:
        """Record a piece."""
        self.written.append(bytes(data))

    def close(self) -> None:
        """Record the end."""
        self.closed = True

    def is_closing(self) -> bool:
        """Return whether it is closed."""
        return self.closed

    def pause_reading(self) -> None:
        """Do nothing."""

    def resume_reading(self) -> None:
        """Do nothing."""


def _receive(*requests: bytes) -> Transport:
    async def run() -> Transport:
        server = make_server(Application(), RawTargets)
        server.config.load()
        transport = Transport()
        protocol = RawTargets(server.config, server.server_state, {})
        protocol.connection_made(transport)
        for request in requests:
            protocol.data_received(request)
        for _ in range(20):
            await asyncio.sleep(0)
        protocol.connection_lost(ConnectionResetError())
        return transport

    return asyncio.run(run())


def test_an_answer_at_once_is_one_write() -> None:
    transport = _receive(_GET % (b"once", b""))

    assert transport.written == [b"HTTP/1.1 200 OK\r\nx-name: 1\r\ncontent-length: 2\r\n\r\nok"]
    assert not transport.closed


@pytest.mark.parametrize("head", [_GET % (b"once", b"Connection: close\r\n"), b"GET /once HTTP/1.0\r\n\r\n"])
def test_a_connection_that_is_not_kept_is_closed_after_its_answer(head: bytes) -> None:
    transport = _receive(head)

    assert b"\r\nconnection: close\r\n" in transport.written[0]
    assert transport.closed


def test_pipelined_requests_are_answered_in_their_order() -> None:
    transport = _receive(_GET % (b"once", b"") + _GET % (b"later", b"") + _GET % (b"once", b""))

    bodies = [part.rpartition(b"\r\n\r\n")[2] for part in b"".join(transport.written).split(b"HTTP/1.1 ")]
    assert bodies == [b"", b"ok", b"/later", b"/once"]


def test_a_request_with_a_body_is_answered_by_messages() -> None:
    transport = _receive(_GET % (b"once", b"Content-Length: 1\r\n") + b"x")

    assert b"".join(transport.written).endswith(b"\r\n\r\n/once")


def test_a_header_with_a_line_break_is_not_sent() -> None:
    transport = _receive(_GET % (b"broken", b""))

    assert b"X-Other" not in b"".join(transport.written)
    assert transport.written[0].startswith(b"HTTP/1.1 400 ")
