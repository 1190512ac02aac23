"""Errors as a problem document (RFC 9457), choices as a list in JSON, or either as a page for a browser.

A client that asks for a linkset (RFC 9264) gets the choices as one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus

from ginuri.frozen import Frozen, replace
from ginuri.identifiers.messages import Words, message
from ginuri.identifiers.service_paths import ABOUT, EXPLAIN, LINKSET, LINKSET_TEXT, LINKSET_TYPES
from ginuri.registry.model import Representation
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.resolution.negotiation.negotiation import NO_PREFERENCES, Preferences, choose
from ginuri.resolution.negotiation.preferences import read_media_ranges
from ginuri.web.headers import CORS, FRESH_SECONDS, cache
from ginuri.web.linksets import LinkInContext, write_linkset, write_linkset_text
from ginuri.web.response import LARGEST_BODY, LARGEST_HEADERS, Headers, Response

PROBLEM = "application/problem+json"
_HTML = Representation(media_type="text/html")
_OF_PATHS = "/%:@!$&'()*+,;=-._~"
"""The characters of a path (RFC 3986 §3.3), escapes included: links keep it as sent."""
_STEPS = frozenset({"author", "help", "index", "search", "service", "start"})
"""The relations of advice that leads to people or help, not to an identifier."""
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_JSON = Representation(media_type="application/json")
# A client that accepts JSON accepts a problem document.
_ERROR_FORMATS = (Representation(media_type=PROBLEM), _JSON, _HTML)
_CHOICE_FORMATS = (_JSON, _HTML)
_LINKSETS = {
    LINKSET_TYPES[LINKSET]: write_linkset,
    LINKSET_TYPES[LINKSET_TEXT]: write_linkset_text,
}


class Advice(Frozen):
    """A link to follow: its relation, its text and its target."""

    relation: str
    text: Words
    href: str | None = None
    media_type: str | None = None
    language: str | None = None


class Problem(Frozen):
    """A title, a detail and advice for people.

    A problem document has them in English, a page in the reader's language.
    """

    title: Words
    detail: Words
    advice: Sequence[Advice] = ()
    asked: str = ""
    """The requested path, for the link to its explanation; empty if there is nothing to explain."""


def write_problem(
    status: HTTPStatus,
    problem: Problem,
    preferences: Preferences,
    headers: Headers,
    links: Iterable[LinkInContext] | None = None,
) -> Response:
    """Write a problem in the format that the client prefers, JSON by default.

    A 300 is no error: its JSON is no problem document, and lists the choices.
    With `links`, the targets of the advice, the client may also choose a linkset.
    """
    linksets = () if links is None else _linksets(preferences.accept or "")
    is_error = status >= HTTPStatus.BAD_REQUEST
    formats = _ERROR_FORMATS if is_error else _CHOICE_FORMATS
    chosen = choose(Preferences(accept=preferences.accept), (*formats, *linksets)) or formats[0]
    if links is not None and chosen in linksets:
        media_type = chosen.media_type or ""
        return Response(status, (*headers, ("Content-Type", media_type)), _LINKSETS[media_type](links))
    if chosen is not _HTML:
        media_type = PROBLEM if is_error else "application/json"
        document = _document(status, problem) if is_error else _choices(problem)
        return Response(status, (*headers, ("Content-Type", media_type)), _ENCODER.encode(document).encode())
    from urllib.parse import quote

    from ginuri.i18n.translation import page_language
    from ginuri.web.pages.environment import write_page
    from ginuri.web.pages.frame import page_headers

    languages = read_languages(preferences.accept_language)
    groups = {
        "near": [advice for advice in problem.advice if advice.relation not in _STEPS],
        "steps": [advice for advice in problem.advice if advice.relation in _STEPS],
    }
    asked = quote(problem.asked, safe=_OF_PATHS)
    about = (
        {"asked": problem.asked, "here": f"/{ABOUT}/{asked}", "why": f"/{EXPLAIN}/{asked}"} if asked else {}
    )
    body = write_page("problem", languages, status=int(status), problem=problem, **groups, **about)
    return Response(status, (*headers, *page_headers(page_language(languages))), body)


def replace_excess(response: Response, header_bytes: int) -> Response:
    """Return the response without its links if its headers are too large, else a problem document."""
    unlinked = tuple(header for header in response.headers if header[0] != "Link")
    if header_bytes > LARGEST_HEADERS and unlinked != response.headers:
        return replace(response, headers=unlinked)
    return _refuse_headers() if header_bytes > LARGEST_HEADERS else _refuse_body(len(response.body))


def _refuse_headers() -> Response:
    detail = message(
        "The headers of the response would have more than {most} bytes. Send a shorter query.",
        most=f"{LARGEST_HEADERS:,}",
    )
    return _write(HTTPStatus.REQUEST_URI_TOO_LONG, Problem("The address is too long", detail))


def _refuse_body(length: int) -> Response:
    detail = message(
        "The response would have {length} bytes; the limit is {most}. "
        "Request another format, or a shorter list.",
        length=f"{length:,}",
        most=f"{LARGEST_BODY:,}",
    )
    return _write(HTTPStatus.SERVICE_UNAVAILABLE, Problem("The response is too large", detail))


def _write(status: HTTPStatus, problem: Problem) -> Response:
    return write_problem(status, problem, NO_PREFERENCES, (*cache(FRESH_SECONDS), *CORS))


def _linksets(accept: str) -> tuple[Representation, ...]:
    # Only a client that names the type gets a linkset: `application/*` does not mean one.
    named = {f"{media_range.type}/{media_range.subtype}" for media_range in read_media_ranges(accept)}
    return tuple(Representation(media_type=media_type) for media_type in _LINKSETS if media_type in named)


def _choices(problem: Problem) -> Mapping[str, object]:
    return {
        "title": str(problem.title),
        "detail": str(problem.detail),
        "choices": [_member(advice) for advice in problem.advice],
    }


def _document(status: HTTPStatus, problem: Problem) -> Mapping[str, object]:
    return {
        "type": "about:blank",
        "title": str(problem.title),
        "status": int(status),
        "detail": str(problem.detail),
        **({"advice": [_member(advice) for advice in problem.advice]} if problem.advice else {}),
    }


def _member(advice: Advice) -> Mapping[str, str]:
    attributes = {"href": advice.href, "type": advice.media_type, "hreflang": advice.language}
    stated = {name: value for name, value in attributes.items() if value is not None}
    return {"rel": advice.relation, "title": str(advice.text), **stated}
