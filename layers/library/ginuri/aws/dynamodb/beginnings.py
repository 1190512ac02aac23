"""Lists the literal beginnings of the rules of a prefix: an item for each, with the beginning as sort key."""

from __future__ import annotations

from ginuri.aws.dynamodb.table import QueriedTable
from ginuri.registry.ports import MOST_MEMBERS, NamePage
from ginuri.registry.rules.beginnings import LISTED

# RFC 3986 §2: an identifier in normal form has only characters from "!" to "~".
_LEAST, _BEYOND = "!", "\x7f"


class DynamoBeginnings(QueriedTable):
    """Queries these items with strong consistency."""

    def beginnings(self, prefix: str, start: str = "", after: str = "", most: int = MOST_MEMBERS) -> NamePage:
        """Return a page of beginnings in one call of at most a megabyte. Raises RegistryUnavailable."""
        first, last = max(start or _LEAST, f"{after}{_LEAST}"), f"{start}{_BEYOND}"
        if first > last:  # which DynamoDB refuses
            return NamePage()
        answer = self._query(
            KeyConditionExpression="identifier = :listed AND version BETWEEN :first AND :last",
            ExpressionAttributeValues={
                ":listed": {"S": f"{LISTED}{prefix}"},
                ":first": {"S": first},
                ":last": {"S": last},
            },
            ConsistentRead=True,
            Limit=most,
        )
        found = tuple(item["version"]["S"] for item in answer["Items"])
        return NamePage(found, found[-1] if "LastEvaluatedKey" in answer else None)
