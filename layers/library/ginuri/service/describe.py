"""The flow of every other request: request → one of five flows → outcome → response."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar, assert_never

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.hosts import same_host
from ginuri.resolution.outcomes import MethodNotAllowed, Options, Unavailable
from ginuri.service.descriptions import describe
from ginuri.service.paths import POSTED, Flow, flow_of
from ginuri.web.conditional.validators import add_validators
from ginuri.web.request import Request, guard_caches, limit_scripts, prefer_language, refuse_method
from ginuri.web.response import Answered, Response

if TYPE_CHECKING:
    from collections.abc import Callable

    from ginuri.published.figures import Figures, PublishedFigures
    from ginuri.registry.ports import ManyFinder, MemberLister, RecordReader, StampReader
    from ginuri.service.publications import Published
    from ginuri.web.answers.descriptions import DescriptionResponses

Given = TypeVar("Given")


@dataclass(frozen=True, slots=True)
class Collaborators:
    """The collaborators of `answer`.

    `canonical_host` is the host in the URIs that identifiers are cited by. `published` makes the
    collaborators for published files when they are first needed; without it there are no published files and
    no search. Without `figures`, which makes their reader, the front page has none; without `stamps`,
    descriptions do not list uploads. The front page of a registry that `is_empty` says how to begin.
    `identify` answers a path as an identifier; without it, no host gives up the paths of the service.
    """

    finder: ManyFinder
    reader: RecordReader
    lister: MemberLister
    answers: DescriptionResponses
    canonical_host: str
    published: Callable[[], Published] | None = None
    figures: Callable[[], PublishedFigures] | None = None
    stamps: StampReader | None = None
    is_empty: Callable[[], bool] | None = None
    identify: Callable[[Request], Answered] | None = None

    def read_figures(self) -> Figures | None:
        """Return the figures of the last daily run; None if there was none yet, or it cannot be read now."""
        try:
            return None if self.figures is None else self.figures().read()
        except RegistryUnavailable:  # a page is complete without figures
            return None


def answer(request: Request, using: Collaborators) -> Answered:
    """Answer one request."""
    named = _answer_as_name(request, using)
    if named is not None:
        return named
    request = prefer_language(request)
    outcome, response = _answer(request, using)
    response = add_validators(limit_scripts(response, request.host), request)
    return Answered(outcome, guard_caches(response, request))


def _answer_as_name(request: Request, using: Collaborators) -> Answered | None:
    if using.identify is None or same_host(request.host, using.canonical_host):
        return None
    from ginuri.service.hosts_without_pages import answer_as_name

    try:
        named = answer_as_name(request, using, using.identify)
    except RegistryUnavailable as error:
        outcome = Unavailable(error.retry_after, str(error))
        named = Answered(outcome, using.answers.write(outcome, request))
    if named is None:
        return None
    return Answered(named.outcome, guard_caches(limit_scripts(named.response, request.host), request))


def _answer(request: Request, using: Collaborators) -> tuple[object, Response]:
    published, host = using.published, using.canonical_host
    match flow_of(request.path):
        case Flow.PUBLICATIONS if published is not None:
            from ginuri.service.publications import answer_published

            return answer_published(request, published(), using.finder)
        case Flow.FRONT_PAGE:
            from ginuri.service.front_page import decide_front, write_front

            return _settle(lambda: decide_front(request, using), partial(write_front, using=using), request)
        case Flow.URN_SERVICES:
            from ginuri.urn_services.flow import decide_urn_service
            from ginuri.urn_services.responses import UrnServiceResponses

            write = UrnServiceResponses(host).write
            return _settle(lambda: decide_urn_service(request, using.finder, host), write, request)
        case Flow.SERVICES:
            from ginuri.service.services import decide_service
            from ginuri.web.answers.services import ServiceResponses

            titles = None if published is None else lambda: published().make_titles()
            return _settle(
                lambda: decide_service(request, using.finder, host, titles),
                ServiceResponses(host).write,
                request,
            )
        case Flow.DESCRIPTIONS | Flow.PUBLICATIONS | Flow.RESOLVE | Flow.API:
            return _settle(lambda: describe(request, using), using.answers.write, request)
        case flow:
            assert_never(flow)


def _settle(
    decide: Callable[[], Given],
    write: Callable[[Given | Options | MethodNotAllowed | Unavailable, Request], Response],
    request: Request,
) -> tuple[object, Response]:
    outcome: Given | Options | MethodNotAllowed | Unavailable
    try:
        outcome = refuse_method(request, POSTED) or decide()
    except RegistryUnavailable as error:
        outcome = Unavailable(error.retry_after, str(error))
    return outcome, write(outcome, request)
