"""Reads complete records in DynamoDB with strong consistency, and writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.applied_uploads import DynamoAppliedUploads
from ginuri.aws.dynamodb.history_reader import DynamoHistoryReader
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.table import NOW
from ginuri.aws.dynamodb_http.failures import AwsFailure, as_failure
from ginuri.identifiers.errors import RecordTooLarge, RevisionConflict
from ginuri.registry.ports import MOST_ITEM_BYTES
from ginuri.registry.record.items import REVISION, items_of
from ginuri.registry.record.serialization import read_field_entries, read_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ginuri.registry.record.items import Item
    from ginuri.registry.record.record import Change, Entries, Record
    from ginuri.registry.record.stamps import Stamp

_NEW = "attribute_not_exists(identifier)"
_CONFLICTS = {"ConditionalCheckFailed", "TransactionConflict"}
_TOO_LARGE = "Item size has exceeded"
"""The error for which retrying is useless."""


class DynamoRegistry(DynamoReader, DynamoHistoryReader, DynamoAppliedUploads):
    """Reads whole records, strongly consistent, writes them, and stores the proofs of applied uploads."""

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

    def displaced(self, name: str, stamp: Stamp) -> Entries:
        """Read the values that a registration displaced, in one call. Raises RegistryUnavailable."""
        key = {"identifier": {"S": name}, "version": {"S": str(stamp)}}
        with unavailable():
            item = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        return read_field_entries(item["stamps"]["S"], {}) if item else {}

    def write(self, change: Change) -> None:
        """Write a record: one write, or two if an entry was displaced into the history.

        If it was judged by other records, the same transaction checks each of them. Raises RecordTooLarge,
        RevisionConflict and RegistryUnavailable.
        """
        now, past = items_of(change)
        put = self._put(now, change.before.revision)
        with unavailable():
            try:
                if past is None and not change.judged_by:
                    self._client.put_item(**put)
                else:
                    kept = [] if past is None else [self._put(past, 0)]
                    seen = [self._seen(*judgement) for judgement in change.judged_by.items()]
                    self._client.transact_write_items(
                        TransactItems=[*_items("Put", [put, *kept]), *_items("ConditionCheck", seen)]
                    )
            except Exception as error:
                if (failure := as_failure(error)) is None:
                    raise
                reasons = _reasons(failure)
                # If the history has this very stamp, it was applied before, and others came since.
                if change.displaced and reasons[1:2] == ["ConditionalCheckFailed"]:
                    return
                if not _CONFLICTS.isdisjoint(reasons):
                    raise RevisionConflict(change.after.identifier) from error
                if _TOO_LARGE in _messages(failure):
                    raise RecordTooLarge(change.after.identifier, MOST_ITEM_BYTES) from error
                raise

    def check(self, change: Change) -> None:
        """Raise RecordTooLarge if a change is too large to be written."""
        items_of(change)

    def _put(self, item: Item, revision: int) -> Any:
        return {"TableName": self._table, "Item": as_attribute_values(item), **_is_at(revision)}

    def _seen(self, name: str, revision: int) -> Any:
        key = {"identifier": {"S": name}, "version": {"S": NOW}}
        return {"TableName": self._table, "Key": key, **_is_at(revision)}


def as_attribute_values(item: Item) -> Any:
    """Convert an item to DynamoDB's attribute values; one without a version is a record."""
    return {
        name: {"N" if name == REVISION else "S": value} for name, value in {"version": NOW, **item}.items()
    }


def _items(operation: str, requests: Sequence[Any]) -> Any:
    """Write items of a transaction, each under its operation."""
    return [{operation: request} for request in requests]


def _is_at(revision: int) -> Any:
    """Write the condition that a record is at a revision; 0 is for an absent record."""
    if revision == 0:
        return {"ConditionExpression": _NEW}
    return {
        "ConditionExpression": "revision = :revision",
        "ExpressionAttributeValues": {":revision": {"N": str(revision)}},
    }


def _reasons(failure: AwsFailure) -> list[str]:
    # A transaction is cancelled for one reason for each item; throttling may be one of them.
    return [code for code, _ in failure.reasons] or [failure.code.removesuffix("Exception")]


def _messages(failure: AwsFailure) -> str:
    return "\n".join([failure.text, *(text for _, text in failure.reasons)])
