"""The order in which a change of an operator and its line in the log are stored."""

from __future__ import annotations

import pytest

from ginuri.access.creation import WantedToken, make_token
from ginuri.access.memory_tokens import MemoryTokens
from ginuri.access.operators import Deed, Event
from ginuri.access.tokens import Token
from ginuri.cli.access.operators import OperatorTokens
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryRegistry
from ginuri.registration.authorization import Right
from ginuri.registry.record.grant_records import record_of_grants
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.stamps import Stamp
from ginuri.registry.record.statements import OF_GRANTS, RECORD_FIRST, Key, Statements
from tests.access_tokens import JANE, NOW

WANTED = WantedToken(JANE, ("uri-gin/azgs/",), frozenset({Right.REGISTER}))


class _NoLog(MemoryTokens):
    def note(self, event: Event) -> None:
        raise RegistryUnavailable(event.deed)


class _NoToken(MemoryTokens):
    def add(self, token: Token) -> None:
        raise RegistryUnavailable(token.id)


def _operator(store: MemoryTokens) -> OperatorTokens:
    registry, name = MemoryRegistry(), record_of_grants("uri-gin/azgs/")
    stated = Statements({RECORD_FIRST: "grant", Key(OF_GRANTS, None, JANE): {"may": ["register"]}})
    stamp = Stamp("2026-11-01T12:00:00.000Z", "_host/grants.jsonl", "v1", 1)
    registry.write(apply(Record(name, {}), stated, stamp))
    return OperatorTokens(store, registry, lambda: "olga", lambda: NOW)


def test_a_token_that_cannot_be_logged_is_not_created() -> None:
    store = _NoLog()

    with pytest.raises(RegistryUnavailable):
        _operator(store).create(WANTED)

    assert store.all() == []


def test_a_token_that_cannot_be_stored_is_in_the_log() -> None:
    store = _NoToken()

    with pytest.raises(RegistryUnavailable):
        _operator(store).create(WANTED)

    assert [event.deed for event in store.events()] == [Deed.CREATED]


def test_a_token_is_revoked_even_if_that_cannot_be_logged() -> None:
    store, token = _NoLog(), make_token(WANTED, "olga", NOW)[1]
    store.add(token)

    with pytest.raises(RegistryUnavailable):
        _operator(store).revoke(token.id)

    assert store.is_revoked(token.id)


def test_the_revocation_of_an_unknown_token_is_not_logged() -> None:
    store = MemoryTokens()

    assert _operator(store).revoke("0" * 64) is None
    assert store.events() == []
