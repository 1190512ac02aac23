"""HTTP-date: three forms to the letter (RFC 9110 §5.6.7)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from ginuri.registry.http_dates import read_http_date

EXAMPLE = datetime(1994, 11, 6, 8, 49, 37, tzinfo=UTC)
"""The date of the RFC's own examples."""


@pytest.mark.parametrize(
    "text",
    [
        "Sun, 06 Nov 1994 08:49:37 GMT",  # IMF-fixdate
        "Sunday, 06-Nov-94 08:49:37 GMT",  # obsolete RFC 850 format
        "Sun Nov  6 08:49:37 1994",  # ANSI C's asctime() format
    ],
)
def test_a_date_is_read_in_all_three_forms(text: str) -> None:
    assert read_http_date(text) == EXAMPLE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "-1",
        "now",
        "784111777",
        "1994-11-06T08:49:37Z",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0000",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT",
        "sun, 06 nov 1994 08:49:37 gmt",
        "Son, 06 Nov 1994 08:49:37 GMT",
        "06 Nov 1994 08:49:37 GMT",
        "Sun,  06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 Nov 1994 08:49:37 GMT\n",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, ٠٦ Nov 1994 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 0000 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT",
        "Sunday, 6-Nov-94 08:49:37 GMT",
        "Sun, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994",
        "Sun Nov  6 08:49:37 1994 GMT",
    ],
)
def test_text_in_none_of_the_forms_is_no_date(text: str) -> None:
    assert read_http_date(text) is None


def test_a_leap_second_belongs_to_the_second_before() -> None:
    assert read_http_date("Sat, 31 Dec 2016 23:59:60 GMT") == datetime(2016, 12, 31, 23, 59, 59, tzinfo=UTC)


def test_a_wrong_name_of_a_day_in_a_date_is_ignored() -> None:
    assert read_http_date("Mon, 06 Nov 1994 08:49:37 GMT") == EXAMPLE


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("Saturday, 06-Nov-27 08:49:37 GMT", 2027),
        ("Friday, 06-Nov-76 08:49:37 GMT", 2076),
        ("Friday, 06-Nov-76 08:49:38 GMT", 1976),
        ("Friday, 07-Nov-76 08:49:37 GMT", 1976),
        ("Saturday, 06-Nov-77 08:49:37 GMT", 1977),
        ("Saturday, 06-Nov-99 08:49:37 GMT", 1999),
        ("Saturday, 06-Nov-00 08:49:37 GMT", 2000),
    ],
)
def test_a_year_of_two_digits_is_at_most_fifty_years_ahead(text: str, year: int) -> None:
    read = read_http_date(text, lambda: datetime(2026, 11, 6, 8, 49, 37, tzinfo=UTC))

    assert read is not None
    assert read.year == year


def test_a_year_of_four_digits_needs_no_clock() -> None:
    def stopped() -> datetime:
        raise AssertionError

    assert read_http_date("Sun, 06 Nov 1994 08:49:37 GMT", stopped) == EXAMPLE
    assert read_http_date("yesterday", stopped) is None
