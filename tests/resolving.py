"""The resolve function over a registry in memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs

from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.registry.record.record import Record, apply
from ginuri.registry.record.statements import FIRST
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.resolve import answer
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import PUT, keyed, register, rest_event, stamp
from tests.one_machine import MACHINES

HOST = "resources.usgin.org"
NOW = datetime(2011, 8, 25, 12, 0, tzinfo=UTC)


class Service:
    """The resolve function over a registry in memory, in which the authority azgs is registered."""

    def __init__(self, registry: MemoryRegistry | None = None) -> None:
        self.registry = registry or MemoryRegistry()
        self.content = MemoryContentStore()
        self.register("uri-gin/azgs/", record="authority", contact="maps@azgs.example")

    def register(self, identifier: str, second: int = 0, **values: Any) -> None:
        register(self.registry, identifier, second, **values)

    def rule(self, prefix: str, pattern: str = "", /, *, number: int = 0, **values: Any) -> None:
        """Register a rule; a location is short for its only form."""
        self._apply(prefix, self._statements(pattern, values), number)

    def rules(self, prefix: str, patterns: Iterable[str], **values: Any) -> None:
        """Register many rules of a prefix that differ in their patterns only."""
        stated = (self._statements(pattern, values) for pattern in patterns)
        self._apply(prefix, {place: value for each in stated for place, value in each.items()})

    @staticmethod
    def _statements(pattern: str, values: Mapping[str, Any]) -> dict[tuple[str, ...], Any]:
        place, stated = ("rules", pattern), dict(values)
        statements: dict[tuple[str, ...], Any] = {}
        if "location" in stated:
            form = {FIRST: 0, "location": stated.pop("location"), "status_code": stated.pop("form", None)}
            statements |= {(*place, "representations", "form", name): it for name, it in form.items()}
        if "title" in stated:
            statements[*place, "title", ""] = stated.pop("title")
        return statements | {(*place, name): value for name, value in stated.items()}

    def _apply(self, prefix: str, statements: dict[tuple[str, ...], Any], number: int = 0) -> None:
        held = self.registry.read([prefix]).get(prefix) or Record(prefix, {})
        self.registry.write(apply(held, keyed(statements), stamp(30 + number, line=number + 1)))

    def store(self, key: str, body: bytes, length: int | None = None) -> dict[str, Any]:
        self.content.files[key, "v1"] = body
        size = len(body) if length is None else length
        return {"key": key, "version": "v1", "length": size, "sha256": "ab" * 32, "stored": PUT.format(0)}

    def ask(self, path: str, method: str = "GET", query: str = "", **headers: str) -> Answer:
        """Send a request on the day of the tests."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if MACHINES.is_asked:
            machine = MACHINES.of(HOST, NOW, self.registry, self.content)
            return machine.ask(f"{path}?{query}" if query else path, method, sent.items())
        finder = RememberingFinder(self.registry, lambda: 0.0)
        event = rest_event(path, method, sent)
        event["multiValueQueryStringParameters"] = parse_qs(query, keep_blank_values=True) or None
        answered = answer(
            read_request(event, clock=lambda: NOW),
            finder,
            IdentifierResponses(self.content, HOST),
        )
        return Answer(write_gateway(answered.response, method))
