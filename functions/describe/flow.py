"""The flow of a request on one screen: event → request → one of four flows → outcome → response."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from describe.descriptions import describe
from describe.publications import Published, PublishedOutcome, answer_published, is_published
from describe.services import decide_service, is_service
from describe.urn_services import decide_urn_service, is_urn_service
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.ports import ManyFinder, MemberLister, RecordReader, StampReader
from ginuri.resolution.description_decision import Outcome
from ginuri.resolution.outcomes import Unavailable
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.services import ServiceOutcome, ServiceResponses
from ginuri.web.answers.urn_services import ResolutionOutcome, UrnServiceResponses
from ginuri.web.request import Request, guard_caches, read_request
from ginuri.web.response import Response
from ginuri.web.validators import add_validators

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Collaborators:
    """The collaborators of `answer`.

    `canonical_host` is the host in the URIs that identifiers are cited by, `edge_secret` that of
    `read_request`. Without `published` there are no published files and no search; without `stamps`,
    descriptions do not list uploads.
    """

    finder: ManyFinder
    reader: RecordReader
    lister: MemberLister
    answers: DescriptionResponses
    services: ServiceResponses
    canonical_host: str
    edge_secret: str | None = None
    published: Published | None = None
    stamps: StampReader | None = None


AnyOutcome = Outcome | ServiceOutcome | PublishedOutcome | ResolutionOutcome


@dataclass(frozen=True, slots=True)
class Answered:
    """A request, its outcome and its response: all that a log line needs."""

    request: Request
    outcome: AnyOutcome
    response: Response


def answer(event: Mapping[str, Any], using: Collaborators) -> Answered:
    """Answer one request."""
    request = read_request(event, using.edge_secret)
    outcome, response = _answer(request, using)
    return Answered(request, outcome, guard_caches(add_validators(response, request), request))


def _answer(request: Request, using: Collaborators) -> tuple[AnyOutcome, Response]:
    published, host = using.published, using.canonical_host
    if published is not None and is_published(request.path):
        return answer_published(request, published, using.services)
    if is_urn_service(request.path):
        write = UrnServiceResponses(host).write
        return _settle(lambda: decide_urn_service(request, using.finder, host), write, request)
    if is_service(request.path):
        titles = published.make_titles if published is not None else None
        return _settle(
            lambda: decide_service(request, using.finder, host, titles), using.services.write, request
        )
    return _settle(lambda: describe(request, using), using.answers.write, request)


def _settle(
    decide: Callable[[], Given], write: Callable[[Given | Unavailable, Request], Response], request: Request
) -> tuple[Given | Unavailable, Response]:
    outcome: Given | Unavailable
    try:
        outcome = decide()
    except RegistryUnavailable as error:
        outcome = Unavailable(error.retry_after)
    return outcome, write(outcome, request)
