"""Rules that the other resolver did not rank, and their ranks in this one.

Where two rules match one name, the more literal one wins here. If both are equally literal, the later one is
split at the first slash of a piece, which gives its parts other ranks; if that does not help it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ginuri.identifiers.messages import Message, counted, message
from ginuri.migration.entries import EntryPlace, Obstacle, RefusedEntry, Registration
from ginuri.migration.order import Claim, claim, overlaps
from ginuri.registry.rules.faults import fault_of
from ginuri.registry.rules.grammar import ALL_THE_REST
from ginuri.registry.rules.patterns import Pattern

_SLASHES = re.compile(r"\{\+(\w+)\}")
_Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Settled:
    """The registrations of an entry among those before it."""

    lines: Sequence[Registration]
    remarks: Sequence[Message]


class Ties:
    """The rules of the entries so far."""

    def __init__(self) -> None:
        self._earlier: list[tuple[Claim, EntryPlace]] = []

    def settle(self, place: EntryPlace, lines: Sequence[Registration]) -> Settled | RefusedEntry:
        """Rank the rules of an entry among the earlier ones."""
        kept: list[Registration] = []
        remarks: list[Message] = []
        others: dict[EntryPlace, None] = {}
        pending = list(lines)
        while pending:
            line = pending.pop(0)
            own = claim_of(line)
            meeting = [(other, at) for other, at in self._earlier if overlaps(other, own)]
            if twin := next(
                (at for other, at in meeting if other.name == own.name and other.pattern == own.pattern),
                None,
            ):
                kept.append(_other_title(line))
                remarks.append(message("{entry} has the same pattern.", entry=twin.describe()))
                continue
            for other, at in meeting:
                if other.beats(own) or own.beats(other):
                    others[at] = None
                    continue
                parts = _split(line)
                if not parts:
                    return RefusedEntry(
                        place,
                        message(
                            "{entry} matches some of the same names, and neither rule is more literal.",
                            entry=at.describe(),
                        ),
                        Obstacle(at, message("Write the names that both match as a rule of their own.")),
                    )
                pending = [*parts, *pending]
                break
            else:
                kept.append(line)
        self._earlier += [(claim_of(line), place) for line in kept]
        return Settled(kept, [*remarks, *_remark(list(others))])


def claim_of(line: Registration) -> Claim:
    """Return the names that a registration answers for."""
    is_rule = line.get("record") == "rule"
    return claim(line["identifier"], Pattern(line.get("pattern", "")) if is_rule else None)


def _other_title(line: Registration) -> Registration:
    name = {field: line[field] for field in ("record", "identifier", "pattern") if field in line}
    return {**name, "properties": {"alternative": line.get("title", "")}}


def _remark(others: Sequence[EntryPlace]) -> Iterator[Message]:
    if others:
        yield counted(
            "{entry} matches some of the same names: the more literal rule answers for them.",
            "{entry} and others match some of the same names: the most literal rule answers for them.",
            len(others),
            entry=others[0].describe(),
        )


def _split(line: _Line) -> list[Registration]:
    """Split a rule at the first slash of its first piece that takes slashes."""
    pattern = line.get("pattern", ALL_THE_REST if line.get("record") == "rule" else "")
    found = _SLASHES.search(pattern)
    if found is None or "[" in pattern:
        return []
    first, rest = f"{found[1]}_a", f"{found[1]}_b"
    parts = (f"{{{first}}}", f"{{{first}}}/", f"{{{first}}}/{{+{rest}}}")
    texts = (f"{{+{first}}}", f"{{+{first}}}/", f"{{+{first}}}/{{+{rest}}}")
    return [
        {
            **line,
            "pattern": narrower,
            "representations": [
                {**form, "location": form["location"].replace(found[0], text)}
                for form in line.get("representations", ())
            ],
        }
        for part, text in zip(parts, texts, strict=True)
        if fault_of(narrower := pattern.replace(found[0], part, 1)) is None
    ]
