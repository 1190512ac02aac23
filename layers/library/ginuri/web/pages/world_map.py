"""A small map of many places: what the SVG of a page has, in the coordinates that it is drawn in.

The map is equirectangular, as is the image of the land; its standard parallel goes through the middle of what
it shows, so that shapes keep their proportions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ginuri.frozen import Frozen
from ginuri.search.figures import Place

_RATIO = 2.0
"""How much wider than high a map is."""
_LEAST_HEIGHT = 40
"""A map shows so many degrees of latitude at least: on most of them there is a coast to know them by."""
_MARGIN = 1.35
"""How many times as high and as wide as its places a map is."""
_LEAST_SCALE = 0.5
"""The scale of degrees of longitude near the poles, where it would be nothing."""
_SMALLEST, _LARGEST = 0.005, 0.016
"""The radius of a dot, as a part of the width."""


class Dot(Frozen):
    """A place on the map: x to the east, y to the south."""

    x: float
    y: float
    radius: float
    identifiers: int


class WorldMap(Frozen):
    """A map in degrees."""

    view_box: str
    """What the map shows, as `viewBox` has it."""
    scale: float
    """The scale of degrees of longitude: the cosine of the latitude in the middle."""
    dots: Sequence[Dot]
    """The largest first, so that it hides no other."""


def draw_places(places: Sequence[Place]) -> WorldMap | None:
    """Draw the map of places; None of none.

    >>> draw_places([Place(-110, 0, 4)])
    WorldMap(view_box='-150 -20 80 40', scale=1.0, dots=[Dot(x=-110.0, y=0, radius=1.28, identifiers=4)])
    """
    if not places:
        return None
    longitudes, latitudes = [place.longitude for place in places], [place.latitude for place in places]
    south, north = min(latitudes), max(latitudes)
    scale = max(math.cos(math.radians((south + north) / 2)), _LEAST_SCALE)
    west, east = min(longitudes) * scale, max(longitudes) * scale
    height = max(_LEAST_HEIGHT, (north - south) * _MARGIN, (east - west) * _MARGIN / _RATIO)
    height = min(height, 360 * scale / _RATIO, 180)
    width = height * _RATIO
    left = _within((west + east - width) / 2, -180 * scale, 180 * scale - width)
    top = _within(-(south + north + height) / 2, -90, 90 - height)
    most = max(place.count for place in places)
    dots = [
        Dot(
            round(place.longitude * scale, 2),
            round(-place.latitude, 2),
            round(width * (_SMALLEST + (_LARGEST - _SMALLEST) * math.sqrt(place.count / most)), 2),
            place.count,
        )
        for place in places
    ]
    box = " ".join(f"{round(number, 2):g}" for number in (left, top, width, height))
    return WorldMap(box, round(scale, 4), dots)


def _within(number: float, least: float, most: float) -> float:
    return min(max(number, least), most)
