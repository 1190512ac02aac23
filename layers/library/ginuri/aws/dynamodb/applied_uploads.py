"""The uploads applied to the registry in DynamoDB: one item for each, beside the records.

The partition key contains a space, so it is no identifier; the item is in no index and has no `stamps`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.table import DynamoTable
from ginuri.registry.record.applied_uploads import AppliedUpload

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

_LONGEST = 1_024
"""The most bytes of an identifier, which is the sort key of an index."""


class DynamoAppliedUploads(DynamoTable):
    """Reads and writes these items with strong consistency."""

    def applied(self, key: str, version: str) -> AppliedUpload | None:
        """Return the proof that an upload was applied; None without one. Raises RegistryUnavailable."""
        with unavailable():
            item = self._client.get_item(
                TableName=self._table, Key=_item_key(key, version), ConsistentRead=True
            ).get("Item")
        if item is None:
            return None
        counts = json.loads(item["counts"]["S"])
        return AppliedUpload(key, version, item["put"]["S"], item["processed"]["S"], counts)

    def note_applied(self, upload: AppliedUpload) -> None:
        """Store the proof that an upload was applied, in one call. Raises RegistryUnavailable."""
        with unavailable():
            self._client.put_item(
                TableName=self._table,
                Item={
                    **_item_key(upload.key, upload.version),
                    "put": {"S": upload.put},
                    "processed": {"S": upload.processed},
                    "counts": {"S": json.dumps(upload.counts)},
                },
            )


def _item_key(key: str, version: str) -> dict[str, AttributeValueTypeDef]:
    # Too long a key is refused before it is read, but reported: its version is enough to identify it.
    name = f"upload {key}".encode()[:_LONGEST].decode(errors="ignore")
    return {"identifier": {"S": name}, "version": {"S": version}}
