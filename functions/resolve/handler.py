"""Entry point of the resolve function: builds the collaborators once, logs and measures."""

from __future__ import annotations

import gc

gc.disable()  # Imports are never freed: collecting garbage in them takes an eighth of a cold start.

import json
import os
import sys
import time
from functools import cache
from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import make_dynamodb_client, make_s3_client
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.s3 import S3ContentStore
from ginuri.resolution.finder import RememberingFinder
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.response import write_gateway
from resolve.flow import Answered, answer

if TYPE_CHECKING:
    from ginuri.search.titles import TitleFinder

_registry = DynamoReader(make_dynamodb_client(), os.environ["REGISTRY_TABLE"])
_finder = RememberingFinder(_registry, time.monotonic)
_content = S3ContentStore(make_s3_client, os.environ["CONTENT_BUCKET"])
_answers = IdentifierResponses(_content, os.environ["CANONICAL_HOST"])
_edge_secret = os.environ["EDGE_SECRET"]
_METRICS = (
    '"CloudWatchMetrics": [{"Namespace": "ginuri", "Dimensions": [["function"], ["function", "outcome"]], '
    '"Metrics": [{"Name": "duration", "Unit": "Milliseconds"}]}]'
)

gc.freeze()
gc.enable()


@cache
def _titles() -> TitleFinder:
    # Few requests search by title: the others must not load the search.
    from ginuri.aws.published_files import S3PublishedReader  # noqa: PLC0415  see above
    from ginuri.search.publications import Publications  # noqa: PLC0415  see above
    from ginuri.search.searcher import Searcher  # noqa: PLC0415  see above
    from ginuri.search.titles import TitleFinder  # noqa: PLC0415  see above

    published = S3PublishedReader(make_s3_client, os.environ["PUBLISHED_BUCKET"])
    return TitleFinder(Searcher(Publications(published, time.monotonic)), _registry)


def handle(event: dict[str, Any], _context: object) -> dict[str, Any]:
    """Answer one REST API proxy event; the Lambda context is not used."""
    started = time.perf_counter()
    answered = answer(event, _finder, _answers, edge_secret=_edge_secret, make_titles=_titles)
    sys.stdout.write(_line(answered, time.perf_counter() - started, event))
    return write_gateway(answered.response, answered.request.method)


def _line(answered: Answered, seconds: float, event: dict[str, Any]) -> str:
    """Write log and metrics as one line, in CloudWatch's embedded metric format.

    Whatever is the same in every line is JSON already.
    """
    request, quote = answered.request, json.dumps
    return (
        f'{{"_aws": {{"Timestamp": {int(time.time() * 1000)}, {_METRICS}}}, "function": "resolve", '
        f'"outcome": "{type(answered.decision).__name__}", "duration": {round(seconds * 1000, 3)}, '
        f'"status": {int(answered.response.status)}, "method": {quote(request.method)}, '
        f'"path": {quote(request.path)}, "request_id": {quote(event["requestContext"].get("requestId"))}}}\n'
    )
