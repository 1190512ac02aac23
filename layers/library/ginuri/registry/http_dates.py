"""HTTP-date (RFC 9110 §5.6.7): its three forms are parsed strictly, and all other texts are refused."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import format_datetime

from ginuri.registry.clock import Clock, utc_now

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_LEAP_SECOND = 60
_MOST_AHEAD = 50
"""Years: a year of two digits that would be further ahead is in the past."""
# day-name = "Mon" / "Tue" / …   ; case-sensitive; a wrong one is ignored
_DAY_NAME = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
# day-name-l = "Monday" / "Tuesday" / …
_LONG_DAY_NAME = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
# month = "Jan" / "Feb" / …
_MONTH = f"(?P<month>{'|'.join(_MONTHS)})"
# time-of-day = hour ":" minute ":" second   ; 00:00:00 - 23:59:60 (leap second)
_TIME = "(?P<hour>[0-9]{2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})"
_FORMS = (
    # IMF-fixdate = day-name "," SP date1 SP time-of-day SP GMT   ; Sun, 06 Nov 1994 08:49:37 GMT
    re.compile(f"{_DAY_NAME}, (?P<day>[0-9]{{2}}) {_MONTH} (?P<year>[0-9]{{4}}) {_TIME} GMT"),
    # rfc850-date = day-name-l "," SP date2 SP time-of-day SP GMT   ; Sunday, 06-Nov-94 08:49:37 GMT
    re.compile(f"{_LONG_DAY_NAME}, (?P<day>[0-9]{{2}})-{_MONTH}-(?P<year>[0-9]{{2}}) {_TIME} GMT"),
    # asctime-date = day-name SP date3 SP time-of-day SP year   ; Sun Nov  6 08:49:37 1994
    re.compile(f"{_DAY_NAME} {_MONTH} (?P<day>[0-9]{{2}}| [0-9]) {_TIME} (?P<year>[0-9]{{4}})"),
)


def http_date_of(day: str) -> str:
    """Write the beginning of a day in UTC, given as in RFC 3339."""
    return format_datetime(datetime.fromisoformat(day).replace(tzinfo=UTC), usegmt=True)


def read_imf_fixdate(text: str) -> datetime | None:
    """Parse a date in UTC in the one form that may still be written; None for any other text."""
    return read_http_date(text) if _FORMS[0].fullmatch(text) else None


def read_http_date(text: str, clock: Clock = utc_now) -> datetime | None:
    """Parse a date in UTC; None for any other text. The clock is read only for a year of two digits."""
    found = next((found for form in _FORMS if (found := form.fullmatch(text))), None)
    if found is None:
        return None
    month, second = _MONTHS.index(found["month"]) + 1, int(found["second"])
    rest = (
        month,
        int(found["day"]),
        int(found["hour"]),
        int(found["minute"]),
        second - 1 if second == _LEAP_SECOND else second,
    )
    year = int(found["year"])
    if len(found["year"]) < len("1994"):
        year = _expand_year(year, rest, clock())
    try:
        return datetime(year, *rest, tzinfo=UTC)
    except ValueError:
        return None


def _expand_year(year: int, rest: tuple[int, ...], now: datetime) -> int:
    # A date that is more than fifty years ahead is in the latest past year with the same two digits.
    full_year = now.year - now.year % 100 + year
    limit = (now.year + _MOST_AHEAD, now.month, now.day, now.hour, now.minute, now.second)
    return full_year - 100 if (full_year, *rest) > limit else full_year
