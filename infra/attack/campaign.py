"""Runs kinds of attack, case after case, and counts trials and findings."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field

from infra.attack.trials import Kind, Trial, make_chance

MOST_SHOWN = 3
"""The number of failures that are kept of one invariant; all are counted."""


@dataclass(frozen=True)
class Failure:
    """A trial that broke an invariant, with the seed and the number that repeat it."""

    kind: str
    case: int
    invariant: str
    attempt: str
    detail: str


@dataclass
class Tally:
    """The trials and findings of one kind."""

    cases: int = 0
    trials: int = 0
    seconds: float = 0.0
    broken: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)

    def add(self, kind: str, case: int, tried: Trial) -> None:
        """Count one trial."""
        self.trials += 1
        for fault in tried.faults:
            self.broken[fault.invariant] += 1
            if self.broken[fault.invariant] <= MOST_SHOWN:
                self.failures.append(Failure(kind, case, fault.invariant, tried.attempt, fault.detail))

    def as_document(self) -> dict[str, object]:
        """Return the counts and the failures in the shape of the JSON output."""
        failures = [asdict(failure) for failure in self.failures]
        counts = {"cases": self.cases, "trials": self.trials, "seconds": round(self.seconds, 1)}
        return {**counts, "broken": dict(self.broken), "failures": failures}


@dataclass(frozen=True)
class Extent:
    """The cases of a kind to run: from a first one, for a number of seconds or of cases."""

    seconds: float
    cases: int | None = None
    first: int = 0

    def numbers(self, clock: Callable[[], float] = time.monotonic) -> Iterator[int]:
        """Yield the numbers of the cases; there is at least one."""
        end, number = clock() + self.seconds, self.first
        while True:
            yield number
            number += 1
            if clock() >= end if self.cases is None else number >= self.first + self.cases:
                return


def run(
    name: str,
    kind: Kind,
    seed: str,
    extent: Extent,
    report: Callable[[str, int, Tally], None] = lambda *_: None,
) -> Tally:
    """Run the cases of one kind; `report` is called after each."""
    tally, started = Tally(), time.monotonic()
    for case in extent.numbers():
        for tried in kind.attack(make_chance(seed, name, case)):
            tally.add(name, case, tried)
        tally.cases += 1
        tally.seconds = time.monotonic() - started
        report(name, case, tally)
    return tally
