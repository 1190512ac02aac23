"""Reads complete records in DynamoDB with strong consistency."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.beginnings import DynamoBeginnings
from ginuri.aws.dynamodb.history_reader import DynamoHistoryReader
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.registry.record.serialization import read_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ginuri.registry.record.record import Record


class DynamoRecordReader(DynamoReader, DynamoHistoryReader, DynamoBeginnings):
    """Reads whole records and their histories, strongly consistent."""

    _consistent = True

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read up to 100 whole records in one call. Raises RegistryUnavailable."""
        with unavailable():
            items = self._get(names)
        return {
            (name := item["identifier"]["S"]): read_record(
                name, item["body"]["S"], item["stamps"]["S"], int(item["revision"]["N"])
            )
            for item in items
        }
