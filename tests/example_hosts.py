"""The examples of some hosts in memory, ingested like a steward's uploads, and the functions that answer."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import rest_event
from tests.steward import Report, Steward

CANONICAL = "ids.example.org"
EXAMPLES = Path(__file__).parents[1] / "layers/library/ginuri/examples"
_DESCRIBED = ("/about", "/explain", "/members", "/qr.svg", "/resolve", "/timemap")
_REGISTERS = {".csv", ".jsonl", ".ttl"}
_NOW = datetime(2011, 8, 25, 12, 0, tzinfo=UTC)


class ExampleHost:
    """A host of the examples: `_host/<name>.jsonl`, and all files in the folders of the hosts."""

    def __init__(self, name: str, *folders: str) -> None:
        self.steward = Steward()
        self.reports: dict[str, Report] = {}
        self._upload(EXAMPLES / "_host" / f"{name}.jsonl")
        files = [path for folder in folders for path in (EXAMPLES / folder).rglob("*") if path.is_file()]
        for path in sorted(files, key=lambda each: (each.suffix in _REGISTERS, each)):
            self._upload(path)
        self._finder = RememberingFinder(self.steward.memory, time.monotonic)
        registry, finder = self.steward.memory, self._finder
        answers = DescriptionResponses(DescriptionWriter().write)
        self._using = Collaborators(finder, registry, registry, answers, CANONICAL)

    def _upload(self, path: Path) -> None:
        key = path.relative_to(EXAMPLES).as_posix()
        self.reports[key] = self.steward.upload(key, path.read_bytes())

    def ask(self, uri: str, method: str = "GET", **headers: str) -> Answer:
        """Request a URI on its own host, as a client does."""
        parts = urlsplit(uri)
        sent = {"Host": parts.netloc, **{name.replace("_", "-"): it for name, it in headers.items()}}
        event = rest_event(parts.path or "/", method, sent)
        event["multiValueQueryStringParameters"] = parse_qs(parts.query, keep_blank_values=True) or None
        event["queryStringParameters"] = {
            name: values[-1] for name, values in parse_qs(parts.query).items()
        } or None
        if parts.path in {"", "/"} or parts.path.startswith(_DESCRIBED):
            return Answer(write_gateway(describe(read_request(event), self._using).response, method))
        content = IdentifierResponses(self.steward.content, CANONICAL)
        answered = resolve(read_request(event, clock=lambda: _NOW), self._finder, content)
        return Answer(write_gateway(answered.response, method))

    def look_up(self, uris: Sequence[str]) -> Any:
        """Look up several at once."""
        event = rest_event("/resolve", "POST") | {"body": json.dumps(uris)}
        return json.loads(
            Answer(write_gateway(describe(read_request(event), self._using).response, "POST")).content
        )

    def describe(self, uri: str, extension: str, host: str = CANONICAL) -> bytes:
        """Return the description of a URI in one format, requested on any host."""
        answered = self.ask(f"http://{host}/about.{extension}/{uri}")
        assert answered.status == 200, (uri, answered.status, answered.headers)
        return answered.content
