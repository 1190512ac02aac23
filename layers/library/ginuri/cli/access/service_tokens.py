"""The tokens of one person, by a token of that person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ginuri.access.creation import WantedToken
from ginuri.access.operators import Event
from ginuri.access.tokens import Token
from ginuri.cli.service.failures import only_operators, unavailable
from ginuri.cli.terminal import fault
from ginuri.client import Client, TokenFacts
from ginuri.identifiers.messages import message
from ginuri.registration.authorization import Right
from ginuri.registry.clock import utc_now, write_moment


class ServiceTokens:
    """The tokens of the owner of a token. Its methods raise RegistryUnavailable."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def create(self, wanted: WantedToken) -> tuple[str, Token]:
        """Create a token of the same owner. Raises CommandFailed for another person."""
        owner = self._owner()
        if wanted.owner not in {"", owner}:
            raise fault(
                message(
                    "This token creates tokens of {owner} only. An operator creates those of {person}.",
                    owner=owner,
                    person=wanted.owner,
                )
            )
        with unavailable():
            new = self._client.create_token(
                wanted.name,
                wanted.folders,
                sorted(wanted.rights),
                options=sorted(wanted.options),
                days=wanted.days,
            )
        return new.secret, _token(new.facts, owner)

    def all(self) -> Sequence[Token]:
        """Return the tokens of the owner."""
        owner = self._owner()
        with unavailable():
            return [_token(each, owner) for each in self._client.tokens()]

    def revoke(self, token_id: str) -> Token | None:
        """Revoke a token of the owner, and return it; None if it does not exist."""
        found = next((each for each in self.all() if each.id == token_id), None)
        if found is None:
            return None
        with unavailable():
            self._client.revoke_token(token_id)
        return replace(found, revoked=found.revoked or write_moment(utc_now()))

    def events(self) -> Sequence[Event]:
        """Refuse: what operators did is shown to operators."""
        raise only_operators(self._client.service, message("the log of tokens"))

    def _owner(self) -> str:
        with unavailable():
            return self._client.me().owner


def _token(facts: TokenFacts, owner: str) -> Token:
    return Token(
        facts.id,
        owner,
        facts.name,
        facts.folders,
        frozenset(map(Right, facts.rights)),
        facts.options,
        facts.created,
        facts.expires,
        facts.last_used,
        facts.revoked,
    )
