"""Proposes the place of each row from its coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.files.angles import Angle, Axis, read_angle, read_pair
from ginuri.files.guesses.candidates import Ambiguity, Candidate, Doubt, braced
from ginuri.files.guesses.samples import ColumnValues, is_decimal, is_shape, pair_of_numbers
from ginuri.files.schema.values import fold_word
from ginuri.files.tables.synonyms import EASTINGS, LATITUDES, LONGITUDES, NORTHINGS
from ginuri.identifiers.messages import Message, message

_FIELD = "spatial"
_DEGREE_SIGNS = {*"°\N{MASCULINE ORDINAL INDICATOR}\N{RING ABOVE}"}
_MOST_LATITUDE, _MOST_LONGITUDE = 90, 180


def propose_place(columns: Sequence[ColumnValues]) -> Candidate | Ambiguity | None:
    """Propose the place of the rows of a table; None without coordinates."""
    if shape := next((column for column in columns if column.mostly(is_shape)), None):
        return Candidate(_FIELD, shape.name)
    longitude, latitude = (_with_letters(columns, axis) for axis in Axis)
    if longitude and latitude:
        return _point(longitude, latitude)
    for of_x, of_y in ((LONGITUDES, LATITUDES), (EASTINGS, NORTHINGS)):
        x, y = _find(columns, of_x), _find(columns, of_y)
        if x and y:
            return _of_two(x, y, are_degrees=of_x is LONGITUDES)
    return _of_pairs(columns)


def _with_letters(columns: Sequence[ColumnValues], axis: Axis) -> ColumnValues | None:
    """Find the column whose coordinates have the letters of an axis."""

    def has_letter(text: str) -> bool:
        angle = read_angle(text)
        return isinstance(angle, Angle) and angle.axis is axis and _is_clear(text, angle)

    return next((column for column in columns if column.mostly(has_letter)), None)


def _find(columns: Sequence[ColumnValues], names: Sequence[str]) -> ColumnValues | None:
    folded = {fold_word(name) for name in names}
    found = [column for column in columns if _plain(column.name) in folded]
    return next((column for column in found if _numbers(column) or column.mostly(read_angle)), None)


def _numbers(column: ColumnValues) -> Sequence[float]:
    """Return the coordinates of a column: all as decimals, or most of them in degrees and minutes."""
    angles = [angle for angle in map(read_angle, column.texts) if isinstance(angle, Angle)]
    if angles and column.mostly(lambda text: read_angle(text) or is_decimal(text)):
        return [float(angle.degrees) for angle in angles]
    if not column.all(is_decimal):
        return ()
    return [float(text.replace(",", ".").replace("\N{MINUS SIGN}", "-")) for text in column.texts]


def _plain(heading: str) -> str:
    """Return the folded name of a column without its unit: `Lat. (°)`."""
    name = heading.partition("(")[0].partition("[")[0]
    return fold_word("".join(character if character.isalnum() else " " for character in name))


def _of_two(x: ColumnValues, y: ColumnValues, *, are_degrees: bool) -> Candidate | Ambiguity:
    names, point = [x.name, y.name], _point(x, y)
    if not (_numbers(x) and _numbers(y)):
        read = map(read_angle, (*x.texts, *y.texts))
        return Ambiguity(Doubt.PLACE, names, [], next(each for each in read if isinstance(each, Message)))
    most_x, most_y = (max(map(abs, _numbers(column))) for column in (x, y))
    if most_x <= _MOST_LONGITUDE and most_y <= _MOST_LATITUDE:
        return point if are_degrees else Ambiguity(Doubt.PLACE, names, [point], _DEGREES)
    if are_degrees and most_x <= _MOST_LATITUDE and most_y <= _MOST_LONGITUDE:
        return Ambiguity(Doubt.PLACE, names, [_point(y, x)], _SWAPPED)
    return Ambiguity(Doubt.PLACE, names, [], _PROJECTED)


def _of_pairs(columns: Sequence[ColumnValues]) -> Candidate | Ambiguity | None:
    for column in columns:
        if column.mostly(may_be_pair):
            faults = [fault for fault in map(read_pair, column.texts) if isinstance(fault, Message)]
            if len(faults) == len(column.texts):
                return Ambiguity(Doubt.PLACE, [column.name], [], faults[0])
            return Candidate(_FIELD, f"POINT({braced(column.name)})")
        if column.all(pair_of_numbers):
            pairs = [pair for pair in map(pair_of_numbers, column.texts) if pair]
            first, second = (max(abs(pair[place]) for pair in pairs) for place in (0, 1))
            if _MOST_LATITUDE < first <= _MOST_LONGITUDE and second <= _MOST_LATITUDE:
                return Candidate(_FIELD, column.name)
            return Ambiguity(Doubt.PLACE, [column.name], [], _PAIR)
    return None


def may_be_pair(text: str) -> bool:
    """Return whether a text may be a latitude and a longitude, in degrees or with letters."""
    pair = read_pair(text)
    return pair is not None and (isinstance(pair, Message) or any(_is_clear(text, each) for each in pair))


def _is_clear(text: str, angle: Angle) -> bool:
    """Return whether a text can only be an angle; 12N may also be a township of a land survey."""
    return "." in angle.degrees or not _DEGREE_SIGNS.isdisjoint(text)


def _point(longitude: ColumnValues, latitude: ColumnValues) -> Candidate:
    return Candidate(_FIELD, f"POINT({braced(longitude.name)} {braced(latitude.name)})")


_SWAPPED = message("Longitude and latitude appear to be swapped.")
_PROJECTED = message(
    "The coordinates are no degrees; they may be in a projection such as UTM. Convert them to longitude and "
    "latitude (WGS 84), or leave them out."
)
_DEGREES = message("The columns may be a longitude and a latitude in degrees.")
_PAIR = message(
    "The values may be a latitude and a longitude. A place is written with the longitude first: put the "
    "numbers into two columns."
)
