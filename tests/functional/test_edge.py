"""The edge's secret: only with it do the handlers trust the query and the host in headers."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from typing import Any

import pytest
from moto import mock_aws

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.statements import FIRST
from infra.bench.workers.context import Context
from tests.answers import Answer
from tests.aws import dynamodb_client, new_bucket, new_table, s3_client
from tests.builders import keyed, rest_event, stamp

Ask = Callable[..., Answer]

SECRET, NEXT = "c2b4-" * 8, "e91f-" * 8
OLD = "uri-gin/azgs/old/"
SENT, PAIRS = "b=2&a=1;x&b=%33", {"b": ["2", "3"], "a": ["1"], "x": [""]}
REBUILT = "b=2&b=3&a=1&x="
"""The values built from the pairs."""
GATEWAY = "abc123.execute-api.us-east-1.amazonaws.com"
PURLS, PURL, LEAD = "purl.example.org", "//purl.example.org/net/x", "https://example.org/x"
_DESCRIBED = ("/about", "/explain", "/resolve")
_MODULES = ("resolve.handler", "describe.handler")


@contextmanager
def _running(monkeypatch: pytest.MonkeyPatch, secret: str) -> Iterator[Ask]:
    """Import both handlers as Lambda does, over a rule that passes the query on."""
    with mock_aws():
        table = new_table(dynamodb_client())
        new_bucket(s3_client(), "content")
        for name, value in (
            ("AWS_DEFAULT_REGION", "us-east-1"),
            ("STACK", "ginuri"),
            ("REGISTRY_TABLE", table),
            ("CONTENT_BUCKET", "content"),
            ("PUBLISHED_BUCKET", "published"),
            ("CANONICAL_HOST", "resources.usgin.org"),
            ("EDGE_SECRET", secret),
            ("GINURI_DYNAMODB_CLIENT", "botocore"),  # moto intercepts only botocore
        ):
            monkeypatch.setenv(name, value)
        form = ("rules", "", "representations", "form")
        rule = {
            ("rules", "", "pass_query"): True,
            (*form, FIRST): 0,
            (*form, "location"): "https://data.azgs.example/{+rest}",
        }
        registry = DynamoRegistry(dynamodb_client(), table)
        registry.write(apply(Record(OLD, {}), keyed(rule), stamp()))
        registry.write(apply(Record(f"//{PURLS}/", {}), keyed({("record",): "host"}), stamp()))
        leads: dict[tuple[str, ...], Any] = {
            ("representations", "form", name): value for name, value in {FIRST: 0, "location": LEAD}.items()
        }
        registry.write(apply(Record(PURL, {}), keyed(leads), stamp()))
        for name in _MODULES:
            sys.modules.pop(name, None)
        resolve, describe = (importlib.import_module(name).handle for name in _MODULES)

        def ask(path: str, method: str = "GET", **headers: str) -> Answer:
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            event = rest_event(path, method, sent) | {"multiValueQueryStringParameters": PAIRS}
            event["queryStringParameters"] = {name: values[-1] for name, values in PAIRS.items()}
            return Answer((describe if path.startswith(_DESCRIBED) else resolve)(event, Context()))

        yield ask
        for name in _MODULES:
            sys.modules.pop(name, None)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    with _running(monkeypatch, f"{SECRET} {NEXT}") as running:
        yield running


@pytest.fixture
def ask_without_edge(monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    with _running(monkeypatch, "") as running:
        yield running


@pytest.mark.parametrize("secret", [SECRET, NEXT])
def test_the_edge_passes_the_query_on_unchanged(ask: Ask, secret: str) -> None:
    answered = ask(f"/{OLD}17", X_Ginuri_Query=SENT, X_Ginuri_Edge=secret)

    assert answered.headers["Location"] == f"https://data.azgs.example/17?{SENT}"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X_Ginuri_Query": SENT},
        {"X_Ginuri_Query": SENT, "X_Ginuri_Edge": ""},
        {"X_Ginuri_Query": SENT, "X_Ginuri_Edge": "guessed"},
        {"X_Ginuri_Query": SENT, "X_Ginuri_Edge": SECRET[:-1]},
        {"X_Ginuri_Query": SENT, "X_Ginuri_Edge": f"{SECRET} {NEXT}"},
        {"X_Ginuri_Edge": SECRET},
    ],
)
def test_without_the_secret_the_header_has_no_effect(ask: Ask, headers: Mapping[str, str]) -> None:
    assert ask(f"/{OLD}17", **headers).headers["Location"] == f"https://data.azgs.example/17?{REBUILT}"


@pytest.mark.parametrize("claimed", ["", SECRET])
def test_without_an_edge_its_headers_are_ignored(ask_without_edge: Ask, claimed: str) -> None:
    answered = ask_without_edge(f"/{OLD}17", X_Ginuri_Query=SENT, X_Ginuri_Edge=claimed)

    assert answered.headers["Location"] == f"https://data.azgs.example/17?{REBUILT}"


def test_a_look_up_reads_the_query_from_the_edge(ask: Ask) -> None:
    query = "uri=http%3A%2F%2Fgeon.org%2Furi-gin%2Fazgs%2F"

    by_the_edge = ask("/resolve", X_Ginuri_Query=query, X_Ginuri_Edge=SECRET)
    by_anybody = ask("/resolve", X_Ginuri_Query=query, X_Ginuri_Edge="guessed")

    assert (by_the_edge.status, by_the_edge.headers["Location"]) == (302, "/uri-gin/azgs/")
    assert by_anybody.status == 400


def test_the_edge_passes_on_the_host_that_the_client_requested(ask: Ask) -> None:
    answered = ask("/net/x", Host=GATEWAY, X_Ginuri_Host=PURLS, X_Ginuri_Edge=SECRET)

    assert (answered.status, answered.headers["Location"]) == (302, LEAD)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X_Ginuri_Host": PURLS},
        {"X_Ginuri_Host": PURLS, "X_Ginuri_Edge": "guessed"},
        {"X_Ginuri_Edge": SECRET},
    ],
)
def test_only_the_edge_may_name_the_requested_host(ask: Ask, headers: Mapping[str, str]) -> None:
    assert ask("/net/x", Host=GATEWAY, **headers).status == 404


@pytest.mark.parametrize(
    ("headers", "protocol"),
    [
        ({}, "https:"),
        ({"CloudFront_Forwarded_Proto": "http"}, "https:"),
        ({"CloudFront_Forwarded_Proto": "http", "X_Ginuri_Edge": "guessed"}, "https:"),
        ({"CloudFront_Forwarded_Proto": "http", "X_Ginuri_Edge": SECRET}, "http:"),
        ({"CloudFront_Forwarded_Proto": "https", "X_Ginuri_Edge": NEXT}, "https:"),
        ({"CloudFront_Forwarded_Proto": "javascript", "X_Ginuri_Edge": SECRET}, ""),
        ({"X_Ginuri_Edge": SECRET}, ""),
    ],
)
def test_the_edge_states_the_protocol_of_the_client(
    ask: Ask, headers: Mapping[str, str], protocol: str
) -> None:
    sent = {"X_Forwarded_Proto": "https", **headers}

    answered = ask("/net/%78", Host=PURLS, **sent)

    assert answered.headers["Location"].partition("?")[0] == f"{protocol}{PURL}"


def test_a_host_behind_the_edge_describes_itself_and_its_names(ask: Ask) -> None:
    behind = {"Host": GATEWAY, "X_Ginuri_Host": PURLS, "X_Ginuri_Edge": SECRET}

    host = json.loads(ask("/about.json", **behind).content)
    bound = json.loads(ask("/about.json/net/x", **behind).content)

    assert (host["uri"], bound["uri"]) == (f"http://{PURLS}/", f"http://{PURLS}/net/x")


@pytest.mark.parametrize(
    "path", [f"/{OLD}17", "/uri-gin/azgs/none", "/uri-gin//", f"/about/{OLD}", f"/explain/{OLD}", "/resolve"]
)
def test_the_headers_of_the_edge_are_neither_returned_nor_logged(
    ask: Ask, capsys: pytest.CaptureFixture[str], path: str
) -> None:
    for method, claimed in product(["GET", "OPTIONS", "PUT"], [SECRET, "guessed-by-somebody"]):
        sent = {"X_Ginuri_Query": "raw=Query17", "X_Ginuri_Host": "host17.example", "X_Ginuri_Edge": claimed}
        answered = ask(path, method, **sent)

        written = f"{answered.headers} {answered.content.decode()}"
        logged = capsys.readouterr().out
        assert logged, method
        for text in (written, logged):
            assert claimed not in text
            assert "x-ginuri" not in text.lower()
        assert "Query17" not in logged
        assert "host17" not in logged
