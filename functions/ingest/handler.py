"""Entry point of the ingest function: builds the collaborators once, logs and measures."""

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

from ginuri.adapters.aws import S3_CONFIG
from ginuri.adapters.dynamodb import DynamoRegistry
from ginuri.adapters.patient import make_patient_client
from ginuri.adapters.s3 import S3Uploads
from ginuri.core.errors import GinuriError
from ginuri.documents.reports import Upload
from ingest.flow import take_in

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.batch.types import PartialItemFailureResponse
    from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
    from aws_lambda_powertools.utilities.typing import LambdaContext

WRITERS = 8
"""How many records are written at once."""

_logger = Logger(service="ingest")
_metrics = Metrics(namespace="ginuri", service="ingest")
_metrics.set_default_dimensions(function="ingest")
_batch = BatchProcessor(event_type=EventType.SQS)
_pool = ThreadPoolExecutor(WRITERS)
_client = make_patient_client(time.sleep, time.monotonic, Random())  # noqa: S311  how long to wait is no secret
_registry = DynamoRegistry(_client, os.environ["REGISTRY_TABLE"])
_files = S3Uploads(
    boto3.client("s3", config=S3_CONFIG),  # botocore's own has no managed copy
    uploads=os.environ["UPLOADS_BUCKET"],
    content=os.environ["CONTENT_BUCKET"],
    reports=os.environ["REPORTS_BUCKET"],
)


def handle(event: dict[str, Any], context: LambdaContext) -> PartialItemFailureResponse:
    """Take in what a batch of queue messages tells of; those that fail are delivered again."""
    return process_partial_response(event, _take_in, _batch, context)


def _take_in(record: SQSRecord) -> None:
    for upload in _uploads(json.loads(record.body)):
        started = time.perf_counter()
        try:
            counts = take_in(upload, _files, _registry, _files, time.monotonic, _pool.map)
        except GinuriError:
            _logger.exception("the upload will be tried again", key=upload.key, version=upload.version)
            raise
        _measure(upload, counts, time.perf_counter() - started)


def _measure(upload: Upload, counts: dict[str, int], seconds: float) -> None:
    """Write log and metrics as one line, in CloudWatch's embedded metric format."""
    for outcome, number in counts.items():
        _metrics.add_metric(outcome, MetricUnit.Count, number)
    _metrics.add_metric("duration", MetricUnit.Milliseconds, round(seconds * 1000, 3))
    _metrics.add_metadata("key", upload.key)
    _metrics.add_metadata("version", upload.version)
    _metrics.flush_metrics()


def _uploads(notification: dict[str, Any]) -> Iterator[Upload]:
    # The first message of all is s3:TestEvent, which has no records.
    for each in notification.get("Records", ()):
        stored = each["s3"]["object"]
        key = unquote_plus(stored["key"])
        yield Upload(each["s3"]["bucket"]["name"], key, stored["versionId"], each["eventTime"])
