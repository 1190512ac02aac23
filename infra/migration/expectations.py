"""The requests whose answers are known: those of the tests in registrations, and of a file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from infra.migration.registry import CANONICAL_HOST, Received


@dataclass(frozen=True, slots=True)
class Expectation:
    """A request, and the answer that the other resolver gives."""

    host: str
    target: str
    status: int | None
    location: str | None
    headers: Mapping[str, str] = field(default_factory=dict)
    fragment: str = ""
    """The fragment that a client keeps, and adds to the location."""

    def is_met(self, received: Received) -> bool:
        """Return whether an answer is the expected one; spellings of escapes do not differ."""
        if self.status is not None and received.status != self.status:
            return False
        return self.location is None or _same(f"{received.location}{self.fragment}", self.location)


def read_expectations(file: Path) -> Iterator[Expectation]:
    """Read a file of JSON lines: host, target, status, location, headers, fragment."""
    for line in file.read_text(encoding="utf-8").splitlines():
        yield Expectation(**json.loads(line))


def stated_tests(registration: Mapping[str, Any]) -> Iterator[Expectation]:
    """Yield the tests of a registration."""
    host, path = _place(registration["identifier"])
    for test in registration.get("tests", ()):
        query = f"?{test['query']}" if "query" in test else ""
        target = f"{path}{test.get('path', '')}{query}"
        yield Expectation(host, target, test.get("status"), test.get("target"), test.get("headers", {}))


def _place(identifier: str) -> tuple[str, str]:
    _, mark, rest = identifier.partition("://")
    if not mark:
        return CANONICAL_HOST, f"/{identifier}"
    host, _, path = rest.partition("/")
    return host, f"/{path}"


def _same(one: str, other: str) -> bool:
    return unquote(one) == unquote(other)
