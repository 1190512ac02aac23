"""The past of the registry in DynamoDB, for whoever may read the whole table; no function does."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ginuri.adapters.aws import unavailable
from ginuri.adapters.dynamodb import NOW
from ginuri.adapters.wire import read_entries, read_record
from ginuri.core.history import History, gather

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mypy_boto3_dynamodb import DynamoDBClient

    from ginuri.core.record import Entry, Path


class DynamoArchive:
    """Reads what stood, strongly consistent."""

    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = table

    def history(self, name: str) -> History:
        """Read all that is kept of an identifier, in a call for each megabyte. Raises RegistryUnavailable."""
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            KeyConditionExpression="identifier = :identifier",
            ExpressionAttributeValues={":identifier": {"S": name}},
            ConsistentRead=True,
        )
        with unavailable():
            return gather(name, [_entries(name, item) for page in pages for item in page["Items"]])

    def standing(self, prefix: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read what stands of every identifier under a prefix: a scan of the whole table.

        Raises RegistryUnavailable.
        """
        under = " AND begins_with(identifier, :prefix)" if prefix else ""  # it may not be empty
        values = {":now": {"S": NOW}} | ({":prefix": {"S": prefix}} if prefix else {})
        pages = self._client.get_paginator("scan").paginate(
            TableName=self._table,
            ProjectionExpression="identifier, body",
            FilterExpression=f"version = :now{under}",
            ExpressionAttributeValues=values,
            ConsistentRead=True,
        )
        with unavailable():
            for page in pages:
                for item in page["Items"]:
                    yield item["identifier"]["S"], json.loads(item["body"]["S"])

    def histories(self, prefix: str) -> Iterator[History]:
        """Read all that is kept of every identifier under a prefix, likewise. Raises RegistryUnavailable."""
        under: dict[str, Any] = {
            "FilterExpression": "begins_with(identifier, :prefix)",
            "ExpressionAttributeValues": {":prefix": {"S": prefix}},
        }
        pages = self._client.get_paginator("scan").paginate(
            TableName=self._table, ConsistentRead=True, **(under if prefix else {})
        )
        items = (item for page in pages for item in page["Items"])
        with unavailable():
            # What stands under one partition key comes together.
            for name, kept in groupby(items, key=lambda item: item["identifier"]["S"]):
                yield gather(name, [_entries(name, item) for item in kept])


def _entries(name: str, item: Any) -> Mapping[Path, Entry]:  # noqa: ANN401  the client's own shapes
    stamps = item["stamps"]["S"]
    if "body" not in item:  # what was displaced tells its values itself
        return read_entries(stamps, {})
    return read_record(name, item["body"]["S"], stamps, int(item["revision"]["N"])).entries
