"""The clients of botocore that answer requests keep to the budget of the request."""

from __future__ import annotations

import io
import socket
import time
from collections.abc import Iterator

import pytest
from botocore.response import StreamingBody
from moto import mock_aws

from ginuri.aws.botocore_clients import _BoundedBody, make_botocore_dynamodb, make_botocore_s3
from ginuri.aws.clients import make_dynamodb_client
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.published_files import S3PublishedReader
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.budget import RESERVE, Budget
from infra.bench.workers.context import Context


@pytest.fixture
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set a region, and credentials."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch, credentials: None) -> Iterator[None]:
    """S3 and DynamoDB accept connections, and never answer."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{listening.getsockname()[1]}")
        yield credentials


@pytest.mark.usefixtures("silent")
def test_reading_a_file_in_s3_stays_within_the_budget() -> None:
    budget = Budget(time.monotonic)
    client = make_botocore_s3(budget)
    reader = S3PublishedReader(lambda: client, "published")
    budget.begin(Context(round(1000 * (3.5 + RESERVE))))
    started = time.monotonic()

    with pytest.raises(RegistryUnavailable):
        reader.read("current.json")
    with pytest.raises(RegistryUnavailable, match="the time of the request ran out"):
        reader.read("current.json")

    assert time.monotonic() - started < 3.5
    client.close()


@pytest.mark.usefixtures("silent")
def test_botocore_begins_no_call_that_may_exceed_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GINURI_DYNAMODB_CLIENT", "botocore")
    budget = Budget(time.monotonic)
    client = make_dynamodb_client(budget=budget)
    budget.begin(Context(round(1000 * (2.0 + RESERVE))))

    with pytest.raises(RegistryUnavailable, match="the time of the request ran out"):
        DynamoReader(client, "registry").fetch(["uri-gin/"])

    client.close()


def test_a_slow_file_is_not_read_to_its_end() -> None:
    slow = StreamingBody(io.BytesIO(b"x" * 1_000_000), 1_000_000)
    now = iter(range(100))
    budget = Budget(lambda: float(next(now)))
    budget.begin(Context())

    with pytest.raises(RegistryUnavailable, match="the time of the request ran out"):
        _BoundedBody(slow, budget).read()

    assert slow.tell() < 1_000_000


@pytest.mark.usefixtures("credentials")
def test_a_file_is_read_whole_within_the_budget() -> None:
    with mock_aws():
        client = make_botocore_s3(Budget(time.monotonic))
        client.create_bucket(Bucket="published")
        client.put_object(Bucket="published", Key="a", Body=b"x" * 200_000)

        assert S3PublishedReader(lambda: client, "published").read("a") == b"x" * 200_000


@pytest.mark.usefixtures("silent")
def test_a_client_without_a_budget_waits_as_before() -> None:
    clients = [make_botocore_s3(), make_botocore_dynamodb(3)]

    assert [getattr(client.meta.config, "read_timeout", None) for client in clients] == [3, 3]
    for client in clients:
        client.close()
