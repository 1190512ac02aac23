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

    def standing(self, prefix: str, *, with_grants: bool = False) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Read the current values of every identifier under a prefix: a scan of the whole table."""
        # Only records have a body: neither their history nor the proofs of uploads.
        items = self._scan_with("body", prefix, ProjectionExpression="identifier, body")
        stored = ((item["identifier"]["S"], read_values(item["body"]["S"])) for item in items)
        return standing_under(prefix, stored, with_grants=with_grants)

    def histories(self, prefix: str, *, with_grants: bool = False) -> Iterator[History]:
        """Read the history of every identifier under a prefix: a scan of the whole table."""
        # Every item of an identifier has stamps; the proofs of uploads have none.
        items = self._scan_with("stamps", prefix)
        # A scan returns the items of one partition key together.
        stored = (
            gather_history(name, [read_displaced(name, item) for item in kept])
            for name, kept in groupby(items, key=lambda item: item["identifier"]["S"])
        )
        return histories_under(prefix, stored, with_grants=with_grants)

    def _scan_with(self, attribute: str, prefix: str, **how: Any) -> Iterator[Any]:
        only = f"attribute_exists({attribute})"
        if prefix:  # DynamoDB refuses an empty prefix
            starts = {
                f":start{number}": {"S": name} for number, name in enumerate(record_names_under(prefix))
            }
            only += f" AND ({' OR '.join(f'begins_with(identifier, {start})' for start in starts)})"
            how["ExpressionAttributeValues"] = starts
        return self._scan(FilterExpression=only, ConsistentRead=True, **how)
