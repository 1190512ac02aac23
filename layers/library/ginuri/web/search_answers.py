"""Searching over HTTP: `/search`, its description for browsers (OpenSearch 1.1), and `?title=`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from ginuri.core.errors import MalformedIdentifier
from ginuri.core.identifiers import parse
from ginuri.core.model import RecordType, Registered, Representation, Status
from ginuri.core.negotiation import Preferences, choose
from ginuri.core.registry import Reader
from ginuri.core.search_index import record_type_of
from ginuri.core.searching import Matches, Question, Searcher
from ginuri.core.service_paths import SEARCH, description_path
from ginuri.web.advice import title_of
from ginuri.web.headers import ABSENT_SECONDS, CORS, FRESH_SECONDS, cache
from ginuri.web.pages import page_headers, write_page
from ginuri.web.problems import Advice, Problem, write_problem
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

MOST_LISTED, PAGE = 100, 20
"""Results on a page: at most, and unless asked otherwise."""
MOST_ASKED = 1_000
"""Characters of a question."""
_VARY: Headers = (("Vary", "Accept"),)
_JSON: Headers = (("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff"))
_HTML = Representation(media_type="text/html")
_FORMATS = (Representation(media_type="application/json"), _HTML)
_FILTERS = ("authority", "type", "status")


@dataclass(frozen=True, slots=True)
class Asked:
    """A search as it was asked for."""

    question: Question
    parameters: Mapping[str, str]
    """As they were sent, for links to other pages."""
    page: int
    most: int


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A parameter cannot be what it is."""

    detail: str


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found, each as it stands now; None before anything was published."""

    asked: Asked
    matches: Matches | None
    records: Sequence[Registered]


SearchOutcome = Searched | Unreadable


def read_search(parameters: Mapping[str, str]) -> Asked | Unreadable:
    """Read what is searched for."""
    text = parameters.get("q", "")
    if len(text) > MOST_ASKED:
        return Unreadable(f"q has {len(text):,} characters; at most {MOST_ASKED:,} can be searched for.")
    status, kind = parameters.get("status", ""), parameters.get("type", "")
    if status and status not in set(Status):
        return Unreadable(f"status={_shown(status)} is none of {', '.join(Status)}.")
    is_path = "/" in kind
    if kind and not is_path and kind not in set(RecordType):
        return Unreadable(
            f"type={_shown(kind)} is neither the identifier of a resource type, as uri-gin/azgs/doc/, "
            f"nor one of {', '.join(RecordType)}."
        )
    under = _prefix(parameters.get("authority", ""))
    if is_path:
        if not _prefix(kind).startswith(under):
            return Unreadable(f"type={_shown(kind)} is no resource type of authority={_shown(under)}.")
        under = _prefix(kind)
    numbers = {}
    for name, usual, most in (("page", 1, 10_000), ("most", PAGE, MOST_LISTED)):
        told = parameters.get(name, "") or str(usual)
        if not (told.isascii() and told.isdigit() and 1 <= int(told[:6]) <= most):
            return Unreadable(f"{name}={_shown(told)} is no number from 1 to {most:,}.")
        numbers[name] = int(told)
    question = Question(
        text,
        under,
        RecordType(kind) if kind and not is_path else None,
        Status(status) if status else None,
    )
    sent = {name: parameters[name] for name in ("q", *_FILTERS, "most") if parameters.get(name)}
    return Asked(question, sent, numbers["page"], numbers["most"])


def search(asked: Asked, searcher: Searcher, reader: Reader) -> Searched:
    """Search, and read what was found as it stands. Raises RegistryUnavailable."""
    first = (asked.page - 1) * asked.most
    matches = searcher.search(asked.question, first, asked.most)
    records: Mapping[str, Registered] = reader.fetch(matches.names) if matches and matches.names else {}
    names = matches.names if matches else ()
    return Searched(asked, matches, [records[name] for name in names if name in records])


def write_search(outcome: SearchOutcome, request: Request) -> Response:
    """Write the answer to a search, as JSON or as a page."""
    if isinstance(outcome, Unreadable):
        problem = Problem("This cannot be searched for", outcome.detail)
        headers = (*cache(FRESH_SECONDS), *_VARY, *CORS)
        return write_problem(HTTPStatus.BAD_REQUEST, problem, request.preferences, headers)
    if outcome.matches is None:
        advice = (Advice("start", "About this host", "/"),)
        detail = "What can be searched is written once a day, for the first time within a day of the start."
        headers = (*cache(ABSENT_SECONDS), *_VARY, *CORS)
        problem = Problem("Nothing can be searched yet", detail, advice)
        return write_problem(HTTPStatus.NOT_FOUND, problem, request.preferences, headers)
    links = _pages(outcome.asked, outcome.matches)
    headers = (*_VARY, *cache(FRESH_SECONDS), *CORS)
    if links:
        headers += (("Link", ", ".join(f'<{where}>; rel="{rel}"' for rel, where in links.items())),)
    if choose(Preferences(accept=request.preferences.accept), _FORMATS) is _HTML:
        body = _page(outcome.asked, outcome.matches, outcome.records, links)
        # Its own form is the only one that a page of ours may send.
        told = [
            (name, value.replace("form-action 'none'", "form-action 'self'"))
            for name, value in page_headers()
        ]
        return Response(HTTPStatus.OK, (*told, *headers), body)
    document = _document(outcome.asked, outcome.matches, outcome.records, links)
    return Response(HTTPStatus.OK, (*_JSON, *headers), json.dumps(document, indent=1).encode())


def write_opensearch(host: str) -> Response:
    """Describe the search for browsers and other clients (OpenSearch 1.1, draft 6)."""
    page = f"http://{host}/{SEARCH}?q={{searchTerms}}&amp;page={{startPage?}}"
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        "<ShortName>ginuri</ShortName>\n"
        f"<Description>Identifiers registered at {escape(host)}</Description>\n"
        f'<Url type="text/html" template="{page}"/>\n<Url type="application/json" template="{page}"/>\n'
        "<InputEncoding>UTF-8</InputEncoding>\n<OutputEncoding>UTF-8</OutputEncoding>\n"
        "</OpenSearchDescription>\n"
    )
    told = (("Content-Type", "application/opensearchdescription+xml"), ("X-Content-Type-Options", "nosniff"))
    return Response(HTTPStatus.OK, (*told, *cache(FRESH_SECONDS), *CORS), text.encode())


def _prefix(text: str) -> str:
    # What is copied from an address bar begins with a host, from a path with a slash.
    ended = text if not text or text.endswith("/") else f"{text}/"
    if text.startswith("//") or "://" in text:
        try:
            named = parse(ended)
        except MalformedIdentifier:
            pass
        else:  # "http://host/" alone is the whole registry, "//host/" what is bound to it
            return named.normal_form if named.scheme or text.startswith("//") else ""
    return ended.partition("://")[2].partition("/")[2] if "://" in ended else ended.lstrip("/")


def _shown(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:60]}…"  # noqa: PLR2004  a line's width


def _pages(asked: Asked, matches: Matches) -> dict[str, str]:
    links = {}
    if asked.page > 1:
        links["prev"] = _address(asked, asked.page - 1)
    if asked.page * asked.most < matches.total:
        links["next"] = _address(asked, asked.page + 1)
    return links


def _address(asked: Asked, page: int) -> str:
    query = urlencode({**asked.parameters, "page": page}, errors="replace")
    return f"/{SEARCH}?{query}"


def _document(
    asked: Asked, matches: Matches, records: Sequence[Registered], links: Mapping[str, str]
) -> Mapping[str, Any]:
    return {
        "query": dict(asked.parameters),
        "as_of": matches.made,
        "total": matches.total,
        "is_total": not matches.is_cut,
        "last_word_completed": matches.is_completed,
        "page": asked.page,
        "results": [
            {
                "identifier": record.identifier,
                "title": title_of(record),
                "record": str(record_type_of(record)),
                "status": str(record.status),
                "describedby": description_path(record.identifier),
            }
            for record in records
        ],
        **links,
    }


def _page(asked: Asked, matches: Matches, records: Sequence[Registered], links: Mapping[str, str]) -> bytes:
    title = f"Search: {_shown(asked.question.text)}" if asked.question.text else "Search"
    parts = [f"<h1>{escape(title)}</h1>", _form(asked)]
    if asked.question.text:
        parts.append(f"<p>{_count(matches)} As of <time>{matches.made}</time>.</p>")
    if not matches.is_completed:
        parts.append("<p>Too many words begin as the last one does: only the word itself was looked for.</p>")
    if records:
        rows = "\n".join(f"<li>{_row(record)}</li>" for record in records)
        parts.append(f'<ol start="{(asked.page - 1) * asked.most + 1}">\n{rows}\n</ol>')
    names = {"prev": "Previous page", "next": "Next page"}
    turns = [f'<a rel="{rel}" href="{escape(where)}">{names[rel]}</a>' for rel, where in links.items()]
    if turns:
        parts.append(f'<nav aria-label="Pages"><p>{" ".join(turns)}</p></nav>')
    return write_page(title, "\n".join(parts))


def _count(matches: Matches) -> str:
    if not matches.total:
        return "Nothing was found: every word has to be in a title, another name or the identifier."
    number = f"{'More than ' if matches.is_cut else ''}{matches.total:,}"
    return f"{number} found, with all words in the title first."


def _form(asked: Asked) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(asked.parameters[name])}">'
        for name in _FILTERS
        if name in asked.parameters
    )
    told = "".join(
        f"<p>Only with {name} {escape(asked.parameters[name])}.</p>"
        for name in _FILTERS
        if name in asked.parameters
    )
    return (
        f'<form role="search" action="/{SEARCH}" method="get"><p><label for="q">Titles, other names and '
        f'identifiers</label> <input id="q" type="search" name="q" value="{escape(asked.question.text)}">'
        f'{hidden} <button type="submit">Search</button></p></form>{told}'
    )


def _row(record: Registered) -> str:
    where = description_path(record.identifier)
    status = f" <strong>{record.status}</strong>" if record.status is not Status.VALID else ""
    return (
        f'<a href="{escape(where)}">{escape(title_of(record))}</a>{status}'
        f"<br><code>{escape(record.identifier)}</code>"
    )
