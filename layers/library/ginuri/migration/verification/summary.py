"""The differences between two resolvers: counted by prefix and cause, with examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ginuri.migration.verification.causes import Comparison
from ginuri.migration.verification.comparison import BothAnswers
from ginuri.migration.verification.prefixes import merge_groups, prefix_of
from ginuri.migration.verification.requests import IdentifierUses, Use

MOST_ROWS = 20
"""The most prefixes of the table."""
_MOST_KEPT = 20_000
"""The most prefixes in memory; beyond it, the lightest are merged into those above them."""


@dataclass(frozen=True, slots=True)
class ComparedUse:
    """A request for an identifier, both answers to it, and their comparison."""

    identifier: IdentifierUses
    use: Use
    answers: BothAnswers
    comparison: Comparison


@dataclass(slots=True)
class Counts:
    """The requests by their comparison; a request counts as often as it is used."""

    by_comparison: dict[Comparison, float] = field(default_factory=dict)

    def add(self, comparison: Comparison, count: float) -> None:
        """Count requests."""
        self.by_comparison[comparison] = self.by_comparison.get(comparison, 0) + count

    def __add__(self, other: Counts) -> Counts:
        added = Counts(dict(self.by_comparison))
        for comparison, count in other.by_comparison.items():
            added.add(comparison, count)
        return added

    @property
    def total(self) -> float:
        """All requests."""
        return sum(self.by_comparison.values())

    @property
    def differing(self) -> Mapping[Comparison, float]:
        """The requests that do not agree by their cause, the most frequent cause first."""
        differing = [each for each in self.by_comparison.items() if not each[0].agrees]
        return dict(sorted(differing, key=lambda each: (-each[1], each[0])))

    @property
    def compared(self) -> float:
        """The requests that at least one resolver knows."""
        return self.total - self.by_comparison.get(Comparison.KNOWN_TO_NEITHER, 0)

    @property
    def share(self) -> float | None:
        """The share of these that agree, from 0 to 1; None if there are none."""
        same = self.by_comparison.get(Comparison.SAME, 0)
        return same / self.compared if self.compared else None


@dataclass(slots=True)
class Summary:
    """The counts of a comparison, and examples of the differences."""

    most_examples: int = 1
    """The most examples of each cause."""
    identifiers: dict[Comparison, int] = field(default_factory=dict)
    """The number of identifiers by comparison; one with several requests may count for several."""
    examples: dict[Comparison, list[ComparedUse]] = field(default_factory=dict)
    _prefixes: dict[str, Counts] = field(default_factory=dict)

    def add(self, compared: Sequence[ComparedUse], default_host: str) -> None:
        """Count the requests for an identifier; the default host is that of one written without."""
        identifier = compared[0].identifier
        prefix = prefix_of(f"{identifier.host or default_host}{identifier.target}")
        counts = self._prefixes.setdefault(prefix, Counts())
        for each in compared:
            counts.add(each.comparison, each.use.count)
        for comparison, first in {each.comparison: each for each in reversed(compared)}.items():
            self.identifiers[comparison] = self.identifiers.get(comparison, 0) + 1
            examples = self.examples.setdefault(comparison, [])
            if not comparison.agrees and len(examples) < self.most_examples:
                examples.append(first)
        if len(self._prefixes) > _MOST_KEPT:
            merge_groups(self._prefixes, Counts.__add__, _weigh, _MOST_KEPT // 2)

    @property
    def counts(self) -> Counts:
        """The counts of all requests."""
        return sum(self._prefixes.values(), Counts())

    def rows(self, most: int = MOST_ROWS) -> Mapping[str, Counts]:
        """Return the counts by prefix, with at most as many prefixes, and the most differences first.

        The requests for an identifier count for the longest of these prefixes.
        """
        groups = dict(self._prefixes)
        merge_groups(groups, Counts.__add__, _weigh, most)
        return dict(sorted(groups.items(), key=lambda row: (_reversed(row[1]), row[0])))


def _weigh(counts: Counts) -> tuple[float, float]:
    return sum(counts.differing.values()), counts.total


def _reversed(counts: Counts) -> tuple[float, float]:
    differing, total = _weigh(counts)
    return -differing, -total
