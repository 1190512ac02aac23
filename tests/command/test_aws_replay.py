"""`ginuri replay` on a stack in AWS: ingest is paused, the edge is emptied, a drill has metrics."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import boto3
import pytest
from moto import mock_aws

from ginuri.cli.aws_stack import AwsStack
from ginuri.cli.replays.aws_replay import DRILLED, RECOVERED, AwsReplay
from ginuri.identifiers.errors import RegistryUnavailable
from tests.whole_registries import new_stack

_ROLE = '{"Version": "2012-10-17", "Statement": []}'


def _mapping(session: boto3.Session, queue: str) -> str:
    """Create a function with a mapping from the queue, and return the id of the mapping."""
    role = session.client("iam").create_role(RoleName="ingest", AssumeRolePolicyDocument=_ROLE)["Role"]["Arn"]
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("handler.py", "")
    functions = session.client("lambda")
    functions.create_function(
        FunctionName="ingest",
        Role=role,
        Runtime="python3.13",
        Handler="handler.handle",
        Code={"ZipFile": code.getvalue()},
    )
    arn = session.client("sqs").get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])
    return functions.create_event_source_mapping(
        EventSourceArn=arn["Attributes"]["QueueArn"], FunctionName="ingest"
    )["UUID"]


def _distribution(session: boto3.Session) -> str:
    ports = {"HTTPPort": 80, "HTTPSPort": 443, "OriginProtocolPolicy": "https-only"}
    origin = {"Id": "api", "DomainName": "api.example", "CustomOriginConfig": ports}
    behaviour: Any = {"TargetOriginId": "api", "ViewerProtocolPolicy": "allow-all", "MinTTL": 0}
    behaviour["ForwardedValues"] = {"QueryString": True, "Cookies": {"Forward": "none"}}
    config: Any = {
        "CallerReference": "one",
        "Comment": "",
        "Enabled": True,
        "Origins": {"Quantity": 1, "Items": [origin]},
        "DefaultCacheBehavior": behaviour,
    }
    created = session.client("cloudfront").create_distribution(DistributionConfig=config)
    identity: str = created["Distribution"]["Id"]
    return identity


@pytest.fixture
def stack() -> Iterator[AwsStack]:
    """A deployed stack, as far as a replay needs it."""
    with mock_aws(config={"lambda": {"use_docker": False}}):
        session = boto3.Session("testing", "testing", region_name="us-east-1")
        parts = new_stack("ginuri").parts
        outputs = {
            "StackName": "ginuri",
            "RegistryTable": parts.table,
            "UploadsBucket": parts.uploads,
            "ArchiveBucket": parts.archive,
            "ContentBucket": parts.content,
            "ReportsBucket": parts.reports,
            "IngestQueue": parts.queue,
            "IngestSource": _mapping(session, parts.queue),
            "EdgeDistribution": _distribution(session),
        }
        yield AwsStack("the stack ginuri", outputs, is_local=False, session=session)


def _replay(stack: AwsStack) -> AwsReplay:
    return AwsReplay(stack, lambda _seconds: None)


def _state(stack: AwsStack) -> str:
    source = stack.client("lambda").get_event_source_mapping(UUID=stack.output("IngestSource"))
    state: str = source["State"]
    return state


def _invalidations(stack: AwsStack) -> list[str]:
    edge, distribution = stack.client("cloudfront"), stack.output("EdgeDistribution")
    listed = edge.list_invalidations(DistributionId=distribution)["InvalidationList"].get("Items", [])
    return [
        path
        for each in listed
        for path in edge.get_invalidation(DistributionId=distribution, Id=each["Id"])["Invalidation"][
            "InvalidationBatch"
        ]["Paths"]["Items"]
    ]


def test_ingest_is_paused_and_then_the_edge_is_emptied(stack: AwsStack) -> None:
    before = _state(stack)
    with _replay(stack).pause():
        during = _state(stack), _invalidations(stack)

    assert (before, during) == ("Enabled", ("Disabled", []))
    assert (_state(stack), _invalidations(stack)) == ("Enabled", ["/*"])


def test_after_an_error_ingest_stays_paused_until_a_replay_is_complete(stack: AwsStack) -> None:
    replay = _replay(stack)
    with suppress(RegistryUnavailable), replay.pause():
        raise RegistryUnavailable("the network is down")
    interrupted = _state(stack), _invalidations(stack)
    with replay.pause():
        pass

    assert interrupted == ("Disabled", [])
    assert _state(stack) == "Enabled"


def test_a_drill_is_noted_in_the_metrics_of_the_dashboard(stack: AwsStack) -> None:
    AwsReplay(stack).note_drill(6_526, 6_525)

    listed = stack.client("cloudwatch").list_metrics(Namespace="ginuri")["Metrics"]
    assert {metric["MetricName"] for metric in listed} == {DRILLED, RECOVERED}
    assert [metric["Dimensions"] for metric in listed] == [[{"Name": "stack", "Value": "ginuri"}]] * 2


def test_a_scratch_table_has_the_indexes_and_is_deleted(stack: AwsStack) -> None:
    client, name = stack.client("dynamodb"), f"{stack.output('RegistryTable')}-drill"
    replay = AwsReplay(stack)
    with replay.scratch():
        table = client.describe_table(TableName=name)["Table"]
    with replay.scratch() as (_, read_items):  # the name is free again
        assert list(read_items()) == []

    original = client.describe_table(TableName=stack.output("RegistryTable"))["Table"]
    for part in ("KeySchema", "AttributeDefinitions"):
        assert table[part] == original[part]
    assert {index["IndexName"] for index in table["GlobalSecondaryIndexes"]} == {
        index["IndexName"] for index in original["GlobalSecondaryIndexes"]
    }
    assert name not in client.list_tables()["TableNames"]


def test_a_table_that_a_killed_drill_left_is_replaced(stack: AwsStack) -> None:
    replay, client = AwsReplay(stack), stack.client("dynamodb")
    left = replay.scratch()
    left.__enter__()
    client.put_item(
        TableName=f"{stack.output('RegistryTable')}-drill",
        Item={"identifier": {"S": "uri-gin/left/"}, "version": {"S": "now"}},
    )

    with replay.scratch() as (_, read_items):
        assert list(read_items()) == []
