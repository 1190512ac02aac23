"""A registry that is throttled or unavailable raises only RegistryUnavailable."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.dynamodb_http.retries import SHORTEST
from ginuri.identifiers.errors import RecordTooLarge, RegistryUnavailable, RevisionConflict
from ginuri.registry.record.record import Change
from tests.builders import MAP, changed, stamp
from tests.contract.conftest import ClientAt, Serve
from tests.services import Asked

NEW = changed(MAP, 1, title={"en": "Map"})
DISPLACING = changed(MAP, 2, before=NEW.after, title={"en": "Geologic map"})


class _Everything(DynamoRegistry, DynamoArchive, DynamoMemberLister):
    """All methods of a registry in DynamoDB."""


USES: list[Callable[[_Everything], object]] = [
    lambda registry: registry.fetch([MAP]),
    lambda registry: registry.fetch([MAP, "uri-gin/"]),
    lambda registry: registry.read([MAP]),
    lambda registry: registry.read([MAP, "uri-gin/"]),
    lambda registry: registry.write(NEW),
    lambda registry: registry.write(DISPLACING),
    lambda registry: registry.near("uri-gin/azgs"),
    lambda registry: registry.displaced(MAP, stamp(1)),
    lambda registry: registry.history(MAP),
    lambda registry: list(registry.standing("uri-gin/")),
    lambda registry: registry.members("uri-gin/azgs/"),
    lambda registry: registry.count("uri-gin/azgs/", 10),
]
NAMES = [
    "fetching one",
    "fetching several",
    "reading one",
    "reading several",
    "writing",
    "displacing",
    "near",
    "reading the history",
    "the past",
    "the whole",
    "listing",
    "counting",
]


def _refusing(serve: Serve, code: str, *reasons: str) -> tuple[_Everything, Asked]:
    refusal: dict[str, Any] = {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": "no"}
    if reasons:
        refusal["CancellationReasons"] = [{"Code": reason} for reason in reasons]
    client, service = serve((400, refusal))
    return _Everything(client, "registry"), service


@pytest.mark.parametrize("use", USES, ids=NAMES)
@pytest.mark.parametrize(
    "code",
    [
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
        "InternalServerError",
        "ResourceNotFoundException",
        "AccessDeniedException",
    ],
)
@pytest.mark.untraced
def test_a_refusal_of_the_service_means_unavailable(
    serve: Serve, use: Callable[[_Everything], object], code: str
) -> None:
    registry, _ = _refusing(serve, code)

    with pytest.raises(RegistryUnavailable, match=code) as away:
        use(registry)

    assert away.value.retry_after > 0


@pytest.mark.parametrize("use", USES, ids=NAMES)
def test_a_missing_service_is_unavailable(client_at: ClientAt, use: Callable[[_Everything], object]) -> None:
    with socket.socket() as taken:  # a bound port without a listener
        taken.bind(("127.0.0.1", 0))
        client = client_at(f"http://127.0.0.1:{taken.getsockname()[1]}")

        with pytest.raises(RegistryUnavailable, match="EndpointConnectionError"):
            use(_Everything(client, "registry"))


@pytest.mark.parametrize("reasons", [("ThrottlingError", "None"), ("None", "ProvisionedThroughputExceeded")])
def test_a_throttled_transaction_is_unavailable_and_not_a_conflict(
    serve: Serve, reasons: Sequence[str]
) -> None:
    registry, _ = _refusing(serve, "TransactionCanceledException", *reasons)

    with pytest.raises(RegistryUnavailable):
        registry.write(DISPLACING)


@pytest.mark.parametrize("reasons", [("ConditionalCheckFailed", "None"), ("TransactionConflict", "None")])
def test_a_transaction_that_loses_to_another_is_a_conflict(serve: Serve, reasons: Sequence[str]) -> None:
    registry, _ = _refusing(serve, "TransactionCanceledException", *reasons)

    with pytest.raises(RevisionConflict):
        registry.write(DISPLACING)


def test_a_single_write_that_loses_to_a_transaction_is_a_conflict(serve: Serve) -> None:
    registry, _ = _refusing(serve, "TransactionConflictException")

    with pytest.raises(RevisionConflict):
        registry.write(NEW)


_SIZE = "Item size has exceeded the maximum allowed size"


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (NEW, {"__type": "com.amazon.coral.validate#ValidationException", "message": _SIZE}),
        (
            DISPLACING,
            {
                "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                "message": "Transaction cancelled, please refer cancellation reasons for specific reasons",
                "CancellationReasons": [{"Code": "ValidationError", "Message": _SIZE}, {"Code": "None"}],
            },
        ),
    ],
    ids=["one write", "a transaction"],
)
def test_an_item_too_large_for_the_service_is_not_retried(
    serve: Serve, change: Change, refusal: dict[str, Any]
) -> None:
    client, service = serve((400, refusal))

    with pytest.raises(RecordTooLarge):
        _Everything(client, "registry").write(change)

    assert len(service.asked) == 1


def _batch(found: Sequence[str], left: Sequence[str]) -> tuple[int, dict[str, Any]]:
    items = [
        {"identifier": {"S": name}, "version": {"S": "now"}, "body": {"S": "{}"}, "modified": {"S": ""}}
        for name in found
    ]
    keys = [{"identifier": {"S": name}, "version": {"S": "now"}} for name in left]
    unprocessed = {"registry": {"Keys": keys}} if keys else {}
    return 200, {"Responses": {"registry": items}, "UnprocessedKeys": unprocessed}


def test_keys_that_the_service_left_unprocessed_are_requested_again(serve: Serve) -> None:
    client, service = serve(_batch(["uri-gin/a/"], ["uri-gin/b/"]), _batch(["uri-gin/b/"], []))

    fetched = DynamoRegistry(client, "registry").fetch(["uri-gin/a/", "uri-gin/b/"])

    assert set(fetched) == {"uri-gin/a/", "uri-gin/b/"}
    again = service.asked[1]["RequestItems"]["registry"]
    assert again["Keys"] == [{"identifier": {"S": "uri-gin/b/"}, "version": {"S": "now"}}]
    assert (
        again["ProjectionExpression"] == service.asked[0]["RequestItems"]["registry"]["ProjectionExpression"]
    )


def test_keys_that_stay_unprocessed_never_count_as_unregistered(serve: Serve) -> None:
    client, service = serve(_batch([], ["uri-gin/a/", "uri-gin/b/"]))

    with pytest.raises(RegistryUnavailable, match="some keys were not processed"):
        DynamoRegistry(client, "registry").fetch(["uri-gin/a/", "uri-gin/b/"])

    assert len(service.asked) < 10


def test_unprocessed_keys_are_requested_while_some_arrive(serve: Serve) -> None:
    names = [f"uri-gin/{number}/" for number in range(20)]
    client, service = serve(*(_batch(names[at : at + 1], names[at + 1 :]) for at in range(20)))
    pauses: list[float] = []

    fetched = DynamoReader(client, "registry", pauses.append).fetch(names)

    assert list(fetched) == names
    assert len(service.asked) == 20
    assert len(pauses) == 19
    assert all(0 <= pause <= SHORTEST for pause in pauses)


def test_requests_for_unprocessed_keys_end(serve: Serve) -> None:
    client, service = serve(_batch(["uri-gin/a/"], ["uri-gin/b/"]))
    reader = DynamoReader(client, "registry", lambda _: None)

    for _ in range(2):
        with pytest.raises(RegistryUnavailable, match="some keys were not processed"):
            reader.fetch(["uri-gin/a/", "uri-gin/b/"])

    assert len(service.asked) == 102  # a repetition costs five of five hundred


def test_registering_uses_consistent_reads_and_answering_does_not(serve: Serve) -> None:
    client, service = serve((200, {}), _batch([], []), (200, {}), _batch([], []), (200, {}))
    registry, reader = DynamoRegistry(client, "registry"), DynamoReader(client, "registry")

    registry.read([MAP])
    registry.read([MAP, "uri-gin/"])
    registry.fetch([MAP])
    reader.fetch([MAP, "uri-gin/"])
    reader.fetch([MAP])

    one, several, around, answering_several, answering = service.asked
    assert one["ConsistentRead"] is around["ConsistentRead"] is True
    assert several["RequestItems"]["registry"]["ConsistentRead"] is True
    assert not answering.get("ConsistentRead")
    assert not answering_several["RequestItems"]["registry"].get("ConsistentRead")
