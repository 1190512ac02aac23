"""Proposes the place of each row from its coordinates."""

from __future__ import annotations

from collections.abc import Sequence

from ginuri.files.guesses.candidates import Ambiguity, Candidate, Doubt, braced
from ginuri.files.guesses.samples import ColumnValues, is_shape, pair_of_numbers
from ginuri.files.schema.values import fold_word
from ginuri.files.tables.synonyms import EASTINGS, LATITUDES, LONGITUDES, NORTHINGS
from ginuri.identifiers.messages import Message, message

_FIELD = "spatial"
_MOST_LATITUDE, _MOST_LONGITUDE = 90, 180


def propose_place(columns: Sequence[ColumnValues]) -> Candidate | Ambiguity | None:
    """Propose the place of the rows of a table; None without coordinates."""
    if shape := next((column for column in columns if column.mostly(is_shape)), None):
        return Candidate(_FIELD, shape.name, message("The values are shapes in WKT or GeoJSON."))
    longitude, latitude = _find(columns, LONGITUDES), _find(columns, LATITUDES)
    if longitude and latitude:
        return _of_degrees(longitude, latitude)
    east, north = _find(columns, EASTINGS), _find(columns, NORTHINGS)
    if east and north:
        return _of_grid(east, north)
    return _of_pairs(columns)


def _find(columns: Sequence[ColumnValues], names: Sequence[str]) -> ColumnValues | None:
    folded = {fold_word(name) for name in names}
    found = [column for column in columns if _plain(column.name) in folded]
    return next((column for column in found if column.numbers), None)


def _plain(heading: str) -> str:
    """Return the folded name of a column without its unit: `Lat. (°)`."""
    name = heading.partition("(")[0].partition("[")[0]
    return fold_word("".join(character if character.isalnum() else " " for character in name))


def _of_degrees(longitude: ColumnValues, latitude: ColumnValues) -> Candidate | Ambiguity:
    point = _point(longitude, latitude, message("Two columns are a longitude and a latitude in degrees."))
    names = [longitude.name, latitude.name]
    if _most(latitude) <= _MOST_LATITUDE and _most(longitude) <= _MOST_LONGITUDE:
        return point
    if _most(longitude) <= _MOST_LATITUDE and _most(latitude) <= _MOST_LONGITUDE:
        swapped = _point(
            latitude,
            longitude,
            message(
                "The columns are swapped: values of {column} are no latitudes.", column=repr(latitude.name)
            ),
        )
        return Ambiguity(Doubt.PLACE, names, [swapped], _SWAPPED)
    return Ambiguity(Doubt.PLACE, names, [], _PROJECTED)


def _of_grid(east: ColumnValues, north: ColumnValues) -> Ambiguity:
    names = [east.name, north.name]
    if _most(east) > _MOST_LONGITUDE or _most(north) > _MOST_LATITUDE:
        return Ambiguity(Doubt.PLACE, names, [], _PROJECTED)
    reason = message("The values of two columns can be a longitude and a latitude in degrees.")
    return Ambiguity(Doubt.PLACE, names, [_point(east, north, reason)], _DEGREES)


def _of_pairs(columns: Sequence[ColumnValues]) -> Candidate | Ambiguity | None:
    column = next((column for column in columns if column.all(pair_of_numbers)), None)
    if column is None:
        return None
    pairs = [pair for pair in map(pair_of_numbers, column.texts) if pair]
    first, second = (max(abs(pair[place]) for pair in pairs) for place in (0, 1))
    if _MOST_LATITUDE < first <= _MOST_LONGITUDE and second <= _MOST_LATITUDE:
        return Candidate(
            _FIELD, column.name, message("The values are a longitude and a latitude in degrees.")
        )
    return Ambiguity(Doubt.PLACE, [column.name], [], _PAIR)


def _point(longitude: ColumnValues, latitude: ColumnValues, reason: Message) -> Candidate:
    return Candidate(_FIELD, f"POINT({braced(longitude.name)} {braced(latitude.name)})", reason)


def _most(column: ColumnValues) -> float:
    return max(map(abs, column.numbers), default=0)


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
