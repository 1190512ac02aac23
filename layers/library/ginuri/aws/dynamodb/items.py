"""Every item of the registry in DynamoDB as it is stored, for operators who move it; no function may."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.record_writer import as_attribute_values
from ginuri.aws.dynamodb.table import ScannedTable
from ginuri.aws.dynamodb_http.retries import pause_before
from ginuri.aws.parallel import in_batches, map_in_order
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import message

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

    from ginuri.registry.transfer import Item

_AT_ONCE = 25
"""The most items of one call."""
_MOST_TRIES = 12
"""The number of consecutive calls of which none writes an item: some seconds of throttling."""


class DynamoItems(ScannedTable):
    """Reads and writes items without a condition. Raises RegistryUnavailable."""

    def __init__(
        self, client: DynamoDBClient, table: str, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        super().__init__(client, table)
        self._sleep = sleep

    def read(self) -> Iterator[Item]:
        """Read every item in no order, strongly consistent."""
        for item in self._scan(ConsistentRead=True):
            yield {name: next(iter(value.values())) for name, value in item.items()}

    def is_empty(self) -> bool:
        """Return whether the table has no item."""
        with unavailable():
            return not self._client.scan(TableName=self._table, Limit=1, ConsistentRead=True)["Items"]

    def write(self, items: Iterable[Item]) -> None:
        """Write items, several calls at a time."""
        for _ in map_in_order(self._write_batch, in_batches(items, _AT_ONCE)):
            pass

    def _write_batch(self, items: Iterable[Item]) -> None:
        left: list[Any] = [{"PutRequest": {"Item": as_attribute_values(item)}} for item in items]
        tries = 0
        while left:
            with unavailable():
                answer = self._client.batch_write_item(RequestItems={self._table: left})
            unprocessed = answer["UnprocessedItems"].get(self._table, [])
            tries = 0 if len(unprocessed) < len(left) else tries + 1
            if tries == _MOST_TRIES:
                raise RegistryUnavailable(message("some items were not written"))
            if left := list(unprocessed):
                self._sleep(pause_before(tries + 1))
