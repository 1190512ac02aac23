"""Is each store of tokens the same store? In memory, in SQLite, in moto, and in DynamoDB Local."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from moto import mock_aws

from ginuri.access.memory_tokens import MemoryTokens
from ginuri.access.operators import Deed, Event, OperatedTokens
from ginuri.access.secrets import make_secret, token_id
from ginuri.access.tokens import Refusal, Refused, Token
from ginuri.aws.dynamodb.access.operated_tokens import DynamoOperatedTokens
from ginuri.aws.dynamodb_http.failures import AwsFailure, as_failure
from ginuri.registry.clock import write_moment
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from tests.access_tokens import JANE, NOW, new_token
from tests.aws import curl_client, dynamodb_client, new_access_table

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
MOST = 12
"""The uses in a minute."""


class _Local:
    """A client of DynamoDB Local, whose release of 2020 does not return the item that fails a condition."""

    def __init__(self, client: DynamoDBClient) -> None:
        self._client = client

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def update_item(self, **parameters: Any) -> Any:
        try:
            return self._client.update_item(**parameters)
        except Exception as error:
            failure = as_failure(error)
            assert failure is not None
            assert parameters["ReturnValuesOnConditionCheckFailure"] == "ALL_OLD"
            found = self._client.get_item(TableName=parameters["TableName"], Key=parameters["Key"])
            raise AwsFailure(failure.code, failure.text, kept=found.get("Item")) from error


@contextmanager
def _open(request: pytest.FixtureRequest) -> Iterator[OperatedTokens]:
    service, _, library = request.param.partition(" by ")
    if service == "memory":
        yield MemoryTokens(MOST)
    elif service == "sqlite":
        folder: Path = request.getfixturevalue("tmp_path")
        with closing(AccessDatabase(folder)) as database:
            yield SqliteTokens(database, MOST)
    elif service == "moto" and not library:
        with mock_aws():
            client = dynamodb_client()
            yield DynamoOperatedTokens(client, new_access_table(client), MOST)
    else:
        fixtures = {"moto": "moto_endpoint", "dynamodb-local": "dynamodb_local"}
        endpoint: str = request.getfixturevalue(fixtures[service])
        client = dynamodb_client(endpoint)
        used = curl_client(endpoint) if library else client
        called = used if service == "moto" else cast("DynamoDBClient", _Local(used))
        yield DynamoOperatedTokens(called, new_access_table(client), MOST)
        client.close()


@pytest.fixture(
    params=["memory", "sqlite", "moto", "moto by libcurl", "dynamodb-local", "dynamodb-local by libcurl"]
)
def store(request: pytest.FixtureRequest) -> Iterator[OperatedTokens]:
    with _open(request) as store:
        yield store


def test_a_used_token_has_the_time_of_its_use(store: OperatedTokens) -> None:
    token = new_token()
    store.add(token)

    used = store.use(token.id, NOW + MINUTE)

    assert used == replace(token, last_used=write_moment(NOW + MINUTE))
    assert store.of(JANE) == [used]


def test_a_token_without_options_and_name_is_stored(store: OperatedTokens) -> None:
    token = replace(new_token(), name="", options=frozenset())
    store.add(token)

    assert store.of(JANE) == [token]


def test_the_use_of_an_unknown_token_creates_none(store: OperatedTokens) -> None:
    unknown = new_token()

    assert store.use(unknown.id, NOW) == Refused(Refusal.UNKNOWN)
    assert store.use(unknown.id, NOW) == Refused(Refusal.UNKNOWN)
    assert store.of(JANE) == []
    assert store.revoke(unknown.id, NOW) is None


def test_a_token_expires_at_its_very_moment(store: OperatedTokens) -> None:
    token = new_token(days=1)
    store.add(token)

    assert isinstance(store.use(token.id, NOW + DAY - timedelta(milliseconds=1)), Token)
    assert store.use(token.id, NOW + DAY) == Refused(Refusal.EXPIRED)
    assert store.use(token.id, NOW + 9 * DAY) == Refused(Refusal.EXPIRED)


def test_a_revoked_token_is_refused_at_once(store: OperatedTokens) -> None:
    token = new_token()
    store.add(token)

    revoked = store.revoke(token.id, NOW + MINUTE)

    assert revoked == replace(token, revoked=write_moment(NOW + MINUTE))
    assert store.use(token.id, NOW + MINUTE) == Refused(Refusal.REVOKED)
    assert store.of(JANE) == [revoked]


def test_the_first_revocation_of_a_token_counts(store: OperatedTokens) -> None:
    token = new_token()
    store.add(token)
    first = store.revoke(token.id, NOW)

    assert store.revoke(token.id, NOW + DAY) == first


def test_a_revoked_token_that_expired_stays_revoked(store: OperatedTokens) -> None:
    token = new_token(days=1)
    store.add(token)
    store.revoke(token.id, NOW)

    assert store.use(token.id, NOW + 2 * DAY) == Refused(Refusal.REVOKED)


def test_a_waiting_upload_learns_of_a_revocation(store: OperatedTokens) -> None:
    token = new_token()
    store.add(token)

    assert not store.is_revoked(token.id)
    store.revoke(token.id, NOW)
    assert store.is_revoked(token.id)


def test_a_token_that_does_not_exist_counts_as_revoked(store: OperatedTokens) -> None:
    assert store.is_revoked(token_id("gin_lost"))


def test_a_token_has_a_number_of_uses_in_each_minute(store: OperatedTokens) -> None:
    token, other = new_token(), new_token()
    store.add(token)
    store.add(other)
    for _ in range(MOST):
        assert isinstance(store.use(token.id, NOW), Token)

    # NOW is ten seconds after the beginning of a minute.
    assert store.use(token.id, NOW) == Refused(Refusal.TOO_MANY, retry_after=50)
    assert isinstance(store.use(other.id, NOW), Token)
    assert isinstance(store.use(token.id, NOW + MINUTE), Token)


@pytest.mark.parametrize("store", ["sqlite", "dynamodb-local"], indirect=True)
def test_concurrent_uses_of_a_token_are_all_counted(store: OperatedTokens) -> None:
    token = new_token()
    store.add(token)
    outcomes: list[Token | Refused] = []

    def use() -> None:
        outcomes.extend(store.use(token.id, NOW) for _ in range(MOST))

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sum(isinstance(outcome, Token) for outcome in outcomes) == MOST


def test_a_token_is_used_over_many_minutes(store: OperatedTokens) -> None:
    token = new_token()
    store.add(token)

    for minute in range(40):
        assert isinstance(store.use(token.id, NOW + 61 * minute * MINUTE), Token)


def test_only_the_tokens_of_a_person_are_listed(store: OperatedTokens) -> None:
    mine = [new_token(created=NOW + day * DAY) for day in (3, 1, 2)]
    for token in (*mine, new_token("mailto:john@example.org")):
        store.add(token)

    assert [each.created for each in store.of(JANE)] == sorted(token.created for token in mine)


def test_a_store_has_no_secret(store: OperatedTokens) -> None:
    secret = make_secret()
    token = replace(new_token(), id=token_id(secret))
    store.add(token)

    assert secret not in repr(store.of(JANE))
    assert isinstance(store.use(token_id(secret), NOW), Token)


def test_an_operator_sees_the_tokens_of_everybody(store: OperatedTokens) -> None:
    mine, others = new_token(created=NOW + DAY), new_token("mailto:john@example.org")
    store.add(mine)
    store.add(others)
    store.note(Event(write_moment(NOW), "olga", Deed.CREATED, mine.id, JANE))

    assert store.all() == [others, mine]
    assert store.of(JANE) == [mine]


def test_the_log_of_operators_has_its_lines_in_order(store: OperatedTokens) -> None:
    token = new_token()
    later = Event(write_moment(NOW + DAY), "olga", Deed.REVOKED, token.id, JANE)
    first = Event(write_moment(NOW), "arn:aws:iam::123456789012:user/olga", Deed.CREATED, token.id, JANE)
    store.note(later)
    store.note(first)

    assert store.events() == [first, later]
