"""A stack in AWS, or the local one, whose uploads are processed once more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.parallel import THREADS
from ginuri.aws.retrying_client import make_retrying_client
from ginuri.aws.s3 import S3Uploads
from ginuri.aws.transfer import AwsTransfer
from ginuri.aws.upload_archive import EveryUpload, S3UploadArchive
from ginuri.cli.terminal import fault, say
from ginuri.identifiers.messages import message
from ginuri.replay.ports import ItemReader, ReplayTarget
from ginuri.web.log_line import NAMESPACE

if TYPE_CHECKING:
    from ginuri.cli.aws_stack import AwsStack

DRILLED, RECOVERED = "drilled", "recovered"
"""The metrics of a drill: the statements of the registry, and those that the uploads gave again."""
_COPIED = ("KeySchema", "AttributeDefinitions")
_INDEX = ("IndexName", "KeySchema", "Projection")
_STEP_SECONDS = 2


class AwsReplay:
    """The parts of a stack that a replay uses, with the permissions of an operator."""

    def __init__(self, stack: AwsStack, sleep: Callable[[float], None] = time.sleep) -> None:
        self._stack, self.reported, self._sleep = stack, stack, sleep
        self.whole: AwsTransfer = stack.whole
        self._dynamodb = stack.client("dynamodb")
        parts = self.whole.parts
        self.keeper = S3Uploads(stack.s3, uploads=parts.uploads, content=parts.content, reports=parts.reports)
        self.uploads = EveryUpload(self.keeper, S3UploadArchive(lambda: stack.s3, parts.archive))
        self.canonical_host: str = parts.settings.get("canonical_host", "")
        self._pool = ThreadPoolExecutor(THREADS)

    @property
    def target(self) -> ReplayTarget:
        """The table of the stack."""
        return self._target(self.whole.parts.table)

    def clear(self) -> None:
        """Raise CommandFailed: another table is safer than one that is emptied."""
        raise fault(
            message(
                "A table in AWS is not emptied. Create another one, deploy the stack with its name as "
                "RegistryTableName, and replay into that."
            )
        )

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Pause ingest; at the end, it goes on, and the edge forgets its answers.

        After an error it stays paused: the same command continues.
        """
        if self._stack.is_local:  # its queue is empty, and nobody else uploads to it
            yield
            return
        self._switch(enabled=False)
        yield
        self._switch(enabled=True)
        self._empty_edge()

    @contextmanager
    def scratch(self) -> Iterator[tuple[ReplayTarget, ItemReader]]:
        """Make an empty table with the keys and indexes of the stack's, and delete it at the end."""
        name = f"{self.whole.parts.table}-drill"
        self._delete(name)  # of a drill that was killed
        self._create(name)
        try:
            parts = replace(self.whole.parts, table=name)
            clients = (self._dynamodb, self._stack.s3, self._stack.client("sqs"))
            yield self._target(name), AwsTransfer(parts, *clients).items
        finally:
            self._delete(name)

    def note_drill(self, statements: int, recovered: int) -> None:
        """Put the result of a drill into the metrics of the dashboard."""
        if self._stack.is_local:
            return
        dimensions = [{"Name": "stack", "Value": self._stack.output("StackName")}]
        metrics = [
            {"MetricName": metric, "Dimensions": dimensions, "Value": value, "Unit": "Count"}
            for metric, value in ((DRILLED, statements), (RECOVERED, recovered))
        ]
        with unavailable():
            self._stack.client("cloudwatch").put_metric_data(Namespace=NAMESPACE, MetricData=metrics)

    def _target(self, table: str) -> ReplayTarget:
        client = make_retrying_client(time.sleep, time.monotonic, Random(), self._dynamodb)  # noqa: S311  a delay is not secret
        return ReplayTarget(DynamoRegistry(client, table), DynamoMemberLister(client, table), self._pool.map)

    def _switch(self, *, enabled: bool) -> None:
        source, client = self._stack.output("IngestSource"), self._stack.client("lambda")
        wanted = "Enabled" if enabled else "Disabled"
        with unavailable():
            state = client.get_event_source_mapping(UUID=source)["State"]
            if state != wanted:
                client.update_event_source_mapping(UUID=source, Enabled=enabled)
            while state != wanted:  # a call of ingest that runs ends before
                self._sleep(_STEP_SECONDS)
                state = client.get_event_source_mapping(UUID=source)["State"]
        say(message("Ingest goes on.") if enabled else message("Ingest is paused."), err=True)

    def _empty_edge(self) -> None:
        paths = {"Quantity": 1, "Items": ["/*"]}
        batch: Mapping[str, Any] = {"Paths": paths, "CallerReference": f"ginuri-replay-{time.time_ns()}"}
        with unavailable():
            self._stack.client("cloudfront").create_invalidation(
                DistributionId=self._stack.output("EdgeDistribution"), InvalidationBatch=batch
            )
        say(message("The edge is being emptied."), err=True)

    def _create(self, name: str) -> None:
        with unavailable():
            table = self._dynamodb.describe_table(TableName=self.whole.parts.table)["Table"]
            indexes = [{part: index[part] for part in _INDEX} for index in table["GlobalSecondaryIndexes"]]
            self._dynamodb.create_table(
                TableName=name,
                BillingMode="PAY_PER_REQUEST",
                GlobalSecondaryIndexes=indexes,
                **{part: table[part] for part in _COPIED},
            )
            self._dynamodb.get_waiter("table_exists").wait(TableName=name)

    def _delete(self, name: str) -> None:
        with unavailable(), suppress(self._dynamodb.exceptions.ResourceNotFoundException):
            self._dynamodb.delete_table(TableName=name)
            self._dynamodb.get_waiter("table_not_exists").wait(TableName=name)
