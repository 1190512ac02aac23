"""The responses to a search, as JSON or as a page, and its description for browsers (OpenSearch 1.1)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from typing import Any

from ginuri.i18n.translation import page_language
from ginuri.identifiers.service_paths import SEARCH, SUGGEST, description_path
from ginuri.registry.model import Registered
from ginuri.resolution.negotiation.languages import read_languages
from ginuri.search.index import record_type_of
from ginuri.search.searcher import SearchMatches
from ginuri.web.answers.advice import title_of
from ginuri.web.answers.problems import Advice, Problem, write_problem
from ginuri.web.headers import ABSENT_SECONDS, CORS, FRESH_SECONDS, cache
from ginuri.web.pages.frame import page_headers, prefers_page
from ginuri.web.request import Request
from ginuri.web.response import LARGEST_BODY, Headers, Response
from ginuri.web.search.leads import Lead
from ginuri.web.search.page import page_links, write_results
from ginuri.web.search.requests import UnreadableParameter
from ginuri.web.search.results import SearchOutcome, SearchResults
from ginuri.web.search.suggestions import FORMAT, OPENSEARCH_FORMAT

_VARY: Headers = (("Vary", "Accept, Accept-Language"),)
_JSON: Headers = (("Content-Type", "application/json"), ("X-Content-Type-Options", "nosniff"))


def write_search(outcome: SearchOutcome, request: Request) -> Response:
    """Write the response to a search, as JSON or as a page."""
    if isinstance(outcome, UnreadableParameter):
        problem = Problem("Invalid search", outcome.detail)
        headers = (*cache(FRESH_SECONDS), *_VARY, *CORS)
        return write_problem(HTTPStatus.BAD_REQUEST, problem, request.preferences, headers)
    if isinstance(outcome, Lead):
        headers = (("Location", outcome.path), *_VARY, *cache(FRESH_SECONDS), *CORS)
        return Response(HTTPStatus.SEE_OTHER, headers)
    matches = outcome.matches
    if matches is None:
        detail = (
            "The search index is built with each publication; the first one is ready within a day of setup."
        )
        headers = (*cache(ABSENT_SECONDS), *_VARY, *CORS)
        problem = Problem("Search is not available yet", detail, (Advice("start", "About this host", "/"),))
        return write_problem(HTTPStatus.NOT_FOUND, problem, request.preferences, headers)
    if prefers_page(request.preferences):
        languages = read_languages(request.preferences.accept_language)
        body = write_results(outcome, matches, languages)
        headers = (*page_headers(page_language(languages)), *_headers(outcome, matches))
        return Response(HTTPStatus.OK, headers, body)
    body = _write_document(outcome, matches)
    while len(body) > LARGEST_BODY and (most := outcome.request.most) > 1:
        outcome = outcome.end_after(max(1, min(most // 2, most * LARGEST_BODY // len(body))), matches)
        body = _write_document(outcome, matches)
    return Response(HTTPStatus.OK, (*_JSON, *_headers(outcome, matches)), body)


def _headers(results: SearchResults, matches: SearchMatches) -> Headers:
    links = [f'<{where}>; rel="{rel}"' for rel, where in page_links(results.shown, matches).items()]
    return (*_VARY, *cache(FRESH_SECONDS), *CORS, *((("Link", ", ".join(links)),) if links else ()))


def _write_document(results: SearchResults, matches: SearchMatches) -> bytes:
    document = {**_document(results, matches), **page_links(results.shown, matches)}
    return json.dumps(document, indent=1).encode()


def write_opensearch(host: str) -> Response:
    """Describe the search for browsers and other clients (OpenSearch 1.1, draft 6)."""
    page = f"http://{host}/{SEARCH}?q={{searchTerms}}"
    suggestions = f"http://{host}/{SUGGEST}?q={{searchTerms}}&amp;{FORMAT}={OPENSEARCH_FORMAT}"
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">\n'
        "<ShortName>ginuri</ShortName>\n"
        f"<Description>Identifiers registered at {escape(host)}</Description>\n"
        f'<Url type="text/html" template="{page}"/>\n<Url type="application/json" template="{page}"/>\n'
        f'<Url type="application/x-suggestions+json" template="{suggestions}"/>\n'
        "<InputEncoding>UTF-8</InputEncoding>\n<OutputEncoding>UTF-8</OutputEncoding>\n"
        "</OpenSearchDescription>\n"
    )
    headers = (
        ("Content-Type", "application/opensearchdescription+xml"),
        ("X-Content-Type-Options", "nosniff"),
    )
    return Response(HTTPStatus.OK, (*headers, *cache(FRESH_SECONDS), *CORS), text.encode())


def _document(results: SearchResults, matches: SearchMatches) -> Mapping[str, Any]:
    request = results.request
    return {
        "query": dict(request.parameters),
        "searched": results.shown.question.text,
        "did_you_mean": [{"text": text, "href": request.asking(text).path()} for text in results.meant],
        "as_of": matches.indexed_at,
        "total": matches.total,
        "is_total": not matches.is_cut,
        "total_without_filters": results.unfiltered or None,
        "last_word_completed": matches.is_completed,
        "page": request.page,
        "results": [
            {
                "identifier": result.record.identifier,
                "title": title_of(result.record),
                "record": str(record_type_of(result.record)),
                "status": str(result.record.status),
                "authority": _name(result.authority),
                "type": _name(result.resource_type),
                "describedby": description_path(result.record.identifier),
            }
            for result in results.results
        ],
        "facets": {
            facet.name: [
                {"value": value.value, "title": str(value.title), "count": value.count, "href": value.href}
                for value in facet.values
            ]
            for facet in results.facets
        },
    }


def _name(record: Registered | None) -> str | None:
    return record.identifier if record else None
