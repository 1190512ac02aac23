"""The identifiers under a prefix or in a collection, from slim indexes of the registry in DynamoDB."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginuri.adapters.aws import unavailable
from ginuri.adapters.dynamodb import NOW
from ginuri.core.identifiers.stewards import steward_below
from ginuri.core.registry import MOST_MEMBERS, Page

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoMemberLister:
    """Asks the indexes `members`, `collections` and `narrower`, eventually consistent.

    What was written a moment ago may be missing.
    """

    def __init__(self, client: DynamoDBClient, table: str) -> None:
        self._client = client
        self._table = table

    def members(self, prefix: str, after: str = "", most: int = MOST_MEMBERS) -> Page:
        """Give a page of identifiers in one call, of a megabyte at most. Raises RegistryUnavailable."""
        # DynamoDB refuses to start outside of what is asked for.
        if after > prefix and not after.startswith(prefix):
            return Page()
        start: Any = {"ExclusiveStartKey": _key(prefix, after)} if after.startswith(prefix) else {}
        with unavailable():
            answer = self._client.query(**self._under(prefix), **start, Limit=most)
        names = tuple(item["identifier"]["S"] for item in answer["Items"])
        return Page(names, names[-1] if "LastEvaluatedKey" in answer else None)

    def count(self, prefix: str, most: int) -> int:
        """Count identifiers in a call for each megabyte of the index. Raises RegistryUnavailable."""
        counted = 0
        start: Any = {}
        while counted < most:
            with unavailable():
                answer = self._client.query(
                    **self._under(prefix), **start, Select="COUNT", Limit=most - counted
                )
            counted += answer["Count"]
            if "LastEvaluatedKey" not in answer:
                break
            start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
        return counted

    def parts(self, collection: str, after: str = "", most: int = MOST_MEMBERS) -> Page:
        """Give a page of the parts of a collection in one call. Raises RegistryUnavailable."""
        return self._sparse("collections", "collection", collection, after, most)

    def narrower(self, broader: str, after: str = "", most: int = MOST_MEMBERS) -> Page:
        """Give a page of the types below another in one call. Raises RegistryUnavailable."""
        return self._sparse("narrower", "broader", broader, after, most)

    def _sparse(self, index: str, attribute: str, whole: str, after: str, most: int) -> Page:
        within = {attribute: {"S": whole}}
        start: Any = (
            {"ExclusiveStartKey": {**within, "identifier": {"S": after}, "version": {"S": NOW}}}
            if after
            else {}
        )
        with unavailable():
            answer = self._client.query(
                TableName=self._table,
                IndexName=index,
                KeyConditionExpression="#whole = :whole",
                ExpressionAttributeNames={"#whole": attribute},  # `collection` is a word of DynamoDB's own
                ExpressionAttributeValues={":whole": {"S": whole}},
                Limit=most,
                **start,
            )
        names = tuple(item["identifier"]["S"] for item in answer["Items"])
        return Page(names, names[-1] if "LastEvaluatedKey" in answer else None)

    def _under(self, prefix: str) -> Any:  # noqa: ANN401  the client's own shapes are typed mappings
        return {
            "TableName": self._table,
            "IndexName": "members",
            "KeyConditionExpression": "steward = :steward AND begins_with(identifier, :prefix)",
            "ExpressionAttributeValues": {
                ":steward": {"S": steward_below(prefix)},
                ":prefix": {"S": prefix},
            },
        }


def _key(prefix: str, name: str) -> Any:  # noqa: ANN401  as above
    return {"steward": {"S": steward_below(prefix)}, "identifier": {"S": name}, "version": {"S": NOW}}
