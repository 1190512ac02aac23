"""The history of identifiers in DynamoDB; functions that serve requests have no permission to query it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginuri.aws.dynamodb.table import QueriedTable
from ginuri.registry.record.history import History, gather_history
from ginuri.registry.record.serialization import read_field_entries, read_record

if TYPE_CHECKING:
    from ginuri.registry.record.record import Entries


class DynamoHistoryReader(QueriedTable):
    """Reads histories with strong consistency."""

    def history(self, name: str) -> History:
        """Read the history of an identifier, in a call for each megabyte. Raises RegistryUnavailable."""
        answers = self._query_on(
            KeyConditionExpression="identifier = :identifier",
            ExpressionAttributeValues={":identifier": {"S": name}},
            ConsistentRead=True,
        )
        return gather_history(
            name, [read_displaced(name, item) for answer in answers for item in answer["Items"]]
        )


def read_displaced(name: str, item: Any) -> Entries:
    """Read the current or displaced statements of an item."""
    stamps = item["stamps"]["S"]
    if "body" not in item:  # a displaced entry contains its values
        return read_field_entries(stamps, {})
    return read_record(name, item["body"]["S"], stamps, int(item["revision"]["N"])).entries
