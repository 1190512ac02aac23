"""The faults of registrations for which an upload would refuse them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from ginuri.identifiers import parse
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.messages import Message, message
from ginuri.migration.entries import Registration, reject_location
from ginuri.registry.locations import is_location
from ginuri.registry.rules.faults import fault_of

_Lines = TypeVar("_Lines", bound=Iterable[Registration])
_PIECE = re.compile(r"\{[^{}]*\}")


def find_fault(lines: Iterable[Registration]) -> Message | None:
    """Find the first fault of an identifier, a pattern or a location; None if there is none."""
    for line in lines:
        try:
            parse(line["identifier"])
        except MalformedIdentifier as error:
            return error.words
        if fault := fault_of(line.get("pattern", "")):
            return message("{pattern}: {reason}", pattern=line["pattern"], reason=fault)
        is_rule = line.get("record") == "rule"
        for location in _locations(line):
            if not is_location(_PIECE.sub("x", location) if is_rule else location):
                return reject_location(location)
    return None


def refuse_faulty(lines: _Lines | Message) -> _Lines | Message:
    """Return registrations unless they have a fault; otherwise, the fault. A message stays."""
    return lines if isinstance(lines, Message) else find_fault(lines) or lines


def _locations(line: Registration) -> Iterator[Any]:
    for stated in (line, *line.get("representations", ())):
        yield from filter(None, map(stated.get, ("location", "stands_for")))
