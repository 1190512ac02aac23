"""The resolve function's handler, wired as in Lambda: from the environment to a log line and an answer."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from moto import mock_aws

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from infra.bench.workers.context import Context
from tests.answers import Answer
from tests.aws import dynamodb_client, new_bucket, new_table, s3_client
from tests.builders import MAP, PUT, register, rest_event

Handler = Callable[[dict[str, Any], object], dict[str, Any]]


@pytest.fixture
def handle(tables_at: str | None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Handler]:
    """Import the handler as Lambda does, with a table and a bucket; one map is registered."""
    with mock_aws():
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        table = new_table(dynamodb_client(tables_at))
        new_bucket(s3_client(), "content")
        for name, value in (
            ("STACK", "ginuri"),
            ("REGISTRY_TABLE", table),
            ("CONTENT_BUCKET", "content"),
            ("CANONICAL_HOST", "resources.usgin.org"),
            ("EDGE_SECRET", ""),
        ):
            monkeypatch.setenv(name, value)
        register(DynamoRegistry(dynamodb_client(tables_at), table), MAP, representations=_stored_forms())
        sys.modules.pop("resolve.handler", None)
        yield importlib.import_module("resolve.handler").handle
        sys.modules.pop("resolve.handler", None)


def _stored_forms() -> list[dict[str, Any]]:
    kept = s3_client().put_object(Bucket="content", Key="map.pdf", Body=b"%PDF\xff")
    file = {
        "key": "map.pdf",
        "version": kept["VersionId"],
        "length": 5,
        "sha256": "ab" * 32,
        "stored": PUT.format(0),
    }
    return [
        {"part": "map.pdf", "media_type": "application/pdf", "file": file},
        {"part": "map.tif", "media_type": "image/tiff", "file": {**file, "length": 50_000_000}},
    ]


def test_the_handler_answers_from_the_table_and_the_bucket(handle: Handler) -> None:
    thing = Answer(handle(rest_event(f"/{MAP}"), Context()))
    content = Answer(handle(rest_event(f"/{MAP}map.pdf"), Context()))

    assert (thing.status, thing.headers["Location"]) == (303, f"/{MAP}map.pdf")
    assert (content.status, content.content) == (200, b"%PDF\xff")
    assert content.linked("cite-as") == [f"http://resources.usgin.org/{MAP}map.pdf"]


@pytest.mark.parametrize(("day", "status"), [("2001-01-01", 303), ("2999-01-01", 403)])
def test_the_handler_ends_an_embargo_on_its_day(
    handle: Handler, tables_at: str | None, day: str, status: int
) -> None:
    registry = DynamoRegistry(dynamodb_client(tables_at), os.environ["REGISTRY_TABLE"])
    name = "uri-gin/azgs/doc/embargoed/"
    forms = [{"location": "https://a.example/"}]
    register(registry, name, status="embargoed", until=day, representations=forms)

    assert Answer(handle(rest_event(f"/{name}"), Context())).status == status


def test_the_handler_writes_one_json_line_per_request(
    handle: Handler, capsys: pytest.CaptureFixture[str]
) -> None:
    handle(rest_event(f"/{MAP}\r\nnot/a/line"), Context())
    handle(rest_event(f"/{MAP}"), Context())

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [line["outcome"] for line in lines] == ["Malformed", "SeeRepresentation"]
    assert lines[1]["status"] == 303
    assert lines[1]["path"] == f"/{MAP}"
    assert lines[1]["request_id"] == "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"
    assert lines[1]["duration"] >= 0
    assert not any("_aws" in line for line in lines)


def test_the_log_has_the_status_of_a_response_that_was_too_large(
    handle: Handler, capsys: pytest.CaptureFixture[str]
) -> None:
    # It redirects to the normal form, with its query.
    event = rest_event(f"/{MAP.replace('a', '%61')}", query={"q": "\u00e9" * 1_700})

    answer = Answer(handle(event, Context()))

    line = json.loads(capsys.readouterr().out)
    assert (answer.status, line["status"], line["outcome"]) == (414, 414, "NotNormal")


def test_lost_content_and_an_unavailable_registry_are_metrics_of_the_stack(
    handle: Handler, tables_at: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    s3_client().delete_object(
        Bucket="content",
        Key="map.pdf",
        VersionId=s3_client().head_object(Bucket="content", Key="map.pdf")["VersionId"],
    )
    handle(rest_event(f"/{MAP}map.pdf"), Context())
    dynamodb_client(tables_at).delete_table(TableName=os.environ["REGISTRY_TABLE"])
    handle(rest_event("/uri-gin/azgs/doc/other"), Context())

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [(line["outcome"], line["status"]) for line in lines] == [
        ("ContentLost", 404),
        ("Unavailable", 503),
    ]
    for line in lines:
        [directive] = line["_aws"]["CloudWatchMetrics"]
        [metric] = directive["Metrics"]
        assert (directive["Namespace"], directive["Dimensions"]) == ("ginuri", [["stack"]])
        assert (line["stack"], line[metric["Name"]]) == ("ginuri", 1)
        assert metric["Name"] == line["outcome"]
    assert lines[1]["reason"] == "The registry did not answer: ResourceNotFoundException"


def test_a_request_without_time_is_answered_with_503_and_logged(
    handle: Handler, capsys: pytest.CaptureFixture[str]
) -> None:
    answered = Answer(handle(rest_event(f"/{MAP}"), Context(milliseconds=1_000)))

    line = json.loads(capsys.readouterr().out)
    assert (answered.status, line["outcome"], line["status"]) == (503, "Unavailable", 503)
    assert int(answered.headers["Retry-After"]) > 0
    assert line["reason"] == "The registry did not answer: the time of the request ran out"
    assert Answer(handle(rest_event(f"/{MAP}"), Context())).status == 303


_SECRET = "s3cr3t"  # noqa: S105  must not be found again


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", f"X{'Y' * 9}\n{{}}"])
@pytest.mark.parametrize(
    "path",
    [f"/{MAP}", "/nowhere", '/uri-gin/azgs/"}\n{"outcome": "Unavailable", "_aws": {}', "/\ud800\x00\u2028"],
)
def test_a_log_line_has_no_address_no_query_and_no_header(
    handle: Handler, capsys: pytest.CaptureFixture[str], method: str, path: str
) -> None:
    names = ("Authorization", "Cookie", "Referer", "User-Agent", "X-Forwarded-For", "X-Ginuri-Edge", "Accept")
    event = rest_event(path, method, dict.fromkeys(names, _SECRET), {"token": _SECRET, _SECRET: "1"})

    handle(event, Context())

    [line] = capsys.readouterr().out.splitlines()
    written = json.loads(line)
    assert set(written) == {"function", "outcome", "duration", "status", "method", "path", "request_id"}
    assert (written["path"], written["method"]) == (path, method)
    assert _SECRET not in line
    assert "192.0.2.1" not in line


def test_the_handlers_signed_links_are_accepted_by_every_bucket(handle: Handler) -> None:
    answered = Answer(handle(rest_event(f"/{MAP}map.tif"), Context()))

    assert answered.status == 307
    assert "X-Amz-Algorithm=AWS4-HMAC-SHA256" in answered.headers["Location"]


def test_the_handler_reads_a_hit_once_and_then_remembers_it(handle: Handler, tables_at: str | None) -> None:
    handle(rest_event(f"/{MAP}"), Context())
    dynamodb_client(tables_at).delete_table(TableName=os.environ["REGISTRY_TABLE"])

    remembered = Answer(handle(rest_event(f"/{MAP}"), Context()))
    unknown = Answer(handle(rest_event("/uri-gin/azgs/doc/other"), Context()))

    assert remembered.status == 303
    assert unknown.status == 503
    assert int(unknown.headers["Retry-After"]) > 0
