"""Is each queue the same queue? In memory, in SQS under moto, and in a registry folder."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from moto import mock_aws

from ginuri.aws.sqs import SqsQueue
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.queue_messages import PartQueue
from ginuri.memory import MemoryQueue
from ginuri.sqlite.database import Database
from ginuri.sqlite.queue import SqliteQueue
from tests.aws import sqs_client


@dataclass(frozen=True)
class Line:
    """A queue, and its waiting messages."""

    queue: PartQueue
    waiting: Callable[[], list[str]]
    pass_a_second: Callable[[], None]


def _in_memory() -> Line:
    queue = MemoryQueue()
    return Line(queue, lambda: queue.waiting, lambda: queue.pass_time(1))


def _in_sqs() -> Line:
    client = sqs_client()
    url = client.create_queue(QueueName="parts")["QueueUrl"]

    def waiting() -> list[str]:
        bodies: list[str] = []
        while messages := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
            bodies += [message["Body"] for message in messages]
        return bodies

    return Line(SqsQueue(client, url), waiting, lambda: time.sleep(1.1))


def _in_folder(database: Database) -> Line:
    seconds = [1_000.0]
    queue = SqliteQueue(database, lambda: seconds[0])

    def waiting() -> list[str]:
        bodies: list[str] = []
        while received := queue.receive(60):
            bodies.append(received.body)
        return bodies

    def pass_a_second() -> None:
        seconds[0] += 1

    return Line(queue, waiting, pass_a_second)


@pytest.fixture(params=["memory", "sqs", "folder"])
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Line]:
    if request.param == "memory":
        yield _in_memory()
    elif request.param == "folder":
        with closing(Database(tmp_path)) as database:
            yield _in_folder(database)
    else:
        with mock_aws():
            yield _in_sqs()


@pytest.mark.parametrize("number", [0, 1, 10, 23])
def test_every_message_is_sent_once(line: Line, number: int) -> None:
    messages = [f'{{"part": "{each}", "key": "ü"}}' for each in range(number)]

    line.queue.send(messages)

    assert sorted(line.waiting()) == sorted(messages)


def test_a_delayed_message_arrives_after_its_time(line: Line) -> None:
    line.queue.send(["later"], 1)
    line.queue.send(["now"])

    assert line.waiting() == ["now"]
    line.pass_a_second()
    assert "later" in line.waiting()


def test_an_unreachable_queue_raises_an_error() -> None:
    with mock_aws():
        queue = SqsQueue(sqs_client(), "https://sqs.us-east-1.amazonaws.com/123456789012/none")
        with pytest.raises(RegistryUnavailable):
            queue.send(["x"])


def test_messages_rejected_by_the_queue_raise_an_error() -> None:
    with mock_aws():
        client = sqs_client()
        queue = SqsQueue(client, client.create_queue(QueueName="parts")["QueueUrl"])

        def refuse(parsed: dict[str, Any], **_: object) -> None:
            parsed["Failed"] = [{"Id": "0", "SenderFault": False, "Code": "InternalError"}]

        client.meta.events.register("after-call.sqs.SendMessageBatch", refuse)
        try:
            with pytest.raises(RegistryUnavailable, match="1 messages"):
                queue.send(["x"])
        finally:
            client.meta.events.unregister("after-call.sqs.SendMessageBatch", refuse)
