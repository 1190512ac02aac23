"""Outcome → HTTP response for the service's own paths, with their status codes."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, assert_never
from urllib.parse import quote

from ginuri.i18n.translation import page_language
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import registered_scheme
from ginuri.identifiers.service_paths import DOCS, EXPLAIN, RESOLVE, description_path
from ginuri.registry.model import StoredFile
from ginuri.resolution.decision import Question
from ginuri.resolution.explanations.explanation import Explanation, record_of
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES, Preferences
from ginuri.resolution.outcomes import (
    Decision,
    Malformed,
    MethodNotAllowed,
    NoSuchHost,
    NoSuchScheme,
    NotRegistered,
    Options,
    Unavailable,
)
from ginuri.web.answers.advice import explain, title_of
from ginuri.web.answers.assets import GiveAsset, NoSuchAsset, write_asset
from ginuri.web.answers.elsewhere import find_known_name, summarize_known_name
from ginuri.web.answers.guides import GiveGuide, NoSuchGuide, SeeGuide, write_guide_response
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.answers.interface import Interface, write_interface
from ginuri.web.answers.problems import Advice, Problem, write_problem
from ginuri.web.answers.timemaps import NoTimeMap, SeeTimeMap, TimeMap, TimeMapOfNormalForm, write_timemap
from ginuri.web.headers import (
    ABSENT_SECONDS,
    ALLOW,
    CORS,
    FRESH_SECONDS,
    PERMANENT_SECONDS,
    PREFLIGHT,
    cache,
)
from ginuri.web.lookups import LIST_TYPE, MOST_LISTED, Forward, Item, NoQuestion, ResolvedList, UnreadableList
from ginuri.web.pages.environment import write_page
from ginuri.web.pages.explanation import Tried, keep_different, write_explanation
from ginuri.web.pages.frame import page_headers, prefers_page
from ginuri.web.request import Request, drop_language
from ginuri.web.response import LARGEST_BODY, Headers, Response

_Unanswered = (
    NoQuestion
    | NoSuchAsset
    | NoSuchGuide
    | NoTimeMap
    | NotRegistered
    | UnreadableList
    | Malformed
    | NoSuchScheme
    | NoSuchHost
    | MethodNotAllowed
    | Unavailable
)
ServiceOutcome = (
    Explanation
    | Forward
    | ResolvedList
    | Interface
    | GiveAsset
    | GiveGuide
    | SeeGuide
    | TimeMap
    | SeeTimeMap
    | TimeMapOfNormalForm
    | Options
    | _Unanswered
)
ALLOW_RESOLVE = "GET, HEAD, POST, OPTIONS"

_JSON: Headers = (("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff"))
_VARY: Headers = (("Vary", "Accept, Accept-Language, Accept-Profile"),)
# RFC 3986 §3.5  fragment = *( pchar / "/" / "?" )
_FRAGMENT_MARKS = "!$&'()*+,;=:@/?-._~%"


class ServiceResponses:
    """Writes responses; a decision that is only reported is answered as a HEAD, which reads no content."""

    def __init__(self, canonical_host: str) -> None:
        self._answers = IdentifierResponses(NoContent(), canonical_host)
        self._canonical_host = canonical_host

    def write(self, outcome: ServiceOutcome, request: Request) -> Response:  # noqa: C901, PLR0911  one an outcome
        """Write the response to an outcome."""
        match outcome:
            case Explanation():
                return self._explain(outcome, request)
            case Forward(identifier, fragment, is_this_host):
                where = _forward("/" if is_this_host else request.complete(identifier.path), fragment)
                return Response(HTTPStatus.FOUND, (("Location", where), *cache(FRESH_SECONDS), *CORS))
            case ResolvedList(items):
                return self._report(items, request)
            case Interface():
                body = write_interface(self._canonical_host)
                return Response(HTTPStatus.OK, (*_JSON, *cache(FRESH_SECONDS), *CORS), body)
            case GiveAsset():
                return write_asset(outcome)
            case GiveGuide() | SeeGuide():
                return write_guide_response(outcome, request, self._canonical_host)
            case TimeMap():
                return write_timemap(outcome, request.preferences, self._canonical_host)
            case SeeTimeMap(where):
                return Response(HTTPStatus.FOUND, (("Location", where), *cache(FRESH_SECONDS), *CORS))
            case TimeMapOfNormalForm(where):
                headers = (("Location", where), *cache(PERMANENT_SECONDS), *CORS)
                return Response(HTTPStatus.MOVED_PERMANENTLY, headers)
            case Options():
                allowed = dict(PREFLIGHT) | (_PREFLIGHT_RESOLVE if _is_resolve(request) else {})
                return Response(HTTPStatus.NO_CONTENT, tuple(allowed.items()))
            case NoQuestion() if _is_resolve(request) and prefers_page(request.preferences):
                return _write_form(request)
            case _:  # mypy checks that these are the unanswered ones
                return _advise(outcome, request)

    def _report(self, items: Sequence[Item], request: Request) -> Response:
        document = [self._item(item, request) for item in items]
        body = _json(document)
        if len(body) <= LARGEST_BODY:
            return Response(HTTPStatus.OK, (*_JSON, *_VARY, *cache(0), *CORS), body)
        # This number fits even if all of them are like the largest.
        number = LARGEST_BODY // max(len(_json([each])) for each in document)
        detail = message(
            "The response would have {length} bytes; the limit is {most}. "
            "Send at most {number} of these identifiers at a time.",
            number=str(max(1, number)),
            length=f"{len(body):,}",
            most=f"{LARGEST_BODY:,}",
        )
        problem = Problem("The response is too large", detail)
        headers = (*cache(0), *_VARY, *CORS)
        return write_problem(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, problem, request.preferences, headers)

    def _explain(self, explanation: Explanation, request: Request) -> Response:
        answer = self._answer_to(explanation.question, explanation.decision, request)
        headers = (*_VARY, *cache(0), *CORS)
        others = [
            Tried(alternative, int(other.status), _location(other))
            for alternative in explanation.alternatives
            for other in (self._answer_to(alternative.question, alternative.decision, request),)
        ]
        own = explanation.found.identifier.path if explanation.found else ""
        tried = keep_different(others, int(answer.status), _location(answer), own)
        if not prefers_page(request.preferences):
            document = _explained(explanation, answer, tried, self._canonical_host)
            return Response(HTTPStatus.OK, (*_JSON, *headers), _json(document))
        languages = read_languages(request.preferences.accept_language)
        page = write_explanation(explanation, answer, tried, drop_language(request), languages)
        return Response(HTTPStatus.OK, (*page_headers(page_language(languages)), *headers), page)

    def _item(self, item: Item, request: Request) -> Mapping[str, Any]:
        response = self._answer(item.decision, request, NO_PREFERENCES)
        record = record_of(item.decision)
        location = _location(response)
        is_error = response.status >= HTTPStatus.BAD_REQUEST
        return {
            "uri": item.text,
            "identifier": str(item.found.identifier) if item.found else None,
            "status": int(response.status),
            "outcome": type(item.decision).__name__,
            "location": location and _forward(location, item.fragment),
            "title": title_of(record) if record else None,
            "error": json.loads(response.body)["detail"] if is_error else None,
        }

    def _answer_to(self, question: Question, decision: Decision, request: Request) -> Response:
        return self._answer(decision, request, question.preferences, question.query)

    def _answer(
        self, decision: Decision, request: Request, preferences: Preferences, query: str = ""
    ) -> Response:
        heard = Preferences("application/json", preferences.accept_language)
        asked = Request("HEAD", "/", request.host, heard, query=query, protocol=request.protocol)
        return self._answers.write(decision, asked)


class NoContent:
    """A store for responses that are only reported."""

    def read(self, file: StoredFile, first: int = 0, last: int | None = None) -> bytes:  # noqa: ARG002  the port's names
        """Raise: no content is read for a response that is never sent."""
        raise AssertionError(f"{file.key} is never read for a report")

    def link(self, file: StoredFile, media_type: str, method: str) -> str:  # noqa: ARG002  the port's names
        """Return no link: a signed one would expire before the client follows it."""
        return ""


_ACCEPTED = ("Accept-Post", LIST_TYPE)
_PREFLIGHT_RESOLVE = {
    "Accept-Post": LIST_TYPE,
    "Allow": ALLOW_RESOLVE,
    "Access-Control-Allow-Methods": ALLOW_RESOLVE,
    "Access-Control-Allow-Headers": "Accept, Accept-Datetime, Accept-Language, Accept-Profile, Content-Type",
}


def _write_form(request: Request) -> Response:
    """Write the page with a form for an identifier."""
    languages = read_languages(request.preferences.accept_language)
    # The form ends in a redirect to any host, and browsers apply `form-action` to redirects too.
    headers = page_headers(page_language(languages), forwards=True)
    body = write_page("resolve", languages, here=f"/{RESOLVE}", usage=_usage(request).detail)
    return Response(HTTPStatus.OK, (*headers, *_VARY, *cache(0), *CORS), body)


def _advise(outcome: _Unanswered, request: Request) -> Response:  # noqa: C901  one case an outcome
    status, seconds, headers = HTTPStatus.BAD_REQUEST, FRESH_SECONDS, _VARY
    match outcome:
        case NoQuestion():
            problem = _usage(request)
        case NoTimeMap(identifier):
            status, seconds = HTTPStatus.NOT_FOUND, ABSENT_SECONDS
            detail = message("{identifier} has no dated versions.", identifier=str(identifier))
            advice = Advice("describedby", "Description", description_path(identifier.normal_form))
            problem = Problem("No versions", detail, (advice,))
        case NoSuchGuide(path):
            status, seconds = HTTPStatus.NOT_FOUND, ABSENT_SECONDS
            detail = message("Nothing is served at {path}.", path=path)
            problem = Problem("There is no such guide", detail, (Advice("index", "Guides", f"/{DOCS}/"),))
        case NoSuchAsset(path):
            status, seconds = HTTPStatus.NOT_FOUND, ABSENT_SECONDS
            problem = Problem("No page loads such a file", message("Nothing is served at {path}.", path=path))
        case NotRegistered() | NoSuchHost():
            status, seconds, problem = HTTPStatus.NOT_FOUND, ABSENT_SECONDS, explain(outcome)
        case UnreadableList(status, rule):
            problem, seconds, headers = Problem("Invalid list of identifiers", rule), 0, (_ACCEPTED, *_VARY)
        case NoSuchScheme(error) if registered_scheme(error.text) or find_known_name(outcome):
            status, seconds, problem = HTTPStatus.NOT_FOUND, ABSENT_SECONDS, explain(outcome)
        case Malformed() | NoSuchScheme():
            problem = explain(outcome)
        case MethodNotAllowed():
            status = HTTPStatus.METHOD_NOT_ALLOWED
            allowed = ALLOW_RESOLVE if _is_resolve(request) else ALLOW
            headers, problem = (("Allow", allowed), *_VARY), explain(outcome)
        case Unavailable(retry_after):
            status, seconds, problem = HTTPStatus.SERVICE_UNAVAILABLE, 0, explain(outcome)
            headers = (("Retry-After", str(retry_after)), *_VARY)
        case _:
            assert_never(outcome)
    return write_problem(status, problem, request.preferences, (*cache(seconds), *headers, *CORS))


def _usage(request: Request) -> Problem:
    if _is_resolve(request):
        detail = message(
            "Request {path} followed by a percent-encoded identifier, "
            "or POST a JSON list of up to {most} identifiers.",
            path=f"/{RESOLVE}?uri=",
            most=str(MOST_LISTED),
        )
    else:
        detail = message(
            "Request {path} followed by an identifier, as in {example}.",
            path=f"/{EXPLAIN}/",
            example=f"/{EXPLAIN}/uri-gin/azgs/",
        )
    return Problem("No identifier given", detail)


def _is_resolve(request: Request) -> bool:
    return request.path[1:].partition("/")[0] == RESOLVE


def _explained(
    explanation: Explanation, answer: Response, tried: Sequence[Tried], canonical_host: str
) -> Mapping[str, Any]:
    found, known = explanation.found, find_known_name(explanation.decision)
    return {
        "uri": found.cited(canonical_host) if found else None,
        "identifier": str(found.identifier) if found else None,
        "outcome": explanation.outcome,
        "status": int(answer.status),
        "location": _location(answer),
        **({"elsewhere": summarize_known_name(known)} if known else {}),
        "steps": [{"step": step.step, "result": step.result} for step in explanation.steps],
        "alternatives": [
            {
                "change": {each.alternative.header or "identifier": each.alternative.value},
                "status": each.status,
                "location": each.location,
            }
            for each in tried
        ],
    }


def _location(response: Response) -> str | None:
    return dict(response.headers).get("Location") or None


def _forward(where: str, fragment: str | None) -> str:
    # RFC 9110 §10.2.2: a client keeps its fragment; this one was in the query, so it must be returned.
    if fragment is None or "#" in where:
        return where
    broken = re.sub("%(?![0-9A-Fa-f]{2})", "%25", fragment)
    return f"{where}#{quote(broken, _FRAGMENT_MARKS, errors='replace')}"


def _json(document: object) -> bytes:
    # A request may contain a lone surrogate, which only an ASCII escape can encode.
    return json.dumps(document, indent=1).encode()
