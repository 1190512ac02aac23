"""A small map of many places: the content of the page's SVG, in its own coordinates.

The map is equirectangular, like the image of the land; its standard parallel goes through its middle, so that
shapes keep their proportions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ginuri.published.figures import Place

_RATIO = 2.0
"""The ratio of width to height of a map."""
_LEAST_HEIGHT = 40
"""The least degrees of latitude of a map: most maps of this size show a coast for orientation."""
_MARGIN = 1.35
"""The size of a map relative to its places, in both directions."""
_LEAST_SCALE = 0.5
"""The scale of degrees of longitude near the poles, where it would be zero."""
_SMALLEST, _LARGEST = 0.005, 0.016
"""The radius of a dot as a fraction of the width."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A place on the map: x to the east, y to the south."""

    x: float
    y: float
    radius: float
    identifiers: int


@dataclass(frozen=True, slots=True)
class WorldMap:
    """A map in degrees."""

    view_box: str
    """The visible area, in the form of `viewBox`."""
    scale: float
    """The scale of degrees of longitude: the cosine of the latitude in the middle."""
    dots: Sequence[Dot]
    """The dots, largest first, so that none is hidden."""


def draw_places(places: Sequence[Place]) -> WorldMap | None:
    """Draw the map of places; None without places.

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
