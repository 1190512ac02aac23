"""The results of importing the entries of another resolver."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginuri.identifiers.messages import Message, message

Registration = Mapping[str, Any]
"""One line of JSON, with the fields of docs/reference/registrations.md."""


@dataclass(frozen=True, slots=True)
class EntryPlace:
    """The place of an entry in its file, and its name there: `prefix /releases/`."""

    file: str
    line: int
    name: str

    def describe(self) -> Message:
        """Name the entry in messages about others."""
        return message(
            "{entry} in line {line} of {file}", entry=self.name, line=str(self.line), file=self.file
        )


@dataclass(frozen=True, slots=True)
class ConvertedEntry:
    """An entry and its equivalent registrations."""

    place: EntryPlace
    registrations: Sequence[Registration]


@dataclass(frozen=True, slots=True)
class RefusedEntry:
    """An entry that no registration can express, with the reason."""

    place: EntryPlace
    reason: Message


Outcome = ConvertedEntry | RefusedEntry


@dataclass(frozen=True, slots=True)
class ImportCounts:
    """The number of entries, and of the registrations they were converted to."""

    entries: int
    refused: Sequence[RefusedEntry]
    registrations: Sequence[Registration]

    @property
    def imported(self) -> int:
        """The number of entries that were converted."""
        return self.entries - len(self.refused)


def count_entries(outcomes: Sequence[Outcome]) -> ImportCounts:
    """Count the outcomes, and collect their registrations."""
    return ImportCounts(
        len(outcomes),
        [outcome for outcome in outcomes if isinstance(outcome, RefusedEntry)],
        [
            line
            for outcome in outcomes
            if isinstance(outcome, ConvertedEntry)
            for line in outcome.registrations
        ],
    )


def reject_location(location: str) -> Message:
    """Describe a location that is not an absolute http or https URI."""
    return message(
        "{url} is not a URL that starts with http:// or https:// and has no spaces or characters beyond "
        "ASCII.",
        url=repr(location),
    )
