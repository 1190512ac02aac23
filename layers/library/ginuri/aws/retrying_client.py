"""A DynamoDB client that waits for a throttled or missing table; for background functions.

botocore also retries a call, but its waiting is limited by attempts and not by time, its quota of retries is
shared by all threads of a client, and it does not retry cancelled transactions by their reasons, nor
unprocessed keys. Its adaptive mode slows down the whole client, reads included, without a limit in time. Our
own client retries only reads, for a few seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from ginuri.aws.clients import make_dynamodb_client
from ginuri.aws.dynamodb_http.failures import AwsFailure, as_failure
from ginuri.identifiers.errors import RegistryUnavailable

if TYPE_CHECKING:
    from random import Random

    from mypy_boto3_dynamodb import DynamoDBClient

MOST_SECONDS = 90.0
"""The seconds that one call is tried, waiting included: more than a minute, less than a function's time."""
SHORTEST, LONGEST = 0.05, 10.0
"""The most seconds before the second try, and before any."""

_SERVER_ERRORS = 500
_PASSING = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "ResourceNotFoundException",  # a table that is being restored or created
    "TransactionInProgressException",
    "TransactionConflictException",  # a single write during a transaction
}
_CANCELLED = "TransactionCanceledException"
_PASSING_REASONS = {"None", "ThrottlingError", "ProvisionedThroughputExceeded", "TransactionConflict"}

Answer = Mapping[str, Any]


def make_retrying_client(
    sleep: Callable[[float], None],
    clock: Callable[[], float],
    random: Random,
    client: DynamoDBClient | None = None,
) -> DynamoDBClient:
    """Return a client that retries for `MOST_SECONDS`; it has the operations of ingest and of a move.

    `sleep` and `clock` count seconds. `client` must not retry itself; without one it is created. A call
    raises RegistryUnavailable when patience ends, and the client's other errors at once.
    """
    waiting = _RetryingClient(
        client or make_dynamodb_client(attempts=1), lambda: _Backoff(sleep, clock, random)
    )
    return cast("DynamoDBClient", waiting)


class _Backoff:
    """The waiting of one call: exponential, with full jitter, so that waiting clients spread out."""

    def __init__(self, sleep: Callable[[float], None], clock: Callable[[], float], random: Random) -> None:
        self._sleep, self._clock, self._random = sleep, clock, random
        self._until = clock() + MOST_SECONDS
        self._ceiling = SHORTEST

    def wait(self, reason: str) -> None:
        """Wait before another try. Raises RegistryUnavailable if that would be too late."""
        pause = self._random.uniform(0, self._ceiling)
        if self._clock() + pause > self._until:
            raise RegistryUnavailable(reason)
        self._sleep(pause)
        self._ceiling = min(LONGEST, self._ceiling * 2)


class _RetryingClient:
    """Retries each call until it succeeds."""

    def __init__(self, client: DynamoDBClient, begin: Callable[[], _Backoff]) -> None:
        self._client, self._begin = client, begin

    def get_item(self, **parameters: Any) -> Answer:
        return _insist(self._client.get_item, parameters, self._begin())

    def query(self, **parameters: Any) -> Answer:
        return _insist(self._client.query, parameters, self._begin())

    def put_item(self, **parameters: Any) -> Answer:
        return _insist(self._client.put_item, parameters, self._begin())

    def transact_write_items(self, **parameters: Any) -> Answer:
        # One token for all tries: a transaction whose answer was lost is neither repeated nor refused.
        idempotent = {"ClientRequestToken": str(uuid4()), **parameters}
        return _insist(self._client.transact_write_items, idempotent, self._begin())

    def batch_get_item(self, **parameters: Any) -> Answer:
        # Keys stay unprocessed in a full response or by throttling; the response does not distinguish them.
        waiting, found = self._begin(), dict[str, list[Any]]()
        while True:
            answer = _insist(self._client.batch_get_item, parameters, waiting)
            for table, items in answer["Responses"].items():
                found.setdefault(table, []).extend(items)
            left = answer.get("UnprocessedKeys")
            if not left:
                return {**answer, "Responses": found}
            if not any(answer["Responses"].values()):
                waiting.wait("some keys stayed unprocessed")
            parameters = {**parameters, "RequestItems": left}

    def batch_write_item(self, **parameters: Any) -> Answer:
        waiting = self._begin()
        while True:
            answer = _insist(self._client.batch_write_item, parameters, waiting)
            left = answer.get("UnprocessedItems")
            if not left:
                return answer
            waiting.wait("some items stayed unprocessed")
            parameters = {**parameters, "RequestItems": left}


def _insist(call: Callable[..., Answer], parameters: Mapping[str, Any], waiting: _Backoff) -> Answer:
    while True:
        try:
            return call(**parameters)
        except Exception as error:
            if (failure := as_failure(error)) is None or not _passes(failure):
                raise
            reason = failure.code
        waiting.wait(reason)


def _passes(failure: AwsFailure) -> bool:
    if failure.code == _CANCELLED:
        # A failed condition is an answer, whatever happened to the other items.
        return {code for code, _ in failure.reasons} <= _PASSING_REASONS
    return failure.is_lost or failure.status >= _SERVER_ERRORS or failure.code in _PASSING
