"""Where something is: a point, a bounding box or a shape, read from how people write it, as GeoJSON.

RFC 7946. All coordinates are degrees of longitude and latitude, in this order, on WGS 84.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Geometry = Mapping[str, Any]
"""A geometry object of RFC 7946 §3.1; that of a bounding box has a member `bbox`."""
Position = tuple[float, float]

MOST_POSITIONS = 1_000
"""How many positions a shape may have."""
MOST_BYTES = 64_000
"""How long the text of a shape may be that is read."""
_MOST_LONGITUDE, _MOST_LATITUDE = 180, 90
_MOST_WHOLE = 10**15
_LEAST_LINE, _LEAST_RING = 2, 4
_DEPTHS = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}
"""How deep the positions of each type stand in lists (RFC 7946 §3.1)."""
_WKT_NAMES = {name.upper(): name for name in _DEPTHS}
_CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
# GeoSPARQL 1.1 §8.5.1: without a system it is CRS84, whose longitude comes first
_SYSTEM = re.compile(r"\s*<(?P<uri>[^>]*)>\s*")
_WKT = re.compile(r"(?P<type>[A-Za-z]+)\s*(?P<rest>\(.*\))", re.DOTALL)
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
_TOKEN = re.compile(rf"\s*(?P<token>{_NUMBER}|[(),])")
_NUMBERS = re.compile(rf"\s*{_NUMBER}(?:[\s,;]+{_NUMBER})*\s*")
_HOW = (
    "write a point as longitude and latitude (-110.3 31.5), a box as west, south, east and north "
    "(-114.8 31.3 -109.0 37.0), or a shape as WKT or GeoJSON"
)


def read_geometry(given: object) -> Geometry:
    """Read a point, a box, WKT or GeoJSON, as text or as JSON has it. Raises ValueError.

    >>> read_geometry("-110.3 31.5")
    {'type': 'Point', 'coordinates': [-110.3, 31.5]}
    >>> read_geometry([-114.8, 31.3, -109, 37])["bbox"]
    [-114.8, 31.3, -109, 37]
    >>> read_geometry("LINESTRING (0 0, 1 2)")
    {'type': 'LineString', 'coordinates': [[0, 0], [1, 2]]}
    """
    if isinstance(given, str):
        return _read_text(given.strip())
    if isinstance(given, Mapping):
        return _read_geojson(given)
    if isinstance(given, Sequence):
        return _read_numbers([_number(each) for each in given])
    raise ValueError(f"it is no place; {_HOW}")


def write_wkt(geometry: Geometry) -> str:
    """Write a geometry as WKT on CRS84.

    >>> write_wkt({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [0, 1], [0, 0]]]})
    'POLYGON ((0 0, 1 0, 0 1, 0 0))'
    """
    name, depth = geometry["type"], _DEPTHS[geometry["type"]]
    # OGC 06-103r4 §7.2: the points of a multipoint stand in parentheses of their own
    points = name == "MultiPoint"

    def write(level: Any, left: int) -> str:  # noqa: ANN401  lists in lists
        if left == 0:
            numbers = " ".join(map(_write_number, level))
            return f"({numbers})" if points else numbers
        return f"({', '.join(write(each, left - 1) for each in level)})"

    inner = write(geometry["coordinates"], depth)
    return f"{name.upper()} {inner if depth else f'({inner})'}"


def bounds_of(geometry: Geometry) -> tuple[float, float, float, float]:
    """Give west, south, east and north; of a box as it was stated, west of 180° and east of it included."""
    if "bbox" in geometry:
        west, south, east, north = geometry["bbox"]
        return west, south, east, north
    positions = list(positions_of(geometry))
    longitudes, latitudes = zip(*positions, strict=True)
    return min(longitudes), min(latitudes), max(longitudes), max(latitudes)


def positions_of(geometry: Geometry) -> Iterator[Position]:
    """Give all positions, in order."""
    yield from _positions(geometry["coordinates"], _DEPTHS[geometry["type"]])


def is_point(geometry: Geometry) -> bool:
    """Tell whether it is a single point."""
    return bool(geometry["type"] == "Point")


def is_box(geometry: Geometry) -> bool:
    """Tell whether it was stated as a bounding box."""
    return "bbox" in geometry


def write_box_wkt(geometry: Geometry) -> str:
    """Write the bounds as WKT: a polygon, or two where they cross 180°."""
    return write_wkt(_box(*bounds_of(geometry)))


def _positions(level: Any, depth: int) -> Iterator[Position]:  # noqa: ANN401  lists in lists
    if depth == 0:
        yield level[0], level[1]
    else:
        for each in level:
            yield from _positions(each, depth - 1)


def _read_text(text: str) -> Geometry:
    if len(text.encode()) > MOST_BYTES:
        raise ValueError(f"a place has at most {MOST_BYTES:,} bytes; simplify the shape")
    if text.startswith(("{", "[")):
        try:
            return read_geometry(json.loads(text))
        except json.JSONDecodeError as error:
            raise ValueError(f"it is no JSON: {error}") from error
        except RecursionError as error:
            raise ValueError("it is no GeoJSON: lists stand in lists without an end") from error
    if _NUMBERS.fullmatch(text):
        return _read_numbers([_number(each) for each in re.findall(_NUMBER, text)])
    return _read_wkt(text)


def _read_numbers(numbers: Sequence[float]) -> Geometry:
    match numbers:
        case [longitude, latitude]:
            return {"type": "Point", "coordinates": _checked(longitude, latitude)}
        case [west, south, east, north]:
            _checked(west, south)
            _checked(east, north)
            if south > north:
                raise ValueError(
                    f"south {south:g} is north of {north:g}; a box is west, south, east and north"
                )
            return _box(west, south, east, north)
        case _:
            raise ValueError(f"these are {len(numbers)} numbers; {_HOW}")


def _box(west: float, south: float, east: float, north: float) -> Geometry:
    def ring(left: float, right: float) -> list[list[list[float]]]:
        # RFC 7946 §3.1.6: the outer ring runs against the clock
        return [[[left, south], [right, south], [right, north], [left, north], [left, south]]]

    bbox = [west, south, east, north]
    if west <= east:
        return {"type": "Polygon", "bbox": bbox, "coordinates": ring(west, east)}
    # RFC 7946 §3.1.9, §5.2: it crosses 180°, and is cut there
    parts = [ring(west, _MOST_LONGITUDE), ring(-_MOST_LONGITUDE, east)]
    return {"type": "MultiPolygon", "bbox": bbox, "coordinates": parts}


def _read_geojson(given: Mapping[str, Any]) -> Geometry:
    name = given.get("type")
    if name == "Feature":
        raise ValueError("a place is a geometry; leave out the Feature around it")
    if not isinstance(name, str) or name not in _DEPTHS:
        raise ValueError(f"{name!r} is no type of geometry that is supported; there are {', '.join(_DEPTHS)}")
    further = sorted(str(each) for each in given.keys() - {"type", "coordinates", "bbox"})
    if further:
        raise ValueError(f"a geometry has a type and coordinates, and no {', '.join(further)}")
    bbox = given.get("bbox")
    geometry = _geometry(name, given.get("coordinates"))
    if not isinstance(bbox, list) or len(bbox) != 4:  # noqa: PLR2004  west, south, east, north
        return geometry
    box = _read_numbers([_number(each) for each in bbox])
    return box if box["coordinates"] == geometry["coordinates"] else geometry


def _read_wkt(text: str) -> Geometry:
    system = _SYSTEM.match(text)
    if system and system["uri"] != _CRS84:
        raise ValueError(f"coordinates are longitude and latitude ({_CRS84}), not of {system['uri']}")
    found = _WKT.fullmatch(text[system.end() :] if system else text)
    if found is None:
        raise ValueError(f"it is no place; {_HOW}")
    name = _WKT_NAMES.get(found["type"].upper())
    if name is None:
        known = ", ".join(_WKT_NAMES)
        raise ValueError(f"{found['type']} is no type of geometry that is supported; there are {known}")
    level = _read_levels(found["rest"])
    # A position stands in the parentheses of its list, and that of a point is its own list.
    if name == "Point":
        level = level[0] if len(level) == 1 else None
    elif name == "MultiPoint":
        level = [each[0] if isinstance(each[0], list) else each for each in level]
    return _geometry(name, level)


def _read_levels(text: str) -> Any:  # noqa: ANN401  lists in lists
    """Read parentheses as lists: what stands between commas is a list of numbers, or of lists."""
    stack: list[list[Any]] = [[]]
    numbers: list[float] = []
    at = 0

    def end_position() -> None:
        if numbers:
            stack[-1].append(list(numbers))
            numbers.clear()

    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None or len(stack) > 1 + max(_DEPTHS.values()) + 1:
            raise ValueError(
                f"it is no WKT from character {at + 1} of its coordinates on: {text[at : at + 20]!r}"
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
                    raise ValueError("it is no WKT: a parenthesis is closed that was never opened")
                inner = stack.pop()
                stack[-1].append(inner)
            case number:
                numbers.append(_number(number))
    if len(stack) > 1 or len(stack[0]) != 1:
        raise ValueError("it is no WKT: one pair of parentheses stands around all coordinates")
    return stack[0][0]


def _geometry(name: str, coordinates: object) -> Geometry:
    count = 0

    def position(given: object) -> list[float]:
        nonlocal count
        count += 1
        if count > MOST_POSITIONS:
            raise ValueError(f"a shape has at most {MOST_POSITIONS:,} positions; simplify it")
        if not isinstance(given, list) or not given or any(isinstance(each, list) for each in given):
            raise ValueError(f"the coordinates are not those of a {name}")
        if len(given) != 2:  # noqa: PLR2004  heights are not kept
            raise ValueError(f"a position is longitude and latitude, and has {len(given)} numbers here")
        return _checked(*map(_number, given))

    def level(given: object, depth: int) -> Any:  # noqa: ANN401  lists in lists
        if depth == 0:
            return position(given)
        if not isinstance(given, list) or not given:
            raise ValueError(f"the coordinates are not those of a {name}")
        return [level(each, depth - 1) for each in given]

    read = level(coordinates, _DEPTHS[name])
    check = _CHECKS.get(name)
    if check is not None:
        check(read)
    return {"type": name, "coordinates": read}


def _check_line(line: Sequence[Sequence[float]]) -> None:
    if len(line) < _LEAST_LINE:
        raise ValueError("a line has two positions at least")


def _check_polygon(rings: Sequence[Sequence[Sequence[float]]]) -> None:
    for ring in rings:
        if ring[0] != ring[-1]:
            raise ValueError("a ring ends where it begins: repeat its first position at the end")
        if len(ring) < _LEAST_RING:
            raise ValueError("a ring has four positions at least, the last of them the first again")


def _each(check: Callable[[Any], None]) -> Callable[[Any], None]:
    def check_all(given: Sequence[Any]) -> None:
        for each in given:
            check(each)

    return check_all


_CHECKS: Mapping[str, Callable[[Any], None]] = {
    "LineString": _check_line,
    "MultiLineString": _each(_check_line),
    "Polygon": _check_polygon,
    "MultiPolygon": _each(_check_polygon),
}


def _checked(longitude: float, latitude: float) -> list[float]:
    if abs(latitude) > _MOST_LATITUDE:
        swapped = abs(longitude) <= _MOST_LATITUDE and abs(latitude) <= _MOST_LONGITUDE
        hint = "; longitude comes first, then latitude" if swapped else ""
        raise ValueError(f"the latitude {latitude:g} is not from -90 to 90{hint}")
    if abs(longitude) > _MOST_LONGITUDE:
        raise ValueError(f"the longitude {longitude:g} is not from -180 to 180")
    return [longitude, latitude]


def _number(given: object) -> float:
    try:
        number = float(given) if isinstance(given, str) else given
    except ValueError as error:
        raise ValueError(f"{given!r} is no number") from error
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise ValueError(f"{given!r} is no number")  # noqa: TRY004  whoever reads fields reports ValueErrors
    if isinstance(number, int) and abs(number) > _MOST_LONGITUDE:  # of any length
        return float(max(-_MOST_WHOLE, min(_MOST_WHOLE, number)))
    if not math.isfinite(number):
        raise ValueError(f"{given!r} is no finite number")
    return int(number) if abs(number) <= _MOST_LONGITUDE and number == int(number) else number


def _write_number(number: float) -> str:
    # WKT and XSD have exponents, but few readers have.
    return f"{number:.15f}".rstrip("0").rstrip(".") if "e" in repr(number) else repr(number)
