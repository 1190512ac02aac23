"""What an importer says of each entry of another resolver, and what it counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Registration = Mapping[str, Any]
"""One line of JSON, under the names of docs/reference/registrations.md."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry stands, and what it is called there: `prefix /releases/`."""

    file: str
    line: int
    name: str


@dataclass(frozen=True, slots=True)
class Taken:
    """An entry that means what these registrations mean."""

    place: Place
    registrations: Sequence[Registration]


@dataclass(frozen=True, slots=True)
class Refused:
    """An entry that no registration means, and why."""

    place: Place
    reason: str


Outcome = Taken | Refused


@dataclass(frozen=True, slots=True)
class Share:
    """How much was taken."""

    entries: int
    refused: Sequence[Refused]
    registrations: Sequence[Registration]

    @property
    def taken(self) -> int:
        """How many entries were."""
        return self.entries - len(self.refused)


def share_of(outcomes: Sequence[Outcome]) -> Share:
    """Count what was taken, and gather what it became."""
    return Share(
        len(outcomes),
        [each for each in outcomes if isinstance(each, Refused)],
        [line for each in outcomes if isinstance(each, Taken) for line in each.registrations],
    )
