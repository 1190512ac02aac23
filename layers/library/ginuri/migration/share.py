"""The share of another resolver's entries that was imported, and the reasons for the rest."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ginuri.frozen import replace
from ginuri.identifiers.messages import Message
from ginuri.migration.entries import (
    ConvertedEntry,
    EntryPlace,
    Files,
    Obstacle,
    Outcome,
    RefusedEntry,
    Registration,
)

_OMITTED = "…"


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on an imported entry."""

    place: EntryPlace
    words: Message


@dataclass(frozen=True, slots=True)
class ReasonShare:
    """A message that several entries have in common, with an ellipsis for each of its values."""

    words: Message
    entries: int


@dataclass(frozen=True, slots=True)
class ObstacleShare:
    """An obstacle, and the number of entries that it keeps out."""

    obstacle: Obstacle
    entries: int


@dataclass(frozen=True, slots=True)
class ImportShare:
    """The result of an import, in the order of the files and their lines."""

    outcomes: Sequence[Outcome]

    @property
    def entries(self) -> int:
        """The number of entries that were read."""
        return len(self.outcomes)

    @property
    def imported(self) -> int:
        """The number of entries that were converted."""
        return self.entries - len(self.refused)

    @property
    def percentage(self) -> float:
        """The share of converted entries, rounded down to a tenth: only all of them are 100."""
        return (self.imported * 1000 // self.entries) / 10 if self.entries else 100.0

    @property
    def refused(self) -> Sequence[RefusedEntry]:
        """The refused entries."""
        return [outcome for outcome in self.outcomes if isinstance(outcome, RefusedEntry)]

    @property
    def remarks(self) -> Sequence[Remark]:
        """The remarks on converted entries."""
        return [
            Remark(outcome.place, words)
            for outcome in self.outcomes
            if isinstance(outcome, ConvertedEntry)
            for words in outcome.remarks
        ]

    @property
    def registrations(self) -> Sequence[Registration]:
        """The registrations of all converted entries."""
        return [
            line
            for outcome in self.outcomes
            if isinstance(outcome, ConvertedEntry)
            for line in outcome.registrations
        ]

    @property
    def reasons(self) -> Sequence[ReasonShare]:
        """The reasons of refused entries, the most frequent first."""
        return count_reasons(entry.reason for entry in self.refused)

    @property
    def obstacles(self) -> Sequence[ObstacleShare]:
        """The entries that keep others out, those that keep out most first."""
        kept: dict[EntryPlace, list[Obstacle]] = defaultdict(list)
        for entry in self.refused:
            if entry.obstacle is not None:
                kept[entry.obstacle.place].append(entry.obstacle)
        shares = [ObstacleShare(obstacles[0], len(obstacles)) for obstacles in kept.values()]
        return sorted(shares, key=lambda share: -share.entries)


def share_of(files: Files, outcomes: Iterable[Outcome]) -> ImportShare:
    """Collect outcomes, which importers yield in any order."""
    order = {file: number for number, file in enumerate(files)}
    return ImportShare(sorted(outcomes, key=lambda outcome: (order[outcome.place.file], outcome.place.line)))


def count_reasons(messages: Iterable[Message]) -> Sequence[ReasonShare]:
    """Count messages that differ in their values only, the most frequent first."""
    outlines: dict[str, Message] = {}
    counts: Counter[str] = Counter()
    for words in messages:
        outline = _outline(words)
        outlines.setdefault(str(outline), outline)
        counts[str(outline)] += 1
    return [ReasonShare(outlines[text], entries) for text, entries in counts.most_common()]


def _outline(words: Message) -> Message:
    values = {
        name: _outline(value) if isinstance(value, Message) else _OMITTED
        for name, value in words.values.items()
    }
    return replace(words, values=values)
