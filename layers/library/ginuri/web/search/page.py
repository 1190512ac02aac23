"""Search results as a page, with the search form."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from ginuri.i18n.labels import record_type_name
from ginuri.identifiers.messages import Message, Words, counted, message, translatable
from ginuri.identifiers.service_paths import description_path
from ginuri.registry.model import Resource, Status
from ginuri.resolution.negotiation.preferences import Languages
from ginuri.search.index import record_type_of
from ginuri.search.searcher import SearchMatches
from ginuri.web.answers.advice import titles_of
from ginuri.web.pages.environment import write_page
from ginuri.web.search.facets import RECORD, Facet
from ginuri.web.search.requests import AUTHORITY, STATUS, TYPE, SearchRequest, shorten
from ginuri.web.search.results import SearchResult, SearchResults

_FILTERS = {
    AUTHORITY: translatable("Only under {value}."),
    TYPE: translatable("Only of the type {value}."),
    STATUS: translatable("Only with the status {value}."),
}
_FACETS = {
    AUTHORITY: translatable("Authority"),
    TYPE: translatable("Type"),
    RECORD: translatable("Record"),
    STATUS: translatable("Status"),
}
_TURNS = {"prev": translatable("Previous page"), "next": translatable("Next page")}


@dataclass(frozen=True, slots=True)
class _Link:
    words: Words
    href: str


def write_results(results: SearchResults, matches: SearchMatches, languages: Languages = ()) -> bytes:
    """Write a page of results in UTF-8."""
    request, shown = results.request, results.shown
    text = request.parameters.get("q", "")
    problem = results.near and results.near.problem
    advised = problem.advice if problem else ()
    return write_page(
        "search",
        languages,
        title=message("Search: {text}", text=shorten(text)) if text else message("Search"),
        text=text,
        asked=text,
        within=request.filters,
        here=request.path(page=request.page) if request.page > 1 else request.path(),
        filters=[
            (name, value, message(_FILTERS[name], value=value), shown.path(**{name: None}))
            for name, value in request.filters.items()
        ],
        near=problem,
        nearby=[advice for advice in advised if advice.href and advice.relation != "search"],
        matches=matches,
        count=_count(matches, text) if matches.total else None,
        corrected=_Link(shown.question.text, shown.path()) if results.is_corrected else None,
        meant=[_Link(meant, request.asking(meant).path()) for meant in results.meant[results.is_corrected :]],
        unfiltered=_unfiltered(results),
        words=[] if matches.total or results.is_corrected else _words(request, matches),
        rows=[_row(result) for result in results.results],
        facets=[(_FACETS[facet.name], facet.values, _alike(facet)) for facet in results.facets],
        first=(shown.page - 1) * shown.most + 1,
        turns=[_Link(_TURNS[rel], where) for rel, where in page_links(shown, matches).items()],
        rels=list(page_links(shown, matches)),
    )


def page_links(request: SearchRequest, matches: SearchMatches) -> dict[str, str]:
    """Return the paths of the previous and next page, by their link relations."""
    has_next = request.page * request.most < matches.total
    return {
        **({"prev": request.path(page=request.page - 1)} if request.page > 1 else {}),
        **({"next": request.path(page=request.page + 1)} if has_next else {}),
    }


def _alike(facet: Facet) -> set[str]:
    """Return the values whose titles others have as well: types of several authorities."""
    counts = Counter(str(value.title) for value in facet.values)
    return {value.value for value in facet.values if counts[str(value.title)] > 1}


def _row(result: SearchResult) -> tuple[str, Status, Message, str, list[Message]]:
    record = result.record
    noun = (
        message("{title}", title=titles_of(result.resource_type))
        if result.resource_type is not None and isinstance(record, Resource)
        else record_type_name(record_type_of(record))
    )
    whose = [message("{title}", title=titles_of(result.authority))] if result.authority else []
    return (
        record.identifier,
        record.status,
        message("{title}", title=titles_of(record)),
        description_path(record.identifier),
        [noun, *whose],
    )


def _count(matches: SearchMatches, text: str) -> Words:
    if not text:
        listed = counted("{number} identifier", "{number} identifiers", matches.total)
        return message("More than {number}", number=listed) if matches.is_cut else listed
    if matches.is_cut:
        return message(
            "More than {number} results. Titles that contain all words come first.",
            number=f"{matches.total:,}",
        )
    return counted(
        "{number} result.", "{number} results. Titles that contain all words come first.", matches.total
    )


def _unfiltered(results: SearchResults) -> _Link | None:
    if not results.unfiltered:
        return None
    words = counted(
        "{number} result without these filters.",
        "{number} results without these filters.",
        results.unfiltered,
    )
    return _Link(words, results.request.without_filters().path())


def _words(request: SearchRequest, matches: SearchMatches) -> list[tuple[str, Words, str | None]]:
    """Return the words of a text without results, each with its number of records and their address."""
    alone = request.without_filters()
    return [
        (
            word,
            counted("{number} record", "{number} records", count) if count else message("no record"),
            alone.asking(word).path() if count else None,
        )
        for word, count in matches.counts.items()
    ]
