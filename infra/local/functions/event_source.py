"""Delivers the queue's messages to the ingest function like Lambda's event source mapping.

After the Lambda developer guide, "Using Lambda with Amazon SQS": processed messages are deleted, failed ones
come back when their visibility ends, and the queue's redrive policy decides in the end. SQS counts the
receives.
"""

import asyncio
import json
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from infra.local.aws.clients import Account
from infra.local.cloudformation.resources import Created
from infra.local.functions.runtime_api import Failure, Outcome
from infra.local.gateway.front_door import Invocable
from infra.local.template import REGION

if TYPE_CHECKING:
    from mypy_boto3_sqs.type_defs import MessageTypeDef

_PAUSE, _LONGEST = 0.05, 0.4  # seconds between two reads of an empty queue, growing
_AT_ONCE = 10  # messages that SQS returns in one call


@dataclass(frozen=True)
class Mapping:
    """An event source mapping; `visibility` in seconds, None for the queue's own."""

    queue_arn: str
    queue_url: str
    batch_size: int
    reports_failures: bool
    visibility: int | None = None


@dataclass(frozen=True)
class Delivery:
    """One message for the function; `failure` is the reason why it was not processed."""

    message_id: str
    body: str
    receive_count: int
    failure: str


def read_mapping(mapping: Created, account: Account, visibility: int | None) -> Mapping:
    """Return the mapping of the template. `visibility`, in seconds, overrides the queue's."""
    arn = mapping.properties["EventSourceArn"]
    url = account.client("sqs").get_queue_url(QueueName=arn.rpartition(":")[2])["QueueUrl"]
    types = mapping.properties.get("FunctionResponseTypes", [])
    size = int(mapping.properties.get("BatchSize", 10))
    return Mapping(arn, url, size, "ReportBatchItemFailures" in types, visibility)


class EventSource:
    """Polls one queue on behalf of one function, with the function's own role, as Lambda does."""

    def __init__(self, mapping: Mapping, environments: Sequence[Invocable], account: Account) -> None:
        self.deliveries: list[Delivery] = []
        self._mapping = mapping
        self._environments = environments
        self._sqs = account.client("sqs")
        self._last_work = time.monotonic()
        self._busy = 0  # the number of environments
        self._woken = asyncio.Event()

    def wake(self) -> None:
        """Poll at once; called in the loop."""
        self._woken.set()

    def idle_for(self) -> float:
        """Return the number of idle seconds."""
        return 0.0 if self._busy else time.monotonic() - self._last_work

    def has_delayed(self) -> bool:
        """Return whether the queue has delayed messages."""
        answer = self._sqs.get_queue_attributes(
            QueueUrl=self._mapping.queue_url, AttributeNames=["ApproximateNumberOfMessagesDelayed"]
        )
        return answer["Attributes"]["ApproximateNumberOfMessagesDelayed"] != "0"

    async def run(self) -> None:
        """Poll until cancelled, whenever an environment of the function is idle."""
        idle: asyncio.Queue[Invocable] = asyncio.Queue()
        for environment in self._environments:
            idle.put_nowait(environment)
        pause = _PAUSE
        async with asyncio.TaskGroup() as deliveries:
            while True:
                environment = await idle.get()
                self._woken.clear()
                messages = await asyncio.to_thread(self._receive)
                if messages:
                    self._busy += 1
                    deliveries.create_task(self._deliver(messages, environment, idle))
                    pause = _PAUSE
                else:
                    idle.put_nowait(environment)
                    await self._rest(pause)
                    pause = min(2 * pause, _LONGEST)

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()

    def _receive(self) -> "list[MessageTypeDef]":
        options: dict[str, Any] = {}
        if self._mapping.visibility is not None:
            options["VisibilityTimeout"] = self._mapping.visibility
        return self._sqs.receive_message(
            QueueUrl=self._mapping.queue_url,
            MaxNumberOfMessages=min(self._mapping.batch_size, _AT_ONCE),
            MessageSystemAttributeNames=["All"],
            MessageAttributeNames=["All"],
            **options,
        ).get("Messages", [])

    async def _deliver(
        self, messages: "Sequence[MessageTypeDef]", environment: Invocable, idle: "asyncio.Queue[Invocable]"
    ) -> None:
        records = [self._record(message) for message in messages]
        outcome = await environment.invoke(json.dumps({"Records": records}).encode())
        failures = _failures(outcome, [record["messageId"] for record in records], self._mapping)
        for message in messages:
            failure = failures.get(message["MessageId"], "")
            if not failure:
                await asyncio.to_thread(
                    self._sqs.delete_message,
                    QueueUrl=self._mapping.queue_url,
                    ReceiptHandle=message["ReceiptHandle"],
                )
            count = int(message["Attributes"]["ApproximateReceiveCount"])
            self.deliveries.append(Delivery(message["MessageId"], message["Body"], count, failure))
        self._busy -= 1
        self._last_work = time.monotonic()
        idle.put_nowait(environment)

    def _record(self, message: "MessageTypeDef") -> dict[str, Any]:
        return {
            "messageId": message["MessageId"],
            "receiptHandle": message["ReceiptHandle"],
            "body": message["Body"],
            "attributes": message["Attributes"],
            "messageAttributes": {},
            "md5OfBody": message["MD5OfBody"],
            "eventSource": "aws:sqs",
            "eventSourceARN": self._mapping.queue_arn,
            "awsRegion": REGION,
        }


def _failures(outcome: Outcome, ids: list[str], mapping: Mapping) -> dict[str, str]:
    """Return the failed messages by id, with the reason; all of them if the function itself failed."""
    if isinstance(outcome, Failure):
        return dict.fromkeys(ids, outcome.message)
    if not mapping.reports_failures:
        return {}
    try:
        answer = json.loads(outcome.payload) or {}
        reported = [failure["itemIdentifier"] for failure in answer.get("batchItemFailures") or []]
    except (AttributeError, KeyError, TypeError):
        return dict.fromkeys(ids, "the function's answer has no proper batchItemFailures")
    if set(reported) - set(ids):  # AWS treats an unknown identifier as a failure of the whole batch
        return dict.fromkeys(ids, "the function reported a message that it was not given")
    return dict.fromkeys(reported, "reported by the function as failed")
