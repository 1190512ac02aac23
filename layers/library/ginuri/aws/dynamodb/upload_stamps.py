"""The uploads that a record in DynamoDB comes from; only descriptions need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.table import NOW, DynamoTable
from ginuri.registry.record.serialization import read_changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ginuri.registry.record.stamps import Stamp


class DynamoStampReader(DynamoTable):
    """Reads the stamps of a record with eventual consistency, in one call."""

    def stamps(self, name: str) -> Sequence[Stamp]:
        """Return the stamps of the statements in force, in order. Raises RegistryUnavailable."""
        with unavailable():
            answer = self._client.get_item(
                TableName=self._table,
                Key={"identifier": {"S": name}, "version": {"S": NOW}},
                ProjectionExpression="stamps",
            )
        return read_changes(answer["Item"]["stamps"]["S"]) if "Item" in answer else ()
