"""The way of a request, on one screen: event → request → identifier → record → decision → response."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ginuri.identifiers import Identifier, parse, parse_path, unknown_scheme
from ginuri.identifiers.errors import ContentMissing, MalformedIdentifier, RegistryUnavailable, UnknownScheme
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.ports import Finder
from ginuri.resolution.decision import decide, reconsider
from ginuri.resolution.outcomes import (
    ContentLost,
    Decision,
    Malformed,
    MethodNotAllowed,
    NoSuchScheme,
    NotNormal,
    NotRegistered,
    Options,
    SeeDescription,
    Unavailable,
    Versioned,
    WrittenOtherwise,
)
from ginuri.web.answers.identifiers import Answers
from ginuri.web.headers import guard_caches
from ginuri.web.request import Request, read_request
from ginuri.web.response import Response

if TYPE_CHECKING:
    from ginuri.search.titles import TitleFinder


@dataclass(frozen=True, slots=True)
class Answered:
    """A request, what was decided and what is sent: all that a log line tells about."""

    request: Request
    decision: Decision
    response: Response


class Lookup(NamedTuple):
    """What a decision needs beside the request."""

    finder: Finder
    canonical_host: str
    clock: Clock
    make_titles: Callable[[], TitleFinder] | None = None


def answer(  # noqa: PLR0913  all but the event is made once
    event: Mapping[str, Any],
    finder: Finder,
    answers: Answers,
    *,
    edge_secret: str | None = None,
    clock: Clock = utc_now,
    make_titles: Callable[[], TitleFinder] | None = None,
) -> Answered:
    """Answer one request, whatever it is; `edge_secret` is that of `read_request`.

    The clock is asked only where there are versions, titles are only where `?title=` is.
    """
    request = read_request(event, edge_secret)
    try:
        decision = _decide(request, Lookup(finder, answers.canonical_host, clock, make_titles))
        response = answers.write(decision, request)
    except ContentMissing as error:
        decision = ContentLost(error.key)
        response = answers.write(decision, request)
    except RegistryUnavailable as error:
        decision = Unavailable(error.retry_after)
        response = answers.write(decision, request)
    return Answered(request, decision, guard_caches(response, request.headers))


def _decide(request: Request, lookup: Lookup) -> Decision:
    if request.method == "OPTIONS":
        return Options()
    if request.method not in {"GET", "HEAD"}:
        return MethodNotAllowed(request.method)
    try:
        identifier = parse_path(request.path, host=request.host)
    except UnknownScheme as error:
        return NoSuchScheme(error)
    except MalformedIdentifier as error:
        return Malformed(error)
    if identifier.is_normal:
        return _look_up(identifier, request, lookup)
    return _lead_to_normal_form(identifier, request, lookup.finder)


def _lead_to_normal_form(identifier: Identifier, request: Request, finder: Finder) -> Decision:
    # Anybody can send any `Host`: nobody is led to one that is not registered, which costs a call.
    if identifier.is_bound and not finder.find(parse(identifier.root)).has_registered_host:
        return NoSuchScheme(unknown_scheme(request.path[1:]))
    return NotNormal(identifier)


def _look_up(identifier: Identifier, request: Request, lookup: Lookup) -> Decision:
    found = lookup.finder.find(identifier)
    ours = (request.host, lookup.canonical_host)
    decision = decide(found, request.preferences, ours=ours, query=request.query)
    if isinstance(decision, NotRegistered):
        if not found.has_registered_host:
            return NoSuchScheme(unknown_scheme(request.path[1:]))
        decision = reconsider(decision, lookup.finder.near(identifier))
        if request.query and isinstance(decision, WrittenOtherwise):
            return _look_up_elsewhere(decision, request, lookup)
        return decision
    if isinstance(decision, Versioned):
        # Few identifiers have versions: the rest must not pay for them.
        from ginuri.resolution.versions.versions import decide_version  # noqa: PLC0415  see above

        return decide_version(decision, request.preferences, lookup.clock())
    if request.query and isinstance(decision, SeeDescription) and lookup.make_titles is not None:
        return _look_up_title(decision, request, lookup.make_titles)
    return decision


def _look_up_title(
    decision: SeeDescription, request: Request, make_titles: Callable[[], TitleFinder]
) -> Decision:
    # Few ask so: the rest must not pay for searching.
    from ginuri.search.titles import PARAMETER, is_asked_by_title  # noqa: PLC0415  see above

    title = request.parameters.get(PARAMETER)
    return make_titles().find(decision, title) if title and is_asked_by_title(decision) else decision


def _look_up_elsewhere(decision: WrittenOtherwise, request: Request, lookup: Lookup) -> Decision:
    # `/id?title=…` asks what `/id/?title=…` does: a redirect there would lose the question.
    from ginuri.search.titles import PARAMETER  # noqa: PLC0415  few ask so

    if not request.parameters.get(PARAMETER):
        return decision
    described = decide(lookup.finder.find(parse(decision.target)), ours=(request.host, lookup.canonical_host))
    if not isinstance(described, SeeDescription) or lookup.make_titles is None:
        return decision
    titled = _look_up_title(described, request, lookup.make_titles)
    return decision if titled is described else titled
