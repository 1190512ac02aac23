"""The saved queries of the stack find the lines that functions write, and those of crashes and timeouts."""

from __future__ import annotations

import importlib
import json
import logging
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from aws_lambda_powertools import Metrics
from awslambdaric.lambda_runtime_marshaller import LambdaMarshaller
from moto import mock_aws

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from infra.local.template import expand
from tests.aws import dynamodb_client, new_access_table, new_bucket, new_table, s3_client, sqs_client
from tests.builders import MAP, PUT, register, rest_event
from tests.functional.saved_queries import Row, run_query

ROOT = Path(__file__).parents[2]
PLATFORM = ROOT / "tests" / "data" / "lambda_platform_lines.jsonl"
"""Two lines that Lambda itself writes, about a timeout and about a process that was killed."""
# https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report
RUNTIME = "awslambdaric.bootstrap"
TABLE = "registry"
KEY, LOST, OLD = "uri-gin/azgs/1.jsonl", "uri-gin/azgs/doc/lost", "//old.example/"
FILE = {"key": "lost.pdf", "version": "1", "length": 5, "sha256": "ab" * 32, "stored": PUT.format(0)}
UPLOAD = {
    "eventSource": "aws:s3",
    "eventName": "ObjectCreated:Put",
    "eventTime": "2011-08-25T17:29:00.123Z",
    "s3": {"bucket": {"name": "uploads"}, "object": {"key": KEY, "versionId": "1", "size": 9}},
}


def _queued(body: Mapping[str, Any]) -> dict[str, Any]:
    received = {"ApproximateReceiveCount": "1"}
    return {"Records": [{"messageId": "1", "body": json.dumps(body), "attributes": received}]}


EVENTS: Mapping[str, Sequence[dict[str, Any]]] = {
    "resolve": [
        rest_event(f"/{MAP}"),
        rest_event("/uri-gin/azgs/doc/unknown"),
        rest_event("/page", headers={"Host": "old.example"}),
        rest_event(f"/{LOST}"),
        {"no": "event of a gateway"},
    ],
    "describe": [rest_event(f"/about.json/{MAP}")],
    "api": [rest_event("/api/me", headers={"Host": "resources.usgin.org"})],
    "ingest": [_queued({"part": {}})],
    "publish": [{}],
}
WITHOUT_STORES: Mapping[str, Sequence[dict[str, Any]]] = {
    "resolve": [rest_event("/uri-gin/azgs/doc/other")],
    "ingest": [_queued({"Records": [UPLOAD]})],
    "publish": [{}],
}
Logs = Mapping[str, list[str]]


@pytest.fixture(scope="module")
def logs() -> Iterator[Logs]:
    """Return the lines of each function and of Lambda: of answers, failures, crashes, and a timeout."""
    with pytest.MonkeyPatch.context() as patch, mock_aws():
        _prepare(patch)
        runtime = importlib.import_module(RUNTIME)
        written = {name: StringIO() for name in EVENTS}  # the first one stays that of a logger
        for name, events in EVENTS.items():
            _run(runtime, name, events, written[name])
        dynamodb_client().delete_table(TableName=TABLE)
        s3_client().delete_bucket(Bucket="reports")
        for name, events in WITHOUT_STORES.items():
            _run(runtime, name, events, written[name])
        own = PLATFORM.read_text("utf-8").splitlines()
        yield {name: [*output.getvalue().splitlines(), *own] for name, output in written.items()}


def _prepare(patch: pytest.MonkeyPatch) -> None:
    """Create what the functions need, and have them and the runtime loaded anew, with JSON lines."""
    for bucket in ("uploads", "content", "reports", "published", "archive"):
        new_bucket(s3_client(), bucket)
        patch.setenv(f"{bucket.upper()}_BUCKET", bucket)
    queue = sqs_client().create_queue(QueueName="ingest")["QueueUrl"]
    for name, value in (
        ("AWS_DEFAULT_REGION", "us-east-1"),
        ("AWS_LAMBDA_LOG_FORMAT", "JSON"),
        ("REGISTRY_TABLE", new_table(dynamodb_client(), TABLE)),
        ("ACCESS_TABLE", new_access_table(dynamodb_client())),
        ("INGEST_QUEUE", queue),
        ("MOST_RECEIVES", "5"),
        ("STACK", "ginuri"),
        ("CANONICAL_HOST", "resources.usgin.org"),
        ("EDGE_SECRET", ""),
        ("REPORTS_ADDRESS", "none"),
        ("GINURI_DYNAMODB_CLIENT", "botocore"),  # moto intercepts only botocore
    ):
        patch.setenv(name, value)
    for module in (RUNTIME, *(f"{name}.handler" for name in EVENTS)):
        patch.delitem(sys.modules, module, raising=False)
    patch.delitem(logging.Logger.manager.loggerDict, "ingest", raising=False)  # it writes where it was made
    Metrics().clear_default_dimensions()
    registry = DynamoRegistry(dynamodb_client(), TABLE)
    register(registry, MAP, representations=[{"location": "https://a.example/"}])
    register(registry, LOST, representations=[{"media_type": "application/pdf", "file": FILE}])
    register(registry, OLD, record="host", fallback="b.example")


class _Client:
    """The side of Lambda's runtime client that takes answers, and drops them."""

    marshaller = LambdaMarshaller()

    def post_invocation_result(self, *_: object) -> None:
        """Take an answer."""

    def post_invocation_error(self, *_: object) -> None:
        """Take an error."""


def _run(runtime: Any, name: str, events: Sequence[dict[str, Any]], output: StringIO) -> None:
    """Have Lambda's own runtime client call a function, and keep its lines."""
    client = _Client()
    with redirect_stdout(output):
        handle = importlib.import_module(f"{name}.handler").handle
        for event in events:
            runtime.handle_event_request(
                client,
                handle,
                "c6af9ac6-7b61-11e6-9a41-93e8deadbeef",
                json.dumps(event).encode(),
                "application/json",
                None,
                None,
                "arn:aws:lambda:us-east-1:123456789012:function:f",
                int(time.time() * 1000) + 10_000,
                None,
                runtime.StandardLogSink(),
            )


def _ask(name: str, logs: Logs) -> list[Row]:
    """Ask a saved query, over the logs that it names."""
    properties = expand(ROOT / "template.yaml")["Resources"][name]["Properties"]
    read = [group["Ref"].removesuffix("LogGroup").lower() for group in properties["LogGroupNames"]]
    return run_query(properties["QueryString"], [line for function in read for line in logs[function]])


def _shown(name: str, logs: Logs, *fields: str) -> set[tuple[Any, ...]]:
    return {tuple(row["shown"][field] for field in fields) for row in _ask(name, logs)}


def test_failed_requests_include_crashes_and_timeouts(logs: Logs) -> None:
    assert _shown("FailedRequestsQuery", logs, "outcome", "status", "errorType", "record.status") == {
        ("Unavailable", 503, None, None),
        ("ContentLost", 404, None, None),
        (None, None, "UnreadableRequest", None),
        (None, None, None, "timeout"),
        (None, None, None, "error"),
    }


def test_failed_uploads_include_crashes_and_timeouts(logs: Logs) -> None:
    assert _shown("FailedUploadsQuery", logs, "key", "exception_name", "record.status") == {
        (KEY, "RegistryUnavailable", None),
        (None, None, None),
        (None, None, "timeout"),
        (None, None, "error"),
    }
    crashed = {str(shown) for (shown,) in _shown("FailedUploadsQuery", logs, "errorMessage")}
    assert any("TypeError: unhashable" in shown for shown in crashed)


def test_failed_publications_include_crashes_and_timeouts(logs: Logs) -> None:
    assert _shown("FailedPublicationsQuery", logs, "errorType", "record.status", "record.errorType") == {
        ("RegistryUnavailable", None, None),
        (None, "timeout", None),
        (None, "error", "Runtime.OutOfMemory"),
    }


def test_requests_of_stewards_have_paths_and_outcomes(logs: Logs) -> None:
    assert ("/api/me", 401, "no-valid-token") in _shown("ApiRequestsQuery", logs, "path", "status", "outcome")


def test_unknown_names_are_counted_by_path(logs: Logs) -> None:
    rows = _ask("UnknownNamesQuery", logs)

    assert {"path": "/uri-gin/azgs/doc/unknown", "outcome": "NotRegistered", "requests": 1} in rows


def test_fallbacks_are_counted_by_the_record_that_states_them(logs: Logs) -> None:
    [row] = _ask("FallbacksQuery", logs)

    assert (row["stated_by"], row["fallback"], row["path"], row["requests"]) == (OLD, "b.example", "/page", 1)


def test_slow_requests_have_durations_by_outcome_and_no_crashes(logs: Logs) -> None:
    rows = _ask("SlowRequestsQuery", logs)

    assert {(row["function"], row["outcome"]) for row in rows} == {
        ("describe", "Describe"),
        *(
            ("resolve", outcome)
            for outcome in ("ContentLost", "FallenBack", "NotRegistered", "SeeRepresentation", "Unavailable")
        ),
    }
    assert all(0 < row["p50"] <= row["p99"] <= row["longest"] for row in rows)


def test_every_saved_query_is_run() -> None:
    queries = {
        name
        for name, resource in expand(ROOT / "template.yaml")["Resources"].items()
        if resource["Type"] == "AWS::Logs::QueryDefinition"
    }

    assert queries == set(re.findall(r'"(\w+Query)"', Path(__file__).read_text(encoding="utf-8")))
