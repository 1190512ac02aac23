"""The part of ASGI that servers use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

_WITHOUT_BODY = {204, 304}  # RFC 9110 §6.4.1


async def read_body(receive: Receive, largest: int) -> bytes | None:
    """Return the body of a request, or None if it has more than `largest` bytes."""
    body = bytearray()
    more = True
    while more and len(body) <= largest:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return bytes(body) if len(body) <= largest else None


async def reply(send: Send, status: int, headers: Iterable[tuple[str, str]] = (), body: bytes = b"") -> None:
    """Send a response; its Content-Length is added."""
    raw = [(name.encode("latin-1"), value.encode("utf-8")) for name, value in headers]
    if status in _WITHOUT_BODY:
        body = b""
    else:
        raw.append((b"content-length", str(len(body)).encode("ascii")))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
