"""Days that are written with the day or the month first, such as `03/04/2024`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ginuri.registry.version_names import is_day

DATED = {"until", "valid_from"}
"""The fields that are days."""
_NUMBERS = re.compile(r"([0-9]{1,2})(?P<mark>[/.\-])([0-9]{1,2})(?P=mark)([0-9]{4})")


class DateOrder(StrEnum):
    """The order of day and month in dates with the year last."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a column."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class ColumnDates:
    """The dates of a column that need an order: the first one for each way to read it."""

    first: Mapping[DateOrder | None, Cell]
    """By the only order that fits; None if both do."""
    has_dots: bool
    """Whether a date has dots: such dates are used where the day comes first."""

    @property
    def contradiction(self) -> tuple[Cell, Cell] | None:
        """Two cells that no order fits: the day comes first in one, and the month in the other."""
        match [self.first.get(order) for order in DateOrder]:
            case [Cell() as day_first, Cell() as month_first]:
                return day_first, month_first
            case _:
                return None

    @property
    def order(self) -> DateOrder | None:
        """The only order that fits all dates; None without dates as well."""
        if self.contradiction:
            return None
        certain = next(filter(None, self.first), None)
        return certain or (DateOrder.DAY_FIRST if self.first and self.has_dots else None)

    @property
    def is_ambiguous(self) -> bool:
        """Whether every date can be read both ways."""
        return self.first.keys() == {None} and not self.has_dots


def judge_dates(cells: Iterable[tuple[int, str]]) -> ColumnDates:
    """Compare the dates of a column, in cells with the numbers of their lines; other texts are no dates.

    >>> str(judge_dates([(2, "03/04/2024"), (3, "25/04/2024"), (4, "n/a")]).order)
    'day-first'
    >>> judge_dates([(2, "03/04/2024")]).is_ambiguous
    True
    """
    first: dict[DateOrder | None, Cell] = {}
    has_dots = False
    for line, text in cells:
        if orders := [order for order in DateOrder if read_day(text, order)]:
            first.setdefault(orders[0] if len(orders) == 1 else None, Cell(line, text.strip()))
            has_dots |= "." in text
    return ColumnDates(first, has_dots)


def read_day(text: str, order: DateOrder) -> str | None:
    """Return a date as a day; None if it has another form, or if there is no such day.

    >>> read_day("3/4/2024", DateOrder.DAY_FIRST), read_day("25/04/2024", DateOrder.MONTH_FIRST)
    ('2024-04-03', None)
    """
    if (found := _NUMBERS.fullmatch(text.strip())) is None:
        return None
    first, second, year = found[1], found[3], found[4]
    day, month = (first, second) if order is DateOrder.DAY_FIRST else (second, first)
    written = f"{year}-{month.zfill(2)}-{day.zfill(2)}"
    return written if is_day(written) else None
