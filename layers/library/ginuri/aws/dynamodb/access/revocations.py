"""Asks whether an access token was revoked; ingest makes no other call to the table of tokens."""

from __future__ import annotations

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.table import DynamoTable


class DynamoRevocations(DynamoTable):
    """Reads one item, with strong consistency: a token that was revoked a moment ago is."""

    def is_revoked(self, token_id: str) -> bool:
        """Return whether a token was revoked, or does not exist any more. Raises RegistryUnavailable."""
        with unavailable():
            item = self._client.get_item(
                TableName=self._table, Key={"id": {"S": token_id}}, ConsistentRead=True
            ).get("Item")
        return item is None or "revoked" in item
