"""The edge: it changes no answer of the origin, and no attacker changes the answer to a victim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from infra.attack.answer import Answer
from infra.attack.drawn.requests import Drawing
from infra.attack.invariants import is_ours
from infra.attack.kinds.requests import Ask
from infra.attack.targets.edge_client import EdgeClient
from infra.attack.targets.service import HOST
from infra.attack.trials import Fault, Trial, trial
from infra.emulator.requests import Sent

TRIPLES = 25
"""The number of victims in one case."""
BY_THE_EDGE = frozenset({"age", "via", "x-cache", "content-length", "date"})
"""Headers that the edge itself adds."""
SELECTED = frozenset({206, 304, 416})
"""Answers that the edge selects from a cached one."""
_PREFERENCES = frozenset({"accept", "accept-language", "accept-profile", "accept-datetime"})
_POISONS = (
    ("x-http-method-override", "HEAD"),
    ("x-ginuri-host", "evil.example"),
    ("x-ginuri-query", "lang=es"),
    ("x-ginuri-edge", "guessed"),
    ("x-forwarded-host", "evil.example"),
    ("x-forwarded-proto", "https"),
    ("cloudfront-forwarded-proto", "https"),
    ("range", "bytes=0-0"),
    ("if-none-match", "*"),
    ("cookie", "a=b"),
    ("referer", "https://evil.example/"),
)


@dataclass(frozen=True)
class EdgeTriples:
    """The kind."""

    client: EdgeClient
    ask_origin: Ask
    drawing: Drawing

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Try some victims, each after an attacker."""
        for _ in range(TRIPLES):
            victim = replace(self.drawing.request(chance), method="GET", body=b"")
            attacker = self._attacker(chance, victim)
            if chance.random() < 0.02:  # noqa: PLR2004  HTTP/1.0 needs no Host
                yield self._hostless(victim)
                continue
            self.client.edge.invalidate()
            [cold] = self.client.ask_all([victim.received(HOST)])
            self.client.edge.invalidate()
            _, warm = self.client.ask_all([attacker.received(HOST), victim.received(HOST)])
            faults = [*_failure(warm), *compare("nobody-changes-what-others-get", cold, warm)]
            if _is_plain(victim):
                faults += compare("the-edge-changes-no-answer", self.ask_origin(victim), cold)
            yield trial(f"{attacker} | {victim}", faults)

    def _hostless(self, sent: Sent) -> Trial:
        received = sent.received(HOST)
        request = replace(received, headers=tuple(each for each in received.headers if each[0] != "host"))
        [answer] = self.client.ask_all([request])
        return trial(f"without Host: {sent}", _failure(answer))

    def _attacker(self, chance: Random, victim: Sent) -> Sent:
        """Change a part of the victim's request that the edge must not confuse."""
        match chance.randrange(5):
            case 0:
                return replace(victim, headers=(*victim.headers, chance.choice(_POISONS)))
            case 1:
                return replace(victim, headers=self.drawing.headers(chance))
            case 2:
                return replace(victim, method=chance.choice(("HEAD", "OPTIONS", "POST")))
            case 3:
                return replace(victim, host=chance.choice(("evil.example", *self.drawing.hosts)))
            case _:
                path, mark, query = victim.target.partition("?")
                return replace(
                    victim, target=f"{path}{mark or '?'}{chance.choice(('', 'lang=es', '&'))}{query}"
                )


def _is_plain(sent: Sent) -> bool:
    """Return whether a gateway passes the request to its function in the same form as the edge."""
    return "?" not in sent.target and all(name in _PREFERENCES for name, _ in sent.headers)


def _failure(answer: Answer) -> Iterator[Fault]:
    if not is_ours(answer):
        yield Fault("answers-are-ours", f"{answer.status} {answer.text[:80]}")


def compare(invariant: str, expected: Answer, came: Answer) -> Iterator[Fault]:
    """Compare an answer with one from the edge, or from a cache that others filled."""
    if {expected.status, came.status} <= SELECTED:
        return
    if essence(expected) != essence(came):
        differing = sorted({*essence(expected)[1]} ^ {*essence(came)[1]})
        yield Fault(invariant, f"{came.status} instead of {expected.status}; {differing!r:.300}")


def essence(answer: Answer) -> tuple[int, frozenset[tuple[str, str]], bytes]:
    """Return the content of an answer, without the additions of the edge."""
    return (
        answer.status,
        frozenset(each for each in answer.fields if each[0] not in BY_THE_EDGE),
        answer.body,
    )
