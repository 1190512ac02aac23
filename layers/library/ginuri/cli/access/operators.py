"""The access tokens of a stack or a registry folder, for its operator, whose changes are logged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from ginuri.access.creation import WantedToken, faults_of, make_token
from ginuri.access.first_tokens import missing_grants
from ginuri.access.operators import Deed, Event, OperatedTokens
from ginuri.access.tokens import Token
from ginuri.cli.terminal import fault
from ginuri.registration.grants_reader import WholeRecordReader
from ginuri.registry.clock import Clock, utc_now, write_moment


@dataclass(frozen=True, slots=True)
class OperatorTokens:
    """Creates and revokes tokens in the name of an operator. All methods raise RegistryUnavailable."""

    store: OperatedTokens
    registry: WholeRecordReader
    identify: Callable[[], str]
    """Returns the identity of the operator: of the caller in AWS, or the account on this machine."""
    now: Clock = utc_now

    def create(self, wanted: WantedToken) -> tuple[str, Token]:
        """Create a token, and return its secret and the token. Raises CommandFailed with the reason."""
        now = self.now()
        for words in chain(faults_of(wanted), missing_grants(self.registry, wanted, now)):
            raise fault(words)
        secret, token = make_token(wanted, self.identify(), now)
        self._note(Deed.CREATED, token)  # first, so that there is no token that is not in the log
        self.store.add(token)
        return secret, token

    def all(self) -> Sequence[Token]:
        """Return all tokens, the oldest first."""
        return self.store.all()

    def revoke(self, token_id: str) -> Token | None:
        """Revoke a token, and return it; None if it does not exist."""
        token = self.store.revoke(token_id, self.now())
        if token is not None:
            self._note(Deed.REVOKED, token)
        return token

    def events(self) -> Sequence[Event]:
        """Return what operators did, the oldest first."""
        return self.store.events()

    def _note(self, deed: Deed, token: Token) -> None:
        self.store.note(Event(write_moment(self.now()), self.identify(), deed, token.id, token.owner))
