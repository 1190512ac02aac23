"""Search results as a page, with the search form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from ginuri.identifiers.messages import Words, counted, message, translatable
from ginuri.identifiers.service_paths import SEARCH, description_path
from ginuri.registry.model import Registered
from ginuri.resolution.negotiation.negotiation import Languages
from ginuri.search.searcher import SearchMatches, SearchQuery
from ginuri.web.answers.advice import titles_of
from ginuri.web.pages.environment import write_page

FILTERS = {
    "authority": translatable("Only under {value}."),
    "type": translatable("Only of the type {value}."),
    "status": translatable("Only with the status {value}."),
}
"""The parameters that filter results, each with its message on the page."""
_WIDTH = 60
_TURNS = {"prev": translatable("Previous page"), "next": translatable("Next page")}


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """A search request."""

    question: SearchQuery
    parameters: Mapping[str, str]
    """As sent by the client, for links to other pages."""
    page: int
    most: int


@dataclass(frozen=True, slots=True)
class ResultPage:
    """A page of results, with the current records and the links to the previous and next page."""

    request: SearchRequest
    matches: SearchMatches
    records: Sequence[Registered]
    links: Mapping[str, str]


def shorten(text: str) -> str:
    """Cut a text to the width of a line."""
    return text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…"


def write_results(results: ResultPage, languages: Languages = ()) -> bytes:
    """Write a page of results, in UTF-8."""
    request = results.request
    text = request.question.text
    sent = {name: request.parameters[name] for name in FILTERS if name in request.parameters}
    return write_page(
        "search",
        languages,
        title=message("Search: {text}", text=shorten(text)) if text else message("Search"),
        text=text,
        asked=text,
        here=f"/{SEARCH}?{urlencode(request.parameters, errors='replace')}",
        hidden=sent,
        filters=[message(FILTERS[name], value=value) for name, value in sent.items()],
        matches=results.matches,
        count=_count(results.matches),
        rows=[
            (record, message("{title}", title=titles_of(record)), description_path(record.identifier))
            for record in results.records
        ],
        first=(request.page - 1) * request.most + 1,
        turns=[(rel, where, _TURNS[rel]) for rel, where in results.links.items()],
    )


def _count(matches: SearchMatches) -> Words:
    if not matches.total:
        return message("No results. Every word must be in a title, another name or the identifier.")
    if matches.is_cut:
        return message(
            "More than {number} results. Titles that contain all words come first.",
            number=f"{matches.total:,}",
        )
    return counted(
        "{number} result.", "{number} results. Titles that contain all words come first.", matches.total
    )
