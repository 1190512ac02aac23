"""The queue of the parts of uploads, in SQS."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ginuri.aws.clients import unavailable
from ginuri.identifiers.errors import RegistryUnavailable

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

_AT_ONCE = 10


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
