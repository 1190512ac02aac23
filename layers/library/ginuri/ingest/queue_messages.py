"""The queue messages that carry the remaining work of an upload."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from ginuri.files.reports.report import Upload


class Pass(StrEnum):
    """One pass over all rows of an upload."""

    TRY = "try"
    """A dry run, which writes nothing to the registry."""
    REGISTER = "register"


@dataclass(frozen=True, slots=True)
class _OfUpload:
    """The fields of every part."""

    upload: Upload
    restart: int = field(default=0, kw_only=True)
    """The number of restarts, because the registry had lost records of it meanwhile."""


@dataclass(frozen=True, slots=True)
class Begin(_OfUpload):
    """Start an upload after some seconds, because another upload may still register its prerequisites."""

    delay: int


@dataclass(frozen=True, slots=True)
class ChunkRows(_OfUpload):
    """Continue to split the file into chunks."""

    chunk: int
    """The number of the next chunk."""
    after: int
    """The line after which the chunk starts."""


@dataclass(frozen=True, slots=True)
class ChunkRegisteredNames(_OfUpload):
    """Continue to read the names registered under the prefix of a snapshot into chunks."""

    chunk: int
    after: str
    """The identifier after which the chunk starts."""


@dataclass(frozen=True, slots=True)
class RegisterRows(_OfUpload):
    """Judge and register the rows of one task."""

    through: Pass
    step: int
    number: int
    """The number of the task in its step."""


@dataclass(frozen=True, slots=True)
class RunTests(_OfUpload):
    """Run the tests that the upload affects, after all rows of a pass."""

    through: Pass


@dataclass(frozen=True, slots=True)
class WriteReport(_OfUpload):
    """Write the report on the last pass."""

    through: Pass


Part = Begin | ChunkRows | ChunkRegisteredNames | RegisterRows | RunTests | WriteReport
_KINDS: Mapping[str, type[Part]] = {
    "begin": Begin,
    "rows": ChunkRows,
    "standing": ChunkRegisteredNames,
    "take in": RegisterRows,
    "tests": RunTests,
    "report": WriteReport,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


class PartQueue(Protocol):
    """The queue of the parts."""

    def send(self, messages: Sequence[str], delay: int = 0) -> None:
        """Send messages, in any order, to be delivered after `delay` seconds.

        Raises RegistryUnavailable: some may have been sent then.
        """


def write_part(part: Part) -> str:
    """Write a part as a message."""
    return json.dumps({"part": _NAMES[type(part)], **asdict(part)}, ensure_ascii=False)


def read_part(message: Mapping[str, Any]) -> Part:
    """Read a part from a message of `write_part`."""
    fields = dict(message)
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
        case RunTests():
            return "running the tests"
        case WriteReport():
            return "writing the report"
