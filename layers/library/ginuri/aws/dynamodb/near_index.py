"""Other writings of a name, from a slim index of the registry in DynamoDB."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.registry.ports import MOST_NEAR


class DynamoNearReader(DynamoReader):
    """Reads records, and asks the index `near`; for functions that answer requests."""

    def near(self, folded: str) -> Sequence[str]:
        """Give identifiers that fold to this, from the slim index. Raises RegistryUnavailable."""
        with unavailable():
            answer = self._client.query(
                TableName=self._table,
                IndexName="near",
                KeyConditionExpression="folded = :folded",
                ExpressionAttributeValues={":folded": {"S": folded}},
                Limit=MOST_NEAR,
            )
        return [item["identifier"]["S"] for item in answer["Items"]]
