"""What is left to do of an upload, as the messages that carry it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, Protocol

from ginuri.files.reports.report import Upload


class Pass(StrEnum):
    """One way through all rows of an upload."""

    TRY = "try"
    """Nothing is written: what would come of it?"""
    REGISTER = "register"


@dataclass(frozen=True, slots=True)
class Begin:
    """Begin with an upload whose turn has not come: what it needs may be on its way in another upload."""

    upload: Upload
    delay: int
    """After how many seconds."""


@dataclass(frozen=True, slots=True)
class ChunkRows:
    """Read on in the file, and put its rows aside in chunks."""

    upload: Upload
    chunk: int
    """The number of the next chunk."""
    after: int
    """The line after which it begins."""


@dataclass(frozen=True, slots=True)
class ChunkRegisteredNames:
    """Read on in what stands under the prefix of a snapshot, and put the names aside likewise."""

    upload: Upload
    chunk: int
    after: str
    """The identifier after which it begins."""


@dataclass(frozen=True, slots=True)
class RegisterRows:
    """Judge, and register, what one part of the rows says."""

    upload: Upload
    through: Pass
    step: int
    number: int
    """Which of the tasks of its step."""


@dataclass(frozen=True, slots=True)
class WriteReport:
    """Put the report together, of the last pass through all rows."""

    upload: Upload
    through: Pass


Part = Begin | ChunkRows | ChunkRegisteredNames | RegisterRows | WriteReport
_KINDS: Mapping[str, type[Part]] = {
    "begin": Begin,
    "rows": ChunkRows,
    "standing": ChunkRegisteredNames,
    "take in": RegisterRows,
    "report": WriteReport,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


class PartQueue(Protocol):
    """Where parts wait for their turn."""

    def send(self, messages: Sequence[str], delay: int = 0) -> None:
        """Put messages into the queue, in any order, to be taken out of it after `delay` seconds.

        Raises RegistryUnavailable: then some may be in it.
        """
        ...


def write_part(part: Part) -> str:
    """Write a part as a message."""
    return json.dumps({"part": _NAMES[type(part)], **asdict(part)}, ensure_ascii=False)


def read_part(told: Mapping[str, Any]) -> Part:
    """Read a part from a message that `write_part` wrote."""
    fields = dict(told)
    kind = _KINDS[fields.pop("part")]
    fields["upload"] = Upload(**fields["upload"])
    if "through" in fields:
        fields["through"] = Pass(fields["through"])
    return kind(**fields)


def name_of(part: Part) -> str:
    """Name a part for people."""
    match part:
        case Begin():
            return "the upload, for which another had to come first"
        case ChunkRows():
            return f"reading the file from line {part.after + 1:,}"
        case ChunkRegisteredNames():
            return f"reading what stands, after {part.after or 'the first'}"
        case RegisterRows():
            return f"part {part.number + 1} of step {part.step + 1} ({part.through})"
        case WriteReport():
            return "writing the report"
