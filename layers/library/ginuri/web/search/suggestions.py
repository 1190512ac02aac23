"""Suggestions while a text is typed: `/suggest`, for the box of every page and for browsers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from ginuri.i18n.translation import page_language, translate
from ginuri.identifiers import Identifier
from ginuri.identifiers.messages import Words, counted
from ginuri.identifiers.service_paths import description_path
from ginuri.registry.model import Registered
from ginuri.registry.statuses import STATUSES
from ginuri.registry.texts.titles import shorten
from ginuri.resolution.negotiation.languages import choose_text, read_languages
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.search.beginnings import MOST_SUGGESTED, is_begun
from ginuri.web.headers import CORS, FRESH_SECONDS
from ginuri.web.request import Request
from ginuri.web.response import Response

FORMAT, OPENSEARCH_FORMAT = "format", "opensearch"
"""The parameter for the format of browsers, and its value."""
_JSON_TYPE, _OPENSEARCH_TYPE = "application/json", "application/x-suggestions+json"


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of an identifier's URI."""

    name: Words
    text: str
    is_identity: bool


@dataclass(frozen=True, slots=True)
class Suggestions:
    """The identifier in a text, if it is one, and its completions."""

    text: str
    identifier: Identifier | None
    pieces: Sequence[Piece]
    error: Words | None
    """The error of the text as an identifier."""
    records: Sequence[Registered]
    """The candidates, the best first; withheld and changed records are not shown."""


def write_suggestions(suggestions: Suggestions, request: Request, host: str) -> Response:
    """Write suggestions in the language of the request; links for browsers are on `host`."""
    languages = read_languages(request.preferences.accept_language)
    suggested = _suggest(suggestions, languages)
    is_opensearch = request.parameters.get(FORMAT) == OPENSEARCH_FORMAT
    content = (
        _in_opensearch(suggestions, suggested, host)
        if is_opensearch
        else _in_json(suggestions, suggested, page_language(languages))
    )
    headers = (
        ("Content-Type", _OPENSEARCH_TYPE if is_opensearch else _JSON_TYPE),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", f"public, max-age={FRESH_SECONDS}"),
        ("Vary", "Accept-Language"),
        *CORS,
    )
    return Response(HTTPStatus.OK, headers, json.dumps(content).encode())


def _suggest(suggestions: Suggestions, languages: Languages) -> list[tuple[str, Registered]]:
    # Candidates with a target come first, otherwise they keep their order.
    ordered = sorted(suggestions.records, key=lambda record: not STATUSES[record.status].leads_on)
    return [
        (shorten(title), record)
        for record in ordered
        if not STATUSES[record.status].is_hidden
        and (title := _title(record, suggestions, languages)) is not None
    ][:MOST_SUGGESTED]


def _title(record: Registered, suggestions: Suggestions, languages: Languages) -> str | None:
    """Return the title that continues the text, preferably in the wanted language; None if none does."""
    if not record.titles:
        usual, titles = record.identifier, [record.identifier]
    else:
        usual = choose_text(record.titles, languages)[0]
        titles = [usual, *record.titles.values()]
    if suggestions.identifier is not None:
        return usual
    return next((title for title in titles if is_begun(record, title, suggestions.text)), None)


def _in_json(
    suggestions: Suggestions, suggested: Sequence[tuple[str, Registered]], language: str
) -> Mapping[str, Any]:
    identifier, error = suggestions.identifier, suggestions.error
    note = error or counted("{number} suggestion", "{number} suggestions", len(suggested))
    return {
        "query": suggestions.text,
        "identifier": identifier
        and {
            "normal_form": identifier.normal_form,
            "about": description_path(identifier.normal_form),
            "pieces": [
                {
                    "name": translate(piece.name, language),
                    "text": piece.text,
                    "is_identity": piece.is_identity,
                }
                for piece in suggestions.pieces
            ],
        },
        "error": error and translate(error, language),
        "note": translate(note, language),
        "suggestions": [
            {"title": title, "identifier": record.identifier, "href": description_path(record.identifier)}
            for title, record in suggested
        ],
    }


def _in_opensearch(
    suggestions: Suggestions, suggested: Sequence[tuple[str, Registered]], host: str
) -> Sequence[Any]:
    """OpenSearch Suggestions 1.1: the query, completions, descriptions and URLs."""
    return [
        suggestions.text,
        [title if suggestions.identifier is None else record.identifier for title, record in suggested],
        [record.identifier if suggestions.identifier is None else title for title, record in suggested],
        [f"http://{host}{description_path(record.identifier)}" for _, record in suggested],
    ]
