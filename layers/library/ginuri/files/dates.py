"""Days that are written with the day or the month first, such as `03/04/2024`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum

from ginuri.registry.version_names import is_day

_NUMBERS = re.compile(r"([0-9]{1,2})(?P<mark>[/.\-])([0-9]{1,2})(?P=mark)([0-9]{4})")


class DateOrder(StrEnum):
    """The order of day and month in dates with the year last."""

    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"


class DateMeaning(StrEnum):
    """The meaning of the dates of a column."""

    UNORDERED = "unordered"
    """No date needs an order: there are none, or the year comes first."""
    DAY_FIRST = "day-first"
    MONTH_FIRST = "month-first"
    AMBIGUOUS = "ambiguous"
    """Every date can be read both ways."""
    CONTRADICTORY = "contradictory"
    """Some dates can only have the day first, and some only the month."""

    @property
    def order(self) -> DateOrder | None:
        """The order, if it is known."""
        return DateOrder(self) if self in {*map(str, DateOrder)} else None


def meaning_of_dates(values: Iterable[str]) -> DateMeaning:
    """Return the only meaning that fits all dates of a column; other texts have none.

    Dates with dots have the day first: they are not used where the month comes first.

    >>> str(meaning_of_dates(["03/04/2024", "25/04/2024", "n/a"])), str(meaning_of_dates(["03/04/2024"]))
    ('day-first', 'ambiguous')
    """
    dates = [text for text in (value.strip() for value in values) if _NUMBERS.fullmatch(text)]
    possible = [{order for order in DateOrder if read_day(text, order)} for text in dates]
    possible = [orders for orders in possible if orders]
    if not possible:
        return DateMeaning.UNORDERED
    fitting = set[DateOrder]({*DateOrder}).intersection(*possible)
    if len(fitting) == 1:
        return DateMeaning(next(iter(fitting)))
    if not fitting:
        return DateMeaning.CONTRADICTORY
    # 03.04.2024 is written in countries with the day first.
    return DateMeaning.DAY_FIRST if any("." in text for text in dates) else DateMeaning.AMBIGUOUS


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
