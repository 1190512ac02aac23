"""Every record in DynamoDB, for the job that publishes all of them: a scan, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.reader import NOW

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoWhole:
    """Reads what stands, eventually consistent: that costs half, and the next run tells the rest."""

    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = table

    def stored(self) -> Iterator[tuple[str, str, str]]:
        """Read every record: identifier, when it changed, and what stands as JSON.

        Raises RegistryUnavailable.
        """
        pages = self._client.get_paginator("scan").paginate(
            TableName=self._table,
            ProjectionExpression="identifier, modified, body",
            FilterExpression="version = :now",
            ExpressionAttributeValues={":now": {"S": NOW}},
        )
        with unavailable():
            for page in pages:
                for item in page["Items"]:
                    yield item["identifier"]["S"], item["modified"]["S"], item["body"]["S"]
