"""The edge returns the same answers as the functions behind it: cold, and from its cache."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from pathlib import Path
from random import Random

import pytest

from infra.attack.answer import Answer
from infra.attack.kinds.edge import BY_THE_EDGE, SELECTED
from infra.attack.targets.edge_client import EdgeClient
from infra.emulator.requests import Sent, requests
from infra.local.gateway.proxy_event import HttpRequest, proxy_event
from infra.local.gateway.routes import Match, Route
from tests.answers import Answer as Received
from tests.example_registry import upload_examples
from tests.front import EDGE, HOST, Front

pytestmark = pytest.mark.functions
EVERY = 8
"""One of so many identifiers is requested."""
NEGOTIATED = ("/uri-gin/azgs/", "/about/uri-gin/azgs/")


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """Everything under `examples/`, published."""
    steward = upload_examples()
    return Front(steward.memory, tmp_path_factory.mktemp("published"), steward.content)


def test_the_edge_answers_as_the_functions_do(front: Front, shared_data: Path) -> None:
    asked = [*_requests(front), *recorded(shared_data)] * 2
    Random(0).shuffle(asked)  # noqa: S311  an order, not a secret
    client = EdgeClient(lambda request: ask_front(front, request), EDGE)
    expected = {sent: ask_front(front, sent.received(HOST)) for sent in {*asked}}

    answers = client.ask_all(sent.received(HOST) for sent in asked)

    for sent, answer in zip(asked, answers, strict=True):
        assert compared(answer, sent.method) == compared(expected[sent], sent.method), sent
    assert {dict(answer.fields)["x-cache"].partition(" ")[0] for answer in answers} == {
        "Hit",
        "Miss",
        "Error",
    }


def _requests(front: Front) -> Iterator[Sent]:
    names = sorted(name for name, _ in front.registry.standing(""))
    return requests(names, EVERY)


def recorded(shared_data: Path) -> Iterator[Sent]:
    """Return the recorded headers of clients, for an identifier and its description."""
    for name in ("media-types-sample.jsonl", "languages-sample.jsonl"):
        lines = shared_data.joinpath("negotiation", name).read_text(encoding="utf-8").splitlines()
        for headers in sorted({json.dumps(json.loads(line)["headers"]) for line in lines}):
            fields = tuple((field.lower(), value) for field, value in json.loads(headers))
            yield from (Sent(target, headers=fields) for target in NEGOTIATED)


def compared(answer: Answer, method: str) -> tuple[int, Mapping[str, str], bytes]:
    if answer.status in SELECTED:
        return answer.status, {}, answer.body if answer.status == HTTPStatus.PARTIAL_CONTENT else b""
    headers = {name: value for name, value in answer.fields if name not in BY_THE_EDGE}
    return answer.status, headers, b"" if method == "HEAD" else answer.body


def ask_front(front: Front, request: HttpRequest) -> Answer:
    route = Route("/{proxy+}", frozenset({"ANY"}), "", permitted=True)
    event = proxy_event(request, Match(route, {"proxy": request.path.strip("/")}), "live", "api")
    return read_answer(front.answer(event))


def read_answer(answer: Received) -> Answer:
    """Return an answer with the names of its headers in lower case."""
    fields = tuple((name.lower(), value) for name, value in answer.headers.items())
    return Answer(answer.status, fields, answer.content)
