"""All of the registry in DynamoDB, for whoever may read the whole table; no function does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ginuri.adapters.aws import unavailable
from ginuri.adapters.dynamodb import NOW
from ginuri.adapters.past import DynamoPast

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class DynamoArchive(DynamoPast):
    """Reads what stood, and all that stands, strongly consistent."""

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
