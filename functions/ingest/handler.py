"""Entry point of the ingest function: builds the collaborators once, writes logs and metrics."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus

import boto3
from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response

from ginuri.aws.botocore_clients import CONFIG, S3_CONFIG
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.retrying_client import make_retrying_client
from ginuri.aws.s3 import S3Uploads
from ginuri.aws.sqs import SqsQueue
from ginuri.files.reports.report import Upload, report_key, write_unfinished
from ginuri.identifiers.errors import GinuriError
from ginuri.ingest.checkpoints import Attempt, find_attempt
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import Part, name_of, read_part
from ginuri.web.log_line import NAMESPACE

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
    from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
    from aws_lambda_powertools.utilities.typing import LambdaContext

WRITERS = 8
"""The number of concurrent writes."""
MOST_TRIES = int(os.environ["MOST_RECEIVES"])
"""The deliveries after which the queue gives up a message."""

_logger = Logger(service="ingest")
_metrics = Metrics(namespace=NAMESPACE)
_metrics.set_default_dimensions(stack=os.environ["STACK"])
_batch = BatchProcessor(event_type=EventType.SQS)
_pool = ThreadPoolExecutor(WRITERS)
_dynamodb = make_retrying_client(time.sleep, time.monotonic, Random())  # noqa: S311  a delay is not secret
_registry = DynamoRegistry(_dynamodb, os.environ["REGISTRY_TABLE"])
_files = S3Uploads(
    boto3.client("s3", config=S3_CONFIG),  # botocore's own has no managed copy
    uploads=os.environ["UPLOADS_BUCKET"],
    content=os.environ["CONTENT_BUCKET"],
    reports=os.environ["REPORTS_BUCKET"],
)
_collaborators = IngestCollaborators(
    _files,
    _registry,
    DynamoMemberLister(_dynamodb, os.environ["REGISTRY_TABLE"]),
    _files,
    SqsQueue(boto3.client("sqs", config=CONFIG), os.environ["INGEST_QUEUE"]),
    time.monotonic,
    _pool.map,
    canonical_host=os.environ["CANONICAL_HOST"],
    reports_address=os.environ["REPORTS_ADDRESS"].removeprefix("none"),
)


def handle(event: dict[str, Any], context: LambdaContext) -> PartialItemFailureResponse:
    """Process a batch of queue messages; those that fail are delivered again."""
    return process_partial_response(event, _ingest, _batch, context)


def _ingest(record: SQSRecord) -> None:
    tries = int(record.attributes.approximate_receive_count)
    for message in _messages(json.loads(record.body)):
        upload = message if isinstance(message, Upload) else message.upload
        part_name = "the upload" if isinstance(message, Upload) else name_of(message)
        started = time.perf_counter()
        if tries >= MOST_TRIES:  # report first, as a failure may leave no time for it
            _report_unfinished(
                upload, part_name, tries, "it is being tried for the last time", is_given_up=False
            )
        try:
            counts = ingest_part(message, _collaborators)
        except GinuriError as error:
            _logger.exception(
                "it will be tried again", key=upload.key, version=upload.version, part=part_name
            )
            if tries >= MOST_TRIES:
                _report_unfinished(upload, part_name, tries, str(error), is_given_up=True)
            raise
        _measure(upload, part_name, counts, time.perf_counter() - started)


def _report_unfinished(upload: Upload, part_name: str, tries: int, reason: str, *, is_given_up: bool) -> None:
    attempt = find_attempt(upload, _files, _registry)
    if isinstance(attempt, Attempt):
        _files.report(
            report_key(upload.key, attempt.version),
            write_unfinished(upload, part_name, tries, reason, is_given_up=is_given_up),
        )


def _measure(upload: Upload, part_name: str, counts: dict[str, int], seconds: float) -> None:
    """Write metadata and metrics as one log line, in CloudWatch's embedded metric format."""
    for outcome, number in counts.items():
        _metrics.add_metric(outcome, MetricUnit.Count, number)
    _metrics.add_metadata("function", "ingest")
    _metrics.add_metadata("duration", round(seconds * 1000, 3))
    _metrics.add_metadata("key", upload.key)
    _metrics.add_metadata("version", upload.version)
    _metrics.add_metadata("part", part_name)
    _metrics.flush_metrics()


def _messages(body: dict[str, Any]) -> Iterator[Upload | Part]:
    if "part" in body:
        yield read_part(body)
    # The first message of all is s3:TestEvent, which has no records.
    for event in body.get("Records", ()):
        bucket, stored = event["s3"]["bucket"], event["s3"]["object"]
        yield Upload(bucket["name"], unquote_plus(stored["key"]), stored["versionId"], event["eventTime"])
