"""Where something is: a point, a bounding box or a shape, as GeoJSON (RFC 7946).

Reads what people write: numbers, WKT or GeoJSON. All coordinates are degrees of longitude and latitude, in
this order, on WGS 84.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise
from typing import Any

from ginuri.identifiers.messages import Message, message

Geometry = Mapping[str, Any]
"""A geometry object of RFC 7946 §3.1; that of a bounding box has a member `bbox`."""
Position = tuple[float, float]

MOST_POSITIONS = 1_000
"""The limit for the positions of a shape."""
MOST_BYTES = 64_000
"""The limit for the text of a shape."""
_MOST_LONGITUDE, _MOST_LATITUDE = 180, 90
_MOST_INTEGER = 10**15
_LEAST_LINE, _LEAST_RING = 2, 4
_DEPTHS = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}
"""How deeply each type nests its positions in lists (RFC 7946 §3.1)."""
_WKT_NAMES = {name.upper(): name for name in _DEPTHS}
_CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
# GeoSPARQL 1.1 §8.5.1: without a system it is CRS84, whose longitude comes first
_SYSTEM = re.compile(r"\s*<(?P<uri>[^>]*)>\s*")
_WKT = re.compile(r"(?P<type>[A-Za-z]+)\s*(?P<rest>\(.*\))", re.DOTALL)
_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?"
_TOKEN = re.compile(rf"\s*(?P<token>{_NUMBER}|[(),])")
_NUMBERS = re.compile(rf"\s*{_NUMBER}(?:[\s,;]+{_NUMBER})*\s*")
_FORMS = message(
    "Write a point as longitude and latitude (-110.3 31.5), a box as west, south, east and north "
    "(-114.8 31.3 -109.0 37.0), or a shape as WKT or GeoJSON."
)


def read_geometry(given: object) -> Geometry:
    """Read a point, a box, WKT or GeoJSON, from text or from parsed JSON. Raises ValueError with a message.

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
        return _read_numbers([_number(number) for number in given])
    raise ValueError(message("This is not a place. {forms}", forms=_FORMS))


def write_wkt(geometry: Geometry) -> str:
    """Write a geometry as WKT on CRS84.

    >>> write_wkt({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [0, 1], [0, 0]]]})
    'POLYGON ((0 0, 1 0, 0 1, 0 0))'
    """
    name, depth = geometry["type"], _DEPTHS[geometry["type"]]
    # OGC 06-103r4 §7.2: each point of a multipoint has parentheses of its own
    points = name == "MultiPoint"

    def write(level: Any, left: int) -> str:  # noqa: ANN401  lists in lists
        if left == 0:
            numbers = " ".join(map(_write_number, level))
            return f"({numbers})" if points else numbers
        return f"({', '.join(write(item, left - 1) for item in level)})"

    inner = write(geometry["coordinates"], depth)
    return f"{name.upper()} {inner if depth else f'({inner})'}"


def wind_rings(geometry: Geometry) -> Geometry:
    """Return a geometry whose outer rings run counterclockwise, and whose holes clockwise (RFC 7946 §3.1.6).

    >>> wind_rings({"type": "Polygon", "coordinates": [[[0, 0], [0, 1], [1, 0], [0, 0]]]})["coordinates"]
    [[[0, 0], [1, 0], [0, 1], [0, 0]]]
    """
    match geometry["type"]:
        case "Polygon":
            return {**geometry, "coordinates": _wind(geometry["coordinates"])}
        case "MultiPolygon":
            return {**geometry, "coordinates": list(map(_wind, geometry["coordinates"]))}
        case _:
            return geometry


def bounds_of(geometry: Geometry) -> tuple[float, float, float, float]:
    """Return west, south, east and north; those of a box as stated, so that west may exceed east at 180°."""
    if "bbox" in geometry:
        west, south, east, north = geometry["bbox"]
        return west, south, east, north
    positions = list(positions_of(geometry))
    longitudes, latitudes = zip(*positions, strict=True)
    return min(longitudes), min(latitudes), max(longitudes), max(latitudes)


def positions_of(geometry: Geometry) -> Iterator[Position]:
    """Yield all positions, in order."""
    yield from _positions(geometry["coordinates"], _DEPTHS[geometry["type"]])


def lines_of(geometry: Geometry) -> Iterable[Sequence[Position]]:
    """Return all lines and rings, and each point as a line of one position."""
    coordinates = geometry["coordinates"]
    match geometry["type"]:
        case "Point":
            return [[coordinates]]
        case "MultiPoint":
            return [[position] for position in coordinates]
        case "LineString":
            return [coordinates]
        case "MultiPolygon":
            return chain.from_iterable(coordinates)
        case _:
            rings: Iterable[Sequence[Position]] = coordinates
            return rings


def is_point(geometry: Geometry) -> bool:
    """Whether the geometry is a single point."""
    return bool(geometry["type"] == "Point")


def is_box(geometry: Geometry) -> bool:
    """Whether the geometry was stated as a bounding box."""
    return "bbox" in geometry


def write_box_wkt(geometry: Geometry) -> str:
    """Write the bounds as WKT: a polygon, or two where they cross 180°."""
    return write_wkt(_box(*bounds_of(geometry)))


def _wind(rings: Sequence[Sequence[Sequence[float]]]) -> list[Sequence[Sequence[float]]]:
    return [
        ring if (_doubled_area(ring) < 0) == (number > 0) else ring[::-1] for number, ring in enumerate(rings)
    ]


def _doubled_area(ring: Sequence[Sequence[float]]) -> float:
    """Return twice the area that a ring encloses, negative if it runs clockwise."""
    return sum(x * below - further * y for (x, y), (further, below) in pairwise(ring))


def _positions(level: Any, depth: int) -> Iterator[Position]:  # noqa: ANN401  lists in lists
    if depth == 0:
        yield level[0], level[1]
    else:
        for item in level:
            yield from _positions(item, depth - 1)


def _read_text(text: str) -> Geometry:
    if len(text.encode()) > MOST_BYTES:
        raise ValueError(
            message("A shape may have at most {most} bytes. Simplify it.", most=f"{MOST_BYTES:,}")
        )
    if text.startswith(("{", "[")):
        try:
            given = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ValueError(message("This is not valid JSON.")) from error
        return read_geometry(given)
    if _NUMBERS.fullmatch(text):
        return _read_numbers([_number(number) for number in re.findall(_NUMBER, text)])
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
                    message(
                        "The south of the box, {south}, is north of its north, {north}. Write west, south, "
                        "east and north.",
                        south=f"{south:g}",
                        north=f"{north:g}",
                    )
                )
            return _box(west, south, east, north)
        case _:
            raise ValueError(
                message(
                    "A place cannot have this many numbers: {number}. {forms}",
                    number=str(len(numbers)),
                    forms=_FORMS,
                )
            )


def _box(west: float, south: float, east: float, north: float) -> Geometry:
    def ring(left: float, right: float) -> list[list[list[float]]]:
        # RFC 7946 §3.1.6: the outer ring is counterclockwise
        return [[[left, south], [right, south], [right, north], [left, north], [left, south]]]

    bbox = [west, south, east, north]
    if west <= east:
        return {"type": "Polygon", "bbox": bbox, "coordinates": ring(west, east)}
    # RFC 7946 §3.1.9, §5.2: a box across 180° is cut there
    parts = [ring(west, _MOST_LONGITUDE), ring(-_MOST_LONGITUDE, east)]
    return {"type": "MultiPolygon", "bbox": bbox, "coordinates": parts}


def _read_geojson(given: Mapping[str, Any]) -> Geometry:
    name = given.get("type")
    if name == "Feature":
        raise ValueError(message("Give the geometry itself, without the Feature around it."))
    if not isinstance(name, str) or name not in _DEPTHS:
        raise ValueError(_unsupported(name if isinstance(name, str) else "?", _DEPTHS))
    if others := sorted(str(key) for key in given.keys() - {"type", "coordinates", "bbox"}):
        raise ValueError(
            message("A geometry has a type and coordinates. Leave out {members}.", members=", ".join(others))
        )
    bbox = given.get("bbox")
    geometry = _geometry(name, given.get("coordinates"))
    if not isinstance(bbox, list) or len(bbox) != 4:  # noqa: PLR2004  west, south, east, north
        return geometry
    box = _read_numbers([_number(number) for number in bbox])
    return box if box["coordinates"] == geometry["coordinates"] else geometry


def _read_wkt(text: str) -> Geometry:
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
    return _geometry(name, level)


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
        if token is None or len(stack) > 1 + max(_DEPTHS.values()) + 1:
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


def _geometry(name: str, coordinates: object) -> Geometry:
    count = 0
    misfit = message("The coordinates do not fit the type {name}.", name=name)

    def position(given: object) -> list[float]:
        nonlocal count
        count += 1
        if count > MOST_POSITIONS:
            raise ValueError(
                message("A shape may have at most {most} positions. Simplify it.", most=f"{MOST_POSITIONS:,}")
            )
        if not isinstance(given, list) or not given or any(isinstance(item, list) for item in given):
            raise ValueError(misfit)
        if len(given) != 2:  # noqa: PLR2004  heights are not supported
            raise ValueError(
                message(
                    "A position must be longitude and latitude only, not a list of length {number}.",
                    number=str(len(given)),
                )
            )
        return _checked(*map(_number, given))

    def level(given: object, depth: int) -> Any:  # noqa: ANN401  lists in lists
        if depth == 0:
            return position(given)
        if not isinstance(given, list) or not given:
            raise ValueError(misfit)
        return [level(item, depth - 1) for item in given]

    read = level(coordinates, _DEPTHS[name])
    check = _CHECKS.get(name)
    if check is not None:
        check(read)
    return {"type": name, "coordinates": read}


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


def _check_all(check: Callable[[Any], None]) -> Callable[[Any], None]:
    def check_parts(parts: Sequence[Any]) -> None:
        for part in parts:
            check(part)

    return check_parts


_CHECKS: Mapping[str, Callable[[Any], None]] = {
    "LineString": _check_line,
    "MultiLineString": _check_all(_check_line),
    "Polygon": _check_polygon,
    "MultiPolygon": _check_all(_check_polygon),
}


def _checked(longitude: float, latitude: float) -> list[float]:
    if abs(latitude) > _MOST_LATITUDE:
        swapped = abs(longitude) <= _MOST_LATITUDE and abs(latitude) <= _MOST_LONGITUDE
        raise ValueError(
            message(
                "The latitude {latitude} is not between -90 and 90. Write the longitude first, then the "
                "latitude."
                if swapped
                else "The latitude {latitude} is not between -90 and 90.",
                latitude=f"{latitude:g}",
            )
        )
    if abs(longitude) > _MOST_LONGITUDE:
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
    if isinstance(number, int) and abs(number) > _MOST_LONGITUDE:  # Python's integers have no limit.
        return float(max(-_MOST_INTEGER, min(_MOST_INTEGER, number)))
    if not math.isfinite(number):
        raise ValueError(fault)
    return int(number) if abs(number) <= _MOST_LONGITUDE and number == int(number) else number


def _write_number(number: float) -> str:
    # WKT and XSD allow exponents, but few readers support them.
    return f"{number:.15f}".rstrip("0").rstrip(".") if "e" in repr(number) else repr(number)
