"""Whole records in DynamoDB, for whoever may register: read strongly consistent, and written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from ginuri.adapters.aws import unavailable
from ginuri.adapters.dynamodb import NOW, DynamoReader
from ginuri.adapters.near import DynamoNearReader
from ginuri.adapters.past import DynamoPast
from ginuri.adapters.wire import read_entries, read_record, write_body, write_stamps
from ginuri.core.errors import RevisionConflict
from ginuri.core.identifiers.folding import fold
from ginuri.core.identifiers.stewards import steward
from ginuri.core.memberships import broader_of, collection_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ginuri.core.history import History
    from ginuri.core.record import Change, Entry, Path, Record
    from ginuri.core.stamps import Stamp

_NEW = "attribute_not_exists(identifier)"
_CONFLICTS = {"ConditionalCheckFailed", "TransactionConflict"}


class DynamoRegistry(DynamoReader):
    """Reads whole records, strongly consistent, and writes them."""

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

    def displaced(self, name: str, stamp: Stamp) -> Mapping[Path, Entry]:
        """Read what a registration displaced, in one call. Raises RegistryUnavailable."""
        key = {"identifier": {"S": name}, "version": {"S": str(stamp)}}
        with unavailable():
            item = self._client.get_item(TableName=self._table, Key=key, ConsistentRead=True).get("Item")
        return read_entries(item["stamps"]["S"], {}) if item else {}

    def near(self, folded: str) -> Sequence[str]:
        """Give identifiers that fold to this, a moment late. Raises RegistryUnavailable."""
        return DynamoNearReader(self._client, self._table).near(folded)

    def history(self, name: str) -> History:
        """Read all that is kept of an identifier. Raises RegistryUnavailable."""
        return DynamoPast(self._client, self._table).history(name)

    def write(self, change: Change) -> None:
        """Write a record: one write, or two where something was displaced into the history.

        Where it was judged by others as well, each of them is looked at once more in the same moment.

        Raises RevisionConflict and RegistryUnavailable.
        """
        put = self._put_now(change)
        with unavailable():
            try:
                if change.displaced or change.judged_by:
                    past = [self._put_past(change)] if change.displaced else []
                    seen = [self._seen(*each) for each in change.judged_by.items()]
                    self._client.transact_write_items(
                        TransactItems=[*_items("Put", [put, *past]), *_items("ConditionCheck", seen)]
                    )
                else:
                    self._client.put_item(**put)
            except ClientError as error:
                reasons = _reasons(error)
                # Where the history holds this very stamp it was applied before, and others came since.
                if change.displaced and reasons[1:2] == ["ConditionalCheckFailed"]:
                    return
                if not _CONFLICTS.isdisjoint(reasons):
                    raise RevisionConflict(change.after.identifier) from error
                raise

    def _put_now(self, change: Change) -> Any:  # noqa: ANN401  the client's own shapes are typed mappings
        after, told = change.after, change.after.values()
        item = {
            "identifier": {"S": after.identifier},
            "version": {"S": NOW},
            "body": {"S": write_body(after)},
            "stamps": {"S": write_stamps(after.entries, told)},
            "modified": {"S": after.modified.put},
            "revision": {"N": str(after.revision)},
            "folded": {"S": fold(after.identifier)},
            "steward": {"S": steward(after.identifier)},
        }
        # Sparse indexes hold what has the attribute, and nothing else costs anything there.
        sparse = {"collection": collection_of(after.identifier, told), "broader": broader_of(told)}
        item |= {name: {"S": value} for name, value in sparse.items() if value}
        put = {"TableName": self._table, "Item": item}
        return {**put, **_is_at(change.before.revision)}

    def _seen(self, name: str, revision: int) -> Any:  # noqa: ANN401  as above
        key = {"identifier": {"S": name}, "version": {"S": NOW}}
        return {"TableName": self._table, "Key": key, **_is_at(revision)}

    def _put_past(self, change: Change) -> Any:  # noqa: ANN401  as above
        return {
            "TableName": self._table,
            "Item": {
                "identifier": {"S": change.after.identifier},
                "version": {"S": str(change.stamp)},
                "stamps": {"S": write_stamps(change.displaced, {})},
            },
            "ConditionExpression": _NEW,
        }


def _items(what: str, requests: Sequence[Any]) -> Any:  # noqa: ANN401  as above
    """Write items of a transaction, each under what is to be done."""
    return [{what: each} for each in requests]


def _is_at(revision: int) -> Any:  # noqa: ANN401  as above
    """Write the condition that a record is at a revision; 0 is for one that there is not."""
    if revision == 0:
        return {"ConditionExpression": _NEW}
    return {
        "ConditionExpression": "revision = :revision",
        "ExpressionAttributeValues": {":revision": {"N": str(revision)}},
    }


def _reasons(error: ClientError) -> list[str]:
    # A transaction is cancelled for reasons, one an item; throttling may be one of them.
    cancelled: Any = error.response.get("CancellationReasons")
    if cancelled is None:
        return [error.response["Error"]["Code"].removesuffix("Exception")]
    return [reason.get("Code", "None") for reason in cancelled]
