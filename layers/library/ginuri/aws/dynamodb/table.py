"""One table in DynamoDB, and queries that may take more than one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import unavailable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mypy_boto3_dynamodb import DynamoDBClient

NOW = "now"
"""The sort key of a record; a history entry has a stamp as sort key."""


class DynamoTable:
    """A table, and its client."""

    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = table


class QueriedTable(DynamoTable):
    """Queries the items of one key. Raises RegistryUnavailable."""

    def _query(self, **parameters: Any) -> Any:
        with unavailable():
            return self._client.query(TableName=self._table, **parameters)

    def _query_on(self, **parameters: Any) -> Iterator[Any]:
        """Query with one call for each megabyte, while the caller iterates."""
        answer = self._query(**parameters)
        yield answer
        while "LastEvaluatedKey" in answer:
            answer = self._query(**parameters, ExclusiveStartKey=answer["LastEvaluatedKey"])
            yield answer


class ScannedTable(DynamoTable):
    """Reads the whole table. Raises RegistryUnavailable."""

    def _scan(self, **parameters: Any) -> Iterator[Any]:
        start: dict[str, Any] = {}
        while True:
            with unavailable():
                page: Any = self._client.scan(TableName=self._table, **parameters, **start)
            yield from page["Items"]
            if "LastEvaluatedKey" not in page:
                return
            start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
