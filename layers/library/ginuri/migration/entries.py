"""What an importer says of each entry of another resolver, and what it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Registration = Mapping[str, Any]
"""One line of JSON, under the names of docs/reference/registrations.md."""


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """Where an entry stands, and what it is called there: `prefix /releases/`."""

    file: str
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class ConvertedEntry:
    """An entry that means what these registrations mean."""

    place: EntryPlace
    registrations: Sequence[Registration]


@dataclass(frozen=True, slots=True)
class RefusedEntry:
    """An entry that no registration means, and why."""

    place: EntryPlace
    reason: str


Outcome = ConvertedEntry | RefusedEntry


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """How much was taken."""

    entries: int
    refused: Sequence[RefusedEntry]
    registrations: Sequence[Registration]

    @property
    def taken(self) -> int:
        """How many entries were."""
        return self.entries - len(self.refused)


def count_entries(outcomes: Sequence[Outcome]) -> ImportCounts:
    """Count what was taken, and gather what it became."""
    return ImportCounts(
        len(outcomes),
        [each for each in outcomes if isinstance(each, RefusedEntry)],
        [line for each in outcomes if isinstance(each, ConvertedEntry) for line in each.registrations],
    )
