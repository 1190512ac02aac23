"""A registry with a patient client waits for a throttled or unavailable table, but not for ever."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.retrying_client import LONGEST, MOST_SECONDS, SHORTEST, make_retrying_client
from ginuri.identifiers.errors import RegistryUnavailable, RevisionConflict
from ginuri.registry.record.record import Change
from tests.builders import MAP, changed
from tests.contract.conftest import ClientAt, Serve
from tests.services import Asked

NEW = changed(MAP, 1, title={"en": "Map"})
DISPLACING = changed(MAP, 2, before=NEW.after, title={"en": "Geologic map"})
DONE: tuple[int, dict[str, Any]] = (200, {})
THROTTLED = "ProvisionedThroughputExceededException"


class Time:
    """A clock that only sleeping moves, and the slept seconds."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def refusal(code: str, *reasons: str, status: int = 400) -> tuple[int, dict[str, Any]]:
    """Return the answer of a service that refuses."""
    told: dict[str, Any] = {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no"}
    return status, told | ({"CancellationReasons": [{"Code": each} for each in reasons]} if reasons else {})


def cancelled(*reasons: str) -> tuple[int, dict[str, Any]]:
    """Return the answer to a cancelled transaction, with the reason for each of its items."""
    return refusal("TransactionCanceledException", *reasons)


def patient(
    serve: Serve, *answers: tuple[int, dict[str, Any]], seed: int = 1
) -> tuple[DynamoRegistry, Asked, Time]:
    """Return a registry whose service returns these answers, the last one repeatedly."""
    (client, service), time = serve(*answers), Time()
    waiting = make_retrying_client(time.sleep, lambda: time.now, Random(seed), client)  # noqa: S311  repeatable by its seed
    return DynamoRegistry(waiting, "registry"), service, time


@pytest.mark.parametrize(
    "answer",
    [
        refusal(THROTTLED),
        refusal("ThrottlingException"),
        refusal("RequestLimitExceeded"),
        refusal("ResourceNotFoundException"),
        refusal("TransactionConflictException"),
        refusal("InternalServerError", status=500),
        refusal("ServiceUnavailable", status=503),
    ],
    ids=lambda answer: answer[1]["__type"].rpartition("#")[2],
)
def test_a_write_is_retried_until_it_succeeds(serve: Serve, answer: tuple[int, dict[str, Any]]) -> None:
    registry, service, time = patient(serve, *[answer] * 7, DONE)

    registry.write(NEW)

    assert len(service.asked) == 8
    assert len(time.slept) == 7


@pytest.mark.parametrize(
    "reasons",
    [
        ("ThrottlingError", "None"),
        ("None", "ProvisionedThroughputExceeded"),
        ("TransactionConflict", "None"),
        ("TransactionConflict", "ThrottlingError"),
    ],
)
def test_a_throttled_transaction_is_retried_with_the_same_token(
    serve: Serve,
    reasons: Sequence[str],
) -> None:
    registry, service, time = patient(
        serve, cancelled(*reasons), refusal("TransactionInProgressException"), DONE
    )

    registry.write(DISPLACING)

    assert len(time.slept) == 2
    assert len(service.asked) == 3
    assert len({asked["ClientRequestToken"] for asked in service.asked}) == 1


def test_another_transaction_has_another_token(serve: Serve) -> None:
    registry, service, _ = patient(serve, DONE)

    registry.write(DISPLACING)
    registry.write(DISPLACING)

    assert len({asked["ClientRequestToken"] for asked in service.asked}) == 2


@pytest.mark.parametrize("other", ["ThrottlingError", "ProvisionedThroughputExceeded", "None"])
def test_a_failed_condition_is_an_answer_despite_other_failures(serve: Serve, other: str) -> None:
    registry, _, time = patient(serve, cancelled("ConditionalCheckFailed", other))
    applied_before, _, _ = patient(serve, cancelled(other, "ConditionalCheckFailed"))

    with pytest.raises(RevisionConflict):
        registry.write(DISPLACING)
    applied_before.write(DISPLACING)

    assert time.slept == []


@pytest.mark.parametrize(
    "code", ["AccessDeniedException", "ValidationException", "UnrecognizedClientException"]
)
def test_permanent_failures_are_not_retried(serve: Serve, code: str) -> None:
    registry, service, time = patient(serve, refusal(code))

    with pytest.raises(RegistryUnavailable, match=code):
        registry.write(NEW)

    assert (len(service.asked), time.slept) == (1, [])


def _batch(found: Sequence[str], left: Sequence[str]) -> tuple[int, dict[str, Any]]:
    items = [
        {"identifier": {"S": name}, "version": {"S": "now"}, "body": {"S": "{}"}, "modified": {"S": ""}}
        for name in found
    ]
    keys = [{"identifier": {"S": name}, "version": {"S": "now"}} for name in left]
    return 200, {
        "Responses": {"registry": items},
        "UnprocessedKeys": {"registry": {"Keys": keys}} if keys else {},
    }


def test_throttled_keys_are_retried_and_keys_already_read_are_not(
    serve: Serve,
) -> None:
    names = ["uri-gin/a/", "uri-gin/b/", "uri-gin/c/"]
    registry, service, time = patient(
        serve,
        _batch(names[:1], names[1:]),
        *[_batch([], names[1:])] * 6,
        refusal(THROTTLED),
        _batch(names[1:2], names[2:]),
        _batch(names[2:], []),
    )

    assert list(registry.fetch(names)) == names

    asked = [len(each["RequestItems"]["registry"]["Keys"]) for each in service.asked]
    assert asked == [3, *[2] * 8, 1]
    assert len(time.slept) == 7  # successful items were not delayed


def test_keys_that_stay_unprocessed_are_unavailable_in_the_end(serve: Serve) -> None:
    registry, _, time = patient(serve, _batch([], ["uri-gin/a/", "uri-gin/b/"]))

    with pytest.raises(RegistryUnavailable, match="unprocessed"):
        registry.fetch(["uri-gin/a/", "uri-gin/b/"])

    assert time.now <= MOST_SECONDS


@pytest.mark.parametrize("change", [NEW, DISPLACING], ids=["one item", "two items"])
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.untraced
def test_retries_last_over_a_minute_and_end_within_the_stated_time(
    serve: Serve, seed: int, change: Change
) -> None:
    registry, _, time = patient(serve, refusal("ResourceNotFoundException"), seed=seed)

    with pytest.raises(RegistryUnavailable, match="ResourceNotFoundException"):
        registry.write(change)

    assert 60 < MOST_SECONDS - LONGEST <= time.now <= MOST_SECONDS
    assert max(time.slept) <= LONGEST
    assert time.slept[0] <= SHORTEST
    assert len(time.slept) < 100


def test_concurrent_retries_are_spread_over_time(serve: Serve) -> None:
    slept = []
    for seed in range(20):
        registry, _, time = patient(serve, *[refusal(THROTTLED)] * 5, DONE, seed=seed)
        registry.write(NEW)
        slept.append(time.slept[-1])

    assert max(slept) - min(slept) > SHORTEST * 2**4 / 2


def test_calls_wait_for_an_absent_service(client_at: ClientAt) -> None:
    with socket.socket() as taken:  # a bound port without a listener
        taken.bind(("127.0.0.1", 0))
        client, time = client_at(f"http://127.0.0.1:{taken.getsockname()[1]}"), Time()
        waiting = make_retrying_client(time.sleep, lambda: time.now, Random(1), client)  # noqa: S311  repeatable by its seed

        with pytest.raises(RegistryUnavailable, match="EndpointConnectionError"):
            DynamoRegistry(waiting, "registry").write(NEW)

    assert MOST_SECONDS - LONGEST <= time.now <= MOST_SECONDS
