"""Judges whether two columns are degrees of latitude and longitude, for a person to confirm."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ginuri.identifiers.messages import Message, message

_MOST_LATITUDE, _MOST_LONGITUDE = 90.0, 180.0
# Degrees are never so large, metres on a grid hardly ever so small.
_LEAST_PROJECTED = 1000.0
_MOST_SAMPLES = 3
# Degrees, minutes and seconds: 31°30'15.5"N, 31 30 15 N, N31d30m, 31:30:15
_FRACTION = r"(?:[.,]\d+)?"
_POINT = r"[NSEWO]"
_SEXAGESIMAL = re.compile(
    rf"(?:{_POINT}\s*)?[-+]?\d{{1,3}}{_FRACTION}\s*(?:[°ºd:]|deg\.?|\s)\s*"
    rf"(?:\d{{1,2}}{_FRACTION}\s*(?:['m:\u2019\u2032]|min\.?)?\s*)?"
    rf"(?:\d{{1,2}}{_FRACTION}\s*(?:[\"s\u201d\u2033]|''|\u2019\u2019|\u2032\u2032|sec\.?)?\s*)?{_POINT}?",
    re.IGNORECASE,
)
_WITH_POINT = re.compile(rf"{_POINT}\s*\d{{1,3}}{_FRACTION}|\d{{1,3}}{_FRACTION}\s*{_POINT}", re.IGNORECASE)
_DECIMAL = re.compile(r"[-+\u2212]?\d+(?:[.,]\d+)?")
# 3,490,123.5 and 3.490.123,5 and 3 490 123
_GROUPED = re.compile(r"([-+\u2212]?\d{1,3}(?:([ ,.'\u2019\u00a0\u202f])\d{3})(?:\2\d{3})*)(?:[.,]\d+)?")


class Coordinates(StrEnum):
    """The kind of the values of two columns, taken together."""

    DEGREES = "degrees"
    SWAPPED = "swapped"
    """Latitudes are in the column of the longitudes, and the other way round."""
    PROJECTED = "projected"
    """Metres or feet, as in UTM and national grids."""
    SEXAGESIMAL = "sexagesimal"
    """Degrees, minutes and seconds."""
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class CoordinateVerdict:
    """The kind of the values, and the reasons to ask a person before they are registered as degrees."""

    kind: Coordinates
    reasons: Sequence[Message] = ()
    """Empty if the values are plausible degrees."""
    samples: Sequence[tuple[str, str]] = ()
    """The first pairs that are the reason, latitude first."""


_Pair = tuple[str, str]


def judge_coordinates(latitudes: Sequence[str], longitudes: Sequence[str]) -> CoordinateVerdict:
    """Judge the values of two columns, row by row; rows with an empty cell do not count."""
    stripped = ((a.strip(), b.strip()) for a, b in zip(latitudes, longitudes, strict=True))
    pairs = [pair for pair in stripped if all(pair)]
    kinds: dict[Coordinates, list[_Pair]] = {}
    for pair in pairs:
        kinds.setdefault(_kind_of(*pair), []).append(pair)
    odd = {kind: found for kind, found in kinds.items() if kind is not Coordinates.DEGREES}
    if not pairs:
        return CoordinateVerdict(Coordinates.UNCLEAR, [message("The columns have no pair of values.")])
    if not odd:
        return _judge_degrees(pairs)
    kind = max(odd, key=lambda each: (len(odd[each]), each is not Coordinates.UNCLEAR))
    reasons = [_reason(each, len(found), len(pairs)) for each, found in odd.items()]
    is_swapped = kind is Coordinates.SWAPPED and not _contradicts_swap(kinds)
    verdict = kind if is_swapped or kind is not Coordinates.SWAPPED else Coordinates.UNCLEAR
    return CoordinateVerdict(verdict, reasons, odd[kind][:_MOST_SAMPLES])


def _judge_degrees(pairs: Sequence[_Pair]) -> CoordinateVerdict:
    if not (nowhere := [pair for pair in pairs if all(_number(text) == 0 for text in pair)]):
        return CoordinateVerdict(Coordinates.DEGREES)
    reason = message(
        "In {number} of {of} rows, both values are 0, which is a place in the Atlantic Ocean. Empty these "
        "cells if the place is not known.",
        number=f"{len(nowhere):,}",
        of=f"{len(pairs):,}",
    )
    return CoordinateVerdict(Coordinates.DEGREES, [reason], nowhere[:_MOST_SAMPLES])


def _contradicts_swap(kinds: dict[Coordinates, list[_Pair]]) -> bool:
    """Return whether some pairs would be outside of degrees if all were swapped."""
    degrees = kinds.get(Coordinates.DEGREES, [])
    return any(abs(_number(longitude) or 0) > _MOST_LATITUDE for _, longitude in degrees)


def _kind_of(latitude: str, longitude: str) -> Coordinates:
    first, second = _number(latitude), _number(longitude)
    if first is None or second is None:
        is_read = all(_number(text) is not None or _is_sexagesimal(text) for text in (latitude, longitude))
        return Coordinates.SEXAGESIMAL if is_read else Coordinates.UNCLEAR
    if abs(first) <= _MOST_LATITUDE and abs(second) <= _MOST_LONGITUDE:
        return Coordinates.DEGREES
    if abs(first) <= _MOST_LONGITUDE and abs(second) <= _MOST_LATITUDE:
        return Coordinates.SWAPPED
    if min(abs(first), abs(second)) >= _LEAST_PROJECTED:
        return Coordinates.PROJECTED
    return Coordinates.UNCLEAR


def _number(text: str) -> float | None:
    if (grouped := _GROUPED.fullmatch(text)) and not _DECIMAL.fullmatch(text):
        text = re.sub(r"[^-\d]", "", grouped[1])
    if not _DECIMAL.fullmatch(text):
        return None
    return float(text.replace(",", ".").replace("\N{MINUS SIGN}", "-"))


def _is_sexagesimal(text: str) -> bool:
    return bool(_SEXAGESIMAL.fullmatch(text) or _WITH_POINT.fullmatch(text))


def _reason(kind: Coordinates, number: int, of: int) -> Message:
    counts = {"number": f"{number:,}", "of": f"{of:,}"}
    match kind:
        case Coordinates.SWAPPED:
            return message(
                "In {number} of {of} rows, the latitude is beyond 90° and the longitude is not: the columns "
                "seem to be swapped.",
                **counts,
            )
        case Coordinates.PROJECTED:
            return message(
                "In {number} of {of} rows, the values are in the thousands, like metres of UTM or of a "
                "national grid. Convert them to degrees (EPSG:4326).",
                **counts,
            )
        case Coordinates.SEXAGESIMAL:
            return message(
                "In {number} of {of} rows, the values are in degrees, minutes and seconds. Convert them to "
                "decimal degrees.",
                **counts,
            )
        case Coordinates.UNCLEAR | Coordinates.DEGREES:
            return message("In {number} of {of} rows, the values are no degrees.", **counts)
