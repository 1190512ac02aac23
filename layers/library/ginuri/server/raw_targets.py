"""uvicorn with httptools, which takes a third of the time of h11, and with the target as it was sent.

An answer that needs no other thread is written without the messages of ASGI, in one piece: that saves a sixth
of the CPU of a redirect (docs/explanation/performance-one-machine.md).
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

if TYPE_CHECKING:
    from ginuri.server.application import Sent

LARGEST_HEAD = 64 * 1024
"""The most bytes of a target and header fields; httptools has no limit."""
_WITH_BODY = {b"content-length", b"transfer-encoding", b"expect", b"upgrade"}
_ANSWERED: Any = SimpleNamespace(response_complete=True, message_event=SimpleNamespace(set=lambda: None))
"""In place of the cycle of a request that was answered at once."""


class RawTargets(HttpToolsProtocol):
    """Passes on the target like the protocol with h11: httptools cuts it at a `#`, and drops a host in it."""

    _is_in_head = True
    _head_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Read what a client sent, and refuse a head that does not end."""
        super().data_received(data)
        self._head_bytes = self._head_bytes + len(data) if self._is_in_head else 0
        if self._head_bytes > LARGEST_HEAD:
            self.send_400_response("The target and the header fields are too long.")

    def on_message_begin(self) -> None:
        """Begin a head."""
        super().on_message_begin()
        self._is_in_head = True

    def on_headers_complete(self) -> None:
        """Answer at once if possible, else set path and query before a later task answers."""
        self._is_in_head = False
        if self._is_free() and not any(name in _WITH_BODY for name, _ in self.headers):
            self.scope["method"] = self.parser.get_method().decode("ascii")
            self._set_target()
            sent = self.app.answer_at_once(self.scope)
            if sent is not None:
                self._send(sent)
                return
        super().on_headers_complete()
        self._set_target()

    def _is_free(self) -> bool:
        """Whether the application can answer at once, no other answer is under way, and the client reads."""
        return (
            hasattr(self.app, "answer_at_once")
            and (self.cycle is None or self.cycle.response_complete)  # type: ignore[redundant-expr]  # None at first
            and not self.flow.write_paused
        )

    def _set_target(self) -> None:
        self.scope["raw_path"], _, self.scope["query_string"] = self.url.partition(b"?")

    def _send(self, sent: Sent) -> None:
        is_kept = self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()
        headers = [*self.server_state.default_headers, *sent.headers]
        if not is_kept:
            headers.append((b"connection", b"close"))
        head = b"".join([b"%b: %b\r\n" % (name.lower(), value) for name, value in headers])
        if not head.count(b"\r") == head.count(b"\n") == len(headers):
            raise ValueError("A header has a line break.")
        self.cycle = _ANSWERED
        self.transport.write(b"".join((STATUS_LINE[sent.status], head, b"\r\n", sent.body)))
        if not is_kept:
            self.transport.close()
        self.on_response_complete()
