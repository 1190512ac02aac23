"""Number formats of spreadsheets that change the meaning of a number (ECMA-376 part 1, §18.8)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import datetime, timedelta

from ginuri.files.spreadsheets.xml_parts import Package
from ginuri.files.tables.damaged_numbers import Damage

DATE, POWER = -1, -2
"""The formats of a date, and of a power of ten; others are the least number of digits of an integer."""
_BUILT_IN_DATES = {*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)}  # §18.8.30
_BUILT_IN_POWERS = {11, 48}
_MOST_CODE = 255
# Colours, conditions, quoted and escaped characters are no codes; [h] counts hours.
_NO_CODE = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.|_.|\*.')
_POWER_CODE = re.compile(r"[0#?]E[+-]", re.IGNORECASE)
_DATE_CODE = re.compile(r"[dmyhs]", re.IGNORECASE)
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_MOST_DIGITS = 40
# A spreadsheet keeps so many digits, and rounds integers from this one on.
_KEPT_DIGITS = 15
_ROUNDED = 10**_KEPT_DIGITS
_POWER = re.compile(r"[-\u2212]?\d+(?:[.,]\d+)?E[+-]?\d+", re.IGNORECASE)
_DAY = 24 * 60 * 60
_LAST_SERIAL = 2_958_466  # 9999-12-31 and a day
_LEAP_DAY = 60  # 1900-02-29, which exists in spreadsheets only


def read_formats(package: Package, part: str) -> list[int]:
    """Return DATE, POWER or the least number of digits for each cell style."""
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
            formats.append(custom.get(number, _built_in(int(number[:9]) if number.isdecimal() else 0)))

    package.parse(part, start)
    return formats


def _built_in(number: int) -> int:
    if number in _BUILT_IN_DATES:
        return DATE
    return POWER if number in _BUILT_IN_POWERS else 0


def _format(code: str) -> int:
    if len(code) > _MOST_CODE or _ELAPSED.search(code):
        return 0
    if set(code) == {"0"}:
        return len(code)
    codes = _NO_CODE.sub("", code)
    if _POWER_CODE.search(codes):
        return POWER
    return DATE if _DATE_CODE.search(codes) else 0


def is_power(text: str) -> bool:
    """Return whether a text is a number with a power of ten, as spreadsheets write it, such as 1.23E+11."""
    return bool(_POWER.fullmatch(text))


def damage_of_result(text: str) -> Damage | None:
    """Return the damage to the number that the result of a formula ends in: `…/well/1.23E+20`."""
    return Damage.POWER if "E+" in text and is_power(text.rpartition("/")[2]) else None


def damage_of_number(written: str, form: int) -> Damage | None:
    """Return what a spreadsheet may have done to a text of which it made a number."""
    if form == DATE:
        return Damage.DATE
    if form == POWER or is_power(written):
        return Damage.POWER
    is_rounded = len(written) > _KEPT_DIGITS and written.isdecimal() and written.endswith("0")
    return Damage.ROUNDED if is_rounded else None


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
