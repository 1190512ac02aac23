"""Searching over HTTP: `/search`, its description for browsers (OpenSearch 1.1), and `?title=`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote, urlencode

from ginuri.i18n.translation import page_language
from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Words, message
from ginuri.identifiers.service_paths import SEARCH, description_path
from ginuri.registry.model import RecordType, Registered, Representation, Status
from ginuri.registry.ports import RecordReader
from ginuri.registry.statuses import STATUSES
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.resolution.negotiation.negotiation import Preferences, choose
from ginuri.search.index import record_type_of
from ginuri.search.searcher import Searcher, SearchMatches, SearchQuery
from ginuri.search.words import words_of
from ginuri.web.answers.advice import title_of
from ginuri.web.answers.problems import Advice, Problem, write_problem
from ginuri.web.headers import ABSENT_SECONDS, CORS, FRESH_SECONDS, cache
from ginuri.web.pages.frame import page_headers
from ginuri.web.pages.search import FILTERS, ResultPage, SearchRequest, shorten, write_results
from ginuri.web.query import read_number
from ginuri.web.request import Request
from ginuri.web.response import Headers, Response

MOST_LISTED, PAGE = 100, 20
"""Results on a page: at most, and unless asked otherwise."""
MOST_PAGES = 10_000
"""The last page: a search counts no more matches than this, and a page has one at least."""
MOST_ASKED = 1_000
"""Characters of a query."""
_VARY: Headers = (("Vary", "Accept, Accept-Language"),)
_JSON: Headers = (("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff"))
_HTML = Representation(media_type="text/html")
_FORMATS = (Representation(media_type="application/json"), _HTML)


@dataclass(frozen=True, slots=True)
class UnreadableParameter:
    """A parameter has an invalid value."""

    detail: Words


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The matches, with the current records; None before the first publication."""

    request: SearchRequest
    matches: SearchMatches | None
    records: Sequence[Registered]


SearchOutcome = SearchResults | UnreadableParameter


def read_search(parameters: Mapping[str, str]) -> SearchRequest | UnreadableParameter:
    """Read the parameters of a search."""
    text = parameters.get("q", "")
    if len(text) > MOST_ASKED:
        detail = "q has {number} characters; the limit is {most}."
        return UnreadableParameter(message(detail, number=f"{len(text):,}", most=f"{MOST_ASKED:,}"))
    status, kind = parameters.get("status", ""), parameters.get("type", "")
    if status and status not in set(Status):
        detail = "status={status} is not one of {known}."
        return UnreadableParameter(message(detail, status=shorten(status), known=", ".join(Status)))
    is_path = "/" in kind
    if kind and not is_path and kind not in set(RecordType):
        detail = "type={type} is neither a resource type, such as uri-gin/azgs/doc/, nor one of {known}."
        return UnreadableParameter(message(detail, type=shorten(kind), known=", ".join(RecordType)))
    under = _prefix(parameters.get("authority", ""))
    if is_path:
        if not _prefix(kind).startswith(under):
            detail = "type={type} is not a resource type of authority={authority}."
            return UnreadableParameter(message(detail, type=shorten(kind), authority=shorten(under)))
        under = _prefix(kind)
    numbers = {}
    for name, usual, most in (("page", 1, MOST_PAGES), ("most", PAGE, MOST_LISTED)):
        number = read_number(parameters, name, usual=usual, most=most)
        if number is None:
            detail = "{name}={value} is not a number from 1 to {most}."
            value = shorten(parameters[name])
            return UnreadableParameter(message(detail, name=name, value=value, most=f"{most:,}"))
        numbers[name] = number
    question = SearchQuery(
        text,
        under,
        RecordType(kind) if kind and not is_path else None,
        Status(status) if status else None,
    )
    sent = {name: parameters[name] for name in ("q", *FILTERS, "most") if parameters.get(name)}
    return SearchRequest(question, sent, numbers["page"], numbers["most"])


def search(request: SearchRequest, searcher: Searcher, reader: RecordReader) -> SearchResults:
    """Search, and read the current records of the matches. Raises RegistryUnavailable."""
    first = (request.page - 1) * request.most
    matches = searcher.search(request.question, first, request.most)
    records: Mapping[str, Registered] = reader.fetch(matches.names) if matches and matches.names else {}
    names = matches.names if matches else ()
    shown = [records[name] for name in names if name in records]
    # A record withheld since the index was built is found by its identifier only, as in the next index.
    kept = [
        record for record in shown if not STATUSES[record.status].is_hidden or _is_in_name(record, request)
    ]
    if matches and len(kept) < len(shown):
        matches = replace(matches, total=matches.total - len(shown) + len(kept))
    return SearchResults(request, matches, kept)


def _is_in_name(record: Registered, request: SearchRequest) -> bool:
    words = words_of(unquote(record.identifier))
    return all(any(word.startswith(prefix) for word in words) for prefix in words_of(request.question.text))


def write_search(outcome: SearchOutcome, request: Request) -> Response:
    """Write the response to a search, as JSON or as a page."""
    if isinstance(outcome, UnreadableParameter):
        problem = Problem("Invalid search", outcome.detail)
        headers = (*cache(FRESH_SECONDS), *_VARY, *CORS)
        return write_problem(HTTPStatus.BAD_REQUEST, problem, request.preferences, headers)
    if outcome.matches is None:
        advice = (Advice("start", "About this host", "/"),)
        detail = "The search index is built once a day; the first one is ready within a day of setup."
        headers = (*cache(ABSENT_SECONDS), *_VARY, *CORS)
        problem = Problem("Search is not available yet", detail, advice)
        return write_problem(HTTPStatus.NOT_FOUND, problem, request.preferences, headers)
    links = _pages(outcome.request, outcome.matches)
    headers = (*_VARY, *cache(FRESH_SECONDS), *CORS)
    if links:
        headers += (("Link", ", ".join(f'<{where}>; rel="{rel}"' for rel, where in links.items())),)
    if choose(Preferences(accept=request.preferences.accept), _FORMATS) is _HTML:
        languages = read_languages(request.preferences.accept_language)
        body = write_results(ResultPage(outcome.request, outcome.matches, outcome.records, links), languages)
        return Response(HTTPStatus.OK, (*page_headers(page_language(languages)), *headers), body)
    document = _document(outcome.request, outcome.matches, outcome.records, links)
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
    headers = (
        ("Content-Type", "application/opensearchdescription+xml"),
        ("X-Content-Type-Options", "nosniff"),
    )
    return Response(HTTPStatus.OK, (*headers, *cache(FRESH_SECONDS), *CORS), text.encode())


def _prefix(text: str) -> str:
    # Text copied from an address bar starts with a host; a copied path starts with a slash.
    ended = text if not text or text.endswith("/") else f"{text}/"
    if text.startswith("//") or "://" in text:
        try:
            named = parse(ended)
        except MalformedIdentifier:
            pass
        else:  # "http://host/" means the whole registry, "//host/" the identifiers bound to the host
            return named.normal_form if named.scheme or text.startswith("//") else ""
    return ended.partition("://")[2].partition("/")[2] if "://" in ended else ended.lstrip("/")


def _pages(request: SearchRequest, matches: SearchMatches) -> dict[str, str]:
    links = {}
    if request.page > 1:
        links["prev"] = _address(request, request.page - 1)
    if request.page * request.most < matches.total:
        links["next"] = _address(request, request.page + 1)
    return links


def _address(request: SearchRequest, page: int) -> str:
    query = urlencode({**request.parameters, "page": page}, errors="replace")
    return f"/{SEARCH}?{query}"


def _document(
    request: SearchRequest, matches: SearchMatches, records: Sequence[Registered], links: Mapping[str, str]
) -> Mapping[str, Any]:
    return {
        "query": dict(request.parameters),
        "as_of": matches.indexed_at,
        "total": matches.total,
        "is_total": not matches.is_cut,
        "last_word_completed": matches.is_completed,
        "page": request.page,
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
