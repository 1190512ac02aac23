"""Resolve and describe over stores in memory, called with the events of a REST API."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

from describe.flow import Collaborators
from describe.flow import answer as describe
from describe.publications import Published
from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers.service_paths import SERVICE_NAMES
from ginuri.publishing.flow import publish
from ginuri.registry.clock import utc_now
from ginuri.registry.ports import NearNameReader
from ginuri.resolution.finder import RememberingFinder
from ginuri.search.figures import PublishedFigures
from ginuri.search.publications import Publications
from ginuri.search.searcher import Searcher
from ginuri.search.titles import TitleFinder
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.response import write_gateway
from infra.attack.answer import Answer, failed, read_event
from infra.attack.targets.stores import Standing, Stores
from infra.emulator.requests import Sent
from infra.local.gateway.proxy_event import HttpRequest, proxy_event
from infra.local.gateway.routes import Match, Route
from infra.published_folder import FolderPublished
from resolve.flow import answer as resolve

HOST = "ids.example.org"
SECRET = "the-secret-of-the-edge-in-front-of-us"  # noqa: S105  of an imaginary edge
_ROUTE = Route("/{proxy+}", frozenset({"ANY"}), "", permitted=True)


class Service:
    """Both functions; each request goes to the function of its route in the template."""

    def __init__(self, stores: Stores, folder: Path) -> None:
        self.stores = stores
        self._published = FolderPublished(folder)
        self._answers = IdentifierResponses(stores.content, HOST)
        publish(Standing(stores.registry), self._published, HOST, utc_now)
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
            edge_secret=SECRET,
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
        first = event["path"][1:].partition("/")[0]
        try:
            if not first or first.partition(".")[0] in SERVICE_NAMES:
                described = describe(event, self._using)
                return read_event(write_gateway(described.response, described.request.method))
            resolved = resolve(
                event, self._finder, self._answers, edge_secret=SECRET, make_titles=lambda: self._titles
            )
            return read_event(write_gateway(resolved.response, resolved.request.method))
        except Exception as error:  # noqa: BLE001  Lambda would report any exception to the gateway
            return failed(error)
