"""A token, the outcome of its use, and the port of a store of tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Protocol

from ginuri.identifiers.roots import folder_to_prefix
from ginuri.registration.authorization import Right, Scope
from ginuri.registry.clock import write_moment

MOST_USES = 600
"""The number of uses in one minute of the clock."""
KEPT = timedelta(days=30)
"""The time for which an expired token is still listed; a store may delete it afterwards."""
_MINUTE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Token:
    """An access token without its secret. Moments are in UTC, RFC 3339 with milliseconds."""

    id: str
    """The hash of its secret."""
    owner: str
    """The person that it acts for: `mailto:jane@example.org`."""
    name: str
    folders: tuple[str, ...]
    """The folders of the uploads bucket that it may use, with all folders below them."""
    rights: frozenset[Right]
    options: frozenset[str]
    """The options that its uploads may state: `correction`, `many`, `snapshot`."""
    created: str
    expires: str
    last_used: str = ""
    """Empty before its first use."""
    revoked: str = ""
    """When it was revoked; empty unless it was."""
    created_by: str = ""
    """Who created it: an operator, or the identifier of another token."""

    @property
    def scope(self) -> Scope:
        """The rights of its uploads; what its owner may now limits them further."""
        return Scope({folder_to_prefix(folder): self.rights for folder in self.folders})

    def covers(self, folder: str) -> bool:
        """Return whether a folder is one of its folders, or below one.

        >>> token = Token("", "", "", ("uri-gin/azgs/",), frozenset(), frozenset(), "", "")
        >>> [token.covers(folder) for folder in ("uri-gin/azgs/", "uri-gin/azgs/wells/", "uri-gin/azgs2/")]
        [True, True, False]
        """
        return folder.startswith(self.folders)


class Refusal(StrEnum):
    """Why a token cannot be used."""

    UNKNOWN = "unknown"
    EXPIRED = "expired"
    REVOKED = "revoked"
    TOO_MANY = "too many"


_REFUSED, _LIMITED = "tokens_refused", "tokens_limited"
METRICS: Mapping[Refusal, str] = {
    Refusal.UNKNOWN: _REFUSED,
    Refusal.EXPIRED: _REFUSED,
    Refusal.REVOKED: _REFUSED,
    Refusal.TOO_MANY: _LIMITED,
}
"""The metrics of refused uses: those without a valid token, and those of one that is used too often."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The use of a token that was refused."""

    reason: Refusal
    retry_after: int = 0
    """The seconds after which it may be used again; only for too many uses."""

    @property
    def metric(self) -> str:
        """The name of the metric that counts it."""
        return METRICS[self.reason]


class RevocationCheck(Protocol):
    """Knows the tokens that were revoked. Raises RegistryUnavailable."""

    def is_revoked(self, token_id: str) -> bool:
        """Return whether a token was revoked, or does not exist any more."""


class TokenStore(RevocationCheck, Protocol):
    """The tokens of a registry, by the hashes of their secrets. All methods raise RegistryUnavailable."""

    def use(self, token_id: str, now: datetime) -> Token | Refused:
        """Count a use of a token and note its time, in one call that is the same for every identifier.

        The returned token has the time of this use. A refused use changes no token, and none is created.
        """

    def add(self, token: Token) -> None:
        """Store a new token."""

    def of(self, owner: str) -> Sequence[Token]:
        """Return the tokens of a person, the oldest first; those that expired long ago may be missing."""

    def revoke(self, token_id: str, now: datetime) -> Token | None:
        """Revoke a token, and return it; None if it does not exist. The first revocation counts."""


def judge(token: Token, uses: int, most_uses: int, now: datetime) -> Refused | None:
    """Decide whether a token may be used now; `uses` are those in this minute of the clock."""
    if token.revoked:
        return Refused(Refusal.REVOKED)
    if token.expires <= write_moment(now):
        return Refused(Refusal.EXPIRED)
    if uses >= most_uses:
        return Refused(Refusal.TOO_MANY, _MINUTE_SECONDS - int(now.timestamp()) % _MINUTE_SECONDS)
    return None


def minute_of(now: datetime) -> int:
    """Return the minute of the clock, counted since 1970."""
    return int(now.timestamp()) // _MINUTE_SECONDS
