"""Every record in DynamoDB, for the job that publishes all of them: a scan, page by page."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.aws.dynamodb.table import NOW, ScannedTable


class DynamoTableScan(ScannedTable):
    """Reads the current values, eventually consistent: that costs half, and the next run has the rest."""

    def stored(self) -> Iterator[tuple[str, str, str]]:
        """Read every record: identifier, time of the last change, and current values as JSON.

        Raises RegistryUnavailable.
        """
        items = self._scan(
            ProjectionExpression="identifier, modified, body",
            FilterExpression="version = :now",
            ExpressionAttributeValues={":now": {"S": NOW}},
        )
        for item in items:
            yield item["identifier"]["S"], item["modified"]["S"], item["body"]["S"]
