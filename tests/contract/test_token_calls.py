"""The calls of a use of a token: one, which is the same for known and unknown tokens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from moto import mock_aws

from ginuri.access.secrets import make_secret, token_id
from ginuri.access.tokens import Refusal, Refused, Token
from ginuri.aws.dynamodb.access.tokens import MOST_MINUTES, DynamoTokens
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.clock import write_moment
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from tests.access_tokens import NOW, new_token
from tests.aws import dynamodb_client, new_access_table
from tests.contract.conftest import Serve

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MOST = 3
UNKNOWN, GOOD, BUSY = (token_id(make_secret()) for _ in range(3))
EXPIRED, REVOKED = (token_id(make_secret()) for _ in range(2))
OUTCOMES = {
    UNKNOWN: Refusal.UNKNOWN,
    EXPIRED: Refusal.EXPIRED,
    REVOKED: Refusal.REVOKED,
    BUSY: Refusal.TOO_MANY,
    GOOD: None,
}
"""Why each token is refused."""
TOKENS = {
    GOOD: new_token(),
    BUSY: new_token(),
    EXPIRED: new_token(days=-1),
    REVOKED: replace(new_token(), revoked=write_moment(NOW)),
}


class _Noting:
    """A client, and its calls with their parameters."""

    def __init__(self, client: DynamoDBClient) -> None:
        self._client = client
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        def call(**parameters: Any) -> Any:
            self.calls.append((name, parameters))
            return getattr(self._client, name)(**parameters)

        return call


@pytest.fixture
def noting() -> Iterator[_Noting]:
    with mock_aws():
        yield _Noting(dynamodb_client())


@pytest.fixture
def table(noting: _Noting) -> DynamoTokens:
    client = cast("DynamoDBClient", noting)
    return DynamoTokens(client, new_access_table(client), MOST)


def _fill(store: DynamoTokens | SqliteTokens) -> None:
    for name, token in TOKENS.items():
        store.add(replace(token, id=name))
    for _ in range(MOST):
        store.use(BUSY, NOW)


def _reason(outcome: Token | Refused) -> Refusal | None:
    return outcome.reason if isinstance(outcome, Refused) else None


def test_each_use_is_one_equal_call_of_dynamodb(table: DynamoTokens, noting: _Noting) -> None:
    _fill(table)
    noting.calls.clear()
    for name, reason in OUTCOMES.items():
        assert _reason(table.use(name, NOW)) == reason

    assert [name for name, _ in noting.calls] == ["update_item"] * len(OUTCOMES)
    assert [parameters.pop("Key") for _, parameters in noting.calls] == [
        {"id": {"S": name}} for name in OUTCOMES
    ]
    assert all(call == noting.calls[0] for call in noting.calls)


def test_each_use_is_one_transaction_of_sqlite_with_one_row(tmp_path: Path) -> None:
    with closing(AccessDatabase(tmp_path)) as database:
        store = SqliteTokens(database, MOST)
        _fill(store)
        for name, reason in OUTCOMES.items():
            store.use(name, NOW)  # the first of its kind
            written, statements = database.connection.total_changes, list[str]()
            database.connection.set_trace_callback(statements.append)

            assert _reason(store.use(name, NOW)) == reason

            database.connection.set_trace_callback(None)
            assert database.connection.total_changes - written == 1
            verbs = [statement.split()[0] for statement in statements if "PRAGMA" not in statement]
            assert verbs in (["BEGIN", "SELECT", verb, "COMMIT"] for verb in ("INSERT", "UPDATE"))


def test_old_minutes_of_a_token_are_removed_by_a_further_call(table: DynamoTokens, noting: _Noting) -> None:
    table.add(replace(new_token(), id=GOOD))
    noting.calls.clear()
    minutes = 5 * MOST_MINUTES
    for minute in range(minutes):
        assert isinstance(table.use(GOOD, NOW + timedelta(minutes=minute)), Token)
    calls = len(noting.calls)
    [item] = noting.scan(TableName=noting.calls[0][1]["TableName"])["Items"]

    assert len(item["uses"]["M"]) <= MOST_MINUTES
    assert calls == minutes + (minutes - 1) // MOST_MINUTES
    assert isinstance(table.use(GOOD, NOW + timedelta(minutes=minutes - 1)), Token)


def test_uses_of_this_minute_survive_the_removal_of_old_ones(table: DynamoTokens) -> None:
    table.add(replace(new_token(), id=GOOD))
    for minute in range(MOST_MINUTES):
        table.use(GOOD, NOW + timedelta(minutes=minute))
    last = NOW + timedelta(minutes=MOST_MINUTES)
    outcomes = [table.use(GOOD, last) for _ in range(MOST + 1)]

    assert [_reason(outcome) for outcome in outcomes] == [None] * MOST + [Refusal.TOO_MANY]


def test_a_failure_of_dynamodb_is_no_refusal(serve: Serve) -> None:
    client, _ = serve((500, {"__type": "InternalServerError"}))

    with pytest.raises(RegistryUnavailable):
        DynamoTokens(client, "access").use(GOOD, NOW)


def test_unprocessed_tokens_of_a_person_are_read_again(serve: Serve) -> None:
    key, item = {"id": {"S": GOOD}}, _stored(replace(new_token(), id=GOOD))
    client, asked = serve(
        (200, {"Items": [{**key, "owner": {"S": "mailto:jane@example.org"}}]}),
        (200, {"Responses": {}, "UnprocessedKeys": {"access": {"Keys": [key]}}}),
        (200, {"Responses": {"access": [item]}, "UnprocessedKeys": {}}),
    )

    assert [token.id for token in DynamoTokens(client, "access").of("mailto:jane@example.org")] == [GOOD]
    assert len(asked.asked) == 3


def _stored(token: Token) -> dict[str, Any]:
    with mock_aws():
        client = dynamodb_client()
        table = new_access_table(client)
        DynamoTokens(client, table).add(token)
        [item] = client.scan(TableName=table)["Items"]
        return dict(item)
