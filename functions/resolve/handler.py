"""Entry point of the resolve function: builds the collaborators once, logs and measures."""

from __future__ import annotations

import gc

gc.disable()  # Imports are never freed: collecting garbage in them takes an eighth of a cold start.

import os
import sys
import time
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import make_dynamodb_client, make_s3_client
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.s3 import S3ContentStore
from ginuri.registry.budget import Budget
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.log_line import write_log_line
from ginuri.web.response import write_gateway

if TYPE_CHECKING:
    from ginuri.registry.budget import Invocation
    from ginuri.search.titles import TitleFinder

_budget = Budget(time.monotonic)
_make_s3 = partial(make_s3_client, _budget)
_registry = DynamoReader(make_dynamodb_client(budget=_budget), os.environ["REGISTRY_TABLE"])
_finder = RememberingFinder(_registry, time.monotonic)
_content = S3ContentStore(_make_s3, os.environ["CONTENT_BUCKET"])
_answers = IdentifierResponses(_content, os.environ["CANONICAL_HOST"])
_edge_secret = os.environ["EDGE_SECRET"]
_stack = os.environ["STACK"]

gc.freeze()
gc.set_threshold(20_000)  # A request leaves no reference cycles, so a collection would free nothing.
gc.enable()


@cache
def _titles() -> TitleFinder:
    from ginuri.aws.published_files import S3PublishedReader
    from ginuri.published.publications import Publications
    from ginuri.search.searcher import Searcher
    from ginuri.search.titles import TitleFinder

    published = Publications(S3PublishedReader(_make_s3, os.environ["PUBLISHED_BUCKET"]), time.monotonic)
    return TitleFinder(Searcher(published), _registry)


def handle(event: dict[str, Any], invocation: Invocation) -> dict[str, Any]:
    """Answer one REST API proxy event, in the time that is left."""
    started = time.perf_counter()
    _budget.begin(invocation)
    request = read_request(event, _edge_secret)
    answered = answer(request, _finder, _answers, make_titles=_titles)
    written = write_gateway(answered.response, request.method)
    sys.stdout.write(
        write_log_line(
            "resolve",
            answered.outcome,
            time.perf_counter() - started,
            status=written["statusCode"],
            method=request.method,
            path=request.path,
            request_id=event["requestContext"].get("requestId"),
            stack=_stack,
        )
    )
    return written
