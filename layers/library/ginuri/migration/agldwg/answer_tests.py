"""Reads AGLDWG's own tests: requests and the locations that they must lead to.

tests = { name: [ test, … ], … } / [ test, … ]
test  = { "label": …, "from": URI, "to": URI, "headers": { … } }
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from ginuri.identifiers.errors import UnreadableFile

_HEADERS = {"accept": "Accept", "accept-profile": "Accept-Profile", "accept-language": "Accept-Language"}


@dataclass(frozen=True, slots=True)
class AnswerTest:
    """A request, and the location that is expected."""

    host: str
    path: str
    query: str
    headers: Mapping[str, str]
    target: str
    label: str

    def stated_for(self, path: str) -> dict[str, Any]:
        """Return the test as stated with the identifier of a path that its own begins with."""
        name = self.path.removeprefix(path)
        return {
            **({"path": name} if name else {}),
            **({"query": self.query} if self.query else {}),
            **({"headers": dict(self.headers)} if self.headers else {}),
            "target": self.target,
            **({"label": self.label} if self.label else {}),
        }


def read_tests(file: str, content: bytes) -> Iterator[AnswerTest]:
    """Read the tests of a file. Raises UnreadableFile."""
    try:
        given = json.loads(content)
    except ValueError as error:
        raise UnreadableFile("JSON", file, "{file} is not valid JSON.", file=file) from error
    groups = given.values() if isinstance(given, dict) else [given]
    for test in (test for group in groups if isinstance(group, list) for test in group):
        if isinstance(test, dict) and {"from", "to"} <= test.keys():
            yield _read(test)


def _read(test: Mapping[str, Any]) -> AnswerTest:
    url = urlsplit(str(test["from"]))
    headers = {
        _HEADERS[name.lower()]: str(value)
        for name, value in (test.get("headers") or {}).items()
        if name.lower() in _HEADERS
    }
    return AnswerTest(url.netloc, url.path, url.query, headers, str(test["to"]), str(test.get("label") or ""))
