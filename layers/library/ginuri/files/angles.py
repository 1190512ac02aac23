"""Coordinates with a hemisphere, or in degrees, minutes and seconds, such as `34°12'30"N`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from ginuri.identifiers.messages import Message, message

# pair = angle *( blank / "," / ";" / "/" ) angle
# angle      = hemisphere value / [ sign ] value [ hemisphere ]
# value      = number "°" / number ( "°" / ":" / blank ) minutes
# minutes    = number [ "'" ] / number ( "'" / ":" / blank ) number [ DQUOTE ]
# number     = 1*DIGIT [ ( "." / "," ) 1*DIGIT ]       ; decimals in the last number of an angle only
# hemisphere = "N" / "S" / "E" / "W"  # noqa: ERA001  ABNF, not code
_NUMBER = r"[0-9]{1,3}(?:[.,][0-9]{1,15})?"
_ANGLE = re.compile(
    rf"(?P<before>[NSEWO]?)\s*(?P<sign>[+\-]?)\s*(?P<degrees>{_NUMBER})"
    rf"(?:(?:\s*[°:]\s*|\s+)(?P<minutes>{_NUMBER})(?:(?:\s*[':]\s*|\s+)(?P<seconds>{_NUMBER})\s*\"?|\s*'?)|\s*°?)"
    r"\s*(?P<after>[NSEWO]?)",
    re.IGNORECASE,
)
_SIDE = r"[NSEWO][^NSEWO]+|[^NSEWO]+[NSEWO]"
_PAIR = re.compile(
    rf"({_SIDE})({_SIDE})|([^°]*°[^°]*?)[\s,;/]+([+\-]?[0-9]+\s*°[^°]*)|([^,;/]+)[,;/]([^,;/]+)",
    re.IGNORECASE,
)
_BETWEEN = " \t,;/"
_DECIMAL = re.compile(r"[+\-]?[0-9]+(?:[.,][0-9]+)?")
_COMMA = re.compile(r"([+-]?[0-9]+),([0-9]+)")
_MARKS = str.maketrans(
    dict.fromkeys("\N{MASCULINE ORDINAL INDICATOR}\N{RING ABOVE}", "°")
    | dict.fromkeys(
        "\N{PRIME}\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}\N{ACUTE ACCENT}`", "'"
    )
    | dict.fromkeys("\N{DOUBLE PRIME}\N{RIGHT DOUBLE QUOTATION MARK}\N{LEFT DOUBLE QUOTATION MARK}", '"')
    | {"\N{MINUS SIGN}": "-"}
)
_LIMIT = 60
_PLACES = Decimal("1e-9")

_OF_SIXTY = message(
    "Minutes and seconds are below 60, and only the last number may have decimals. Write it such as "
    "{example}, or in decimal degrees.",
    example="34°12'30.5\"N",
)
_ONE_OF_TWO = message("Write a sign or one of the letters N, S, E and W, not both.")
_OF_OTHER_AXIS = message(
    "N and S are letters of a latitude, E and W of a longitude. In the mapping, the longitude comes first, "
    "as in {example}.",
    example="spatial=POINT({Longitude} {Latitude})",
)
_OF_WEST = message("O is the east in some languages, and the west in others. Write E or W.")
_LETTERS = message(
    "The coordinates of a pair need the letters N or S and E or W, such as {example}.",
    example="34°12'30\"N 110°45'W",
)


class Axis(StrEnum):
    """The letters of a coordinate: those of its hemispheres, the negative one last."""

    LONGITUDE = "EW"
    LATITUDE = "NS"


@dataclass(frozen=True, slots=True)
class Angle:
    """A coordinate."""

    degrees: str
    """Decimal degrees."""
    axis: Axis | None
    """None without a hemisphere."""


def read_angle(text: str) -> Angle | Message | None:
    """Read a coordinate, or return its fault; None for any other text, and for plain decimal degrees.

    >>> read_angle("34° 12' 30 S").degrees, read_angle("W110 45.5").degrees, read_angle("-110.5")
    ('-34.208333333', '-110.758333333', None)
    """
    if _DECIMAL.fullmatch(text):
        return None
    found = _ANGLE.fullmatch(text.strip().translate(_MARKS).replace("''", '"'))
    if found is None:
        return None
    letter = (found["before"] or found["after"]).upper()
    if letter == "O":
        return _OF_WEST
    if letter and (found["sign"] or (found["before"] and found["after"])):
        return _ONE_OF_TWO
    numbers = [found[name].replace(",", ".") for name in ("degrees", "minutes", "seconds") if found[name]]
    if any("." in number for number in numbers[:-1]) or any(Decimal(each) >= _LIMIT for each in numbers[1:]):
        return _OF_SIXTY
    degrees = numbers[0]
    if len(numbers) > 1:
        exact = sum(Decimal(number) / _LIMIT**power for power, number in enumerate(numbers))
        degrees = f"{Decimal(exact).quantize(_PLACES):f}".rstrip("0").removesuffix(".")
    axis = next((axis for axis in Axis if letter and letter in axis), None)
    is_negative = found["sign"] == "-" or (axis is not None and letter == axis[-1])
    return Angle(f"-{degrees}" if is_negative else degrees, axis)


def read_pair(text: str) -> Sequence[Angle] | Message | None:
    """Read a longitude and a latitude, in any order, or return the fault; None for any other text.

    >>> [each.degrees for each in read_pair("34°12'N, 110°45'W")]
    ['-110.75', '34.2']
    """
    found = _PAIR.fullmatch(text.strip().translate(_MARKS))
    pieces = [piece.strip(_BETWEEN) for piece in found.groups() if piece] if found else []
    angles = list(map(read_angle, pieces))
    if not any(angles) or not all(each or _DECIMAL.fullmatch(pieces[at]) for at, each in enumerate(angles)):
        return None
    if fault := next((each for each in angles if isinstance(each, Message)), None):
        return fault
    pair = [
        next((each for each in angles if isinstance(each, Angle) and each.axis is axis), None)
        for axis in Axis
    ]
    known = [each for each in pair if each]
    return known if len(known) == len(pair) else _LETTERS


def write_degrees(text: str, axis: Axis) -> str | Message:
    """Return a coordinate in decimal degrees, or its fault; a text that is none stays as it is.

    >>> write_degrees("34,5", Axis.LATITUDE), write_degrees("110°45'W", Axis.LONGITUDE)
    ('34.5', '-110.75')
    """
    match read_angle(text):
        case Angle(degrees, None):
            return degrees
        case Angle(degrees, found):
            return degrees if found is axis else _OF_OTHER_AXIS
        case Message() as fault:
            return fault
        case None:
            return _COMMA.sub(r"\1.\2", text.replace("\N{MINUS SIGN}", "-"))


def write_position(text: str) -> str | Message:
    """Return a pair of coordinates as longitude and latitude, or its fault; another text stays as it is.

    >>> write_position("34°12'N 110°45'W")
    '-110.75 34.2'
    """
    pair = read_pair(text)
    if pair is None or isinstance(pair, Message):
        return pair or text
    return " ".join(each.degrees for each in pair)
