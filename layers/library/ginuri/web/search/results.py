"""The results of a search: the current records of its matches, corrections, and facets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import unquote

from ginuri.identifiers import parse
from ginuri.registry.model import Registered
from ginuri.registry.ports import Found, ManyFinder
from ginuri.registry.statuses import STATUSES
from ginuri.search.corrections import correct
from ginuri.search.searcher import Searcher, SearchMatches
from ginuri.search.words import words_of
from ginuri.web.search.facets import Facet, identifiers_in, name_facets, offer_facets
from ginuri.web.search.leads import Lead, NearNames
from ginuri.web.search.requests import SearchRequest, UnreadableParameter


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The current record of a match."""

    record: Registered
    authority: Registered | None = None
    """Its authority, unless it is one itself."""
    resource_type: Registered | None = None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """The matches, with the current records; None before the first publication."""

    request: SearchRequest
    matches: SearchMatches | None
    results: Sequence[SearchResult] = ()
    meant: tuple[str, ...] = ()
    """Corrected texts, the likeliest first."""
    is_corrected: bool = False
    """Whether the text itself has no results, and the matches are those of the likeliest correction."""
    unfiltered: int = 0
    """If nothing was found with filters: the number of matches without them."""
    facets: tuple[Facet, ...] = ()
    near: NearNames | None = None
    """If the text is an identifier that is unregistered or malformed."""

    @property
    def shown(self) -> SearchRequest:
        """The request of the shown matches."""
        return self.request.asking(self.meant[0]) if self.is_corrected else self.request

    def end_after(self, number: int, matches: SearchMatches) -> SearchResults:
        """Return a shorter page with the same first match; later pages neither skip nor repeat one."""
        request = self.request
        first = (request.page - 1) * request.most
        most = next(length for length in range(number, 0, -1) if first % length == 0)
        names = {*matches.names[:most]}
        return replace(
            self,
            request=replace(
                request,
                parameters={**request.parameters, "most": str(most)},
                page=first // most + 1,
                most=most,
            ),
            results=[result for result in self.results if result.record.identifier in names],
        )


SearchOutcome = SearchResults | UnreadableParameter | Lead


def search(
    request: SearchRequest,
    searcher: Searcher,
    finder: ManyFinder,
    moment: datetime,
    near: NearNames | None = None,
) -> SearchResults:
    """Search, and read the current records of the matches. Raises RegistryUnavailable."""
    if near is not None:
        request = replace(request, question=replace(request.question, text=near.words))
    first = (request.page - 1) * request.most
    matches = searcher.search(request.question, first, request.most)
    if matches is None:
        return SearchResults(request, None, near=near)
    unfiltered = 0
    if request.filters and not matches.total:
        everywhere = searcher.search(request.without_filters().question, 0, 0)
        unfiltered = everywhere.total if everywhere else 0
    corrections = None if unfiltered else correct(searcher, request.question, matches, first, request.most)
    meant = corrections.texts if corrections else ()
    is_corrected = corrections is not None and not matches.total
    if corrections and is_corrected:
        # The counts of words are about the typed text, not about its correction.
        matches = replace(corrections.matches, counts=matches.counts)
    results = SearchResults(request, matches, (), meant, is_corrected, unfiltered, near=near)
    offered = offer_facets(results.shown, matches.facets)
    names = dict.fromkeys((*matches.names, *identifiers_in(offered)))
    found_by_name = dict(zip(names, finder.find_many([parse(name) for name in names], moment), strict=True))
    shown = [_result(found_by_name[name]) for name in matches.names]
    registered = [result for result in shown if result is not None]
    kept = [result for result in registered if _is_shown(result.record, results.shown)]
    hidden = len(registered) - len(kept)
    if hidden:
        # The counts would reveal that the title of a hidden record has a word.
        matches = replace(matches, total=matches.total - hidden, counts={})
        if is_corrected and not matches.total:
            results = replace(results, meant=(), is_corrected=False)
    return replace(
        results,
        matches=matches,
        results=tuple(kept),
        facets=name_facets(
            results.shown,
            offered,
            {name: found.record for name, found in found_by_name.items() if found.record is not None},
        ),
    )


def _result(found: Found) -> SearchResult | None:
    if found.record is None:
        return None
    authority = found.authority
    return SearchResult(found.record, None if authority is found.record else authority, found.resource_type)


def _is_shown(record: Registered, request: SearchRequest) -> bool:
    # A record hidden since the index was built is found by the words that it shows, as in the next index.
    if not STATUSES[record.status].is_hidden:
        return True
    words = words_of(" ".join((unquote(record.identifier), *record.titles.values())))
    return all(any(word.startswith(prefix) for word in words) for prefix in words_of(request.question.text))
