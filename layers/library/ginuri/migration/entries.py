"""The entries of another resolver: where they are, and the registrations that each becomes."""

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
class Obstacle:
    """An entry that keeps others out, and the edit of its file that lets them in."""

    place: EntryPlace
    edit: Message


@dataclass(frozen=True, slots=True)
class ConvertedEntry:
    """An entry and its equivalent registrations."""

    place: EntryPlace
    registrations: Sequence[Registration]
    remarks: Sequence[Message] = ()
    """The differences that the operator should know of, such as an expression that is now anchored."""


@dataclass(frozen=True, slots=True)
class RefusedEntry:
    """An entry that no registration can express, with the reason."""

    place: EntryPlace
    reason: Message
    obstacle: Obstacle | None = None
    """The other entry that is the cause, if there is one."""


Outcome = ConvertedEntry | RefusedEntry
Files = Mapping[str, bytes]
"""The contents of the imported files by their names, in the order of the command."""


def reject_location(location: str) -> Message:
    """Describe a location that is not an absolute http or https URI."""
    return message(
        "{url} is not a URL that starts with http:// or https:// and has no spaces or characters beyond "
        "ASCII.",
        url=repr(location),
    )
