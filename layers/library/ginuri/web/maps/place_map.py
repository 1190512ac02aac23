"""A small map of a place: the content of the page's SVG, in its own coordinates.

The map is equirectangular. Its standard parallel goes through the middle of the place, so shapes keep their
proportions; on the equator it is a plate carrée. Land is one image, and every map shows a part of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from ginuri.registry.metadata.geometry import Geometry, Position, bounds_of, is_box, is_point, lines_of

_LEAST_HEIGHT = 32
"""The least degrees of latitude of a map: most maps of this size show a coast for orientation."""
_RATIO = 1.5
"""The ratio of width to height of a map, unless it shows the whole world."""
_HALF_TURN = 180
_ROOM = 2
"""The size of a map relative to the place, in both directions, if there is room."""
_LEAST_SCALE = 0.35
"""The scale of degrees of longitude near the poles, where it would be zero."""
_SMALL = 0.08
"""The share of a map below which a place gets a ring, because it would hardly be visible."""
_KINDS = {"Point": "points", "LineString": "line", "Polygon": "area"}
_STEPS = 600
"""The number of distinct positions in the width of a map: two for each pixel."""


@dataclass(frozen=True, slots=True)
class PlaceMap:
    """A map in degrees: x to the east, scaled by `scale`, and y to the south."""

    view_box: str
    """The visible area, in the form of `viewBox`."""
    scale: float
    """The scale of degrees of longitude: the cosine of the latitude in the middle."""
    worlds: tuple[int, ...]
    """The longitudes around which a world is drawn: several if the map crosses 180°."""
    shape: str
    """The place, in the form of `d` of a path; a point is a line without length."""
    kind: str
    """The class of the shape: `area`, `line` or `points`."""
    ring: tuple[float, float, float] | None
    """The middle and the radius of a ring around a small place; None for a larger one."""


def draw_map(geometry: Geometry) -> PlaceMap:
    """Draw the map of a place.

    >>> place_map = draw_map({"type": "Point", "coordinates": [-110.3, 0]})
    >>> place_map.view_box, place_map.scale, place_map.worlds, place_map.shape
    ('-134.3 -16 48 32', 1.0, (0,), 'M-110.32 0h0')
    """
    west, south, east, north = bounds_of(geometry)
    east += 360 if east < west else 0
    longitude, latitude = (west + east) / 2, (south + north) / 2
    scale = max(round(math.cos(math.radians(latitude)), 4), _LEAST_SCALE)
    wide, high = (east - west) * scale, north - south
    height = min(180, max(_LEAST_HEIGHT, high * _ROOM, wide * _ROOM / _RATIO))
    width = min(360 * scale, max(_RATIO * height, wide))
    left = longitude * scale - width / 2
    top = max(-90, min(90 - height, -latitude - height / 2))
    is_small = not is_point(geometry) and max(wide / width, high / height) < _SMALL
    step = width / _STEPS
    box = [(west, south), (east, south), (east, north), (west, north), (west, south)]
    lines = [box] if is_box(geometry) else [_beyond(line, west, east) for line in lines_of(geometry)]
    return PlaceMap(
        " ".join(map(_write, (left, top, width, height))),
        scale,
        tuple(_worlds(left / scale, (left + width) / scale)),
        "".join(_draw([(x * scale, -y) for x, y in line], step) for line in lines),
        _KINDS[geometry["type"].removeprefix("Multi")],
        (round(longitude * scale, 2), round(-latitude, 2), round(height * _SMALL, 2)) if is_small else None,
    )


def _beyond(line: Iterable[Position], west: float, east: float) -> list[Position]:
    """Move a line west of the place by a turn to the east, if the place crosses 180°."""
    positions = list(line)
    is_beyond = east > _HALF_TURN and max(x for x, _ in positions) < west
    return [(x + 2 * _HALF_TURN, y) for x, y in positions] if is_beyond else positions


def _worlds(west: float, east: float) -> Iterator[int]:
    return (around for around in (-360, 0, 360) if west < around + 180 and east > around - 180)


def _draw(line: Iterable[Position], step: float) -> str:
    """Write a line, without positions that equal the previous one."""
    cells = (cell for cell, _ in groupby((round(x / step), round(y / step)) for x, y in line))
    first, *others = (f"{_write(x * step)} {_write(y * step)}" for x, y in cells)
    return f"M{first}" + ("".join(f"L{other}" for other in others) or "h0")


def _write(number: float) -> str:
    return f"{round(number, 2):g}"
