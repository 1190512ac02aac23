"""The complete registry in DynamoDB, for operators who may scan the table; no function may."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from ginuri.aws.dynamodb.history_reader import DynamoHistoryReader, read_displaced
from ginuri.aws.dynamodb.table import NOW, ScannedTable
from ginuri.registry.reading import read_values
from ginuri.registry.record.history import History, gather_history

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class DynamoArchive(DynamoHistoryReader, ScannedTable):
    """Reads histories and all current records, strongly consistent."""

    def standing(self, prefix: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read the current values of every identifier under a prefix: a scan of the whole table.

        Raises RegistryUnavailable.
        """
        under = " AND begins_with(identifier, :prefix)" if prefix else ""  # it may not be empty
        values = {":now": {"S": NOW}} | ({":prefix": {"S": prefix}} if prefix else {})
        items = self._scan(
            ProjectionExpression="identifier, body",
            FilterExpression=f"version = :now{under}",
            ExpressionAttributeValues=values,
            ConsistentRead=True,
        )
        for item in items:
            yield item["identifier"]["S"], read_values(item["body"]["S"])

    def histories(self, prefix: str) -> Iterator[History]:
        """Read the history of every identifier under a prefix, by a scan. Raises RegistryUnavailable."""
        # Every item of an identifier has stamps; the proofs of uploads have none.
        only: dict[str, Any] = {"FilterExpression": "attribute_exists(stamps)"}
        if prefix:
            only["FilterExpression"] += " AND begins_with(identifier, :prefix)"
            only["ExpressionAttributeValues"] = {":prefix": {"S": prefix}}
        items = self._scan(ConsistentRead=True, **only)
        # The items of one partition key are adjacent.
        for name, kept in groupby(items, key=lambda item: item["identifier"]["S"]):
            yield gather_history(name, [read_displaced(name, item) for item in kept])
