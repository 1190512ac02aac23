"""Sends requests to the local edge in front of an origin in this process, without a network."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache

from ginuri.server.asgi import Application, Message, Receive, Scope, Send, reply
from infra.attack.answer import Answer
from infra.edge_function import FUNCTION
from infra.local import ROOT
from infra.local.edge.distribution import Distribution
from infra.local.edge.edge import USUAL_ERROR_SECONDS, Edge
from infra.local.edge.freshness import Lifetimes
from infra.local.gateway.proxy_event import HttpRequest
from infra.local.template import expand

Origin = Callable[[HttpRequest], Answer]


@cache
def read_template(secret: str) -> Distribution:
    """Read the distribution of the template; errors are not cached, and `secret` is that of the edge."""
    resources = expand(ROOT / "template.yaml")["Resources"]
    kept = resources["CachePolicy"]["Properties"]["CachePolicyConfig"]
    sent = resources["OriginRequestPolicy"]["Properties"]["OriginRequestPolicyConfig"]
    key = kept["ParametersInCacheKeyAndForwardedToOrigin"]
    names = [tuple(name.lower() for name in policy["HeadersConfig"]["Headers"]) for policy in (key, sent)]
    behaviour = resources["Distribution"]["Properties"]["DistributionConfig"]["DefaultCacheBehavior"]
    return Distribution(
        function=FUNCTION.read_text(encoding="utf-8"),
        methods=frozenset(behaviour["AllowedMethods"]),
        kept_methods=frozenset(behaviour["CachedMethods"]),
        key_headers=names[0],
        sent_headers=frozenset(names[0] + names[1]),
        origin_headers=(("x-ginuri-edge", secret),),
        lifetimes=Lifetimes(0, 0, 60),
        error_seconds=dict.fromkeys(USUAL_ERROR_SECONDS, 0),
        patience=12,
    )


class EdgeClient:
    """The edge and its client."""

    def __init__(self, origin: Origin, secret: str) -> None:
        self.edge = Edge(read_template(secret), _serve(origin), lambda: 0.0)

    def ask_all(self, requests: Iterable[HttpRequest]) -> list[Answer]:
        """Send requests one after the other; the edge's cache lasts from one to the next."""

        async def ask() -> list[Answer]:
            return [await _ask(self.edge, request) for request in requests]

        return asyncio.run(ask())


def _serve(origin: Origin) -> Application:
    async def application(scope: Scope, _: Receive, send: Send) -> None:
        headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
        path, query = scope["raw_path"].decode("latin-1"), scope["query_string"].decode("latin-1")
        answer = origin(HttpRequest(scope["method"], path, query, headers, b"", "127.0.0.1", 80))
        await reply(send, answer.status, answer.fields, answer.body)

    return application


async def _ask(edge: Edge, request: HttpRequest) -> Answer:
    answer = Answer(0, ())

    async def receive() -> Message:
        return {"type": "http.request", "body": request.body, "more_body": False}

    async def send(message: Message) -> None:
        nonlocal answer
        if "status" in message:
            fields = tuple((name.decode(), value.decode()) for name, value in message["headers"])
            answer = Answer(message["status"], fields)
        else:
            answer = replace(answer, body=answer.body + message["body"])

    scope: Scope = {
        "method": request.method,
        "raw_path": request.path.encode("latin-1"),
        "query_string": request.query.encode("latin-1"),
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in request.headers],
        "client": (request.client, 80),
    }
    await edge(scope, receive, send)
    return answer
