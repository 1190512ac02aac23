"""Writes complete records in DynamoDB, and reads displaced values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.applied_uploads import DynamoAppliedUploads
from ginuri.aws.dynamodb.record_reader import DynamoRecordReader
from ginuri.aws.dynamodb.table import NOW
from ginuri.aws.dynamodb_http.failures import AwsFailure, as_failure
from ginuri.identifiers.errors import RecordTooLarge, RevisionConflict
from ginuri.registry.ports import MOST_ITEM_BYTES
from ginuri.registry.record.items import REVISION, items_of
from ginuri.registry.record.record import revisions_before
from ginuri.registry.record.serialization import read_field_entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ginuri.registry.record.items import Item
    from ginuri.registry.record.record import Change, Entries
    from ginuri.registry.record.stamps import Stamp

_NEW = "attribute_not_exists(identifier)"
_CONFLICTS = {"ConditionalCheckFailed", "TransactionConflict"}
_TOO_LARGE = "Item size has exceeded"
"""The error for which retrying is useless."""


class DynamoRegistry(DynamoRecordReader, DynamoAppliedUploads):
    """Reads whole records, strongly consistent, writes them, and stores the proofs of applied uploads."""

    most_written = 100
    """The most items of a transaction."""

    def displaced(self, name: str, stamp: Stamp) -> Entries:
        """Read the values that a registration displaced, in one call. Raises RegistryUnavailable."""
        key = {"identifier": {"S": name}, "version": {"S": str(stamp)}}
        with unavailable():
            item = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        return read_field_entries(item["stamps"]["S"], {}) if item else {}

    def write(self, *changes: Change) -> None:
        """Write records: one write, or a transaction if that is not all.

        A transaction also has the displaced entries, the listed beginnings, and a check of each record that
        the changes were judged by. Raises RecordTooLarge, RevisionConflict and RegistryUnavailable.
        """
        written = [(change, items_of(change)) for change in changes]
        puts = [self._put(items.now, change.before.revision) for change, items in written]
        puts += [self._put(items.past, 0) for _, items in written if items.past]
        displaced = slice(len(changes), len(puts))
        puts += [self._put(item) for _, items in written for item in items.listed]
        revisions = revisions_before(changes)
        seen = [self._seen(name, revisions.pop(name)) for name in _judging(changes)]
        with unavailable():
            try:
                if len(puts) == 1 and not seen:
                    self._client.put_item(**puts[0])
                else:
                    self._client.transact_write_items(
                        TransactItems=[*_items("Put", puts), *_items("ConditionCheck", seen)]
                    )
            except Exception as error:
                if (failure := as_failure(error)) is None:
                    raise
                reasons, name = _reasons(failure), changes[0].after.identifier
                # If the history has this very stamp, it was applied before, and others came since.
                if "ConditionalCheckFailed" in reasons[displaced]:
                    return
                if not _CONFLICTS.isdisjoint(reasons):
                    raise RevisionConflict(name) from error
                if _TOO_LARGE in _messages(failure):
                    raise RecordTooLarge(name, MOST_ITEM_BYTES) from error
                raise

    def check(self, change: Change) -> None:
        """Raise RecordTooLarge if a change is too large to be written."""
        items_of(change)

    def _put(self, item: Item, revision: int | None = None) -> Any:
        condition = {} if revision is None else _is_at(revision)
        return {"TableName": self._table, "Item": as_attribute_values(item), **condition}

    def _seen(self, name: str, revision: int) -> Any:
        key = {"identifier": {"S": name}, "version": {"S": NOW}}
        return {"TableName": self._table, "Key": key, **_is_at(revision)}


def as_attribute_values(item: Item) -> Any:
    """Convert an item to DynamoDB's attribute values; one without a version is a record."""
    return {
        name: {"N" if name == REVISION else "S": value} for name, value in {"version": NOW, **item}.items()
    }


def _judging(changes: Sequence[Change]) -> list[str]:
    """Return the records that changes were judged by, except those that they write."""
    written = {change.after.identifier for change in changes}
    judged_by = dict.fromkeys(name for change in changes for name in change.judged_by)
    return [name for name in judged_by if name not in written]


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
