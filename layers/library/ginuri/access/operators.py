"""The port of a store of tokens for operators, and the log of what they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Protocol

from ginuri.access.tokens import Token, TokenStore

LOGGED = timedelta(days=731)
"""The time for which an event is kept: longer than any token."""


class Deed(StrEnum):
    """What an operator did."""

    CREATED = "created"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the log: what an operator did with a token."""

    at: str
    """RFC 3339 in UTC with milliseconds."""
    operator: str
    """The identity of the caller in AWS, or the account on a machine."""
    deed: Deed
    token: str
    """The identifier of the token."""
    owner: str


class OperatedTokens(TokenStore, Protocol):
    """The tokens of a registry, as operators see them. All methods raise RegistryUnavailable."""

    def all(self) -> Sequence[Token]:
        """Return all tokens, the oldest first."""

    def note(self, event: Event) -> None:
        """Add a line to the log."""

    def events(self) -> Sequence[Event]:
        """Return the lines of the log, the oldest first; those of long ago may be missing."""
