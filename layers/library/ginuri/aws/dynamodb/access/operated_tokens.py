"""The access tokens of a stack as operators see them, and the log of what they do; no function reads them so.

A line of the log is an item of the table of tokens: its key has a blank, so that it is the hash of no secret,
and it is not in the index of owners.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ginuri.access.operators import LOGGED, Deed, Event
from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.access.tokens import DynamoTokens, read_token
from ginuri.aws.dynamodb.table import ScannedTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ginuri.access.tokens import Token

_EVENT = "event "


class DynamoOperatedTokens(DynamoTokens, ScannedTable):
    """Reads all tokens, and writes the log. All methods raise RegistryUnavailable."""

    def all(self) -> Sequence[Token]:
        """Return all tokens, the oldest first."""
        tokens = [read_token(item) for item in self._items() if not _is_event(item)]
        return sorted(tokens, key=lambda token: token.created)

    def note(self, event: Event) -> None:
        """Add a line to the log."""
        delete_after = int((datetime.fromisoformat(event.at) + LOGGED).timestamp())
        texts = {
            "id": f"{_EVENT}{event.at} {event.token}",
            "at": event.at,
            "operator": event.operator,
            "deed": event.deed,
            "token": event.token,
            "person": event.owner,
        }
        item = {name: {"S": text} for name, text in texts.items()}
        with unavailable():
            self._client.put_item(
                TableName=self._table, Item={**item, "delete_after": {"N": str(delete_after)}}
            )

    def events(self) -> Sequence[Event]:
        """Return the lines of the log, the oldest first."""
        events = [_read_event(item) for item in self._items() if _is_event(item)]
        return sorted(events, key=lambda event: event.at)

    def _items(self) -> Sequence[Any]:
        return list(self._scan(ConsistentRead=True))


def _is_event(item: Mapping[str, Any]) -> bool:
    return str(item["id"]["S"]).startswith(_EVENT)


def _read_event(item: Mapping[str, Any]) -> Event:
    names = ("at", "operator", "deed", "token", "person")
    at, operator, deed, token, owner = (item[name]["S"] for name in names)
    return Event(at, operator, Deed(deed), token, owner)
