"""The flow of a request for published files, and of searches in them."""

from __future__ import annotations

from dataclasses import dataclass

from ginuri.descriptions.dataset import write_dataset
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.service_paths import OPENSEARCH, SEARCH
from ginuri.registry.ports import RecordReader
from ginuri.resolution.outcomes import MethodNotAllowed, Options, Unavailable
from ginuri.search.figures import PublishedFigures
from ginuri.search.publications import Publications
from ginuri.search.searcher import Searcher
from ginuri.search.titles import TitleFinder
from ginuri.web.answers.publications import (
    PublicationOutcome,
    PublishedContent,
    write_published,
)
from ginuri.web.answers.search import (
    SearchOutcome,
    UnreadableParameter,
    read_search,
    search,
    write_opensearch,
    write_search,
)
from ginuri.web.answers.services import ServiceResponses
from ginuri.web.request import Request, refuse_method
from ginuri.web.response import Response

PublishedOutcome = PublicationOutcome | SearchOutcome | Options | MethodNotAllowed | Unavailable
_SEARCH, _OPENSEARCH = f"/{SEARCH}", f"/{OPENSEARCH}"


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


def answer_published(request: Request, using: Published) -> tuple[PublishedOutcome, Response]:
    """Answer a request for a published file, for a search, or for how to search."""
    refused: Options | MethodNotAllowed | Unavailable | None = refuse_method(request)
    if refused is None:
        try:
            return _answer(request, using)
        except RegistryUnavailable as error:
            refused = Unavailable(error.retry_after)
    return refused, ServiceResponses(using.canonical_host).write(refused, request)


def _answer(request: Request, using: Published) -> tuple[PublishedOutcome, Response]:
    if request.path == _OPENSEARCH:
        return PublishedContent(OPENSEARCH), write_opensearch(using.canonical_host)
    if request.path != _SEARCH:
        return write_published(
            request, using.publications, using.figures, using.canonical_host, write_dataset
        )
    query = read_search(request.parameters)
    outcome = query if isinstance(query, UnreadableParameter) else search(query, using.searcher, using.reader)
    return outcome, write_search(outcome, request)
