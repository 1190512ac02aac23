"""Parses the places of stewards: numbers, WKT or GeoJSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ginuri.identifiers.messages import Message, message
from ginuri.registry.metadata.antimeridian import cut_line, cut_polygon, is_wide
from ginuri.registry.metadata.geometry import DEPTHS, MOST_LONGITUDE, Geometry, is_former_box, make_box

MOST_POSITIONS = 1_000
MOST_BYTES = 64_000
"""The most characters of a shape's text."""
_MOST_LATITUDE = 90
_MOST_INTEGER = 10**15
_MOST_SHAPE_LONGITUDE = 360
"""Shapes may continue beyond 180 degrees: they are cut there."""
_MOST_NUMBERS = 4
"""Longitude, latitude, height and measure."""
_LEAST_LINE, _LEAST_RING = 2, 4
_WKT_NAMES = {name.upper(): name for name in DEPTHS}
_CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
# GeoSPARQL 1.1 §8.5.1: without a system it is CRS84, whose longitude comes first
_SYSTEM = re.compile(r"\s*<(?P<uri>[^>]*)>\s*")
# GeoSPARQL 1.1 §8.5.1, OGC 06-103r4 §7.2.1: Z and M announce heights and measures
_WKT = re.compile(r"(?P<type>[A-Z]+?)\s*(?:ZM|Z|M)?\s*(?P<rest>\(.*\))", re.DOTALL | re.IGNORECASE)
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
_TOKEN = re.compile(rf"\s*(?P<token>{_NUMBER}|[(),])")
_NUMBERS = re.compile(rf"\s*{_NUMBER}(?:[\s,;]+{_NUMBER})*\s*")
_FORMS = message(
    "Write a point as longitude and latitude (-110.3 31.5), a box as west, south, east and north "
    "(-114.8 31.3 -109.0 37.0), or a shape as WKT or GeoJSON."
)


_HEIGHT = message("A place has a longitude and a latitude only. Its heights are left out.")
_CUT = message(
    "The shape crosses the 180th meridian, and is stored in pieces that end there (RFC 7946, section 3.1.9)."
)
_WIDE = message(
    "An edge of the shape spans more than 180 degrees of longitude. If the shape crosses the 180th meridian "
    "instead, write its positions counterclockwise, or cut it there (RFC 7946, section 3.1.9)."
)


class Place(NamedTuple):
    """A geometry, and remarks on changes to the input."""

    geometry: Geometry
    remarks: Sequence[Message] = ()


def read_geometry(given: object) -> Geometry:
    """Read a point, a box, WKT or GeoJSON, from text or from parsed JSON. Raises ValueError with a message.

    >>> read_geometry("-110.3 31.5")
    {'type': 'Point', 'coordinates': [-110.3, 31.5]}
    >>> read_geometry([-114.8, 31.3, -109, 37])["bbox"]
    [-114.8, 31.3, -109, 37]
    >>> read_geometry("LINESTRING Z (0 0 7, 1 2 7)")
    {'type': 'LineString', 'coordinates': [[0, 0], [1, 2]]}
    """
    return read_place(given).geometry


def read_place(given: object) -> Place:
    """Read a geometry with remarks. Raises ValueError with a message."""
    if isinstance(given, str):
        return _read_text(given.strip())
    if isinstance(given, Mapping):
        return _read_geojson(given)
    if isinstance(given, Sequence):
        return _read_numbers([_number(number) for number in given])
    raise ValueError(message("This is not a place. {forms}", forms=_FORMS))


def _read_text(text: str) -> Place:
    if len(text.encode()) > MOST_BYTES:
        raise ValueError(
            message("A shape may have at most {most} bytes. Simplify it.", most=f"{MOST_BYTES:,}")
        )
    if text.startswith(("{", "[")):
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(message("This is not valid JSON.")) from error
        return read_place(given)
    if _NUMBERS.fullmatch(text):
        return _read_numbers([_number(number) for number in re.findall(_NUMBER, text)])
    return _read_wkt(text)


def _read_numbers(numbers: Sequence[float]) -> Place:
    match numbers:
        case [longitude, latitude]:
            return Place({"type": "Point", "coordinates": _checked(longitude, latitude)})
        case [longitude, latitude, _]:
            return Place(_read_numbers([longitude, latitude]).geometry, [_HEIGHT])
        case [west, south, _, east, north, _]:  # RFC 7946 §5
            return Place(_read_numbers([west, south, east, north]).geometry, [_HEIGHT])
        case [west, south, east, north]:
            _checked(west, south)
            _checked(east, north)
            if south > north:
                raise ValueError(
                    message(
                        "The south of the box, {south}, is north of its north, {north}. Write west, south, "
                        "east and north.",
                        south=f"{south:g}",
                        north=f"{north:g}",
                    )
                )
            return Place(make_box(west, south, east, north))
        case _:
            raise ValueError(
                message(
                    "A place cannot have this many numbers: {number}. {forms}",
                    number=str(len(numbers)),
                    forms=_FORMS,
                )
            )


def _read_geojson(given: Mapping[str, Any]) -> Place:
    name = given.get("type")
    if name == "Feature":
        raise ValueError(message("Give the geometry itself, without the Feature around it."))
    if not isinstance(name, str) or name not in DEPTHS:
        raise ValueError(_unsupported(name if isinstance(name, str) else "?", DEPTHS))
    if others := sorted(str(key) for key in given.keys() - {"type", "coordinates", "bbox"}):
        raise ValueError(
            message("A geometry has a type and coordinates. Leave out {members}.", members=", ".join(others))
        )
    coordinates, bbox = given.get("coordinates"), given.get("bbox")
    if isinstance(bbox, list) and len(bbox) in {4, 6}:
        box = _read_numbers([_number(number) for number in bbox])
        if coordinates == box.geometry["coordinates"] or is_former_box(coordinates, bbox):
            return box
    return _read_shape(name, coordinates)


def _read_wkt(text: str) -> Place:
    system = _SYSTEM.match(text)
    if system and system["uri"] != _CRS84:
        raise ValueError(
            message(
                "The coordinates must be longitude and latitude ({supported}); {system} is not supported.",
                supported=_CRS84,
                system=system["uri"],
            )
        )
    found = _WKT.fullmatch(text[system.end() :] if system else text)
    if found is None:
        raise ValueError(message("This is not a place. {forms}", forms=_FORMS))
    name = _WKT_NAMES.get(found["type"].upper())
    if name is None:
        raise ValueError(_unsupported(found["type"], _WKT_NAMES))
    level = _read_levels(found["rest"])
    # Positions are inside the parentheses of their list; that of a point is the list itself.
    if name == "Point":
        level = level[0] if len(level) == 1 else None
    elif name == "MultiPoint":
        level = [item[0] if isinstance(item[0], list) else item for item in level]
    return _read_shape(name, level)


def _unsupported(name: str, supported: Iterable[str]) -> Message:
    return message(
        "This type of geometry is not supported: {name}. The supported types are: {supported}.",
        name=name,
        supported=", ".join(supported),
    )


def _read_levels(text: str) -> Any:  # noqa: ANN401  lists in lists
    """Read parentheses as nested lists; between commas are positions or further lists."""
    stack: list[list[Any]] = [[]]
    numbers: list[float] = []
    at = 0

    def end_position() -> None:
        if numbers:
            stack[-1].append(list(numbers))
            numbers.clear()

    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or len(stack) > 1 + max(DEPTHS.values()) + 1:
            raise ValueError(
                message(
                    "The coordinates are not valid WKT from character {number} on: {text}",
                    number=str(at + 1),
                    text=text[at : at + 20],
                )
            )
        at = token.end()
        match token["token"]:
            case "(":
                stack.append([])
            case ",":
                end_position()
            case ")":
                end_position()
                if len(stack) == 1:
                    raise ValueError(message("A closing parenthesis has no opening one."))
                inner = stack.pop()
                stack[-1].append(inner)
            case number:
                numbers.append(_number(number))
    if len(stack) > 1 or len(stack[0]) != 1:
        raise ValueError(message("One pair of parentheses must enclose all coordinates."))
    return stack[0][0]


def _read_shape(name: str, coordinates: object) -> Place:
    count, has_heights = 0, False
    most = MOST_LONGITUDE if name.endswith("Point") else _MOST_SHAPE_LONGITUDE
    misfit = message("The coordinates do not fit the type {name}.", name=name)

    def position(given: object) -> list[float]:
        nonlocal count, has_heights
        count += 1
        if count > MOST_POSITIONS:
            raise ValueError(
                message("A shape may have at most {most} positions. Simplify it.", most=f"{MOST_POSITIONS:,}")
            )
        if not isinstance(given, list) or not given or any(isinstance(item, list) for item in given):
            raise ValueError(misfit)
        if not 2 <= len(given) <= _MOST_NUMBERS:  # noqa: PLR2004  longitude and latitude
            raise ValueError(
                message(
                    "A position must be longitude and latitude, not a list of length {number}.",
                    number=str(len(given)),
                )
            )
        longitude, latitude, *further = map(_number, given)
        has_heights = has_heights or bool(further)
        return _checked(longitude, latitude, most)

    def level(given: object, depth: int) -> Any:  # noqa: ANN401  lists in lists
        if depth == 0:
            return position(given)
        if not isinstance(given, list) or not given:
            raise ValueError(misfit)
        return [level(item, depth - 1) for item in given]

    read = level(coordinates, DEPTHS[name])
    if check := _CHECKS.get(name.removeprefix("Multi")):
        for part in read if name.startswith("Multi") else [read]:
            check(part)
    place = _cut(name, read)
    return Place(place.geometry, [*place.remarks, *([_HEIGHT] if has_heights else ())])


def _cut(name: str, coordinates: Any) -> Place:  # noqa: ANN401  lists in lists
    """Cut lines and polygons where they cross the 180th meridian."""
    single = name.removeprefix("Multi")
    parts = [coordinates] if name == single else coordinates
    pieces: list[Any]
    match single:
        case "LineString":
            pieces = [piece for line in parts for piece in cut_line(line)]
            is_doubtful = False
        case "Polygon":
            pieces = [piece for rings in parts for piece in cut_polygon(rings)]
            # A ring that ends at the meridian was cut there, or has that width by intention.
            is_doubtful = any(
                is_wide(rings[0]) and all(abs(x) < MOST_LONGITUDE for x, _ in rings[0]) for rings in parts
            )
        case _:
            pieces, is_doubtful = parts, False
    if pieces == parts or not pieces:
        return Place({"type": name, "coordinates": coordinates}, [_WIDE] if is_doubtful else [])
    if len(pieces) == 1:
        return Place({"type": single, "coordinates": pieces[0]}, [_CUT])
    return Place({"type": f"Multi{single}", "coordinates": pieces}, [_CUT])


def _check_line(line: Sequence[Sequence[float]]) -> None:
    if len(line) < _LEAST_LINE:
        raise ValueError(message("A line must have at least two positions."))


def _check_polygon(rings: Sequence[Sequence[Sequence[float]]]) -> None:
    for ring in rings:
        if ring[0] != ring[-1]:
            raise ValueError(message("The ring must end with the position it begins with."))
        if len(ring) < _LEAST_RING:
            raise ValueError(
                message("A ring must have at least four positions, including the repeated first one.")
            )


_CHECKS: Mapping[str, Callable[[Any], None]] = {"LineString": _check_line, "Polygon": _check_polygon}


def _checked(longitude: float, latitude: float, most: float = MOST_LONGITUDE) -> list[float]:
    if abs(latitude) > _MOST_LATITUDE:
        swapped = abs(longitude) <= _MOST_LATITUDE and abs(latitude) <= MOST_LONGITUDE
        raise ValueError(
            message(
                "The latitude {latitude} is not between -90 and 90. Write the longitude first, then the "
                "latitude."
                if swapped
                else "The latitude {latitude} is not between -90 and 90.",
                latitude=f"{latitude:g}",
            )
        )
    if abs(longitude) > most:
        raise ValueError(
            message("The longitude {longitude} is not between -180 and 180.", longitude=f"{longitude:g}")
        )
    return [longitude, latitude]


def _number(given: object) -> float:
    fault = message("Coordinates must be finite numbers.")
    try:
        number = float(given) if isinstance(given, str) else given
    except ValueError as error:
        raise ValueError(fault) from error
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ValueError(fault)  # noqa: TRY004  pydantic reports ValueErrors only
    if isinstance(number, int) and abs(number) > MOST_LONGITUDE:  # Python's integers have no limit
        return float(max(-_MOST_INTEGER, min(_MOST_INTEGER, number)))
    if not math.isfinite(number):
        raise ValueError(fault)
    return int(number) if abs(number) <= MOST_LONGITUDE and number == int(number) else number
