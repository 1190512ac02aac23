"""Every item of the registry in DynamoDB as it is stored, for operators who move it; no function may."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.record_writer import as_attribute_values
from ginuri.aws.dynamodb.table import DynamoTable
from ginuri.aws.parallel import THREADS, in_batches, map_in_order

if TYPE_CHECKING:
    from ginuri.registry.transfer import Item

_AT_ONCE = 25
"""The most items of one call."""


class DynamoItems(DynamoTable):
    """Reads and writes items without a condition; the client must repeat what stays unprocessed.

    Raises RegistryUnavailable.
    """

    def read(self) -> Iterator[Item]:
        """Read every item in no order, strongly consistent, in several scans at a time."""
        with ThreadPoolExecutor(THREADS) as pool:
            pending = deque(pool.submit(self._page, segment, {}) for segment in range(THREADS))
            while pending:
                segment, page = pending.popleft().result()
                if "LastEvaluatedKey" in page:
                    start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
                    pending.append(pool.submit(self._page, segment, start))
                for item in page["Items"]:
                    yield {name: next(iter(value.values())) for name, value in item.items()}

    def is_empty(self) -> bool:
        """Return whether the table has no item."""
        with unavailable():
            return not self._client.scan(TableName=self._table, Limit=1, ConsistentRead=True)["Items"]

    def write(self, items: Iterable[Item]) -> None:
        """Write items, several calls at a time."""
        for _ in map_in_order(self._write_batch, in_batches(items, _AT_ONCE)):
            pass

    def _page(self, segment: int, start: dict[str, Any]) -> tuple[int, Any]:
        of_segment: Any = {"Segment": segment, "TotalSegments": THREADS, **start}
        with unavailable():
            return segment, self._client.scan(TableName=self._table, ConsistentRead=True, **of_segment)

    def _write_batch(self, items: Iterable[Item]) -> None:
        puts: list[Any] = [{"PutRequest": {"Item": as_attribute_values(item)}} for item in items]
        with unavailable():
            self._client.batch_write_item(RequestItems={self._table: puts})
