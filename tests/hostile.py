"""Legal records with the largest possible answers, and the describe function over them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications
from ginuri.registration.checks.sizes import MOST_BYTES
from ginuri.resolution.descriptions.formats import FORMATS, LIST_FORMATS
from ginuri.resolution.finder import RememberingFinder
from ginuri.search.searcher import Searcher
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.publications import Published
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.builders import register, rest_event
from tests.publishing import published

HOST = "resources.example.org"
AUTHORITY, TYPE = "uri-gin/azgs/", "uri-gin/azgs/map/"
COLLECTION = f"{TYPE}collection/"
ACCEPTED = ("text/html", "application/json", "application/linkset", "application/linkset+json", "image/x")
Values = dict[str, Any]


def fill(make: Callable[[int], Values], most: int = MOST_BYTES) -> Values:
    """Return the largest record that may be registered: `make` takes a number of characters or entries."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        size = len(json.dumps(make(middle), ensure_ascii=False).encode())
        low, high = (middle, high) if size <= most else (low, middle - 1)
    return make(low)


class Registered:
    """A registry of records that a steward may upload, published, behind both functions."""

    def __init__(self, records: Mapping[str, Values], folder: Path) -> None:
        self.names = tuple(records)
        registry = MemoryRegistry()
        fixed: dict[str, Values] = {
            "uri-gin/": {"record": "scheme", "authority": AUTHORITY, "title": {"en": "Identifiers"}},
            AUTHORITY: {"record": "authority", "title": {"en": "Survey"}},
            TYPE: {"record": "resource-type", "title": {"en": "Map"}},
            COLLECTION: {"title": {"en": "Collection"}},
        }
        for name, values in (fixed | dict(records)).items():
            register(registry, name, **{"record": "resource", **values})
        store, self.publication = published(folder, dict(registry.standing("")))
        self.store, publications = store, Publications(store, time.monotonic)
        figures = PublishedFigures(publications)
        found = Published(publications, Searcher(publications), registry, HOST, figures)
        self._finder = RememberingFinder(registry, time.monotonic)
        self._using = Collaborators(
            self._finder,
            registry,
            registry,
            DescriptionResponses(DescriptionWriter().write),
            HOST,
            published=lambda: found,
            figures=lambda: figures,
            stamps=registry,
        )

    def ask(self, path: str, accept: str = "*/*", *, body: str | None = None, **query: str) -> Values:
        """Send a request to the function of the path; return the event for the gateway."""
        event = rest_event(path, "GET" if body is None else "POST", {"Host": HOST, "Accept": accept}, query)
        event["body"] = body
        if path.startswith(("/uri-gin/", "/uri-xyz/")):
            answered = resolve(
                read_request(event), self._finder, IdentifierResponses(MemoryContentStore(), HOST)
            ).response
        else:
            answered = describe(read_request(event), self._using).response
        return write_gateway(answered, "GET")

    def ask_everything(self, share: int, shares: int) -> Iterator[tuple[str, Values]]:
        """Request lists, searches, and all views of the first record, in every format: a share of these."""
        questions = chain(self._lists(), self._one(self.names[0]))
        for path, accept, query in islice(questions, share, None, shares):
            yield f"{path} {accept} {query}", self.ask(path, accept, **query)
        yield "POST /resolve", self.ask("/resolve", body=json.dumps(self.names[:100]))

    def _lists(self) -> Iterator[tuple[str, str, dict[str, str]]]:
        registers = (f"{AUTHORITY}register/{name}/" for name in ("resourceType", "nameAuthority"))
        for name in (COLLECTION, TYPE, AUTHORITY, "uri-gin/", *registers):
            yield from ((f"/about.{extension}/{name}", "*/*", {}) for extension in FORMATS)
            yield from ((f"/members.{extension}/{name}", "*/*", {}) for extension in LIST_FORMATS)
            after = {"after": self.names[0]}
            yield from ((f"/members/{name}", form.media_type, after) for form in LIST_FORMATS.values())
        for accept in ("text/html", "application/json"):
            yield "/search", accept, {"q": "map"}
            yield "/search", accept, {"q": "map", "most": "100"}
            yield from ((path, accept, {}) for path in ("/", "/registry", "/feed.atom"))
        yield "/suggest", "*/*", {"q": "map"}
        yield "/suggest", "*/*", {"q": "map", "format": "opensearch"}

    def _one(self, name: str) -> Iterator[tuple[str, str, dict[str, str]]]:
        yield from ((f"/about.{extension}/{name}", "*/*", {}) for extension in FORMATS)
        yield from ((f"/timemap.{extension}/{name}", "*/*", {}) for extension in ("link", "json"))
        yield from ((f"/explain/{name}", accept, {}) for accept in ("text/html", "application/json"))
        yield f"/qr.svg/{name}", "*/*", {}
        for accept in ACCEPTED:
            yield from ((f"/{path}", accept, {}) for path in (name, f"{name}x", f"{name.upper()}"))
            yield f"/{name}", accept, {"q": "\u00e9" * 1_300}
