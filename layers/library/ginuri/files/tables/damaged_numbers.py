"""Cells whose text a spreadsheet has changed, such as an identifier that it took for a number or a date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum


class Damage(StrEnum):
    """What a spreadsheet may have made of the text that a person typed."""

    POWER = "power"
    """`1E5` became 100000, shown as 1.00E+05; or a long number became 1.23E+20."""
    ROUNDED = "rounded"
    """Only the first 15 digits of a number were kept."""
    DATE = "date"
    """`2-1` became a date."""


class DamagedCells:
    """The damaged cells of the rows that were read and not yet taken."""

    def __init__(self) -> None:
        self.names: Sequence[str] = ()
        """The heading of the table, once it was read."""
        self._rows: dict[int, Mapping[int, Damage]] = {}

    def note(self, number: int, damages: Mapping[int, Damage]) -> None:
        """Note the damaged cells of a row, by their columns from 0."""
        self._rows[number] = damages

    def take(self, number: int) -> Mapping[int, Damage]:
        """Return the damaged cells of a row, and forget those of the rows up to it."""
        found = self._rows.get(number, {})
        for line in [line for line in self._rows if line <= number]:
            del self._rows[line]
        return found
