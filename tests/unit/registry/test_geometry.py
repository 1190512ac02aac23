"""Is a place read as people write it, and refused with what is wrong?"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.registry.geometry import (
    MOST_BYTES,
    MOST_POSITIONS,
    bounds_of,
    is_box,
    is_point,
    read_geometry,
    write_box_wkt,
    write_wkt,
)

DEGREES = st.integers(-180_000_000, 180_000_000).map(lambda it: it / 1_000_000)
LATITUDES = st.integers(-90_000_000, 90_000_000).map(lambda it: it / 1_000_000)
POSITIONS = st.tuples(DEGREES, LATITUDES).map(list)
LINES = st.lists(POSITIONS, min_size=2, max_size=5)
RINGS = st.lists(POSITIONS, min_size=3, max_size=5).map(lambda ring: [*ring, ring[0]])
POLYGONS = st.lists(RINGS, min_size=1, max_size=2)
SHAPES = st.one_of(
    POSITIONS.map(lambda it: {"type": "Point", "coordinates": it}),
    st.lists(POSITIONS, min_size=1, max_size=4).map(lambda it: {"type": "MultiPoint", "coordinates": it}),
    LINES.map(lambda it: {"type": "LineString", "coordinates": it}),
    st.lists(LINES, min_size=1, max_size=2).map(lambda it: {"type": "MultiLineString", "coordinates": it}),
    POLYGONS.map(lambda it: {"type": "Polygon", "coordinates": it}),
    st.lists(POLYGONS, min_size=1, max_size=2).map(lambda it: {"type": "MultiPolygon", "coordinates": it}),
)
POINT = {"type": "Point", "coordinates": [-110.3, 31.5]}


@given(SHAPES)
def test_a_shape_is_read_from_the_wkt_and_the_geojson_that_are_written_of_it(shape: dict[str, Any]) -> None:
    assert read_geometry(shape) == shape
    assert read_geometry(json.dumps(shape)) == shape
    assert read_geometry(write_wkt(shape)) == shape


@given(DEGREES, LATITUDES, DEGREES, LATITUDES)
def test_a_box_is_kept_as_it_was_stated(west: float, one: float, east: float, other: float) -> None:
    stated = [west, min(one, other), east, max(one, other)]
    box = read_geometry(stated)

    assert is_box(box)
    assert list(bounds_of(box)) == stated
    assert read_geometry(json.loads(json.dumps(box))) == box
    assert read_geometry(" ".join(map(str, stated))) == box


@given(st.text() | st.recursive(st.none() | st.floats() | st.text(), st.lists))
def test_nothing_is_refused_without_words(anything: object) -> None:
    try:
        read_geometry(anything)
    except ValueError as error:
        assert str(error)  # noqa: PT017  it may be read as well


@pytest.mark.parametrize(
    "written",
    [
        *("-110.3 31.5", "-110.3,31.5", "POINT(-110.3 31.5)", "point ( -110.3  31.5 )"),
        "<http://www.opengis.net/def/crs/OGC/1.3/CRS84> POINT (-110.3 31.5)",
        *([-110.3, 31.5], POINT, json.dumps(POINT)),
    ],
)
def test_a_point_is_written_in_many_ways(written: object) -> None:
    assert read_geometry(written) == POINT
    assert is_point(read_geometry(written))


def test_a_box_across_180_degrees_is_cut_there() -> None:
    fiji = read_geometry([177, -20, -178, -16])

    assert fiji["type"] == "MultiPolygon"
    assert bounds_of(fiji) == (177, -20, -178, -16)
    assert write_box_wkt(fiji) == write_wkt(fiji)


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("31.5 -110.3", "the latitude -110.3 is not from -90 to 90; longitude comes first, then latitude"),
        ([181, 0], "the longitude 181 is not from -180 to 180"),
        ([0, 0, 1, 95], "the latitude 95 is not from -90 to 90"),
        ([0, 10, 1, 5], "south 10 is north of 5"),
        ([1, 2, 3], "these are 3 numbers; write a point as longitude and latitude"),
        ([math.nan, 0], "nan is no finite number"),
        ("1e999 0", "'1e999' is no finite number"),
        ([10**400, 0], "the longitude"),
        ([True, 0], "True is no number"),
        (["x", 0], "'x' is no number"),
        ("Arizona", "it is no place"),
        (7, "it is no place"),
        ("POLYGON ((0 0, 1 0, 1 1))", "a ring ends where it begins"),
        ("POLYGON ((0 0, 1 0, 0 0))", "a ring has four positions at least"),
        ("LINESTRING (0 0)", "a line has two positions at least"),
        ("POINT (0 0", "it is no place"),
        ("POINT (0 0))", "a parenthesis is closed that was never opened"),
        ("POINT (0 0) (1 1)", "one pair of parentheses"),
        ("LINESTRING ((0 0, 1 1)", "one pair of parentheses"),
        ("POINT (0 ; 0)", "it is no WKT from character"),
        ("POINT (0 0 0)", "longitude and latitude, and has 3 numbers"),
        ("CIRCLE (0 0)", "CIRCLE is no type of geometry that is supported"),
        ("<http://www.opengis.net/def/crs/EPSG/0/4326> POINT (31.5 -110.3)", "not of http://www.opengis.net"),
        ({"type": "Feature", "geometry": POINT}, "leave out the Feature"),
        ({"type": "GeometryCollection", "geometries": []}, "'GeometryCollection' is no type of geometry"),
        ({**POINT, "crs": "EPSG:4326"}, "a geometry has a type and coordinates, and no crs"),
        ({"type": "Point"}, "the coordinates are not those of a Point"),
        ({"type": "Polygon", "coordinates": [[0, 0]]}, "the coordinates are not those of a Polygon"),
        ("{", "it is no JSON"),
        ("[" * 5_000, "it is no"),
        ("1" * (MOST_BYTES + 1), f"a place has at most {MOST_BYTES:,} bytes"),
        (
            {"type": "MultiPoint", "coordinates": [[0, 0]] * (MOST_POSITIONS + 1)},
            f"a shape has at most {MOST_POSITIONS:,} positions",
        ),
    ],
)
def test_what_is_wrong_with_a_place_is_said(written: object, words: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as refused:
        read_geometry(written)

    assert words in str(refused.value)
