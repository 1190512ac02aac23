"""The flow of a request on one screen: event → request → one of four flows → outcome → response."""

# Modules that few requests need are imported on first use, to keep cold starts short.
# ruff: noqa: PLC0415

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, assert_never

from describe.descriptions import describe
from describe.fronts import Front, front_of
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.resolution.outcomes import Unavailable
from ginuri.web.request import Request, guard_caches, limit_scripts, prefer_language, read_request
from ginuri.web.response import Response
from ginuri.web.validators import add_validators

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from describe.outcomes import AnyOutcome
    from describe.publications import Published
    from ginuri.registry.ports import ManyFinder, MemberLister, RecordReader, StampReader
    from ginuri.resolution.description_decision import FrontPage, Outcome
    from ginuri.search.figures import Figures, PublishedFigures
    from ginuri.web.answers.descriptions import DescriptionResponses

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Collaborators:
    """The collaborators of `answer`.

    `canonical_host` is the host in the URIs that identifiers are cited by, `edge_secret` that of
    `read_request`. `published` makes the collaborators for published files on first use; without it there are
    no published files and no search. Without `figures`, which makes their reader, the front page has none;
    without `stamps`, descriptions do not list uploads.
    """

    finder: ManyFinder
    reader: RecordReader
    lister: MemberLister
    answers: DescriptionResponses
    canonical_host: str
    edge_secret: str | None = None
    published: Callable[[], Published] | None = None
    figures: Callable[[], PublishedFigures] | None = None
    stamps: StampReader | None = None

    def read_figures(self) -> Figures | None:
        """Return the figures of the last daily run; None if there was none yet, or it cannot be read now."""
        try:
            return None if self.figures is None else self.figures().read()
        except RegistryUnavailable:  # a page does without them
            return None


@dataclass(frozen=True, slots=True)
class Answered:
    """A request, its outcome and its response: the contents of a log line."""

    request: Request
    outcome: AnyOutcome
    response: Response


def answer(event: Mapping[str, Any], using: Collaborators) -> Answered:
    """Answer one request."""
    request = prefer_language(read_request(event, using.edge_secret))
    outcome, response = _answer(request, using)
    response = add_validators(limit_scripts(response, request.host), request)
    return Answered(request, outcome, guard_caches(response, request))


def _answer(request: Request, using: Collaborators) -> tuple[AnyOutcome, Response]:
    published, host = using.published, using.canonical_host
    match front_of(request.path):
        case Front.PUBLICATIONS if published is not None:
            from describe.publications import answer_published

            return answer_published(request, published(), using.finder)
        case Front.FRONT_PAGE:
            from describe.front_page import decide_front, write_front

            def write_home(outcome: FrontPage | Outcome, request: Request) -> Response:
                return write_front(outcome, request, using)

            return _settle(lambda: decide_front(request, using), write_home, request)
        case Front.URN_SERVICES:
            from describe.urn_services import decide_urn_service
            from ginuri.web.answers.urn_services import UrnServiceResponses

            write = UrnServiceResponses(host).write
            return _settle(lambda: decide_urn_service(request, using.finder, host), write, request)
        case Front.SERVICES:
            from describe.services import decide_service
            from ginuri.web.answers.services import ServiceResponses

            titles = None if published is None else lambda: published().make_titles()
            return _settle(
                lambda: decide_service(request, using.finder, host, titles),
                ServiceResponses(host).write,
                request,
            )
        case Front.DESCRIPTIONS | Front.PUBLICATIONS:
            return _settle(lambda: describe(request, using), using.answers.write, request)
        case front:
            assert_never(front)


def _settle(
    decide: Callable[[], Given], write: Callable[[Given | Unavailable, Request], Response], request: Request
) -> tuple[Given | Unavailable, Response]:
    outcome: Given | Unavailable
    try:
        outcome = decide()
    except RegistryUnavailable as error:
        outcome = Unavailable(error.retry_after, str(error))
    return outcome, write(outcome, request)
