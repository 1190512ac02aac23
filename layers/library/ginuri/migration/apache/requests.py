"""Requests to Apache httpd, and its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ginuri.identifiers.messages import Message
from ginuri.migration.apache.configuration import Redirect
from ginuri.migration.apache.rules import RewriteRule

Applied = RewriteRule | Redirect
"""A directive that changed a request."""


class UnsupportedConfiguration(Exception):
    """A directive whose effect depends on more than the path and the headers of a request."""

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True, slots=True)
class Headers:
    """The headers of a request that choose its answer, with names in lower case."""

    values: Mapping[str, str] = field(default_factory=dict)
    read: set[str] = field(default_factory=set, compare=False)
    """The names of the headers that were looked at."""

    def get(self, name: str) -> str:
        """Return the value of a header; an absent one is empty."""
        self.read.add(name.lower())
        return self.values.get(name.lower(), "")


@dataclass(frozen=True, slots=True)
class Request:
    """A request to the host: the decoded path, the query, and the headers."""

    path: str
    headers: Headers = field(default_factory=Headers)
    query: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: 404 if no directive applies."""

    status: int
    location: str = ""
    applied: tuple[Applied, ...] = ()
    """The directives that led to it, in order."""
