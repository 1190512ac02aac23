"""Entry point of the ingest function: builds the collaborators once, writes logs and metrics."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import boto3
from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response

from ginuri.aws.botocore_clients import CONFIG, S3_CONFIG
from ginuri.aws.dynamodb.access.revocations import DynamoRevocations
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.record_writer import DynamoRegistry
from ginuri.aws.retrying_client import make_retrying_client
from ginuri.aws.s3 import S3Uploads
from ginuri.aws.sqs import SqsQueue
from ginuri.identifiers.errors import GinuriError
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.processing import note_principal, process, read_deliveries
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
    is_revoked=DynamoRevocations(_dynamodb, os.environ["ACCESS_TABLE"]).is_revoked,
    canonical_host=os.environ["CANONICAL_HOST"],
    reports_address=os.environ["REPORTS_ADDRESS"].removeprefix("none"),
    api_identity=os.environ.get("API_IDENTITY", "").removeprefix("none"),
)


def handle(event: dict[str, Any], context: LambdaContext) -> PartialItemFailureResponse:
    """Process a batch of queue messages; those that fail are delivered again."""
    return process_partial_response(event, _ingest, _batch, context)


def _ingest(record: SQSRecord) -> None:
    tries = int(record.attributes.approximate_receive_count)
    for delivery in read_deliveries(record.body, tries, MOST_TRIES):
        started, fields = time.perf_counter(), delivery.log_fields()
        collaborators = replace(_collaborators, note_principal=partial(note_principal, fields))
        try:
            counts = process(delivery, collaborators)
        except GinuriError:
            _logger.exception("it will be tried again", extra=fields)
            raise
        _measure(fields, counts, time.perf_counter() - started)


def _measure(fields: Mapping[str, str], counts: dict[str, int], seconds: float) -> None:
    """Write metadata and metrics as one log line, in CloudWatch's embedded metric format."""
    for outcome, number in counts.items():
        _metrics.add_metric(outcome, MetricUnit.Count, number)
    _metrics.add_metadata("function", "ingest")
    _metrics.add_metadata("duration", round(seconds * 1000, 3))
    for name, value in fields.items():
        _metrics.add_metadata(name, value)
    _metrics.flush_metrics()
