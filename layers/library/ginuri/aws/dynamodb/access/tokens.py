"""The access tokens of a stack, in a table of their own: one item for each, by the hash of its secret.

The uses of a token are counted by minute, in a map whose keys are minutes. A use is one conditional
UpdateItem, whatever its outcome; when the map has entries of many minutes, a second one removes the old ones.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ginuri.access.tokens import KEPT, MOST_USES, Refusal, Refused, Token, judge, minute_of
from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.access.revocations import DynamoRevocations
from ginuri.aws.dynamodb.table import QueriedTable
from ginuri.aws.dynamodb_http.failures import as_failure
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registration.authorization import Right
from ginuri.registry.clock import write_moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from mypy_boto3_dynamodb import DynamoDBClient

OWNERS = "owners"
"""The index of tokens by owner, with their keys only: a use of a token does not write it."""
MOST_MINUTES = 16
"""The number of minutes in the map, above which old ones are removed; an item stays below a kilobyte."""
_BATCH = 100
"""The most keys of one BatchGetItem."""
_REFUSED = "ConditionalCheckFailedException"
_IS_USABLE = (
    "attribute_exists(#id) AND attribute_not_exists(#revoked) AND #expires > :now"
    " AND (attribute_not_exists(#uses.#minute) OR #uses.#minute < :most)"
)
_NAMES = {f"#{name}": name for name in ("id", "revoked", "expires", "last_used", "uses")}
_COUNTED = {":zero": {"N": "0"}, ":one": {"N": "1"}}


class DynamoTokens(DynamoRevocations, QueriedTable):
    """Tokens by the hashes of their secrets. All methods raise RegistryUnavailable."""

    def __init__(self, client: DynamoDBClient, table: str, most_uses: int = MOST_USES) -> None:
        super().__init__(client, table)
        self._most_uses = most_uses

    def use(self, token_id: str, now: datetime) -> Token | Refused:
        """Count a use of a token and note its time, on condition that it may be used."""
        minute = str(minute_of(now))
        answer = self._update(
            token_id,
            "SET #last_used = :now, #uses.#minute = if_not_exists(#uses.#minute, :zero) + :one",
            _IS_USABLE,
            {**_NAMES, "#minute": minute},
            {**_COUNTED, ":now": {"S": write_moment(now)}, ":most": {"N": str(self._most_uses)}},
        )
        if isinstance(answer, _Kept):
            return self._judge(answer.item, minute, now)
        self._remove_old_minutes(token_id, answer["uses"]["M"], minute)
        return read_token(answer)

    def add(self, token: Token) -> None:
        """Store a new token."""
        with unavailable():
            self._client.put_item(
                TableName=self._table,
                Item=_write(token),
                ConditionExpression="attribute_not_exists(#id)",
                ExpressionAttributeNames={"#id": "id"},
            )

    def of(self, owner: str) -> Sequence[Token]:
        """Return the tokens of a person, the oldest first; a new one is in the index after a moment."""
        keys = [
            {"id": item["id"]}
            for page in self._query_on(
                IndexName=OWNERS,
                KeyConditionExpression="#owner = :owner",
                ExpressionAttributeNames={"#owner": "owner"},
                ExpressionAttributeValues={":owner": {"S": owner}},
            )
            for item in page["Items"]
        ]
        batches = [keys[start : start + _BATCH] for start in range(0, len(keys), _BATCH)]
        tokens = [read_token(item) for batch in batches for item in self._fetch(batch)]
        return sorted(tokens, key=lambda token: token.created)

    def revoke(self, token_id: str, now: datetime) -> Token | None:
        """Revoke a token, and return it; None if it does not exist."""
        answer = self._update(
            token_id,
            "SET #revoked = if_not_exists(#revoked, :now)",
            "attribute_exists(#id)",
            {"#id": "id", "#revoked": "revoked"},
            {":now": {"S": write_moment(now)}},
        )
        return None if isinstance(answer, _Kept) else read_token(answer)

    def _judge(self, item: Mapping[str, Any] | None, minute: str, now: datetime) -> Refused:
        """Name the reason why an item failed the condition."""
        if item is None:
            return Refused(Refusal.UNKNOWN)
        uses = int(item["uses"]["M"].get(minute, {"N": "0"})["N"])
        return judge(read_token(item), uses, self._most_uses, now) or Refused(Refusal.UNKNOWN)

    def _remove_old_minutes(self, token_id: str, uses: Mapping[str, Any], minute: str) -> None:
        if len(uses) <= MOST_MINUTES:
            return
        # If another use is faster, the next one removes them.
        self._update(
            token_id,
            "SET #uses = :left",
            "#uses.#minute = :counted",
            {"#uses": "uses", "#minute": minute},
            {":left": {"M": {minute: uses[minute]}}, ":counted": uses[minute]},
        )

    def _update(
        self,
        token_id: str,
        expression: str,
        condition: str,
        names: Mapping[str, str],
        values: Mapping[str, Any],
    ) -> Any:
        """Update an item, and return it as it is then; the one that was kept, if it fails the condition."""
        try:
            return self._client.update_item(
                TableName=self._table,
                Key={"id": {"S": token_id}},
                UpdateExpression=expression,
                ConditionExpression=condition,
                ExpressionAttributeNames=names,
                ExpressionAttributeValues=values,
                ReturnValues="ALL_NEW",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )["Attributes"]
        except Exception as error:
            failure = as_failure(error)
            if failure is None:
                raise
            if failure.code != _REFUSED:
                raise RegistryUnavailable(failure.code) from error
            return _Kept(failure.kept)

    def _fetch(self, keys: Sequence[Any]) -> Iterator[Any]:
        left: Any = {self._table: {"Keys": keys, "ConsistentRead": True}}
        while left:
            with unavailable():
                answer: Any = self._client.batch_get_item(RequestItems=left)
            yield from answer["Responses"].get(self._table, ())
            left = answer.get("UnprocessedKeys")


class _Kept:
    """The item that failed a condition; None if there is none."""

    def __init__(self, item: Mapping[str, Any] | None) -> None:
        self.item = item


def _write(token: Token) -> dict[str, Any]:
    delete_after = int((datetime.fromisoformat(token.expires) + KEPT).timestamp())
    texts = {
        "id": token.id,
        "owner": token.owner,
        "name": token.name,
        "created": token.created,
        "expires": token.expires,
        "last_used": token.last_used,
        "revoked": token.revoked,
        "created_by": token.created_by,
    }
    sets = {"folders": token.folders, "rights": sorted(token.rights), "options": sorted(token.options)}
    return {
        **{name: {"S": text} for name, text in texts.items() if text},
        **{name: {"SS": list(members)} for name, members in sets.items() if members},
        "uses": {"M": {}},
        "delete_after": {"N": str(delete_after)},
    }


def read_token(item: Mapping[str, Any]) -> Token:
    """Read a token from its item."""

    def text(name: str) -> str:
        return str(item.get(name, {"S": ""})["S"])

    def members(name: str) -> Sequence[str]:
        return sorted(item.get(name, {"SS": ()})["SS"])

    return Token(
        text("id"),
        text("owner"),
        text("name"),
        tuple(members("folders")),
        frozenset(map(Right, members("rights"))),
        frozenset(members("options")),
        text("created"),
        text("expires"),
        text("last_used"),
        text("revoked"),
        text("created_by"),
    )
