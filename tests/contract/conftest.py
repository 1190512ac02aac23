"""The registries held to one suite: memory, moto, and DynamoDB Local, which refuses what AWS refuses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import pytest
from moto import mock_aws

from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.dynamodb.table import NOW
from ginuri.aws.dynamodb.upload_stamps import DynamoStampReader
from ginuri.memory import MemoryRegistry
from ginuri.registry.ports import (
    HistoryReader,
    MemberLister,
    NearNameReader,
    Registry,
    StampReader,
)
from ginuri.registry.record.serialization import read_field_entries
from tests.aws import dynamodb_client, new_table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class Archive(HistoryReader, Protocol):
    """What the command needs of a registry."""

    def standing(self, prefix: str) -> Iterator[tuple[str, Mapping[str, Any]]]: ...


@dataclass(frozen=True)
class Stand:
    """A registry, and what can be seen of it from outside."""

    registry: Registry
    reader: NearNameReader
    """What answers requests of the same registry."""
    calls: Callable[[], int]
    """How many calls it has made so far."""
    history: Callable[[str], dict[str, list[Any]]]
    """The values that stand in the history of an identifier, by stamp."""
    archive: Archive
    """What reads the past, and the whole, of the same registry."""
    lister: MemberLister
    """What lists the same registry."""
    stamps: StampReader
    """What tells where its records come from."""


def _values(stamps: str) -> list[Any]:
    return [entry.value for entry in read_field_entries(stamps, {}).values()]


def _in_memory() -> Stand:
    registry = MemoryRegistry()

    def history(identifier: str) -> dict[str, list[Any]]:
        kept = registry._history.get(identifier, {})  # noqa: SLF001  as it is kept, no port shows it
        return {stamp: _values(stamps) for stamp, stamps in kept.items()}

    return Stand(registry, registry, lambda: registry.calls, history, registry, registry, registry)


def _in_dynamodb(client: DynamoDBClient) -> Stand:
    table = new_table(client)
    made: list[str] = []
    client.meta.events.register("before-call.dynamodb", lambda model, **_: made.append(model.name))

    def history(identifier: str) -> dict[str, list[Any]]:
        items = client.query(
            TableName=table,
            KeyConditionExpression="identifier = :identifier",
            ExpressionAttributeValues={":identifier": {"S": identifier}},
        )["Items"]
        past = [item for item in items if item["version"]["S"] != NOW]
        return {item["version"]["S"]: _values(item["stamps"]["S"]) for item in past}

    return Stand(
        DynamoRegistry(client, table),
        DynamoReader(client, table),
        lambda: len(made),
        history,
        DynamoArchive(client, table),
        DynamoMemberLister(client, table),
        DynamoStampReader(client, table),
    )


@pytest.fixture(params=["memory", "moto", "dynamodb-local"])
def stand(request: pytest.FixtureRequest) -> Iterator[Stand]:
    """Give one registry after the other."""
    if request.param == "memory":
        yield _in_memory()
    elif request.param == "moto":
        with mock_aws():
            yield _in_dynamodb(dynamodb_client())
    else:
        endpoint: str = request.getfixturevalue("dynamodb_local")
        client = dynamodb_client(endpoint)
        yield _in_dynamodb(client)
        client.close()
