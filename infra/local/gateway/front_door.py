"""The front door: turns a request into a proxy event for the function of its route, and its answer back.

The path is the raw request target, without any decoding or normalization.
"""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from typing import Protocol

from ginuri.server.asgi import Receive, Scope, Send, read_body, reply
from infra.local.functions.runtime_api import Answer, Outcome
from infra.local.gateway.http_answer import HttpAnswer, MalformedAnswer, http_answer, plain
from infra.local.gateway.proxy_event import HttpRequest, proxy_event
from infra.local.gateway.routes import Route, choose

LARGEST_BODY = 10 * 1024 * 1024  # of a REST API
LARGEST_EVENT = 6 * 1024 * 1024  # of a function that is waited for
_ABSOLUTE = re.compile(r"^https?://[^/]*", re.IGNORECASE)  # RFC 9112 §3.2.2: a server accepts it as well


class Invocable(Protocol):
    """A function, as the gateway sees it."""

    async def invoke(self, event: bytes) -> Outcome:
        """Answer an event."""


class Gateway:
    """ASGI application for one stage of one API.

    `patience` is the timeout of an integration in seconds; `referers` are the accepted values of Referer,
    None if all requests are accepted.
    """

    def __init__(  # noqa: PLR0913, PLR0917  the parts of an API's stage
        self,
        routes: Sequence[Route],
        functions: Mapping[str, Invocable],
        stage: str,
        api_id: str,
        patience: float = 29,
        referers: frozenset[str] | None = None,
    ) -> None:
        self._routes = routes
        self._functions = functions
        self._stage = stage
        self._api_id = api_id
        self._patience = patience
        self._referers = referers
        self._running: set[asyncio.Task[Outcome]] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        body = await read_body(receive, LARGEST_BODY)
        if body is None:
            answer = plain(413, "Request Entity Too Large")
        elif (request := _read_request(scope, body)) is None:
            answer = plain(400, "Bad Request")
        elif self._referers is not None and request.header("referer") not in self._referers:
            answer = _refused()
        else:
            answer = await self._answer(request)
        await reply(send, answer.status, answer.headers, answer.body)

    async def _answer(self, request: HttpRequest) -> HttpAnswer:
        match = choose(self._routes, request.method, request.path)
        if match is None:
            return plain(403, "Missing Authentication Token")
        if not match.route.permitted:
            return plain(500, "Internal server error")
        event = json.dumps(proxy_event(request, match, self._stage, self._api_id)).encode()
        if len(event) > LARGEST_EVENT:
            return plain(413, "Request Too Long")
        # A client that disconnects does not stop the function, as in AWS.
        running = asyncio.create_task(self._functions[match.route.function].invoke(event))
        self._running.add(running)
        running.add_done_callback(self._running.discard)
        try:
            async with asyncio.timeout(self._patience):
                outcome = await asyncio.shield(running)
        except TimeoutError:
            return plain(504, "Endpoint request timed out")
        try:
            return http_answer(outcome.payload) if isinstance(outcome, Answer) else _broken()
        except MalformedAnswer:
            return _broken()


def _refused() -> HttpAnswer:
    message = "User: anonymous is not authorized to perform: execute-api:Invoke"
    return HttpAnswer(
        403,
        (("content-type", "application/json"), ("x-amzn-errortype", "AccessDeniedException")),
        json.dumps({"Message": message}).encode(),
    )


def _broken() -> HttpAnswer:
    return plain(502, "Internal server error")


def _read_request(scope: Scope, body: bytes) -> HttpRequest | None:
    """Return the request, or None if its target is no path."""
    path = _ABSOLUTE.sub("", scope["raw_path"].decode("ascii"))
    if not path.startswith("/"):
        return None
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    method = next((value for name, value in headers if name == "x-http-method-override"), scope["method"])
    client = scope["client"] or ("127.0.0.1", 0)
    query = scope["query_string"].decode("latin-1")
    return HttpRequest(method.upper(), path, query, headers, body, client[0], scope["server"][1])
