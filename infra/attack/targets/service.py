"""Resolve and describe over stores in memory, called with the events of a REST API."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications
from ginuri.publishing.flow import publish
from ginuri.publishing.search_index.index_writer import IndexWriter
from ginuri.registry.ports import NearNameReader
from ginuri.resolution.finder import RememberingFinder
from ginuri.search.searcher import Searcher
from ginuri.search.titles import TitleFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.paths import Flow, flow_of
from ginuri.service.publications import Published
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from infra.attack.answer import Answer, failed, read_event
from infra.attack.targets.stores import Stores
from infra.emulator.requests import Sent
from infra.local.gateway.proxy_event import HttpRequest, proxy_event
from infra.local.gateway.routes import Match, Route
from infra.published_folder import FolderPublished

HOST = "ids.example.org"
SECRET = "the-secret-of-the-edge-in-front-of-us"  # noqa: S105  the secret of an imaginary edge
_ROUTE = Route("/{proxy+}", frozenset({"ANY"}), "", permitted=True)


class Service:
    """Both functions; each request goes to the function of its route in the template."""

    def __init__(self, stores: Stores, folder: Path) -> None:
        self.stores = stores
        self._published = FolderPublished(folder)
        self._answers = IdentifierResponses(stores.content, HOST)
        publish(stores.registry, (), self._published, HOST, make_index=IndexWriter)
        self.forget()

    def forget(self) -> None:
        """Begin with an empty memory, like a new environment of Lambda."""
        registry: NearNameReader = self.stores.registry
        self._finder = RememberingFinder(registry, time.monotonic)
        publications = Publications(self._published, time.monotonic)
        searcher, figures = Searcher(publications), PublishedFigures(publications)
        self._titles = TitleFinder(searcher, self.stores.registry)
        found = Published(publications, searcher, self.stores.registry, HOST, figures)
        self._using = Collaborators(
            self._finder,
            self.stores.registry,
            self.stores.registry,
            DescriptionResponses(DescriptionWriter().write),
            HOST,
            published=lambda: found,
            figures=lambda: figures,
            stamps=self.stores.registry,
        )

    def ask(self, sent: Sent) -> Answer:
        """Answer a request without the edge."""
        return self.answer(sent.received(HOST))

    def ask_all(self, requests: Iterable[Sent]) -> list[Answer]:
        """Answer several requests."""
        return [self.ask(sent) for sent in requests]

    def answer(self, request: HttpRequest) -> Answer:
        """Answer a request in the form of the gateway."""
        event = proxy_event(request, Match(_ROUTE, {"proxy": request.path.strip("/")}), "live", "api")
        try:
            asked = read_request(event, SECRET)
            answered = (
                resolve(asked, self._finder, self._answers, make_titles=lambda: self._titles)
                if flow_of(asked.path) is Flow.RESOLVE
                else describe(asked, self._using)
            )
            return read_event(write_gateway(answered.response, asked.method))
        except Exception as error:  # noqa: BLE001  Lambda would report any exception to the gateway
            return failed(error)
