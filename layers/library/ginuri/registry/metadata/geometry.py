"""The place of a resource: a point, a bounding box or a shape, as GeoJSON (RFC 7946).

All coordinates are degrees of longitude and latitude, in this order, on WGS 84. `geometry_reader` parses the
input of stewards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from ginuri.registry.metadata.antimeridian import doubled_area

Geometry = Mapping[str, Any]
"""A geometry object of RFC 7946 §3.1; that of a bounding box has a member `bbox`."""
Position = tuple[float, float]

MOST_LONGITUDE = 180
DEPTHS = {
    "Point": 0,
    "MultiPoint": 1,
    "LineString": 1,
    "MultiLineString": 2,
    "Polygon": 2,
    "MultiPolygon": 3,
}
"""The depth of the lists of positions of each type (RFC 7946 §3.1)."""


def write_wkt(geometry: Geometry) -> str:
    """Write a geometry as WKT on CRS84.

    >>> write_wkt({"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [0, 1], [0, 0]]]})
    'POLYGON ((0 0, 1 0, 0 1, 0 0))'
    """
    name, depth = geometry["type"], DEPTHS[geometry["type"]]
    # OGC 06-103r4 §7.2: each point of a multipoint has its own parentheses
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
    """Return west, south, east and north; west is greater than east if the place crosses 180°.

    Those of a box are as stated; others cross 180° if they have a part on either side of it (RFC 7946 §5.2).
    """
    if "bbox" in geometry:
        west, south, east, north = geometry["bbox"]
        return west, south, east, north
    latitudes = [latitude for _, latitude in positions_of(geometry)]
    spans = sorted((min(x for x, _ in line), max(x for x, _ in line)) for line in lines_of(geometry))
    west, east = spans[0][0], max(end for _, end in spans)
    if (west, east) == (-MOST_LONGITUDE, MOST_LONGITUDE):
        west, east = _around_the_widest_gap(spans)
    return west, min(latitudes), east, max(latitudes)


def _around_the_widest_gap(spans: Iterable[tuple[float, float]]) -> tuple[float, float]:
    widest: float = 0
    bounds: tuple[float, float] = (-MOST_LONGITUDE, MOST_LONGITUDE)
    reach = bounds[0]
    for begin, end in spans:
        if begin - reach > widest:
            widest, bounds = begin - reach, (begin, reach)
        reach = max(reach, end)
    return bounds


def positions_of(geometry: Geometry) -> Iterator[Position]:
    """Yield all positions, in order."""
    yield from _positions(geometry["coordinates"], DEPTHS[geometry["type"]])


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
    """Write the bounds as WKT: one polygon, which continues beyond 180° if they cross it.

    >>> write_box_wkt({"type": "LineString", "bbox": [170, 0, -170, 1]})
    'POLYGON ((170 0, 190 0, 190 1, 170 1, 170 0))'
    """
    west, south, east, north = bounds_of(geometry)
    ring = _ring(west, south, east if west <= east else east + 2 * MOST_LONGITUDE, north)
    return write_wkt({"type": "Polygon", "coordinates": ring})


def _wind(rings: Sequence[Sequence[Sequence[float]]]) -> list[Sequence[Sequence[float]]]:
    return [
        ring if (doubled_area(ring) < 0) == (number > 0) else ring[::-1] for number, ring in enumerate(rings)
    ]


def _positions(level: Any, depth: int) -> Iterator[Position]:  # noqa: ANN401  lists in lists
    if depth == 0:
        yield level[0], level[1]
    else:
        for item in level:
            yield from _positions(item, depth - 1)


def make_box(west: float, south: float, east: float, north: float) -> Geometry:
    """Return a bounding box, cut in two where it crosses 180°.

    >>> make_box(180, 0, -170, 1)["bbox"]
    [-180, 0, -170, 1]
    """
    # A box that ends at 180° does not cross it.
    if west > east and west == MOST_LONGITUDE:
        west = -MOST_LONGITUDE
    elif west > east and east == -MOST_LONGITUDE:
        east = MOST_LONGITUDE
    bbox = [west, south, east, north]
    if west <= east:
        return {"type": "Polygon", "bbox": bbox, "coordinates": _ring(west, south, east, north)}
    return {"type": "MultiPolygon", "bbox": bbox, "coordinates": _halves(west, south, east, north)}


def is_former_box(coordinates: object, bbox: Sequence[float]) -> bool:
    """Return whether a box was cut at 180° although it ends there, as earlier releases did."""
    return len(bbox) == 4 and coordinates == _halves(*bbox)  # noqa: PLR2004  west, south, east, north


def _halves(west: float, south: float, east: float, north: float) -> list[list[list[list[float]]]]:
    # RFC 7946 §3.1.9, §5.2: a box across 180° is cut there
    return [_ring(west, south, MOST_LONGITUDE, north), _ring(-MOST_LONGITUDE, south, east, north)]


def _ring(west: float, south: float, east: float, north: float) -> list[list[list[float]]]:
    # RFC 7946 §3.1.6: the outer ring is counterclockwise
    return [[[west, south], [east, south], [east, north], [west, north], [west, south]]]


def _write_number(number: float) -> str:
    # WKT and XSD allow exponents, but few readers support them.
    return f"{number:.15f}".rstrip("0").rstrip(".") if "e" in repr(number) else repr(number)
