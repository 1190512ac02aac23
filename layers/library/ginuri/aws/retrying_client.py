"""A DynamoDB client that waits for a throttled or absent table; for background functions.

botocore tries a call again as well, but its waiting is bounded by attempts and not by time, its quota of
retries is shared by all threads of a client, and it knows neither why a transaction was cancelled nor of
unprocessed keys. Its adaptive mode slows down the whole client, reads included, without a bound in time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from botocore.config import Config
from botocore.exceptions import ClientError, ConnectionError, HTTPClientError  # noqa: A004  botocore's own name
from botocore.session import get_session

from ginuri.aws.clients import CONFIG
from ginuri.identifiers.errors import RegistryUnavailable

if TYPE_CHECKING:
    from random import Random

    from mypy_boto3_dynamodb import DynamoDBClient

MOST_SECONDS = 90.0
"""How long one call is tried, waiting included: a minute's absence is outlasted, a function's time is not."""
SHORTEST, LONGEST = 0.05, 10.0
"""How many seconds may pass before the second try, and at most before any."""

_SERVER_ERRORS = 500
_PASSING = {
    "ProvisionedThroughputExceededException",
    "ThrottlingException",
    "RequestLimitExceeded",
    "ResourceNotFoundException",  # a table that is restored or made anew comes back
    "TransactionInProgressException",
    "TransactionConflictException",  # a single write that met a transaction
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
    """Make a client that tries again for `MOST_SECONDS`; it has the five operations that taking in needs.

    `sleep` and `clock` count seconds. `client` must not try again itself; without one it is made. A call
    raises RegistryUnavailable when patience ends, and at once botocore's errors for what no waiting mends.
    """
    if client is None:
        config = CONFIG.merge(Config(retries={"mode": "standard", "total_max_attempts": 1}))
        client = cast("DynamoDBClient", get_session().create_client("dynamodb", config=config))
    return cast("DynamoDBClient", _RetryingClient(client, lambda: _Backoff(sleep, clock, random)))


class _Backoff:
    """The waiting of one call: exponential, with full jitter, lest all who wait come back together."""

    def __init__(self, sleep: Callable[[float], None], clock: Callable[[], float], random: Random) -> None:
        self._sleep, self._clock, self._random = sleep, clock, random
        self._until = clock() + MOST_SECONDS
        self._ceiling = SHORTEST

    def wait(self, reason: str) -> None:
        """Wait before another try. Raises RegistryUnavailable where that would be too late."""
        pause = self._random.uniform(0, self._ceiling)
        if self._clock() + pause > self._until:
            raise RegistryUnavailable(reason)
        self._sleep(pause)
        self._ceiling = min(LONGEST, self._ceiling * 2)


class _RetryingClient:
    """Retries each call until it succeeds."""

    def __init__(self, client: DynamoDBClient, begin: Callable[[], _Backoff]) -> None:
        self._client, self._begin = client, begin

    def get_item(self, **parameters: Any) -> Answer:  # noqa: ANN401  passed on
        return _insist(self._client.get_item, parameters, self._begin())

    def query(self, **parameters: Any) -> Answer:  # noqa: ANN401  passed on
        return _insist(self._client.query, parameters, self._begin())

    def put_item(self, **parameters: Any) -> Answer:  # noqa: ANN401  passed on
        return _insist(self._client.put_item, parameters, self._begin())

    def transact_write_items(self, **parameters: Any) -> Answer:  # noqa: ANN401  passed on
        # One token for all tries: what was done before its answer was lost is not done, nor refused, again.
        idempotent = {"ClientRequestToken": str(uuid4()), **parameters}
        return _insist(self._client.transact_write_items, idempotent, self._begin())

    def batch_get_item(self, **parameters: Any) -> Answer:  # noqa: ANN401  passed on
        # Keys stay unprocessed where the response would be too long, or by throttling: which, is not in it.
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


def _insist(call: Callable[..., Any], parameters: Mapping[str, Any], waiting: _Backoff) -> Answer:
    while True:
        try:
            answer: Answer = call(**parameters)
        except ClientError as error:
            if not _passes(error):
                raise
            reason = error.response["Error"]["Code"]
        except (ConnectionError, HTTPClientError) as error:
            reason = type(error).__name__
        else:
            return answer
        waiting.wait(reason)


def _passes(error: ClientError) -> bool:
    if error.response["Error"]["Code"] == _CANCELLED:
        # A condition that failed is an answer, whatever befell the other items.
        reasons: Any = error.response.get("CancellationReasons", ())
        return {reason.get("Code", "None") for reason in reasons} <= _PASSING_REASONS
    status = error.response["ResponseMetadata"]["HTTPStatusCode"]
    return status >= _SERVER_ERRORS or error.response["Error"]["Code"] in _PASSING
