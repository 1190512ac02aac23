"""Whatever the functions answer, the edge in front of them answers as well: cold, and from what it keeps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from random import Random

import pytest

from infra.edge_function import FUNCTION
from infra.emulator.requests import Sent, requests
from infra.local.edge.distribution import Distribution
from infra.local.edge.edge import Edge
from infra.local.edge.freshness import Lifetimes
from infra.local.gateway.http_answer import HttpAnswer
from infra.local.gateway.proxy_event import HttpRequest, proxy_event
from infra.local.gateway.routes import Match, Route
from infra.local.servers.asgi import Application, Message, Receive, Scope, Send, reply
from infra.local.template import expand
from tests.example_registry import upload_examples
from tests.front import EDGE, HOST, Front

EVERY = 8
"""Of so many identifiers, one is asked for."""
NEGOTIATED = ("/uri-gin/azgs/", "/about/uri-gin/azgs/")
BY_THE_EDGE = {"age", "via", "x-cache", "content-length"}
SELECTED = {206, 304, 416}
"""What the edge selects of an answer that it keeps: it says more than the functions would."""


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """All that is under `examples/`, published."""
    steward = upload_examples()
    return Front(steward.memory, tmp_path_factory.mktemp("published"), steward.content)


@pytest.fixture(scope="module")
def distribution() -> Distribution:
    """What the template says of headers and times."""
    resources = expand(Path(__file__).parents[2] / "template.yaml")["Resources"]
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
        origin_headers=(("x-ginuri-edge", EDGE),),
        lifetimes=Lifetimes(0, 0, 60),
        error_seconds=dict.fromkeys((400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504), 0),
        patience=12,
    )


def test_the_edge_answers_as_the_functions_do_whoever_asked_before(
    front: Front, distribution: Distribution, shared_data: Path
) -> None:
    asked = [*_requests(front), *_recorded(shared_data)] * 2
    Random(0).shuffle(asked)  # noqa: S311  an order, not a secret
    edge = Edge(distribution, _origin(front), lambda: 0.0)
    expected = {sent: _answer(front, sent.received(HOST)) for sent in {*asked}}

    async def ask_all() -> list[HttpAnswer]:
        return [await _ask(edge, sent.received(HOST)) for sent in asked]

    answers = asyncio.run(ask_all())

    for sent, answer in zip(asked, answers, strict=True):
        assert _compared(answer, sent.method) == _compared(expected[sent], sent.method), sent
    assert {dict(answer.headers)["x-cache"].partition(" ")[0] for answer in answers} == {
        "Hit",
        "Miss",
        "Error",
    }


def _requests(front: Front) -> Iterator[Sent]:
    names = sorted(name for name, _ in front.registry.standing(""))
    return requests(names, EVERY)


def _recorded(shared_data: Path) -> Iterator[Sent]:
    """Give what clients were recorded to send, for an identifier and its description."""
    for name in ("media-types-sample.jsonl", "languages-sample.jsonl"):
        lines = shared_data.joinpath("negotiation", name).read_text(encoding="utf-8").splitlines()
        for headers in sorted({json.dumps(json.loads(line)["headers"]) for line in lines}):
            fields = tuple((field.lower(), value) for field, value in json.loads(headers))
            yield from (Sent(target, headers=fields) for target in NEGOTIATED)


def _compared(answer: HttpAnswer, method: str) -> tuple[int, Mapping[str, str], bytes]:
    if answer.status in SELECTED:
        return answer.status, {}, answer.body if answer.status == HTTPStatus.PARTIAL_CONTENT else b""
    headers = {name: value for name, value in answer.headers if name not in BY_THE_EDGE}
    return answer.status, headers, b"" if method == "HEAD" else answer.body


def _answer(front: Front, request: HttpRequest) -> HttpAnswer:
    route = Route("/{proxy+}", frozenset({"ANY"}), "", permitted=True)
    event = proxy_event(request, Match(route, {"proxy": request.path.strip("/")}), "live", "api")
    answer = front.answer(event)
    headers = tuple((name.lower(), value) for name, value in answer.headers.items())
    return HttpAnswer(answer.status, headers, answer.content)


def _origin(front: Front) -> Application:
    async def origin(scope: Scope, _: Receive, send: Send) -> None:
        answer = _answer(front, _received(scope))
        await reply(send, answer.status, answer.headers, answer.body)

    return origin


def _received(scope: Scope) -> HttpRequest:
    headers = tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"])
    path, query = scope["raw_path"].decode(), scope["query_string"].decode()
    return HttpRequest(scope["method"], path, query, headers, b"", "127.0.0.1", 80)


async def _ask(edge: Edge, request: HttpRequest) -> HttpAnswer:
    answer = HttpAnswer(0, (), b"")

    async def receive() -> Message:
        return {"type": "http.request", "body": request.body, "more_body": False}

    async def send(message: Message) -> None:
        nonlocal answer
        if "status" in message:
            headers = tuple((name.decode(), value.decode()) for name, value in message["headers"])
            answer = HttpAnswer(message["status"], headers, b"")
        else:
            answer = replace(answer, body=answer.body + message["body"])

    scope: Scope = {
        "method": request.method,
        "raw_path": request.path.encode(),
        "query_string": request.query.encode(),
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in request.headers],
        "client": ("127.0.0.1", 80),
    }
    await edge(scope, receive, send)
    return answer
