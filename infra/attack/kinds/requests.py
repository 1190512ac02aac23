"""Random requests to resolve and describe; every answer is checked against the invariants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random
from urllib.parse import urlencode

from ginuri.identifiers.service_paths import SERVICE_NAMES
from infra.attack.answer import Answer
from infra.attack.drawn.requests import Drawing
from infra.attack.invariants import find_faults
from infra.attack.trials import Fault, Trial, trial
from infra.emulator.requests import Sent

Ask = Callable[[Sent], Answer]
REQUESTS = 40
"""The number of requests in one case."""
_OF_GATEWAYS = frozenset({"age", "content-length", "date", "server", "via"})
"""Headers that a gateway adds, and may write differently for a HEAD."""
_TRIED = {
    "accept": "Accept",
    "accept-language": "Accept-Language",
    "accept-profile": "Accept-Profile",
    "accept-datetime": "Accept-Datetime",
}


@dataclass(frozen=True)
class Requests:
    """The kind."""

    ask: Ask
    drawing: Drawing
    hosts: frozenset[str] | None

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Send some requests, one after the other."""
        for _ in range(REQUESTS):
            sent = self.drawing.request(chance)
            answer = self.ask(sent)
            faults = [*find_faults(sent, answer, self.hosts)]
            if sent.method == "GET":
                faults += compare_head(self.ask, sent, answer)
                faults += compare_explained(self.ask, sent, answer)
            yield trial(sent, faults)


def compare_head(ask: Ask, sent: Sent, got: Answer) -> Iterator[Fault]:
    """Compare the answer to a GET with that to a HEAD of the same."""
    head = ask(replace(sent, method="HEAD"))
    # A HEAD gets the headers of the whole file, because a range is defined for GET only (RFC 9110 §14.2).
    if any(name == "range" for name, _ in sent.headers) or _is_overridden(sent):
        return
    if head.body:
        yield Fault("heads-are-without-body", f"{len(head.body)} bytes")
    if (head.status, sorted(_comparable(head))) != (got.status, sorted(_comparable(got))):
        differing = {*_comparable(head)} ^ {*_comparable(got)}
        yield Fault("heads-equal-gets", f"{head.status} instead of {got.status}; {sorted(differing)!r:.300}")


def compare_explained(ask: Ask, sent: Sent, got: Answer) -> Iterator[Fault]:
    """Compare the answer for an identifier with its explanation."""
    path, _, query = sent.target.partition("?")
    # Below /explain, `http:` begins a URI.
    if (
        query
        or path.startswith("/http")
        or _is_service(path)
        or _is_overridden(sent)
        or got.status in {206, 304, 412, 416}
    ):
        return
    tried = {"Accept": "*/*"} | {_TRIED[name]: value for name, value in sent.headers if name in _TRIED}
    target = f"/explain{path}?{urlencode(tried)}"
    explained = ask(Sent(target, headers=(("accept", "application/json"),), host=sent.host)).document()
    if not isinstance(explained, dict) or "outcome" not in explained:
        return
    expected, stated = (got.status, got.header("location")), (explained["status"], explained["location"])
    if expected != stated:
        yield Fault("explanations-agree", f"explained as {stated}, answered with {expected}")


def _comparable(answer: Answer) -> list[tuple[str, str]]:
    return [field for field in answer.fields if not _is_of_this_answer(*field)]


def _is_of_this_answer(name: str, value: str) -> bool:
    # The address of a stored file is signed for its method.
    is_signed = name == "location" and "method=" in value
    return is_signed or name in _OF_GATEWAYS or name.startswith(("x-amz", "x-cache"))


def _is_service(path: str) -> bool:
    first = path[1:].partition("/")[0]
    return not first or first.partition(".")[0] in SERVICE_NAMES


def _is_overridden(sent: Sent) -> bool:
    return any(name == "x-http-method-override" for name, _ in sent.headers)
