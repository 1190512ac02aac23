"""The flow of a request on one screen: event → request → identifier → record → decision → response."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ginuri.frozen import Frozen
from ginuri.identifiers import Identifier, parse_path
from ginuri.identifiers.errors import ContentMissing, MalformedIdentifier, RegistryUnavailable
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.ports import Finder
from ginuri.resolution.outcomes import ContentLost, Decision, Unavailable
from ginuri.resolution.resolve import Titles, resolve
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.request import Request, ask_about, guard_caches, limit_scripts, read_request, refuse_method
from ginuri.web.response import Response


class Answered(Frozen):
    """A request, its decision and its response: the contents of a log line."""

    request: Request
    decision: Decision
    response: Response


def answer(  # noqa: PLR0913  all but the event are made once
    event: Mapping[str, Any],
    finder: Finder,
    answers: IdentifierResponses,
    *,
    edge_secret: str | None = None,
    clock: Clock = utc_now,
    make_titles: Callable[[], Titles] | None = None,
) -> Answered:
    """Answer one request; `edge_secret` is that of `read_request`.

    The clock is read only for identifiers with versions; titles are built only for `?title=`.
    """
    request = read_request(event, edge_secret)
    decision: Decision
    try:
        question = ask_about(_read(request), request, answers.canonical_host)
        decision = refuse_method(request) or resolve(question, finder, clock, make_titles).decision
        response = answers.write(decision, request)
    except ContentMissing as error:
        decision = ContentLost(error.key)
        response = answers.write(decision, request)
    except RegistryUnavailable as error:
        decision = Unavailable(error.retry_after, str(error))
        response = answers.write(decision, request)
    return Answered(request, decision, guard_caches(limit_scripts(response, request.host), request))


def _read(request: Request) -> Identifier | MalformedIdentifier:
    try:
        return parse_path(request.path, host=request.host)
    except MalformedIdentifier as error:
        return error
