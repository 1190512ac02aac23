"""The table of requests: what is sent, byte for byte, on which kinds of stack, and what must come back."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent / "requests.toml"
PLACES = ({"gateway", "edge"}, {"local", "aws"}, {"published", "unpublished"})
"""What a stack is, one word of each pair: a column of the table names those that a request is for."""
_KEYS = {"send", "with", "data", "over", "on", "status", "has", "body", "follow"}


class TableInvalid(ValueError):
    """A row of the table says what nothing reads, or lacks what it must say."""


@dataclass(frozen=True)
class SmokeRequest:
    """One row of the table."""

    method: str
    target: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """What is sent beside Host and Connection; `{Name}` is that header of the answer before."""
    data: str = ""
    scheme: str = ""
    """http or https; empty for that of the address."""
    places: frozenset[str] = frozenset()
    """The words that the stack has to answer to; none means every stack."""
    expected: Mapping[str, str | bool] = field(default_factory=dict)
    """Headers of the answer: the value, with `*` for anything; False for a header that must not be there."""
    text: str = ""
    """A piece of the body."""
    is_followed: bool = False
    """Whether every link of the answer to the same host is to be answered as well, below 400."""
    look: str = ""
    """What to look at when something else comes."""

    def __str__(self) -> str:
        """Return the request in one line."""
        scheme = f"{self.scheme}: " if self.scheme else ""
        headers = (f"{name}: {value}" for name, value in self.headers.items())
        return scheme + " | ".join((f"{self.method} {self.target}", *headers))


@dataclass(frozen=True)
class Table:
    """All requests in order, and what holds for every answer."""

    requests: Sequence[SmokeRequest]
    forbidden: Sequence[str]
    """What no link of an answer may contain, in a header or in a page."""
    not_yet: Sequence[str]
    """Where links may lead that are 404 until the daily job has run."""
    looks: Mapping[str, str]
    """What to look at where no answer came (`none`), and for any 5xx (`5xx`)."""


def read_table(path: Path = TABLE) -> Table:
    """Read the table. Raises TableInvalid, or what tomllib raises, for one that cannot be used."""
    document = tomllib.loads(path.read_text(encoding="utf-8"))
    requests = [
        _read_request(row, section["look"]) for section in document["section"] for row in section["requests"]
    ]
    return Table(requests, document["forbidden"], document["not_yet"], document["look"])


def _read_request(row: Mapping[str, Any], look: str) -> SmokeRequest:
    if unknown := row.keys() - _KEYS:
        raise TableInvalid(f"{row}: unknown {', '.join(sorted(unknown))}")
    method, blank, target = str(row.get("send", "")).partition(" ")
    if not blank or "status" not in row:
        raise TableInvalid(f"{row}: needs `send` with a method and a target, and `status`")
    places = frozenset(str(row.get("on", "")).split())
    if not places <= frozenset().union(*PLACES) or any(pair <= places for pair in PLACES):
        raise TableInvalid(f"{row}: `on` takes one word of each of {PLACES}")
    return SmokeRequest(
        method,
        target,
        row["status"],
        row.get("with", {}),
        row.get("data", ""),
        row.get("over", ""),
        places,
        row.get("has", {}),
        row.get("body", ""),
        row.get("follow", False),
        look,
    )
