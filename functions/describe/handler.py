"""Entry point of the describe function: builds the collaborators once, logs and measures."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit

from describe.flow import Answered, Collaborators, answer
from describe.publications import Published
from ginuri.aws.clients import make_dynamodb_client, make_s3_client
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.upload_stamps import DynamoStampReader
from ginuri.aws.published_files import S3PublishedReader
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.resolution.finder import RememberingFinder
from ginuri.resolution.outcomes import Unavailable
from ginuri.search.publications import Publications
from ginuri.search.searcher import Searcher
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.services import ServiceResponses
from ginuri.web.response import write_gateway

READERS = 8
"""How many names of a list are asked for at once, where each is a call of its own."""

_FUNCTION = "describe"
_dynamodb = make_dynamodb_client()
_registry = DynamoReader(_dynamodb, os.environ["REGISTRY_TABLE"])
_map = ThreadPoolExecutor(READERS).map
_publications = Publications(
    S3PublishedReader(make_s3_client, os.environ["PUBLISHED_BUCKET"]), time.monotonic
)
_using = Collaborators(
    finder=RememberingFinder(_registry, time.monotonic, _map),
    reader=_registry,
    lister=DynamoMemberLister(_dynamodb, os.environ["REGISTRY_TABLE"]),
    answers=DescriptionResponses(DescriptionWriter().write),
    services=ServiceResponses(os.environ["CANONICAL_HOST"]),
    canonical_host=os.environ["CANONICAL_HOST"],
    published=Published(
        _publications, Searcher(_publications, _map), _registry, os.environ["CANONICAL_HOST"]
    ),
    stamps=DynamoStampReader(_dynamodb, os.environ["REGISTRY_TABLE"]),
    edge_secret=os.environ["EDGE_SECRET"],
)
_logger = Logger(service=_FUNCTION)
_metrics = Metrics(namespace="ginuri", service=_FUNCTION)


def handle(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Answer one REST API proxy event; the second argument is Lambda's and of no use here."""
    started = time.perf_counter()
    answered = answer(event, _using)
    _measure(answered, time.perf_counter() - started, event)
    return write_gateway(answered.response, answered.request.method)


def _measure(answered: Answered, seconds: float, event: dict[str, Any]) -> None:
    """Write log and metrics as one line, in CloudWatch's embedded metric format."""
    outcome = type(answered.outcome).__name__
    request_id = event["requestContext"].get("requestId")
    if isinstance(answered.outcome, Unavailable):
        _logger.warning("the registry did not answer", path=answered.request.path, request_id=request_id)
    _metrics.add_dimensions(function=_FUNCTION)
    _metrics.add_dimensions(function=_FUNCTION, outcome=outcome)
    _metrics.add_metric("duration", MetricUnit.Milliseconds, round(seconds * 1000, 3))
    for name, value in (
        ("status", int(answered.response.status)),
        ("method", answered.request.method),
        ("path", answered.request.path),
        ("request_id", request_id),
    ):
        _metrics.add_metadata(name, value)
    _metrics.flush_metrics()
