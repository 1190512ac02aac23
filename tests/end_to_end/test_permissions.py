"""A function may do only what the template allows its role."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from botocore.exceptions import ClientError

from infra.local.aws.calls import Need
from infra.local.aws.permissions import UnknownPolicyElement, allowed, read_policy
from infra.local.stack import Stack

KEY: Any = {"identifier": {"S": "uri-gin/x"}, "version": {"S": "now"}}


def called(toys: Stack, service: str, operation: str, **arguments: Any) -> str:
    """Call AWS from the toy for resolve, with its role; return the result."""
    body = {"service": service, "operation": operation, "arguments": arguments}
    return httpx.post(f"{toys.service}/toy/call", json=body).text


def test_the_resolve_function_may_read_the_registry(toys: Stack) -> None:
    table = toys.registry_table

    assert called(toys, "dynamodb", "get_item", TableName=table, Key=KEY) == "allowed"
    assert called(toys, "dynamodb", "batch_get_item", RequestItems={table: {"Keys": [KEY]}}) == "allowed"


def test_the_resolve_function_may_not_write_the_registry(toys: Stack) -> None:
    table = toys.registry_table
    put = {"Put": {"TableName": table, "Item": KEY}}

    refused = "AccessDeniedException"
    assert called(toys, "dynamodb", "put_item", TableName=table, Item=KEY) == refused
    assert called(toys, "dynamodb", "delete_item", TableName=table, Key=KEY) == refused
    assert called(toys, "dynamodb", "transact_write_items", TransactItems=[put]) == refused
    assert called(toys, "dynamodb", "scan", TableName=table) == refused
    assert "Item" not in toys.client("dynamodb").get_item(TableName=table, Key=KEY)


def test_the_resolve_function_may_read_only_its_own_table(toys: Stack) -> None:
    assert called(toys, "dynamodb", "get_item", TableName="another", Key=KEY) == "AccessDeniedException"


def test_the_resolve_function_may_read_only_content_in_s3(toys: Stack) -> None:
    for bucket in (toys.content_bucket, toys.uploads_bucket):
        toys.client("s3").put_object(Bucket=bucket, Key="maps/a b+c.pdf", Body=b"%PDF")
    content: dict[str, Any] = {"Bucket": toys.content_bucket, "Key": "maps/a b+c.pdf"}
    version = toys.client("s3").head_object(**content)["VersionId"]

    assert called(toys, "s3", "get_object", **content, VersionId=version) == "allowed"
    assert called(toys, "s3", "get_object", **content) == "AccessDenied"  # pinned versions only
    assert called(toys, "s3", "put_object", **content, Body="") == "AccessDenied"
    assert called(toys, "s3", "delete_object", **content) == "AccessDenied"
    # A missing object is distinguished from a forbidden one.
    assert called(toys, "s3", "list_objects_v2", Bucket=toys.content_bucket) == "allowed"
    assert called(toys, "s3", "list_objects_v2", Bucket=toys.uploads_bucket) == "AccessDenied"
    assert called(toys, "s3", "list_buckets") == "AccessDenied"
    elsewhere = toys.client("s3").head_object(Bucket=toys.uploads_bucket, Key=content["Key"])["VersionId"]
    upload = content | {"Bucket": toys.uploads_bucket, "VersionId": elsewhere}
    assert called(toys, "s3", "get_object", **upload) == "AccessDenied"


def test_without_list_permission_an_absent_file_is_forbidden(
    toys: Stack, start_toys: Callable[..., Any]
) -> None:
    absent = {"Key": "absent", "VersionId": "null"}

    assert called(toys, "s3", "get_object", Bucket=toys.content_bucket, **absent) == "NoSuchVersion"
    with start_toys(("Action: s3:ListBucket\n", "Action: s3:ListBucketVersions\n")) as blind:
        assert called(blind, "s3", "get_object", Bucket=blind.content_bucket, **absent) == "AccessDenied"


def test_the_ingest_function_writes_only_where_the_template_allows(toys: Stack) -> None:
    ingest = toys.roles["IngestFunction"]
    other = KEY | {"version": {"S": "another"}}
    ingest.client("dynamodb").put_item(TableName=toys.registry_table, Item=other)
    ingest.client("s3").put_object(Bucket=toys.reports_bucket, Key="report.json", Body=b"{}")

    with pytest.raises(ClientError, match="AccessDenied"):
        ingest.client("s3").put_object(Bucket=toys.uploads_bucket, Key="x", Body=b"")
    queues = ingest.client("sqs")
    queues.send_message(QueueUrl=toys.ingest_queue, MessageBody='{"Event": "s3:TestEvent"}')
    with pytest.raises(ClientError, match="AccessDenied"):
        queues.purge_queue(QueueUrl=toys.ingest_queue)


def test_the_describe_function_queries_the_beginnings_of_rules_only(toys: Stack) -> None:
    describe = toys.roles["DescribeFunction"].client("dynamodb")
    query: Any = {"TableName": toys.registry_table, "KeyConditionExpression": "identifier = :name"}

    describe.query(**query, ExpressionAttributeValues={":name": {"S": "beginnings uri-gin/x/"}})
    with pytest.raises(ClientError, match="AccessDenied"):
        describe.query(**query, ExpressionAttributeValues={":name": {"S": "uri-gin/x/"}})


def test_copying_needs_permission_to_read_and_to_write(toys: Stack) -> None:
    ingest = toys.roles["IngestFunction"].client("s3")
    toys.client("s3").put_object(Bucket=toys.uploads_bucket, Key="from/é.pdf", Body=b"%PDF")

    upload: Any = {"Bucket": toys.uploads_bucket, "Key": "from/é.pdf"}
    ingest.copy_object(Bucket=toys.content_bucket, Key="to.pdf", CopySource=upload)
    with pytest.raises(ClientError, match="AccessDenied"):
        toys.roles["ResolveFunction"].client("s3").copy_object(
            Bucket=toys.content_bucket, Key="to.pdf", CopySource=f"{toys.content_bucket}/to.pdf"
        )


PLAIN: Any = {"Effect": "Allow", "Action": "s3:*", "Resource": "*"}


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ({"Effect": "Allow", "Action": "s3:*", "NotResource": "*"}, "NotResource"),
        (PLAIN | {"Condition": {"Bool": {"aws:SecureTransport": "true"}}}, "SecureTransport"),
        (PLAIN | {"Condition": {"StringLike": {"s3:prefix": "a/*", "aws:userid": "b"}}}, "userid"),
        (PLAIN | {"Condition": {"StringLike": {"s3:prefix": "a/*"}, "Bool": {}}}, "Bool"),
        (PLAIN | {"Condition": {"ForAllValues:StringLike": {"dynamodb:Attributes": "a"}}}, "Attributes"),
    ],
)
def test_a_policy_that_the_check_cannot_evaluate_is_refused(statement: Any, named: str) -> None:
    with pytest.raises(UnknownPolicyElement, match=named):
        read_policy({"Statement": statement})


@pytest.mark.parametrize(
    ("prefix", "is_allowed"), [("a/", True), ("a/b", True), ("ab", False), ("", False), (None, False)]
)
def test_permission_to_list_one_folder_covers_only_that_folder(prefix: str | None, is_allowed: bool) -> None:  # noqa: FBT001
    statements = read_policy({"Statement": PLAIN | {"Condition": {"StringLike": {"s3:prefix": ["a/*"]}}}})

    assert allowed(statements, Need("s3:ListBucketVersions", "arn:aws:s3:::b", prefix)) is is_allowed
