"""The complete registry in DynamoDB, for operators with permission to scan the table; no function has it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from ginuri.aws.dynamodb.beginnings import DynamoBeginnings
from ginuri.aws.dynamodb.history_reader import DynamoHistoryReader, read_displaced
from ginuri.aws.dynamodb.table import ScannedTable
from ginuri.registry.reading import read_values
from ginuri.registry.record.history import History, gather_history
from ginuri.registry.record.rule_records import histories_under, record_names_under, standing_under

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


class DynamoArchive(DynamoHistoryReader, DynamoBeginnings, ScannedTable):
    """Reads histories and all current records with strong consistency."""

    def standing(self, prefix: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read the current values of every identifier under a prefix: a scan of the whole table."""
        # Only records have a body: neither their history nor the proofs of uploads.
        items = self._scan_with("body", prefix, ProjectionExpression="identifier, body")
        stored = ((item["identifier"]["S"], read_values(item["body"]["S"])) for item in items)
        return standing_under(prefix, stored)

    def histories(self, prefix: str) -> Iterator[History]:
        """Read the history of every identifier under a prefix: a scan of the whole table."""
        # Every item of an identifier has stamps; the proofs of uploads have none.
        items = self._scan_with("stamps", prefix)
        # A scan returns the items of one partition key together.
        stored = (
            gather_history(name, [read_displaced(name, item) for item in kept])
            for name, kept in groupby(items, key=lambda item: item["identifier"]["S"])
        )
        return histories_under(prefix, stored)

    def _scan_with(self, attribute: str, prefix: str, **how: Any) -> Iterator[Any]:
        only = f"attribute_exists({attribute})"
        if prefix:  # DynamoDB refuses an empty prefix
            own, of_rules = record_names_under(prefix)
            only += " AND (begins_with(identifier, :own) OR begins_with(identifier, :of_rules))"
            how["ExpressionAttributeValues"] = {":own": {"S": own}, ":of_rules": {"S": of_rules}}
        return self._scan(FilterExpression=only, ConsistentRead=True, **how)
