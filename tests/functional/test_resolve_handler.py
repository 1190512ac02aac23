"""The resolve function's handler, wired as in Lambda: environment in, one line of log and an answer out."""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pytest
from moto import mock_aws

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
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
    thing = Answer(handle(rest_event(f"/{MAP}"), None))
    content = Answer(handle(rest_event(f"/{MAP}map.pdf"), None))

    assert (thing.status, thing.headers["Location"]) == (303, f"/{MAP}map.pdf")
    assert (content.status, content.content) == (200, b"%PDF\xff")
    assert content.linked("cite-as") == [f"http://resources.usgin.org/{MAP}map.pdf"]


def test_the_handler_writes_one_json_line_a_request(
    handle: Handler, capsys: pytest.CaptureFixture[str]
) -> None:
    handle(rest_event(f"/{MAP}\r\nnot/a/line"), None)
    handle(rest_event(f"/{MAP}"), None)

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    assert [line["outcome"] for line in lines] == ["Malformed", "SeeRepresentation"]
    assert lines[1]["status"] == 303
    assert lines[1]["path"] == f"/{MAP}"
    assert lines[1]["request_id"] == "c6af9ac6-7b61-11e6-9a41-93e8deadbeef"
    assert lines[1]["duration"] >= 0
    directive = lines[1]["_aws"]["CloudWatchMetrics"][0]
    named = [metric["Name"] for metric in directive["Metrics"]]
    assert {*named, *chain.from_iterable(directive["Dimensions"])} <= set(lines[1])


def test_the_handlers_signed_links_are_of_the_kind_that_every_bucket_takes(handle: Handler) -> None:
    answered = Answer(handle(rest_event(f"/{MAP}map.tif"), None))

    assert answered.status == 307
    assert "X-Amz-Algorithm=AWS4-HMAC-SHA256" in answered.headers["Location"]


def test_the_handler_asks_once_for_a_hit_and_not_again(handle: Handler, tables_at: str | None) -> None:
    handle(rest_event(f"/{MAP}"), None)
    dynamodb_client(tables_at).delete_table(TableName=os.environ["REGISTRY_TABLE"])

    remembered = Answer(handle(rest_event(f"/{MAP}"), None))
    unknown = Answer(handle(rest_event("/uri-gin/azgs/doc/other"), None))

    assert remembered.status == 303
    assert unknown.status == 503
    assert int(unknown.headers["Retry-After"]) > 0
