"""The words of reports, for their page and the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ginuri.identifiers.messages import Message, counted, message, translatable
from ginuri.registration.verdicts import Level, Outcome

_OUTCOMES = {
    Outcome.REGISTERED: translatable("registered"),
    Outcome.CHANGED: translatable("changed"),
    Outcome.UNCHANGED: translatable("unchanged"),
    Outcome.WARNED: translatable("warned"),
    Outcome.REFUSED: translatable("refused"),
}
_COUNTS = {
    Outcome.REGISTERED: translatable("{number} registered"),
    Outcome.CHANGED: translatable("{number} changed"),
    Outcome.UNCHANGED: translatable("{number} unchanged"),
    Outcome.WARNED: translatable("{number} warned"),
    Outcome.REFUSED: translatable("{number} refused"),
}
NOTHING = message("nothing")
"""Stands for the value of an absent field."""


def name_outcome(outcome: Outcome | Level) -> Message:
    """Name an outcome, or the level of a finding."""
    return Message(_OUTCOMES[Outcome(outcome)])


def write_counts(counts: Mapping[str, int]) -> Sequence[Message]:
    """Write the number of identifiers for each outcome, one message each."""
    return [
        Message(_COUNTS[Outcome(outcome)], {"number": f"{number:,}"}) for outcome, number in counts.items()
    ]


def write_cell(line: int, column: str) -> Message:
    """Write which cell a finding is about."""
    return message("line {line}, column {column}", line=str(line), column=column)


def write_numbers(numbers: Sequence[int], most: int) -> Message:
    """Write line numbers, at most `most` of them."""
    listed = ", ".join(map(str, numbers[:most]))
    if len(numbers) <= most:
        return message("{numbers}", numbers=listed)
    return message("{numbers} and {more} more", numbers=listed, more=f"{len(numbers) - most:,}")


def write_lines(numbers: Sequence[int], most: int) -> Message:
    """Write `line` or `lines` with their numbers, at most `most` of them."""
    return counted("line {numbers}", "lines {numbers}", len(numbers), numbers=write_numbers(numbers, most))
