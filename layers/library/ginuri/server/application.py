"""The ASGI application of one answering process.

Identifiers are answered in the thread of the event loop, all other requests in one more thread: a search or a
long list delays no redirect.
"""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING

from ginuri.frozen import replace
from ginuri.identifiers.messages import message
from ginuri.identifiers.service_paths import HEALTH
from ginuri.registry.clock import Clock, utc_now
from ginuri.resolution.resolve import TITLE
from ginuri.server.answerer import Answerer
from ginuri.server.asgi import Receive, Scope, Send, read_body
from ginuri.server.health import answer_health
from ginuri.server.problems import refuse
from ginuri.server.requests import NamedProxies, read_request
from ginuri.service.paths import POSTED, Flow, flow_of
from ginuri.sqlite.database import Database
from ginuri.web.log_line import write_log_line
from ginuri.web.request import Request
from ginuri.web.response import Answered, Stream, complete

if TYPE_CHECKING:
    from ginuri.server.stewards.answerer import Stewards

LARGEST_BODY = 10 * 1024 * 1024
"""The most bytes of a request's body, as of a REST API."""
_STEWARDS = 8
"""The requests of stewards at once in a process; most of their time, they wait for a report."""
_READERS = 4
"""The threads that read long files from the disk."""
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
_WITHOUT_BODY = frozenset({HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED})  # RFC 9110 §6.4.1


@dataclass(frozen=True, slots=True)
class Refusal:
    """The request cannot be read."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error in ginuri, which standard error explains."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A response as it is sent; without a stream, `body` is all of it."""

    status: HTTPStatus
    headers: list[tuple[bytes, bytes]]
    body: bytes
    stream: Stream | None


class Service:
    """Answers the requests of one registry folder; `close` it in the thread of its event loop.

    `log` writes the line of a request; None writes none. `clock` is read once for each request.
    """

    def __init__(
        self,
        database: Database,
        canonical_host: str,
        proxies: NamedProxies | None = None,
        log: Callable[[str], object] | None = None,
        clock: Clock = utc_now,
    ) -> None:
        self._database = database
        self._canonical_host = canonical_host
        self._proxies = proxies or NamedProxies()
        self._log = log
        self._clock = clock
        self._direct, self._beside = (Answerer(database, canonical_host) for _ in range(2))
        self._thread = ThreadPoolExecutor(1, "answers")
        self._readers = ThreadPoolExecutor(_READERS, "files")
        self._making = Lock()
        self._waiting = ThreadPoolExecutor(_STEWARDS, "stewards")
        self._name, self._numbers = secrets.token_hex(4), count(1)

    def close(self) -> None:
        """End the threads, after their current work, and close the database."""
        self._thread.shutdown()
        self._readers.shutdown()
        self._waiting.shutdown()
        if "_stewards" in vars(self):
            self._stewards.close()
        self._database.close()

    @cached_property
    def _stewards(self) -> Stewards:
        from ginuri.server.stewards.answerer import Stewards

        return Stewards(self._database, self._canonical_host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        started = time.perf_counter()
        request = read_request(scope, self._proxies, self._clock)
        flow, answered = self._answer_directly(request) or await self._answer_beside(scope, request, receive)
        sent = self._complete(scope, request, started, flow, answered)
        await send({"type": "http.response.start", "status": int(sent.status), "headers": sent.headers})
        if sent.stream is not None and scope["method"] != "HEAD":
            await self._send_stream(iter(sent.stream.chunks), receive, send)
        await send({"type": "http.response.body", "body": sent.body})

    def answer_at_once(self, scope: Scope) -> Sent | None:
        """Answer a request without a body; None if its answer needs another thread."""
        started = time.perf_counter()
        request = read_request(scope, self._proxies, self._clock)
        direct = self._answer_directly(request)
        if direct is None or direct[1].response.stream is not None:
            return None
        return self._complete(scope, request, started, *direct)

    def _complete(
        self, scope: Scope, request: Request | None, started: float, flow: Flow | None, answered: Answered
    ) -> Sent:
        """Complete a response for HTTP, and write its line to the log."""
        status, headers, body = complete(answered.response)
        if self._log is not None and request is not None and flow is Flow.API:
            self._log(self._write_steward_line(request, started, int(status), answered))
        elif self._log is not None:
            self._log(
                write_log_line(
                    "resolve" if flow is Flow.RESOLVE else "describe",
                    answered.outcome,
                    time.perf_counter() - started,
                    status=int(status),
                    method=scope["method"],
                    path=scope["raw_path"].decode("latin-1"),
                    request_id=f"{self._name}-{next(self._numbers)}",
                )
            )
        stream = answered.response.stream
        raw = [
            (name.encode("latin-1"), value.encode()) for name, values in headers.items() for value in values
        ]
        if status not in _WITHOUT_BODY:
            raw.append((b"Content-Length", b"%d" % (len(body) if stream is None else stream.length)))
        return Sent(status, raw, b"" if scope["method"] == "HEAD" else body, stream)

    def _write_steward_line(self, request: Request, started: float, status: int, answered: Answered) -> str:
        from ginuri.api.log_line import Outcome, write_log_line

        outcome = answered.outcome
        return write_log_line(
            outcome if isinstance(outcome, Outcome) else Outcome(type(outcome).__name__),
            time.perf_counter() - started,
            status=status,
            request=request,
            request_id=f"{self._name}-{next(self._numbers)}",
        )

    def _answer_directly(self, request: Request | None) -> tuple[Flow | None, Answered] | None:
        """Answer in this thread; None if the request may have a body, or takes long."""
        if request is None or (request.method == "POST" and request.path in POSTED):
            return None
        flow = None
        try:
            if request.path == f"/{HEALTH}":
                return None, answer_health(request, self._database)
            flow = flow_of(request.path)
            # A title is looked up in the index of the search.
            if flow is not Flow.RESOLVE or TITLE in request.parameters:
                return None
            return flow, self._direct.answer(request, flow)
        except Exception:  # noqa: BLE001  the client gets a problem document, the operator the reason
            return flow, _explain_fault()

    def _answer_steward(self, request: Request, peer: str) -> Answered:
        with self._making:  # several threads may be the first
            stewards = self._stewards
        answered = stewards.answer(request, peer)
        return Answered(answered.outcome, answered.response)

    async def _answer_beside(
        self, scope: Scope, request: Request | None, receive: Receive
    ) -> tuple[Flow | None, Answered]:
        """Answer in the other thread, after reading the body of a request."""
        if request is None:
            return None, Answered(Refusal(), refuse(HTTPStatus.BAD_REQUEST, _NO_PATH))
        flow = None
        try:
            flow = flow_of(request.path)
            has_body = request.method == "POST" and request.path in POSTED
            if has_body or (flow is Flow.API and request.method not in _SAFE):
                body = await read_body(receive, LARGEST_BODY)
                if body is None:
                    return None, Answered(Refusal(), refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _TOO_LARGE))
                request = replace(request, body=body)
            answering = asyncio.get_running_loop().run_in_executor
            if flow is Flow.API:
                peer = scope["client"][0] if scope["client"] else ""
                return flow, await answering(self._waiting, self._answer_steward, request, peer)
            return flow, await answering(self._thread, self._beside.answer, request, flow)
        except Exception:  # noqa: BLE001  the client gets a problem document, the operator the reason
            return flow, _explain_fault()

    async def _send_stream(self, chunks: Iterator[bytes], receive: Receive, send: Send) -> None:
        """Send a body in chunks that other threads read; an error in it breaks the connection."""
        reading = asyncio.get_running_loop().run_in_executor
        gone = asyncio.ensure_future(_disconnected(receive))
        try:
            while not gone.done() and (chunk := await reading(self._readers, next, chunks, b"")):
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        finally:
            gone.cancel()
            if isinstance(chunks, Generator):
                chunks.close()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _explain_fault() -> Answered:
    traceback.print_exc(file=sys.stderr)
    return Answered(Fault(), refuse(HTTPStatus.INTERNAL_SERVER_ERROR, _FAULT))


_NO_PATH = message("The target of a request is a path, such as /uri-gin/azgs/, or a whole http URI.")
_TOO_LARGE = message("A request may have at most {most} bytes.", most=f"{LARGEST_BODY:,}")
_FAULT = message("The service has a fault; its operator finds the reason in the log.")
