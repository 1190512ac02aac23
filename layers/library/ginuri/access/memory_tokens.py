"""The fake store of tokens, which passes the tests of the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ginuri.access.operators import Event
from ginuri.access.tokens import MOST_USES, Refusal, Refused, Token, judge, minute_of
from ginuri.registry.clock import write_moment


class MemoryTokens:
    """Tokens in a dictionary, and the log in a list."""

    def __init__(self, most_uses: int = MOST_USES) -> None:
        self._most_uses = most_uses
        self._tokens: dict[str, Token] = {}
        self._events: list[Event] = []
        self._uses: dict[tuple[str, int], int] = {}

    def use(self, token_id: str, now: datetime) -> Token | Refused:
        """Count a use of a token, and note its time."""
        token, key = self._tokens.get(token_id), (token_id, minute_of(now))
        uses = self._uses.get(key, 0)
        if token is None:
            return Refused(Refusal.UNKNOWN)
        if (refused := judge(token, uses, self._most_uses, now)) is not None:
            return refused
        self._uses[key] = uses + 1
        self._tokens[token_id] = used = replace(token, last_used=write_moment(now))
        return used

    def add(self, token: Token) -> None:
        """Store a new token."""
        self._tokens[token.id] = token

    def of(self, owner: str) -> Sequence[Token]:
        """Return the tokens of a person, the oldest first."""
        return [token for token in self.all() if token.owner == owner]

    def all(self) -> Sequence[Token]:
        """Return all tokens, the oldest first."""
        return sorted(self._tokens.values(), key=_created)

    def note(self, event: Event) -> None:
        """Add a line to the log."""
        self._events.append(event)

    def events(self) -> Sequence[Event]:
        """Return the lines of the log, the oldest first."""
        return sorted(self._events, key=lambda event: event.at)

    def revoke(self, token_id: str, now: datetime) -> Token | None:
        """Revoke a token, and return it; None if it does not exist."""
        token = self._tokens.get(token_id)
        if token is not None and not token.revoked:
            self._tokens[token_id] = token = replace(token, revoked=write_moment(now))
        return token

    def is_revoked(self, token_id: str) -> bool:
        """Return whether a token was revoked, or does not exist any more."""
        token = self._tokens.get(token_id)
        return token is None or bool(token.revoked)


def _created(token: Token) -> str:
    return token.created
