"""The Acts of `examples/`, registered from the files there, and the two functions that answer."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.published.publications import Publications
from ginuri.registry.record.rule_records import merge_rules
from ginuri.resolution.finder import RememberingFinder
from ginuri.search.searcher import Searcher
from ginuri.search.titles import TitleFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import rest_event
from tests.example_registry import EXAMPLES, in_order
from tests.publishing import published
from tests.resolving import NOW
from tests.steward import Report, Steward

HOST = "www.legislation.gov.uk"
CANONICAL_HOST = "resources.example.org"


class Legislation:
    """The registry of the Acts; today is the 25th of August 2011."""

    def __init__(self, folder: Path) -> None:
        self.steward = Steward()
        self.reports: dict[str, Report] = {}
        for path in in_order(path for path in EXAMPLES.rglob("*") if "legislation" in path.as_posix()):
            key = path.relative_to(EXAMPLES).as_posix()
            upload = self.steward.put(key, path.read_bytes())
            if path.suffix in {".jsonl", ".csv"}:
                self.reports[key] = self.steward.deliver(upload)
        self.registry = self.steward.memory
        store, _ = published(folder, merge_rules(self.registry.standing("")))
        self._titles = TitleFinder(Searcher(Publications(store, time.monotonic)), self.registry)

    def ask(self, path: str, query: str = "", **headers: str) -> Answer:
        """Send a request to the resolve function."""
        finder, answers = (
            RememberingFinder(self.registry, lambda: 0.0),
            IdentifierResponses(self._content, CANONICAL_HOST),
        )
        event = _event(path, query, {"Host": HOST, **headers})
        answered = resolve(
            read_request(event, clock=lambda: NOW), finder, answers, make_titles=lambda: self._titles
        )
        return Answer(write_gateway(answered.response, "GET"))

    def describe(self, path: str, **headers: str) -> Answer:
        """Send a request to the describe function."""
        answers = DescriptionResponses(DescriptionWriter().write)
        finder = RememberingFinder(self.registry, lambda: 0.0)
        using = Collaborators(finder, self.registry, self.registry, answers, CANONICAL_HOST)
        answered = describe(read_request(_event(path, "", {"Host": HOST, **headers})), using)
        return Answer(write_gateway(answered.response, "GET"))

    def follow(self, path: str, **headers: str) -> tuple[list[tuple[int, str]], Answer]:
        """Send a request, and follow the redirects; return the status and the target of each."""
        steps: list[tuple[int, str]] = []
        answered = self.ask(path, **headers)
        while "Location" in answered.headers:
            where = answered.headers["Location"]
            steps.append((answered.status, bare(where)))
            answered = self.ask(bare(where), **headers)
        return steps, answered

    @property
    def _content(self) -> Any:
        return self.steward.content


def bare(address: str) -> str:
    """Return the path of an address on the host of legislation, in any spelling."""
    path = address.removeprefix("http:").removeprefix(f"//{HOST}")
    assert path.startswith("/"), address
    return path


def _event(path: str, query: str, headers: dict[str, str]) -> dict[str, Any]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    told = parse_qs(query, keep_blank_values=True)
    return rest_event(path, "GET", sent) | {
        "queryStringParameters": {name: values[-1] for name, values in told.items()} or None,
        "multiValueQueryStringParameters": told or None,
    }
