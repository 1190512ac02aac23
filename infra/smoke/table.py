"""The table of requests: each as sent, byte for byte, the kinds of stack, and the expected answer."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

TABLE = Path(__file__).parent / "requests.toml"
PLACES = ({"gateway", "edge"}, {"local", "aws"}, {"published", "unpublished"}, {"api", "no-api"})
"""The kinds of stack, in pairs: a column of the table names those that a request is for."""
_KEYS = {"send", "with", "data", "over", "on", "status", "has", "body", "follow"}


class TableInvalid(ValueError):
    """Raised for a row of the table with unknown or missing members."""


@dataclass(frozen=True)
class SmokeRequest:
    """One row of the table."""

    method: str
    target: str
    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers beside Host and Connection; `{Name}` is that header of the previous answer."""
    data: str = ""
    scheme: str = ""
    """http or https; empty for that of the address."""
    places: frozenset[str] = frozenset()
    """The required kinds of the stack; empty means every stack."""
    expected: Mapping[str, str | bool] = field(default_factory=dict)
    """Headers of the answer: the value, with `*` for anything; False for a header that must be absent."""
    text: str = ""
    """A piece of the body."""
    is_followed: bool = False
    """Whether every link of the answer to the same host must answer, below 400."""
    look: str = ""
    """The file to read when the answer differs."""

    def __str__(self) -> str:
        """Return the request in one line."""
        scheme = f"{self.scheme}: " if self.scheme else ""
        headers = (f"{name}: {value}" for name, value in self.headers.items())
        return scheme + " | ".join((f"{self.method} {self.target}", *headers))


@dataclass(frozen=True)
class Table:
    """All requests in order, and the rules for every answer."""

    requests: Sequence[SmokeRequest]
    forbidden: Sequence[str]
    """Texts that no link of an answer may contain, in a header or in a page."""
    not_yet: Sequence[str]
    """Targets of links that are 404 until the daily job has run."""
    looks: Mapping[str, str]
    """The files to read without an answer (`none`), and for any 5xx (`5xx`)."""


def read_table(path: Path = TABLE) -> Table:
    """Read the table. Raises TableInvalid, or the errors of tomllib."""
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
