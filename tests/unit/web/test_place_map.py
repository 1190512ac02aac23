"""Does a map show its place, and enough around it?"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.registry.metadata.geometry_reader import read_geometry
from ginuri.web.maps.place_map import PlaceMap, draw_map
from ginuri.web.pages.assets import read_asset

LONGITUDES = st.integers(-18_000, 18_000).map(lambda number: number / 100)
LATITUDES = st.integers(-9_000, 9_000).map(lambda number: number / 100)
BOXES = st.tuples(LONGITUDES, LATITUDES, LONGITUDES, LATITUDES).map(
    lambda box: [box[0], min(box[1], box[3]), box[2], max(box[1], box[3])]
)
POINTS = st.tuples(LONGITUDES, LATITUDES).map(list)
LINES = st.lists(POINTS, min_size=2, max_size=5).map(lambda line: {"type": "LineString", "coordinates": line})


def _view(drawn: PlaceMap) -> tuple[float, float, float, float]:
    left, top, width, height = map(float, drawn.view_box.split())
    return left, top, width, height


def _positions(drawn: PlaceMap) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"[ML](-?[\d.]+) (-?[\d.]+)", drawn.shape)]


@given(st.one_of(BOXES, POINTS, LINES))
def test_a_map_shows_the_whole_place(place: object) -> None:
    drawn = draw_map(read_geometry(place))
    left, top, width, height = _view(drawn)

    assert _positions(drawn)
    for x, y in _positions(drawn):
        assert left - 1 <= x <= left + width + 1
        assert top - 1 <= y <= top + height + 1


@given(st.one_of(BOXES, POINTS, LINES))
def test_a_map_is_within_the_world_and_shows_land(place: object) -> None:
    drawn = draw_map(read_geometry(place))
    left, top, width, height = _view(drawn)

    assert top >= -90
    assert top + height <= 90.01
    assert 32 <= height <= 180
    assert width <= 360 * drawn.scale + 0.01
    assert (min(drawn.worlds) - 180) * drawn.scale <= left + 0.05
    assert (max(drawn.worlds) + 180) * drawn.scale >= left + width - 0.05


def test_a_shape_across_180_degrees_is_drawn_in_one_place() -> None:
    drawn = draw_map(read_geometry("POLYGON ((170 0, -170 0, -170 10, 170 10, 170 0))"))

    longitudes = [float(x) / drawn.scale for x in re.findall(r"[ML](-?[0-9.]+)", drawn.shape)]
    assert drawn.worlds == (0, 360)
    assert (round(min(longitudes)), round(max(longitudes))) == (170, 190)


def test_a_map_across_180_degrees_has_a_world_on_either_side() -> None:
    drawn = draw_map(read_geometry([177, -20, -178, -16]))

    assert drawn.worlds == (0, 360)
    assert [round(x / drawn.scale) for x, _ in _positions(drawn)] == [177, 182, 182, 177, 177]


@pytest.mark.parametrize(
    ("place", "is_ringed"),
    [
        ([-110.375, 31.5, -110.25, 31.625], True),  # a quadrangle
        ([-114.8, 31.3, -109, 37], False),  # a state
        ([-110.3, 31.5], False),  # a point is a dot
    ],
)
def test_a_small_place_is_ringed_on_the_map(place: object, is_ringed: bool) -> None:  # noqa: FBT001  a table
    assert (draw_map(read_geometry(place)).ring is not None) == is_ringed


@pytest.mark.parametrize(
    ("place", "kind", "parts"),
    [
        ("MULTIPOINT ((0 0), (1 1))", "points", 2),
        ("LINESTRING (0 0, 0 1)", "line", 1),
        ("MULTILINESTRING ((0 0, 0 1), (5 5, 6 6))", "line", 2),
        ("POLYGON ((0 0, 9 0, 9 9, 0 0), (4 1, 5 2, 5 1, 4 1))", "area", 2),
        ("MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))", "area", 2),
    ],
)
def test_each_part_of_a_place_is_drawn(place: str, kind: str, parts: int) -> None:
    drawn = draw_map(read_geometry(place))

    assert (drawn.kind, drawn.shape.count("M")) == (kind, parts)


def test_many_positions_on_one_pixel_are_drawn_once() -> None:
    line = [[number / 10_000, 0] for number in range(1_000)]

    assert len(draw_map({"type": "LineString", "coordinates": line}).shape) < 30


def test_the_coastline_is_small_enough_to_be_loaded_beside_a_page() -> None:
    content = read_asset("coastline.svg").content

    assert len(content) <= 30_000
    assert b"public domain" in content
    assert b"http" not in content.replace(b"http://www.w3.org/2000/svg", b"")
