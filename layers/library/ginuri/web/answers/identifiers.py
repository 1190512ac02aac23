"""Decision → HTTP response for identifiers, with their status codes (table: docs/reference/answers.md)."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, assert_never

from ginuri.frozen import replace
from ginuri.identifiers.roots import path_of
from ginuri.identifiers.service_paths import ERC, description_path
from ginuri.registry.locations import append_query
from ginuri.registry.model import Registered, Representation, Resource
from ginuri.registry.ports import Found
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.links import Link, link_thing
from ginuri.resolution.outcomes import (
    AnsweredElsewhere,
    Choices,
    ContentLost,
    Decision,
    FallenBack,
    Give,
    Malformed,
    MethodNotAllowed,
    NoSuchHost,
    NoSuchScheme,
    NoSuchTitle,
    NoSuchVersion,
    NotAcceptable,
    NotNormal,
    NotRegistered,
    Options,
    PassedThrough,
    Refused,
    RuledOut,
    SeeDescription,
    SeeMetadata,
    SeeRepresentation,
    SeeVersion,
    StandsFor,
    Unavailable,
    UnreadableMoment,
    WrittenOtherwise,
)
from ginuri.web.headers import (
    ABSENT_SECONDS,
    ALLOW,
    CORS,
    FRESH_SECONDS,
    PERMANENT_SECONDS,
    PREFLIGHT,
    cache,
    fresh_until,
)
from ginuri.web.links import make_absolute, write_links, write_target, write_version_links
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

if TYPE_CHECKING:
    from ginuri.registry.content import ContentStore
    from ginuri.resolution.outcomes import Unanswered
    from ginuri.resolution.versions.timeline import Timeline

_FRESH, _ABSENT, _PERMANENT = map(cache, (FRESH_SECONDS, ABSENT_SECONDS, PERMANENT_SECONDS))
_UNANSWERED = {status: meaning.answer for status, meaning in STATUSES.items() if meaning.answer}
_WITH_CONTENT = frozenset({HTTPStatus.OK, HTTPStatus.PARTIAL_CONTENT})
_VARY = ("Vary", "Accept, Accept-Language, Accept-Profile")
_VARY_BY_TIME = ("Vary", "Accept, Accept-Language, Accept-Profile, Accept-Datetime")


class IdentifierResponses:
    """Writes responses; `canonical_host` is the host in the URIs that identifiers are cited by."""

    def __init__(self, content: ContentStore, canonical_host: str) -> None:
        self._content = content
        self.canonical_host = canonical_host

    def write(  # noqa: C901, PLR0911, PLR0912  one case an outcome
        self, decision: Decision, request: Request
    ) -> Response:
        """Write the response to a decision. Raises RegistryUnavailable and ContentMissing."""
        match decision:
            case NotNormal(identifier):
                where = _with_query(identifier.path, request)
                return _redirect(request, HTTPStatus.MOVED_PERMANENTLY, where, _PERMANENT)
            case AnsweredElsewhere(identifier, host):
                where = _with_query(identifier.uri(host), request)
                return _redirect(request, HTTPStatus.TEMPORARY_REDIRECT, where, _FRESH)
            case FallenBack(Found(identifier), host):
                where = _with_query(identifier.uri(host), request)
                return _redirect(request, HTTPStatus.TEMPORARY_REDIRECT, where, _ABSENT)
            case StandsFor(_, target, status_code, query):
                where = append_query(path_of(target), query) if query else path_of(target)
                return _redirect(request, HTTPStatus(status_code), where, _FRESH)
            case WrittenOtherwise(_, target):
                return _redirect(request, HTTPStatus.FOUND, _with_query(path_of(target), request), _ABSENT)
            case SeeDescription(found, record, negotiated, extension, offered):
                headers = self._links(found, record, offered, negotiated=negotiated)
                where = self._page(description_path(record.identifier, extension=extension), found)
                return _redirect(request, HTTPStatus.SEE_OTHER, where, _FRESH, headers)
            case SeeRepresentation(found, record, form, where, status_code, offered, timeline):
                first = self._form_links(found, record, form.profile, timeline)
                headers = self._links(found, record, offered, first)
                return _redirect(request, HTTPStatus(status_code), where, _FRESH, headers)
            case SeeMetadata(found, record):
                where = self._page(description_path(record.identifier, extension=ERC), found)
                return _redirect(request, HTTPStatus.SEE_OTHER, where, _FRESH, self._links(found, record, ()))
            case PassedThrough(found, record, _, where, status_code, is_negotiated):
                headers = self._links(found, record, (), negotiated=is_negotiated)
                return _redirect(request, HTTPStatus(status_code), where, _ABSENT, headers)
            case SeeVersion(found, record, timeline, name, status_code, by_moment, query):
                vary = _VARY_BY_TIME if by_moment else _VARY
                headers = (vary, *self._version_links(found, record, timeline))
                where = append_query(path_of(name), query) if query else path_of(name)
                return _redirect(request, HTTPStatus(status_code), where, _FRESH, headers)
            case Give():
                return self._give(decision, request)
            case Options():
                return Response(HTTPStatus.NO_CONTENT, PREFLIGHT)
            case _:  # mypy checks that these are the unanswered ones
                return self._advise(decision, request)

    def _page(self, path: str, found: Found) -> str:
        if found.identifier.scheme != "http":
            return path
        from ginuri.resolution.links import page_address

        return page_address(path, found, self.canonical_host).removeprefix("http:")

    def _give(self, decision: Give, request: Request) -> Response:
        from ginuri.web.content import give

        file = decision.representation.file
        if file is None:
            raise AssertionError("only stored content is sent")
        answer = give(decision, file, request, self._content)
        # The format of an error, JSON or a page, is negotiated as well.
        is_refused = answer.status >= HTTPStatus.BAD_REQUEST
        profile = None if is_refused else decision.representation.profile
        links = self._links(
            decision.found,
            decision.record,
            decision.offered,
            self._form_links(decision.found, decision.record, profile, decision.timeline),
            negotiated=is_refused,
        )
        if decision.by_moment:
            links = (_VARY_BY_TIME, *(header for header in links if header[0] != "Vary"))
        if profile and answer.status in _WITH_CONTENT:
            links = (("Content-Profile", write_target(profile)), *links)
        return replace(answer, headers=(*answer.headers, *_dated(decision, answer), *links))

    def _advise(self, decision: Unanswered, request: Request) -> Response:  # noqa: C901  one case an outcome
        from ginuri.web.answers.advice import explain, link_advice
        from ginuri.web.answers.problems import write_problem

        headers: Headers = ()
        seconds = FRESH_SECONDS
        match decision:
            case Malformed():
                status = HTTPStatus.BAD_REQUEST
            case UnreadableMoment(found, record, timeline):
                status = HTTPStatus.BAD_REQUEST
                headers = (*self._version_links(found, record, timeline), _VARY_BY_TIME)
            case NoSuchVersion(found, record, timeline):
                status, seconds = HTTPStatus.NOT_FOUND, ABSENT_SECONDS
                headers = self._version_links(found, record, timeline)
            case NotRegistered() | NoSuchTitle() | RuledOut() | NoSuchScheme() | NoSuchHost() | ContentLost():
                status, seconds = HTTPStatus.NOT_FOUND, ABSENT_SECONDS
            case Refused(found, record):
                status, headers = _UNANSWERED[decision.status], self._links(found, record, ())
                is_absent = status is HTTPStatus.NOT_FOUND
                seconds = ABSENT_SECONDS if is_absent else fresh_until(record.until, request.moment)
            case NotAcceptable(found, record, offered):
                status, headers = HTTPStatus.NOT_ACCEPTABLE, self._links(found, record, offered)
            case Choices(is_registered=is_registered):
                status = HTTPStatus.MULTIPLE_CHOICES
                seconds = FRESH_SECONDS if is_registered else ABSENT_SECONDS
            case MethodNotAllowed():
                status, headers = HTTPStatus.METHOD_NOT_ALLOWED, (("Allow", ALLOW),)
            case Unavailable(retry_after):
                status, seconds = HTTPStatus.SERVICE_UNAVAILABLE, 0
                headers = (("Retry-After", str(retry_after)),)
            case _:
                assert_never(decision)
        # The format of the advice, JSON or a page, is negotiated as well.
        merged = dict((*cache(seconds), _VARY, *CORS, *headers))
        problem, links = explain(decision), None
        if isinstance(decision, NotAcceptable | Choices):
            links = link_advice(decision.found, problem, self.canonical_host)
        return write_problem(status, problem, request.preferences, tuple(merged.items()), links)

    def _links(
        self,
        found: Found,
        record: Registered,
        offered: Sequence[Representation],
        first: Sequence[Link] = (),
        *,
        negotiated: bool = False,
    ) -> Headers:
        vary = (_VARY,) if offered or negotiated else ()
        return (*vary, ("Link", write_links(found, record, offered, self.canonical_host, first)), *CORS)

    def _form_links(
        self, found: Found, record: Resource, profile: str | None, timeline: Timeline | None
    ) -> Sequence[Link]:
        """Return the links of a form: its profile, its thing, and its versions."""
        is_itself = record.identifier == found.identifier.normal_form
        links = () if is_itself else link_thing(record, found)
        if profile:  # W3C Content Negotiation by Profile §7.1, whether or not the request names a profile
            links = (Link("profile", profile), *links)
        return links if timeline is None else (*links, *self._timeline_links(found, timeline))

    def _timeline_links(self, found: Found, timeline: Timeline) -> list[Link]:
        from ginuri.resolution.versions.version_links import link_versions

        return make_absolute(link_versions(timeline), found, self.canonical_host)

    def _version_links(self, found: Found, record: Registered, timeline: Timeline) -> Headers:
        if found.identifier.normal_form == timeline.name:
            return self._links(found, record, (), self._timeline_links(found, timeline))
        from ginuri.resolution.versions.version_links import link_versions

        links = write_version_links(found, record, self.canonical_host, link_versions(timeline))
        return (("Link", links), *CORS)


def _dated(decision: Give, answer: Response) -> Headers:
    if decision.timeline is None or answer.status not in _WITH_CONTENT:
        return ()
    from ginuri.resolution.versions.version_links import moment_of

    moment = moment_of(decision.timeline)
    return (("Memento-Datetime", moment),) if moment else ()


def _with_query(where: str, request: Request) -> str:
    # The identifier stays the same: a rule may pass the query on, and `?title=` searches below it.
    return append_query(where, request.query) if request.query else where


def _redirect(
    request: Request, status: HTTPStatus, where: str, kept: Headers, headers: Headers = CORS
) -> Response:
    return Response(status, (("Location", request.complete(where)), *kept, *headers))
