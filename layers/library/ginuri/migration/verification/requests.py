"""The requests of a comparison: sent to both resolvers, several at once, in the order of their list."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

from ginuri.migration.verification.answers import ResolverAnswer
from ginuri.migration.verification.comparison import BothAnswers, SideAnswer, compare_answers
from ginuri.migration.verification.probe import RateLimit, Resolver

MOST_FOLLOWED = 3
"""The most redirects within a host that are followed, to see whether they end alike."""
_AHEAD = 4
"""The number of items in the queue for each that is worked on at once."""
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Use:
    """A request for an identifier, and its weight."""

    accept: str | None
    """The header `Accept`; None sends none."""
    count: float = 1
    """How many requests it stands for."""


@dataclass(frozen=True, slots=True)
class IdentifierUses:
    """An identifier to request, and the requests for it."""

    line: int | None
    """Its line in a list; None if it comes from several lines."""
    host: str | None
    """None if it was written without a host."""
    target: str
    """Path and query, as written."""
    uses: Sequence[Use]

    @property
    def uri(self) -> str:
        """The URI of the identifier for people."""
        return f"http://{self.host}{self.target}" if self.host else self.target.removeprefix("/")

    @property
    def count(self) -> float:
        """How many requests it stands for."""
        return sum(use.count for use in self.uses)


@dataclass(frozen=True, slots=True)
class Resolvers:
    """This resolver and the other one, and the rate at which each is asked."""

    here: Resolver
    there: Resolver
    limit: RateLimit

    def close(self) -> None:
        """Close all connections."""
        self.here.close()
        self.there.close()

    def ask_both(self, identifier: IdentifierUses) -> list[BothAnswers]:
        """Send all requests for an identifier to both."""
        answers = []
        for use in identifier.uses:
            self.limit.wait()
            here, there = (
                self._ask(each, identifier, identifier.target, use) for each in (self.here, self.there)
            )
            answers.append(BothAnswers(use.accept, here, there))
        return self._follow_differing(identifier, answers)

    def _follow_differing(self, identifier: IdentifierUses, answers: list[BothAnswers]) -> list[BothAnswers]:
        """Follow redirects within the host where the answers differ: they may end alike."""
        for at, cause in enumerate(compare_answers(answers)):
            both, use = answers[at], identifier.uses[at]
            if cause.agrees or cause.is_error or not (both.here.is_detour or both.there.is_detour):
                continue
            here = self._follow_within(self.here, identifier, both.here, use)
            there = self._follow_within(self.there, identifier, both.there, use)
            answers[at] = BothAnswers(use.accept, here, there)
        return answers

    def _follow_within(
        self, resolver: Resolver, identifier: IdentifierUses, side: SideAnswer, use: Use
    ) -> SideAnswer:
        current, seen = side, {side.uri}
        for _ in range(MOST_FOLLOWED):
            uri = urljoin(current.uri, current.answer.location or "")
            if not current.is_detour or uri in seen:
                break
            seen.add(uri)
            self.limit.wait()
            parts = urlsplit(uri)
            query = f"?{parts.query}" if parts.query else ""
            current = self._ask(resolver, identifier, f"{parts.path or '/'}{query}", use)
        return side if current is side else replace(side, end=_absolute(current))

    def _ask(self, resolver: Resolver, identifier: IdentifierUses, target: str, use: Use) -> SideAnswer:
        headers = [] if use.accept is None else [("Accept", use.accept)]
        answer = resolver.ask(identifier.host, target, headers)
        return SideAnswer(self.requested(resolver, identifier, target), answer)

    def requested(self, resolver: Resolver, identifier: IdentifierUses, target: str) -> str:
        """Return the URI that one of them is asked for."""
        return f"{resolver.scheme}://{identifier.host or self.there.host}{target}"


def _absolute(side: SideAnswer) -> ResolverAnswer:
    location = side.answer.location
    return side.answer if location is None else replace(side.answer, location=urljoin(side.uri, location))


def run_at_once(
    items: Iterable[Item], work: Callable[[Item], Result], pool: ThreadPoolExecutor, at_once: int
) -> Iterator[tuple[Item, Result]]:
    """Do the work of items, several at once, and yield the results in the order of the items."""
    pending: deque[tuple[Item, Future[Result]]] = deque()
    for item in items:
        pending.append((item, pool.submit(work, item)))
        if len(pending) >= at_once * _AHEAD:
            first, future = pending.popleft()
            yield first, future.result()
    while pending:
        first, future = pending.popleft()
        yield first, future.result()
