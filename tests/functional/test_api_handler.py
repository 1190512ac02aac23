"""The api function's handler, wired as in Lambda: its answers, its log and its calls of AWS."""

from __future__ import annotations

import importlib
import json
import re
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit

import pytest
from moto import mock_aws

from ginuri.access.creation import RIGHTS, WantedToken, make_token
from ginuri.aws.dynamodb.access.tokens import DynamoTokens
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from infra.bench.workers.context import Context
from infra.local import ROOT
from tests.answers import Answer
from tests.aws import dynamodb_client, new_access_table, new_bucket, new_table, s3_client
from tests.builders import rest_event
from tests.steward import line, settled

AZGS = "uri-gin/azgs/"
WELL = f"{AZGS}doc/well"
JANE = "mailto:jane@example.org"


@dataclass
class _Function:
    """The function and its calls of AWS, by name."""

    handle: Callable[[dict[str, Any], object], dict[str, Any]]
    secret: str
    calls: Counter[str] = field(default_factory=Counter)

    def ask(self, method: str, target: str, body: bytes = b"") -> Answer:
        sent = {"Authorization": f"Bearer {self.secret}", "Host": "resources.usgin.org"}
        path, _, query = target.partition("?")
        event = rest_event(path, method, sent, dict(parse_qsl(query)))
        event |= {"body": b64encode(body).decode(), "isBase64Encoded": True} if body else {}
        self.calls.clear()
        return Answer(self.handle(event, Context()))

    def count(self, model: Any, **_said: object) -> None:
        """Count a call."""
        self.calls[model.name] += 1


@pytest.fixture
def function(monkeypatch: pytest.MonkeyPatch) -> Iterator[_Function]:
    """Import the handler as Lambda does, with tables and buckets; a well, a grant and a token are known."""
    with mock_aws():
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        client, s3 = dynamodb_client(), s3_client()
        table, access = new_table(client), new_access_table(client)
        for name in ("uploads", "content", "reports", "archive"):
            new_bucket(s3, name)
            monkeypatch.setenv(f"{name.upper()}_BUCKET", name)
        for name, value in (
            ("STACK", "ginuri"),
            ("REGISTRY_TABLE", table),
            ("ACCESS_TABLE", access),
            ("CANONICAL_HOST", "resources.usgin.org"),
            ("EDGE_SECRET", ""),
            ("GINURI_DYNAMODB_CLIENT", "botocore"),  # moto intercepts only botocore
        ):
            monkeypatch.setenv(name, value)
        steward = settled(DynamoRegistry(client, table), DynamoMemberLister(client, table))
        grant = {"record": "grant", "identifier": AZGS, "to": JANE, "may": ["read", "register"]}
        steward.deliver(steward.put("_host/grants.jsonl", json.dumps(grant)))
        steward.deliver(steward.put(f"{AZGS}a.jsonl", line(WELL, title="Well")))
        wanted = WantedToken(JANE, (AZGS,), frozenset(RIGHTS), name="test")
        secret, token = make_token(wanted, "operator", datetime.now(UTC))
        DynamoTokens(client, access).add(token)
        sys.modules.pop("api.handler", None)
        module = importlib.import_module("api.handler")
        made = _Function(module.handle, secret)
        for called in vars(module)["_dynamodb"], vars(module)["_s3"]:
            called.meta.events.register("before-call", made.count)
        yield made
        sys.modules.pop("api.handler", None)


def test_the_handler_answers_and_writes_a_line_without_the_token(
    function: _Function, capsys: pytest.CaptureFixture[str]
) -> None:
    known = function.ask("GET", "/api/me")
    function.secret = "gin_" + "x" * 40
    unknown = function.ask("GET", "/api/me")
    written = capsys.readouterr().out
    lines = [json.loads(each) for each in written.splitlines()]

    assert (known.status, unknown.status) == (200, 401)
    assert json.loads(known.content)["owner"] == JANE
    assert [each["status"] for each in lines] == [200, 401]
    assert function.secret not in written


def test_the_page_on_costs_has_the_calls_of_each_request(function: _Function) -> None:
    page = (ROOT / "docs" / "explanation" / "cost.md").read_text(encoding="utf-8")
    _, _, section = page.partition("## A million requests of stewards")
    stated = dict(re.findall(r"^\| (.*?) +\| (.*?) +\|$", section.partition("\n## ")[0], re.MULTILINE))
    well, row = quote(WELL, safe=""), line(f"{WELL}2", title="Well 2").encode()
    counted: dict[str, str] = {}

    def ask(name: str, status: int, *request: Any) -> Answer:
        answer = function.ask(*request)
        assert answer.status == status, answer.content
        assert (function.calls.pop("UpdateItem"), function.calls.pop("BatchGetItem")) == (1, 1)
        calls = [f"{call} {times}" for call, times in sorted(function.calls.items())]
        counted[name] = ", ".join(calls) or "none"
        return answer

    ask("`GET /api/me`", 200, "GET", "/api/me")
    ask("a record", 200, "GET", f"/api/records/{well}")
    ask("a history", 200, "GET", f"/api/records/{well}/history")
    ask("a registration by `PUT`", 202, "PUT", f"/api/records/{well}3", b'{"title": "3"}')
    put = ("POST", f"/api/uploads?folder={AZGS}&name=b.jsonl", row)
    sent = ask("a file as the body of a request", 202, *put)
    ask("a look for a report", 202, "GET", urlsplit(sent.headers["Location"]).path)

    assert {name: stated.get(name) for name in counted} == counted
