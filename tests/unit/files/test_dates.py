"""Dates with the day or the month first: the meaning that fits all values of a column."""

from __future__ import annotations

import pytest

from ginuri.files.dates import DateMeaning, DateOrder, meaning_of_dates, read_day


@pytest.mark.parametrize(
    ("values", "meaning"),
    [
        (["03/04/2024", "25/04/2024"], DateMeaning.DAY_FIRST),
        (["03/04/2024", "04/25/2024"], DateMeaning.MONTH_FIRST),
        (["03/04/2024", "", "n/a", "5-6-2024"], DateMeaning.AMBIGUOUS),
        (["25/04/2024", "04/25/2024"], DateMeaning.CONTRADICTORY),
        (["03.04.2024"], DateMeaning.DAY_FIRST),
        (["2024-04-03", "2024"], DateMeaning.UNORDERED),
        (["33/44/2024"], DateMeaning.UNORDERED),
        ([], DateMeaning.UNORDERED),
    ],
)
def test_a_column_of_dates_has_the_meaning_that_fits_all(values: list[str], meaning: DateMeaning) -> None:
    assert meaning_of_dates(values) is meaning


def test_only_a_clear_meaning_is_an_order() -> None:
    assert {meaning: meaning.order for meaning in DateMeaning if meaning.order} == {
        DateMeaning.DAY_FIRST: DateOrder.DAY_FIRST,
        DateMeaning.MONTH_FIRST: DateOrder.MONTH_FIRST,
    }


@pytest.mark.parametrize("text", ["31/02/2024", "2024-04-03", "3/4/24", "3/4.2024", "Aug 25, 2011"])
def test_a_text_that_is_no_such_date_has_no_day(text: str) -> None:
    assert [read_day(text, order) for order in DateOrder] == [None, None]
