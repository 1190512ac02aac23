"""Dates with the day or the month first: the meaning that fits all values of a column."""

from __future__ import annotations

import pytest

from ginuri.files.dates import Cell, DateOrder, judge_dates, read_day


@pytest.mark.parametrize(
    ("values", "order", "is_ambiguous"),
    [
        (["03/04/2024", "25/04/2024"], DateOrder.DAY_FIRST, False),
        (["03/04/2024", "04/25/2024"], DateOrder.MONTH_FIRST, False),
        (["03/04/2024", "", "n/a", "5-6-2024"], None, True),
        (["25/04/2024", "04/25/2024"], None, False),
        (["03.04.2024"], DateOrder.DAY_FIRST, False),
        (["2024-04-03", "2024"], None, False),
        (["33/44/2024"], None, False),
        ([], None, False),
    ],
)
def test_a_column_of_dates_has_the_only_order_that_fits_all(
    values: list[str], order: DateOrder | None, *, is_ambiguous: bool
) -> None:
    dates = judge_dates(enumerate(values))

    assert (dates.order, dates.is_ambiguous) == (order, is_ambiguous)


def test_a_column_with_both_orders_names_a_cell_of_each() -> None:
    dates = judge_dates([(2, "03/04/2024"), (3, "04/25/2024"), (4, " 25/04/2024")])

    assert dates.contradiction == (Cell(4, "25/04/2024"), Cell(3, "04/25/2024"))


@pytest.mark.parametrize("text", ["31/02/2024", "2024-04-03", "3/4/24", "3/4.2024", "Aug 25, 2011"])
def test_a_text_that_is_no_such_date_has_no_day(text: str) -> None:
    assert [read_day(text, order) for order in DateOrder] == [None, None]
