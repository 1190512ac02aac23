"""Faults between ingest and the table: registry and report end as without them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError, ReadTimeoutError
from moto import mock_aws

from ginuri.aws.dynamodb.archive import DynamoArchive
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.retrying_client import make_retrying_client
from ginuri.identifiers.errors import RegistryUnavailable
from tests.aws import curl_client, dynamodb_client, new_table
from tests.scripted_http import relay, scripted
from tests.steward import LINES, Report, Steward, line, settled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

WELL = "uri-gin/azgs/doc/well{}"
BEFORE = (
    line(WELL.format(1))
    + line(WELL.format(2), reason="why")
    + line(WELL.format(3), title={"de": "Brunnen"})
    + line(WELL.format(4), representations=[{"part": ".pdf", "location": "https://a.example/"}])
)
NEXT = (
    line(WELL.format(1), description="More")  # no value is replaced: one item is written
    + line(WELL.format(2), reason="another")  # one is replaced: two are written
    + line(WELL.format(3), title={"de": "Brunnen"})
    + line(WELL.format(4), representations=[{"part": ".pdf", "status": "retired"}])
    + line(WELL.format(5))
    + line(WELL.format(6), location="htp://a.example/")
)
COUNTS = {"registered": 1, "changed": 3, "unchanged": 1, "refused": 1}
WRITES = {"PutItem", "TransactWriteItems"}


@dataclass
class Trouble:
    """Injects faults into the calls of a client, by the number of each call."""

    seed: int = 0
    before: Callable[[int, str], None] = lambda *_: None
    """Called before a call is sent: its exception replaces the call."""
    after: Callable[[int, str], None] = lambda *_: None
    """Called after a call: its exception replaces the answer."""
    calls: int = 0
    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    def watch(self, client: DynamoDBClient) -> None:
        """Wrap every call."""
        client.meta.events.register("before-call.dynamodb", self._before)
        client.meta.events.register("after-call.dynamodb", self._after)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def _before(self, model: Any, **_: object) -> None:
        self.calls += 1
        self.before(self.calls, model.name)

    def _after(self, model: Any, **_: object) -> None:
        self.after(self.calls, model.name)


@dataclass
class Table:
    """A table, and registries on it whose calls fail."""

    client: Callable[[], DynamoDBClient]
    name: str

    def steward(self, trouble: Trouble | None = None) -> Steward:
        """Return a steward whose first file is ingested, and whose next calls fail."""
        steward = settled(DynamoRegistry(self.client(), self.name))
        steward.upload(LINES, BEFORE)
        if trouble:
            client = self.client()
            trouble.watch(client)
            random = Random(trouble.seed)  # noqa: S311  repeatable by its seed
            patient = make_retrying_client(trouble.sleep, lambda: trouble.now, random, client)
            steward.registry = DynamoRegistry(patient, self.name)
        return steward

    def told(self) -> list[tuple[str, Any]]:
        """Return the current and the past values of every identifier."""
        archive = DynamoArchive(self.client(), self.name)
        names = [name for name, _ in archive.standing("uri-gin/azgs/")]
        return sorted((name, archive.history(name)) for name in names)


@pytest.fixture
def tables(tables_at: str | None) -> Iterator[Callable[[], Table]]:
    """Return tables, in moto or in DynamoDB Local."""
    with mock_aws():
        yield lambda: Table(lambda: dynamodb_client(tables_at), new_table(dynamodb_client(tables_at)))


def _verdicts(report: Report) -> Any:
    return json.loads(json.dumps(report.whole["verdicts"]))


def _unhurt(tables: Callable[[], Table]) -> tuple[Any, list[tuple[str, Any]]]:
    table = tables()
    report = table.steward().upload(LINES, NEXT)
    assert report.counts == COUNTS
    return _verdicts(report), table.told()


def _lost(operation: str) -> ReadTimeoutError:
    return ReadTimeoutError(endpoint_url=operation)


def _throttled(operation: str) -> ClientError:
    told: Any = {
        "Error": {"Code": "ProvisionedThroughputExceededException", "Message": "no"},
        "ResponseMetadata": {"HTTPStatusCode": 400},
    }
    return ClientError(told, operation)


def test_a_write_with_a_lost_answer_is_reported_as_done(tables: Callable[[], Table]) -> None:
    verdicts, held = _unhurt(tables)
    lost: list[str] = []

    def lose(_: int, operation: str) -> None:
        if operation in WRITES and len(lost) % 2 == 0:  # every first try succeeds, and its answer is lost
            lost.append(operation)
            raise _lost(operation)
        if operation in WRITES:
            lost.append("")

    table = tables()
    report = table.steward(Trouble(after=lose)).upload(LINES, NEXT)

    assert set(lost) >= WRITES
    assert (_verdicts(report), table.told()) == (verdicts, held)


def test_a_write_repeated_by_libcurl_is_applied_once(dynamodb_local: str) -> None:
    def tables() -> Table:
        client = dynamodb_client(dynamodb_local)
        return Table(lambda: client, new_table(client))

    verdicts, held = _unhurt(tables)
    lost: set[tuple[str, bytes]] = set()

    def lose(request: bytes) -> bool:
        operation = request.partition(b"DynamoDB_20120810.")[2].partition(b"\r\n")[0].decode()
        call = operation, request.partition(b"\r\n\r\n")[2]
        if operation not in WRITES or call in lost:
            return False
        lost.add(call)  # the first try succeeds, and its answer is lost
        return True

    table, trouble = tables(), Trouble()
    steward = table.steward()
    with scripted(relay(dynamodb_local, lose)) as server:
        random = Random(1)  # noqa: S311  repeatable by its seed
        patient = make_retrying_client(trouble.sleep, lambda: trouble.now, random, curl_client(server.url))
        steward.registry = DynamoRegistry(patient, table.name)
        report = steward.upload(LINES, NEXT)

    assert {operation for operation, _ in lost} == WRITES
    assert trouble.slept == []  # libcurl repeated it by itself
    assert (_verdicts(report), table.told()) == (verdicts, held)


def test_an_upload_throttled_everywhere_is_slower_with_the_same_result(
    tables: Callable[[], Table],
) -> None:
    verdicts, held = _unhurt(tables)

    def throttle(call: int, operation: str) -> None:
        if call % 4:
            raise _throttled(operation)

    table, trouble = tables(), Trouble(before=throttle)
    report = table.steward(trouble).upload(LINES, NEXT)

    assert (_verdicts(report), table.told()) == (verdicts, held)
    assert len(trouble.slept) >= 3 * len(WRITES)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.untraced
def test_an_upload_ends_the_same_after_any_interruption(tables: Callable[[], Table], seed: int) -> None:
    verdicts, held = _unhurt(tables)
    random = Random(seed)  # noqa: S311  repeatable by its seed

    def before(_: int, operation: str) -> None:
        if random.random() < 0.3:
            raise random.choice([_throttled(operation), ConnectTimeoutError(endpoint_url=operation)])

    def after(_: int, operation: str) -> None:
        if random.random() < 0.3:
            raise _lost(operation)

    table = tables()
    report = table.steward(Trouble(seed, before, after)).upload(LINES, NEXT)

    assert (_verdicts(report), table.told()) == (verdicts, held)


def test_an_unavailable_table_is_reported_and_the_next_delivery_finishes(
    tables: Callable[[], Table],
) -> None:
    verdicts, held = _unhurt(tables)
    writes = []

    def go_away(_: int, operation: str) -> None:
        writes.extend([operation] if operation in WRITES else [])
        if len(writes) > 2:
            raise _throttled(operation)

    table, trouble = tables(), Trouble(before=go_away)
    steward = table.steward(trouble)
    upload = steward.put(LINES, NEXT)
    with pytest.raises(RegistryUnavailable):
        steward.deliver(upload)
    trouble.before = lambda *_: None
    report = steward.deliver(upload)

    assert (_verdicts(report), table.told()) == (verdicts, held)
