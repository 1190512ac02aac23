"""The past of identifiers in DynamoDB, for whoever may query the table; nobody who answers requests does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import unavailable
from ginuri.registry.record.history import History, gather
from ginuri.registry.record.serialization import read_entries, read_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb import DynamoDBClient

    from ginuri.registry.record.record import Entry, Path


class DynamoPast:
    """Reads what stood, strongly consistent."""

    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = table

    def history(self, name: str) -> History:
        """Read all that is kept of an identifier, in a call for each megabyte. Raises RegistryUnavailable."""
        found: list[Mapping[Path, Entry]] = []
        start: Any = {}
        with unavailable():
            while True:
                answer = self._client.query(
                    TableName=self._table,
                    KeyConditionExpression="identifier = :identifier",
                    ExpressionAttributeValues={":identifier": {"S": name}},
                    ConsistentRead=True,
                    **start,
                )
                found += [entries_of(name, item) for item in answer["Items"]]
                if "LastEvaluatedKey" not in answer:
                    return gather(name, found)
                start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}


def entries_of(name: str, item: Any) -> Mapping[Path, Entry]:  # noqa: ANN401  the client's own shapes
    """Read the statements of an item: those in force, or those that were displaced."""
    stamps = item["stamps"]["S"]
    if "body" not in item:  # what was displaced tells its values itself
        return read_entries(stamps, {})
    return read_record(name, item["body"]["S"], stamps, int(item["revision"]["N"])).entries
