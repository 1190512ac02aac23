"""Both functions over one registry in memory and its published files, with the template's routes."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications, PublishedReader
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
from ginuri.web.request import Request
from ginuri.web.response import Answered, write_gateway
from tests.answers import Answer
from tests.builders import rest_event
from tests.one_machine import MACHINES
from tests.publishing import published

HOST = "resources.example.org"
EDGE = "the-secret-of-the-edge-in-front-of-us"
NOW = datetime(2011, 8, 26, 12, tzinfo=UTC)


class Front:
    """The front door: resolve or describe answers each request."""

    def __init__(
        self,
        registry: MemoryRegistry,
        folder: Path,
        content: MemoryContentStore | None = None,
        reader: PublishedReader | None = None,
        now: datetime = NOW,
    ) -> None:
        self.registry = registry
        self.store, self.publication = published(folder, dict(registry.standing("")), now, reader=registry)
        self.content = content or MemoryContentStore()
        self._finder = RememberingFinder(registry, time.monotonic)
        self.now = now
        self.times_read = 0
        """The number of times that the clock was read."""
        self.outcomes: set[type] = set()
        """The types of all outcomes."""
        publications = Publications(reader or self.store, time.monotonic)
        searcher = Searcher(publications)
        figures = PublishedFigures(publications)
        found = Published(publications, searcher, registry, HOST, figures)
        self._titles = TitleFinder(searcher, registry)
        self._using = Collaborators(
            self._finder,
            registry,
            registry,
            DescriptionResponses(DescriptionWriter().write),
            HOST,
            published=lambda: found,
            figures=lambda: figures,
            stamps=registry,
            identify=self._identify,
        )

    def _identify(self, request: Request) -> Answered:
        answers = IdentifierResponses(self.content, HOST)
        return resolve(request, self._finder, answers, make_titles=lambda: self._titles)

    def _read_clock(self) -> datetime:
        self.times_read += 1
        return self.now

    def ask(
        self,
        path: str,
        method: str = "GET",
        query: str = "",
        headers: Mapping[str, str] | None = None,
        body: str | None = None,
    ) -> Answer:
        """Send a request without the edge: to the functions, the query arrives as decoded pairs."""
        if MACHINES.is_asked:
            machine = MACHINES.of(HOST, self.now, self.registry, self.content, self.store)
            target = f"{path}?{query}" if query else path
            fields = {"Host": HOST, **(headers or {})}
            return machine.ask(target, method, fields.items(), (body or "").encode())
        pairs = parse_qs(query, keep_blank_values=True, errors="replace")
        fields = {"Host": HOST, **(headers or {})}
        event = rest_event(path, method, fields) | {
            "queryStringParameters": {name: values[-1] for name, values in pairs.items()} or None,
            "multiValueQueryStringParameters": pairs or None,
            "body": body,
        }
        return self.answer(event)

    def ask_by_the_edge(self, path: str, query: str) -> Answer:
        """Send a request through the edge, which passes on the query as sent; one machine needs no edge."""
        if MACHINES.is_asked:
            return self.ask(path, query=query)
        fields = {"X-Ginuri-Edge": EDGE, "X-Ginuri-Query": query, "CloudFront-Forwarded-Proto": "http"}
        return self.ask(path, headers=fields)

    def answer(self, event: dict[str, Any]) -> Answer:
        """Answer an event."""
        request = read_request(event, EDGE, self._read_clock)
        if flow_of(request.path) is not Flow.RESOLVE:
            answered = describe(request, self._using)
        else:
            answered = self._identify(request)
        self.outcomes.add(type(answered.outcome))
        return Answer(write_gateway(answered.response, request.method))
