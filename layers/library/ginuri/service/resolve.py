"""The flow of a request for an identifier: request → identifier → record → decision → response."""

from __future__ import annotations

from collections.abc import Callable

from ginuri.identifiers import Identifier, parse_path
from ginuri.identifiers.errors import ContentMissing, MalformedIdentifier, RegistryUnavailable
from ginuri.registry.ports import Finder
from ginuri.resolution.outcomes import ContentLost, Decision, Unavailable
from ginuri.resolution.resolve import Titles, resolve
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.request import Request, ask_about, guard_caches, limit_scripts, refuse_method
from ginuri.web.response import Answered


def answer(
    request: Request,
    finder: Finder,
    answers: IdentifierResponses,
    *,
    make_titles: Callable[[], Titles] | None = None,
) -> Answered:
    """Answer one request.

    Titles are made only for `?title=`.
    """
    decision: Decision
    try:
        question = ask_about(_read(request), request, answers.canonical_host)
        decision = refuse_method(request) or resolve(question, finder, make_titles).decision
        response = answers.write(decision, request)
    except ContentMissing as error:
        decision = ContentLost(error.key)
        response = answers.write(decision, request)
    except RegistryUnavailable as error:
        decision = Unavailable(error.retry_after, str(error))
        response = answers.write(decision, request)
    return Answered(decision, guard_caches(limit_scripts(response, request.host), request))


def _read(request: Request) -> Identifier | MalformedIdentifier:
    try:
        return parse_path(request.path, host=request.host)
    except MalformedIdentifier as error:
        return error
