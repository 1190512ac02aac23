"""Lists the identifiers under a prefix or in a collection, from slim indexes of the registry in DynamoDB."""

from __future__ import annotations

from typing import Any

from ginuri.aws.dynamodb.beginnings import DynamoBeginnings
from ginuri.identifiers.stewards import steward_below
from ginuri.registry.ports import MOST_MEMBERS, NamePage

# RFC 3986 §2: an identifier in normal form has only characters from "!" to "~".
_LEAST, _BEYOND = "!", "\x7f"
_LONGEST = 1_024
"""Bytes of an identifier, and of a sort key, also in comparisons."""


class DynamoMemberLister(DynamoBeginnings):
    """Queries the indexes `members`, `collections` and `narrower`, eventually consistent.

    A record that was written a moment ago may be missing.
    """

    def members(self, prefix: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of identifiers in one call of at most a megabyte. Raises RegistryUnavailable."""
        # A range, not a cursor of the index: its beginning is found without reading the items before it.
        first = _next(after) if after >= prefix else prefix
        last = f"{prefix}{_BEYOND}" if len(prefix) < _LONGEST else prefix
        if first > last:  # which DynamoDB refuses
            return NamePage()
        return self._page(
            IndexName="members",
            KeyConditionExpression="steward = :steward AND identifier BETWEEN :first AND :last",
            ExpressionAttributeValues={
                ":steward": {"S": steward_below(prefix)},
                ":first": {"S": first},
                ":last": {"S": last},
            },
            Limit=most,
        )

    def count(self, prefix: str, most: int) -> int:
        """Count identifiers, in one call for each megabyte of the index. Raises RegistryUnavailable."""
        answers = self._query_on(
            IndexName="members",
            KeyConditionExpression="steward = :steward AND begins_with(identifier, :prefix)",
            ExpressionAttributeValues={":steward": {"S": steward_below(prefix)}, ":prefix": {"S": prefix}},
            Select="COUNT",
            Limit=most,
        )
        counted = 0
        for answer in answers:
            counted += answer["Count"]
            if counted >= most:
                break
        return min(counted, most)

    def parts(self, collection: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the parts of a collection in one call. Raises RegistryUnavailable."""
        return self._sparse("collections", "collection", collection, after, most)

    def narrower(self, broader: str, after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of the types below another in one call. Raises RegistryUnavailable."""
        return self._sparse("narrower", "broader", broader, after, most)

    def _sparse(self, index: str, attribute: str, target: str, after: str, most: int) -> NamePage:
        return self._page(
            IndexName=index,
            KeyConditionExpression="#target = :target AND identifier >= :first",
            ExpressionAttributeNames={"#target": attribute},  # `collection` is a reserved word of DynamoDB
            ExpressionAttributeValues={":target": {"S": target}, ":first": {"S": _next(after)}},
            Limit=most,
        )

    def _page(self, **parameters: Any) -> NamePage:
        answer = self._query(**parameters)
        names = tuple(item["identifier"]["S"] for item in answer["Items"])
        return NamePage(names, names[-1] if "LastEvaluatedKey" in answer else None)


def _next(after: str) -> str:
    """Return the least text that the next identifier can be; one of full length has no continuation."""
    return f"{after}{_LEAST}" if len(after) < _LONGEST else f"{after[:-1]}{chr(ord(after[-1]) + 1)}"
