"""The Runtime API that a function's process asks for work: one call at a time, as in Lambda.

After the Lambda developer guide, "Using the Lambda runtime API"; version 2018-06-01.
"""

import asyncio
import json
import time
import uuid
from dataclasses import dataclass, field

from ginuri.server.asgi import Receive, Scope, Send, read_body, reply

# Measured in AWS's runtime emulator.
LARGEST_ANSWER = 6_291_556


@dataclass(frozen=True)
class Answer:
    """The result of a handler, as JSON."""

    payload: bytes


@dataclass(frozen=True)
class Failure:
    """The reason why a call has no answer: the handler raised, or the process ended or took too long."""

    message: str


Outcome = Answer | Failure


@dataclass
class Call:
    """One event on its way through a function; `timeout` in seconds."""

    event: bytes
    timeout: float
    request_id: str = field(default_factory=lambda: str(uuid.uuid4()))
    outcome: asyncio.Future[Outcome] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def settle(self, outcome: Outcome) -> None:
        """Set the outcome of the call; the first one counts."""
        if not self.outcome.done():
            self.outcome.set_result(outcome)


class RuntimeApi:
    """ASGI application for one process of a function. `idle` is set while the process asks for work."""

    def __init__(self, function_arn: str) -> None:
        self.idle = asyncio.Event()
        self._arn = function_arn
        self._asking: asyncio.Future[Call | None] | None = None
        self._call: Call | None = None
        self._init_error = ""

    def hand_out(self, call: Call) -> None:
        """Pass a call to the idle process."""
        if self._asking is None:
            raise RuntimeError("no process asks for work")
        self._call = call
        self.idle.clear()
        self._asking.set_result(call)
        self._asking = None

    def process_ended(self, status: str) -> None:
        """Fail the current call, because its process has ended."""
        self.idle.clear()
        if self._asking:
            self._asking.set_result(None)
            self._asking = None
        if self._call:
            self._call.settle(Failure(f"Runtime exited: {status}"))
            self._call = None

    def take_init_error(self) -> str:
        """Return the start-up error of the process, once; empty if it reported none."""
        error, self._init_error = self._init_error, ""
        return error

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request of the process."""
        match scope["path"].removeprefix("/2018-06-01/runtime/").split("/"):
            case ["invocation", "next"]:
                await self._next(send)
            case ["invocation", request_id, "response"]:
                await self._settle(request_id, Answer(await _body(receive)), send)
            case ["invocation", request_id, "error"]:
                await self._settle(request_id, Failure(_read_error(await _body(receive))), send)
            case ["init", "error"]:
                self._init_error = _read_error(await _body(receive))
                await reply(send, 202)
            case _:
                await reply(send, 404)

    async def _next(self, send: Send) -> None:
        self._asking = asyncio.get_running_loop().create_future()
        waiting = self._asking
        self.idle.set()
        call = await waiting
        if call is None:
            await reply(send, 410)
            return
        deadline = int((time.time() + call.timeout) * 1000)
        headers = {
            "Lambda-Runtime-Aws-Request-Id": call.request_id,
            "Lambda-Runtime-Deadline-Ms": str(deadline),
            "Lambda-Runtime-Invoked-Function-Arn": self._arn,
            "Lambda-Runtime-Trace-Id": f"Root=1-{deadline // 1000:08x}-{uuid.uuid4().hex[:24]};Sampled=0",
            "Content-Type": "application/json",
        }
        await reply(send, 200, headers.items(), call.event)

    async def _settle(self, request_id: str, outcome: Outcome, send: Send) -> None:
        if self._call is None or self._call.request_id != request_id:
            await reply(send, 400)
            return
        too_large = isinstance(outcome, Answer) and len(outcome.payload) > LARGEST_ANSWER
        if too_large:
            outcome = Failure(f"Response payload size exceeded maximum allowed ({LARGEST_ANSWER} bytes)")
        self._call.settle(outcome)
        await reply(send, 413 if too_large else 202)


def _read_error(body: bytes) -> str:
    try:
        error = json.loads(body)
        return f"{error['errorType']}: {error['errorMessage']}"
    except (ValueError, KeyError, TypeError):
        return body.decode("utf-8", "replace")


async def _body(receive: Receive) -> bytes:
    # Reads the whole body: a client that is refused while it writes does not read the reason.
    return await read_body(receive, 1 << 30) or b""
