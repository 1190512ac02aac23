"""Trials, the results of every kind of attack, each with its faults."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken invariant."""

    invariant: str
    detail: str


@dataclass(frozen=True, slots=True)
class Trial:
    """One attempt, such as a request, and its faults."""

    attempt: str
    faults: Sequence[Fault] = ()


class Kind(Protocol):
    """One kind of attack."""

    def attack(self, chance: Random) -> Iterator[Trial]:
        """Run one case, drawn from `chance` alone, so that its seed repeats it."""
        ...


def trial(attempt: object, faults: Iterable[Fault]) -> Trial:
    """Make a trial from an attempt and its findings."""
    return Trial(str(attempt), tuple(faults))


def make_chance(seed: str, kind: str, case: int) -> Random:
    """Return the source of randomness of one case."""
    return Random(f"{seed}/{kind}/{case}")  # noqa: S311  an attack must be repeatable
