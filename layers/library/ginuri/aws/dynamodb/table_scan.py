"""Scans every record in DynamoDB page by page, for the job that publishes them."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.aws.dynamodb.table import ScannedTable


class DynamoTableScan(ScannedTable):
    """Uses eventually consistent reads at half the price; the next run includes later changes."""

    def stored(self) -> Iterator[tuple[str, str, str]]:
        """Read every record: identifier, moment of the last change, and current values as JSON."""
        for item in self._scan(
            ProjectionExpression="identifier, modified, body", FilterExpression="attribute_exists(body)"
        ):
            yield item["identifier"]["S"], item["modified"]["S"], item["body"]["S"]
