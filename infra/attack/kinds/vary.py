"""Pairs of requests that differ only in one header, which `Vary` of the answer does not name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from infra.attack.answer import Answer
from infra.attack.drawn.requests import Drawing
from infra.attack.kinds.requests import Ask
from infra.attack.trials import Fault, Trial, trial
from infra.emulator.requests import Sent

PAIRS = 40
"""The number of pairs in one case."""
_PREFERENCES = ("accept", "accept-language", "accept-profile", "accept-datetime")
_IGNORED = (
    "user-agent",
    "referer",
    "cookie",
    "origin",
    "x-forwarded-host",
    "x-forwarded-proto",
    "cloudfront-forwarded-proto",
    "x-ginuri-query",
    "x-ginuri-host",
)
_SELECTING = frozenset({206, 304, 412, 416})


@dataclass(frozen=True)
class Vary:
    """The kind."""

    ask: Ask
    drawing: Drawing

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Send some pairs."""
        for _ in range(PAIRS):
            sent = replace(self.drawing.request(chance), method="GET", body=b"")
            got = self.ask(sent)
            name = chance.choice((*_PREFERENCES, *_IGNORED))
            other = _change(sent, name, self._value(chance, name))
            yield trial(f"{sent} | {other}", _compare(name, got, self.ask(other)))

    def _value(self, chance: Random, name: str) -> str:
        if name not in _PREFERENCES:
            return chance.choice(("evil.example", "lang=es", "text/html", "1"))
        return next((value for field, value in self.drawing.headers(chance) if field == name), "")


def _change(sent: Sent, name: str, value: str) -> Sent:
    kept = tuple(field for field in sent.headers if field[0] != name)
    return replace(sent, headers=(*kept, (name, value)) if value else kept)


def _compare(name: str, one: Answer, other: Answer) -> Iterator[Fault]:
    if {one.status, other.status} & _SELECTING:
        return
    named = {field.strip().lower() for field in (one.header("vary") or "").split(",")}
    if name in named or "*" in named or _is_never_kept(one):
        return
    if (one.status, one.body) != (other.status, other.body) or _essence(one) != _essence(other):
        detail = f"{one.status} {one.media_type} and {other.status} {other.media_type}; Vary: {sorted(named)}"
        yield Fault("vary-names-what-matters", f"{name}: {detail}")


def _is_never_kept(answer: Answer) -> bool:
    return "no-store" in (answer.header("cache-control") or "")


def _essence(answer: Answer) -> list[str | None]:
    return [answer.header(name) for name in ("location", "content-type", "content-language", "link")]
