"""A deployment publishes the registry of a new stack, once."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import boto3
import pytest
from botocore.response import StreamingBody
from botocore.stub import Stubber
from moto import mock_aws

from infra.deployment.publication import PublicationFailed, is_published, publish

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client

INVOKED = {"FunctionName": "ginuri-PublishFunction-X", "Qualifier": "live"}


@pytest.fixture
def s3() -> Iterator[S3Client]:
    with mock_aws():
        client = boto3.client("s3", region_name="us-east-1")
        client.create_bucket(Bucket="published")
        yield client


@pytest.fixture
def functions() -> LambdaClient:
    return boto3.Session("testing", "testing", region_name="us-east-1").client("lambda")


def answered(text: str) -> StreamingBody:
    return StreamingBody(io.BytesIO(text.encode()), len(text))


def test_a_stack_without_a_current_publication_has_published_nothing(s3: S3Client) -> None:
    s3.put_object(Bucket="published", Key="20260101T000000Z-0/registry.jsonl.gz", Body=b"a run that failed")

    assert not is_published(s3, "published")

    s3.put_object(Bucket="published", Key="current.json", Body=b"{}")

    assert is_published(s3, "published")


def test_the_publish_function_is_invoked_at_its_alias(functions: LambdaClient) -> None:
    with Stubber(functions) as stubber:
        stubber.add_response("invoke", {"StatusCode": 200, "Payload": answered('{"records": 0}')}, INVOKED)

        assert json.loads(publish(functions, "ginuri-PublishFunction-X")) == {"records": 0}


@pytest.mark.parametrize(
    ("text", "message"),
    [('{"errorMessage": "the table is away", "errorType": "E"}', "the table is away"), ("killed", "killed")],
)
def test_a_failed_run_raises_with_the_message_of_the_function(
    functions: LambdaClient, text: str, message: str
) -> None:
    failed = {"StatusCode": 200, "FunctionError": "Unhandled", "Payload": answered(text)}
    stubber = Stubber(functions)
    stubber.add_response("invoke", failed, INVOKED)

    with stubber, pytest.raises(PublicationFailed, match=message):
        publish(functions, "ginuri-PublishFunction-X")


def test_the_command_fails_with_a_message_if_aws_is_away(root: Path, tmp_path: Path) -> None:
    environment = {
        "PATH": os.defpath,
        "HOME": str(tmp_path),
        "AWS_ENDPOINT_URL": "http://127.0.0.1:1",
        "AWS_MAX_ATTEMPTS": "1",
        "AWS_ACCESS_KEY_ID": "nobody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
    }
    command = [sys.executable, "-m", "infra.deployment.publication", "dev"]

    done = subprocess.run(  # noqa: S603  our own command
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert "The stack is deployed, but the publish function did not publish" in done.stderr
    assert "/aws/lambda/ginuri-dev-publish" in done.stderr
