"""The queue of the parts of uploads, and its dead-letter queue, in SQS."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ginuri.aws.clients import unavailable
from ginuri.identifiers.errors import RegistryUnavailable

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_AT_ONCE = 10
_HIDDEN_SECONDS = 120
"""The time for which a received message is hidden from other consumers."""


class SqsQueue:
    """Sends messages to one queue."""

    def __init__(self, client: SQSClient, url: str) -> None:
        self._client = client
        self._url = url

    def send(self, messages: Sequence[str], delay: int = 0) -> None:
        """Send messages, to be delivered after `delay` seconds, at most 900.

        Raises RegistryUnavailable: then the queue may have some of them.
        """
        for start in range(0, len(messages), _AT_ONCE):
            batch = messages[start : start + _AT_ONCE]
            with unavailable():
                answer = self._client.send_message_batch(
                    QueueUrl=self._url,
                    Entries=[
                        {"Id": str(number), "MessageBody": body, "DelaySeconds": delay}
                        for number, body in enumerate(batch)
                    ],
                )
            if answer.get("Failed"):
                raise RegistryUnavailable(f"the queue did not take {len(answer['Failed'])} messages")


class SqsDeadLetters:
    """The messages of a dead-letter queue. Raises RegistryUnavailable."""

    def __init__(self, client: SQSClient, ingest: str, dead_letters: str, wait_seconds: int) -> None:
        self._client, self._wait_seconds = client, wait_seconds
        self._ingest, self._dead_letters = ingest, dead_letters

    def redrive(self) -> Iterator[str]:
        """Move the messages one by one, and yield the body of each after it was moved."""
        moved: set[str] = set()
        with unavailable():
            while messages := self._receive():
                for received in messages:
                    body = received["Body"]
                    # A message that comes a second time has failed again meanwhile, and stays to be examined.
                    if body in moved:
                        continue
                    # A message is sent before it is deleted, so that none is lost.
                    self._client.send_message(QueueUrl=self._ingest, MessageBody=body)
                    self._client.delete_message(
                        QueueUrl=self._dead_letters, ReceiptHandle=received["ReceiptHandle"]
                    )
                    moved.add(body)
                    yield body

    def bodies(self) -> Iterator[str]:
        """Yield the body of each message, and leave all of them there."""
        seen: dict[str, str] = {}
        with unavailable():
            try:
                while messages := self._receive():
                    new = [received["Body"] for received in messages if received["MessageId"] not in seen]
                    seen |= {received["MessageId"]: received["ReceiptHandle"] for received in messages}
                    yield from new
                    if not new:
                        break
            finally:
                for handle in seen.values():
                    self._client.change_message_visibility(
                        QueueUrl=self._dead_letters, ReceiptHandle=handle, VisibilityTimeout=0
                    )

    def _receive(self) -> Sequence[MessageTypeDef]:
        return self._client.receive_message(
            QueueUrl=self._dead_letters,
            MaxNumberOfMessages=_AT_ONCE,
            VisibilityTimeout=_HIDDEN_SECONDS,
            WaitTimeSeconds=self._wait_seconds,
        ).get("Messages", [])
