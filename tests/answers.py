"""Reads a handler's answer to the gateway."""

from __future__ import annotations

import base64
import json
from typing import Any

from tests.builders import read_links


class Answer:
    """An answer for the gateway, with one value for each header."""

    def __init__(self, event: dict[str, Any]) -> None:
        self.status: int = event["statusCode"]
        self.headers: dict[str, str] = {
            name: value for name, values in event["multiValueHeaders"].items() for value in values
        }
        self.content = base64.b64decode(event["body"])

    @property
    def problem(self) -> dict[str, Any]:
        """The problem document in the answer."""
        assert self.headers["Content-Type"] == "application/problem+json"
        document: dict[str, Any] = json.loads(self.content)
        return document

    @property
    def choices(self) -> list[dict[str, str]]:
        """The choices of a 300."""
        assert (self.status, self.headers["Content-Type"]) == (300, "application/json")
        listed: list[dict[str, str]] = json.loads(self.content)["choices"]
        return listed

    def linked(self, relation: str) -> list[str]:
        """Return the targets of a relation in the Link header."""
        return [link["href"] for link in read_links(self.headers["Link"]) if link["rel"] == relation]
