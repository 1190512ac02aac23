"""Number formats of spreadsheets that change the meaning of a number (ECMA-376 part 1, §18.8)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from ginuri.files.spreadsheets.xml_parts import Package

DATE = -1
"""The format of a date; other formats are the least number of digits of an integer."""
_BUILT_IN_DATES = {*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)}  # §18.8.30
_MOST_CODE = 255
# Colours, conditions, quoted and escaped characters are no codes; [h] counts hours.
_NO_CODE = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')
_DATE_CODE = re.compile(r"[dmyhs]", re.IGNORECASE)
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_MOST_DIGITS = 40
# The first integer that a spreadsheet rounds: it keeps 15 digits.
_ROUNDED = 10**15
_DAY = 24 * 60 * 60
_LAST_SERIAL = 2_958_466  # 9999-12-31 and a day
_LEAP_DAY = 60  # 1900-02-29, which exists in spreadsheets only


def read_formats(package: Package, part: str) -> list[int]:
    """Return DATE or the least number of digits for each cell style."""
    custom: dict[str, int] = {}
    formats: list[int] = []
    within = ""

    def start(element: str, attributes: Mapping[str, str]) -> None:
        nonlocal within
        if element == "numFmt":
            custom[attributes.get("numFmtId", "")] = _format(attributes.get("formatCode", ""))
        elif element in {"cellXfs", "cellStyleXfs"}:
            within = element
        elif element == "xf" and within == "cellXfs":
            number = attributes.get("numFmtId", "")
            built_in = DATE if number.isdecimal() and int(number[:9]) in _BUILT_IN_DATES else 0
            formats.append(custom.get(number, built_in))

    package.parse(part, start)
    return formats


def _format(code: str) -> int:
    if len(code) > _MOST_CODE or _ELAPSED.search(code):
        return 0
    if set(code) == {"0"}:
        return len(code)
    return DATE if _DATE_CODE.search(_NO_CODE.sub("", code)) else 0


def write_number(written: str, form: int, *, since_1904: bool) -> str:
    """Write a number as text: an integer without a point, a date as in RFC 3339, in UTC."""
    try:
        number = float(written) if len(written) <= _MOST_DIGITS else math.nan
    except ValueError:
        number = math.nan
    if math.isnan(number) or (written.isdecimal() and abs(number) >= _ROUNDED):
        return written  # typed by a person: not rounded
    if form == DATE and 0 <= number < _LAST_SERIAL:
        return _date(number, since_1904=since_1904)
    if not number.is_integer() or abs(number) >= _ROUNDED:
        return f"{number:.15g}"
    return str(int(number)).zfill(form) if form > 0 else str(int(number))


def _date(number: float, *, since_1904: bool) -> str:
    days, seconds = divmod(round(number * _DAY), _DAY)
    first = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 31 if days < _LEAP_DAY else 30)  # noqa: DTZ001  a spreadsheet knows no zone
    moment = first + timedelta(days=days, seconds=seconds)
    if days == 0:
        return f"{moment:%H:%M:%S}"
    return f"{moment:%Y-%m-%d}" if seconds == 0 else f"{moment:%Y-%m-%dT%H:%M:%SZ}"
