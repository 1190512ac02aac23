"""Entry point of the describe function: builds the collaborators once, logs and measures."""

from __future__ import annotations

import gc

gc.disable()  # Imports are never freed: collecting garbage in them takes an eighth of a cold start.

import os
import sys
import time
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ginuri.aws.clients import make_dynamodb_client, make_s3_client
from ginuri.aws.dynamodb.members import DynamoMemberLister
from ginuri.aws.dynamodb.reader import DynamoReader
from ginuri.aws.dynamodb.upload_stamps import DynamoStampReader
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.registry.budget import Budget
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators, answer
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from ginuri.web.log_line import write_log_line
from ginuri.web.response import write_gateway

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import ThreadPoolExecutor

    from ginuri.published.figures import PublishedFigures
    from ginuri.registry.budget import Invocation
    from ginuri.service.publications import Published
    from ginuri.web.answers.identifiers import IdentifierResponses
    from ginuri.web.request import Request
    from ginuri.web.response import Answered

_budget = Budget(time.monotonic)
_make_s3 = partial(make_s3_client, _budget)

READERS = 8
"""The number of concurrent look-ups of a list, if each is a call of its own."""


@cache
def _readers() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(READERS)


def _map(read: Callable[..., Any], *arguments: Iterable[Any]) -> Iterator[Any]:
    return _readers().map(read, *arguments)


@cache
def _figures() -> PublishedFigures:
    from ginuri.aws.published_files import S3PublishedReader
    from ginuri.published.figures import PublishedFigures
    from ginuri.published.publications import Publications

    reader = S3PublishedReader(_make_s3, os.environ["PUBLISHED_BUCKET"])
    return PublishedFigures(Publications(reader, time.monotonic))


@cache
def _published() -> Published:
    from ginuri.search.searcher import Searcher
    from ginuri.service.publications import Published

    figures = _figures()
    searcher = Searcher(figures.publications, _map)
    return Published(figures.publications, searcher, _registry, os.environ["CANONICAL_HOST"], figures)


@cache
def _answers() -> IdentifierResponses:
    from ginuri.aws.s3 import S3ContentStore
    from ginuri.web.answers.identifiers import IdentifierResponses

    content = S3ContentStore(_make_s3, os.environ["CONTENT_BUCKET"])
    return IdentifierResponses(content, os.environ["CANONICAL_HOST"])


def _identify(request: Request) -> Answered:
    from ginuri.service.resolve import answer as resolve

    return resolve(request, _using.finder, _answers(), make_titles=lambda: _published().make_titles())


_dynamodb = make_dynamodb_client(budget=_budget)
_registry = DynamoReader(_dynamodb, os.environ["REGISTRY_TABLE"])
_using = Collaborators(
    finder=RememberingFinder(_registry, time.monotonic, _map),
    reader=_registry,
    lister=DynamoMemberLister(_dynamodb, os.environ["REGISTRY_TABLE"]),
    answers=DescriptionResponses(DescriptionWriter().write),
    canonical_host=os.environ["CANONICAL_HOST"],
    published=_published,
    figures=_figures,
    stamps=DynamoStampReader(_dynamodb, os.environ["REGISTRY_TABLE"]),
    identify=_identify,
)
_edge_secret = os.environ["EDGE_SECRET"]
_stack = os.environ["STACK"]

gc.freeze()
gc.enable()


def handle(event: dict[str, Any], invocation: Invocation) -> dict[str, Any]:
    """Answer one REST API proxy event, in the time that is left."""
    started = time.perf_counter()
    _budget.begin(invocation)
    request = read_request(event, _edge_secret)
    answered = answer(request, _using)
    written = write_gateway(answered.response, request.method)
    sys.stdout.write(
        write_log_line(
            "describe",
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
