"""The flow of a request for published files, and of searches in them."""

from __future__ import annotations

from dataclasses import dataclass

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.service_paths import OPENSEARCH, SEARCH, SUGGEST
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications
from ginuri.publishing.dataset import write_dataset
from ginuri.publishing.responses import (
    PublicationOutcome,
    PublishedContent,
    write_published,
)
from ginuri.registry.ports import ManyFinder, RecordReader
from ginuri.resolution.outcomes import MethodNotAllowed, Options, Unavailable
from ginuri.search.searcher import Searcher
from ginuri.search.titles import TitleFinder
from ginuri.service.suggestions import suggest
from ginuri.web.answers.services import ServiceResponses
from ginuri.web.pages.frame import prefers_page
from ginuri.web.request import Request, refuse_method
from ginuri.web.response import Response
from ginuri.web.search.leads import Lead, lead
from ginuri.web.search.requests import UnreadableParameter, read_search
from ginuri.web.search.responses import write_opensearch, write_search
from ginuri.web.search.results import SearchOutcome, search
from ginuri.web.search.suggestions import Suggestions, write_suggestions

PublishedOutcome = PublicationOutcome | SearchOutcome | Suggestions | Options | MethodNotAllowed | Unavailable
_SEARCH, _OPENSEARCH, _SUGGEST = f"/{SEARCH}", f"/{OPENSEARCH}", f"/{SUGGEST}"


@dataclass(frozen=True, slots=True)
class Published:
    """The collaborators: the publications, their searcher and figures, and the current registry."""

    publications: Publications
    searcher: Searcher
    reader: RecordReader
    canonical_host: str
    figures: PublishedFigures

    def make_titles(self) -> TitleFinder:
        """Return a finder of published titles."""
        return TitleFinder(self.searcher, self.reader)


def answer_published(
    request: Request, using: Published, finder: ManyFinder
) -> tuple[PublishedOutcome, Response]:
    """Answer a request for a published file, for a search, or for its description."""
    refused: Options | MethodNotAllowed | Unavailable | None = refuse_method(request)
    if refused is None:
        try:
            return _answer(request, using, finder)
        except RegistryUnavailable as error:
            refused = Unavailable(error.retry_after, str(error))
    return refused, ServiceResponses(using.canonical_host).write(refused, request)


def _answer(request: Request, using: Published, finder: ManyFinder) -> tuple[PublishedOutcome, Response]:
    if request.path == _OPENSEARCH:
        return PublishedContent(OPENSEARCH), write_opensearch(using.canonical_host)
    if request.path == _SUGGEST:
        suggested = suggest(request, using.searcher, finder, using.canonical_host)
        if isinstance(suggested, UnreadableParameter):
            return suggested, write_search(suggested, request)
        return suggested, write_suggestions(suggested, request, using.canonical_host)
    if request.path != _SEARCH:
        return write_published(
            request, using.publications, using.figures, using.canonical_host, write_dataset
        )
    outcome = _search(request, using, finder)
    return outcome, write_search(outcome, request)


def _search(request: Request, using: Published, finder: ManyFinder) -> SearchOutcome:
    asked = read_search(request.parameters)
    if isinstance(asked, UnreadableParameter):
        return asked
    leading = None
    if prefers_page(request.preferences) and not asked.filters:
        hosts = (request.host, using.canonical_host)
        leading = lead(asked.question.text, hosts, finder, using.canonical_host, request.moment)
    if isinstance(leading, Lead):
        return leading
    return search(asked, using.searcher, finder, request.moment, leading)
