"""What is said where there is nothing to give: a problem document (RFC 9457), or a page for a browser."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from http import HTTPStatus

from ginuri.core.model import Representation
from ginuri.core.negotiation import Preferences, choose
from ginuri.web.response import Headers, Response

PROBLEM = "application/problem+json"
_HTML = Representation(media_type="text/html")
# Who takes JSON takes a problem document, whatever it is called.
_FORMATS = (Representation(media_type=PROBLEM), Representation(media_type="application/json"), _HTML)


@dataclass(frozen=True, slots=True)
class Advice:
    """Something to follow: what it is, and where it leads."""

    relation: str
    text: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """What is the matter, in words for people, and what may be done about it."""

    title: str
    detail: str
    advice: Sequence[Advice] = ()


def write_problem(
    status: HTTPStatus, problem: Problem, preferences: Preferences, headers: Headers
) -> Response:
    """Write a problem in the format that the client prefers; JSON where it says nothing."""
    chosen = choose(Preferences(accept=preferences.accept), _FORMATS) or _FORMATS[0]
    if chosen is not _HTML:
        return Response(status, (*headers, ("Content-Type", PROBLEM)), _document(status, problem))
    # Redirects, the most of all answers, must not pay for pages.
    from ginuri.web.pages import page_headers, write_page  # noqa: PLC0415  see above

    body = _body(status, problem)
    return Response(status, (*headers, *page_headers()), write_page(problem.title, body))


def _document(status: HTTPStatus, problem: Problem) -> bytes:
    members: dict[str, object] = {
        "type": "about:blank",
        "title": problem.title,
        "status": int(status),
        "detail": problem.detail,
    }
    if problem.advice:
        members["advice"] = [_member(each) for each in problem.advice]
    return json.dumps(members, ensure_ascii=False).encode()


def _member(advice: Advice) -> Mapping[str, str]:
    href = {} if advice.href is None else {"href": advice.href}
    return {"rel": advice.relation, "title": advice.text, **href}


def _body(status: HTTPStatus, problem: Problem) -> str:
    rows = "".join(f"<li>{_line(each)}</li>" for each in problem.advice)
    listed = f'<ul class="advice">{rows}</ul>' if rows else ""
    return (
        f'<p class="status">{int(status)}</p>\n<h1>{escape(problem.title)}</h1>\n'
        f"<p>{escape(problem.detail)}</p>\n{listed}"
    )


def _line(advice: Advice) -> str:
    if advice.href is None:
        return escape(advice.text)
    return f'<a href="{escape(advice.href)}" rel="{escape(advice.relation)}">{escape(advice.text)}</a>'
