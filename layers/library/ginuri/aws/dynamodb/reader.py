"""The registry in DynamoDB: one identifier, one item, one call.

Partition key `identifier` is the normal form, sort key `version` is "now" for the record or a stamp for an
entry of its history.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.table import NOW, QueriedTable
from ginuri.aws.dynamodb_http.retries import RetryBudget, pause_before
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import message
from ginuri.identifiers.stewards import steward_below
from ginuri.registry.ports import MOST_BESIDE, MOST_NEAR
from ginuri.registry.reading import read_stored

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mypy_boto3_dynamodb import DynamoDBClient

    from ginuri.registry.model import Registered

_MOST_EMPTY = 4
"""The number of consecutive answers that may leave all keys unprocessed."""
_ANSWERED_FROM = "identifier, body, modified"


class DynamoReader(QueriedTable):
    """Reads records for answering requests, eventually consistent; also for read-only functions."""

    _consistent = False

    def __init__(
        self, client: DynamoDBClient, table: str, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        super().__init__(client, table)
        self._sleep, self._retries = sleep, RetryBudget()

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read up to 100 records in one call. Raises RegistryUnavailable."""
        with unavailable():
            items = self._get(names, ProjectionExpression=_ANSWERED_FROM)
        records: dict[str, Registered] = {}
        items.reverse()
        while items:  # free each text when it is parsed: a hundred of the largest are 6 MB
            item = items.pop()
            name = item["identifier"]["S"]
            records[name] = read_stored(name, item["body"]["S"], item["modified"]["S"])
        return records

    def near(self, folded: str) -> Sequence[str]:
        """Return identifiers that fold to this, or are listed under this scheme, eventually consistent.

        The slim indexes `near` and `members` are eventually consistent. Raises RegistryUnavailable.
        """
        index, attribute = ("members", "steward") if folded.endswith(("/", ":")) else ("near", "folded")
        answer = self._query(
            IndexName=index,
            KeyConditionExpression=f"{attribute} = :key",
            ExpressionAttributeValues={":key": {"S": folded}},
            Limit=MOST_NEAR,
        )
        return [item["identifier"]["S"] for item in answer["Items"]]

    def beside(self, container: str, name: str, *, is_after: bool) -> Sequence[str]:
        """Return identifiers in a container before or after a name, eventually consistent.

        Raises RegistryUnavailable.
        """
        # RFC 3986 §2: an identifier in normal form has only characters from "!" to "~".
        first, last = (name, f"{container}\x7f") if is_after else (container, name)
        answer = self._query(
            IndexName="members",
            KeyConditionExpression="steward = :steward AND identifier BETWEEN :first AND :last",
            ExpressionAttributeValues={
                ":steward": {"S": steward_below(container)},
                ":first": {"S": first},
                ":last": {"S": last},
            },
            ScanIndexForward=is_after,
            Limit=MOST_BESIDE,
        )
        return [item["identifier"]["S"] for item in answer["Items"]]

    def _get(self, names: Sequence[str], **how: Any) -> list[dict[str, Any]]:
        if self._consistent:
            how["ConsistentRead"] = True
        keys = [{"identifier": {"S": name}, "version": {"S": NOW}} for name in dict.fromkeys(names)]
        if not keys:
            return []
        if len(keys) == 1:  # a GetItem is cheaper than a BatchGetItem of one key
            item = self._client.get_item(TableName=self._table, Key=keys[0], **how).get("Item")
            return [item] if item else []
        items: list[dict[str, Any]] = []
        empty = 0
        while True:
            wanted: Any = {self._table: {"Keys": keys, **how}}
            answer: Any = self._client.batch_get_item(RequestItems=wanted)
            arrived = answer["Responses"].get(self._table, [])
            items += arrived
            left = answer.get("UnprocessedKeys")
            if not left:
                self._retries.earn()
                return items
            keys, empty = left[self._table]["Keys"], 0 if arrived else empty + 1
            if empty == _MOST_EMPTY or not self._retries.spend():
                raise RegistryUnavailable(message("some keys were not processed"))
            self._sleep(pause_before(empty + 1))
