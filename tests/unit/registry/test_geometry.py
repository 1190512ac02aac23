"""Is a place read as people write it, and refused with what is wrong?"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.identifiers.messages import Message
from ginuri.registry.metadata.geometry import bounds_of, is_box, is_point, write_box_wkt, write_wkt
from ginuri.registry.metadata.geometry_reader import MOST_BYTES, MOST_POSITIONS, read_geometry

DEGREES = st.integers(-180_000_000, 180_000_000).map(lambda micro: micro / 1_000_000)
LATITUDES = st.integers(-90_000_000, 90_000_000).map(lambda micro: micro / 1_000_000)
POSITIONS = st.tuples(DEGREES, LATITUDES).map(list)
LINES = st.lists(POSITIONS, min_size=2, max_size=5)
RINGS = st.lists(POSITIONS, min_size=3, max_size=5).map(lambda ring: [*ring, ring[0]])
POLYGONS = st.lists(RINGS, min_size=1, max_size=2)
SHAPES = st.one_of(
    POSITIONS.map(lambda position: {"type": "Point", "coordinates": position}),
    st.lists(POSITIONS, min_size=1, max_size=4).map(
        lambda coordinates: {"type": "MultiPoint", "coordinates": coordinates}
    ),
    LINES.map(lambda coordinates: {"type": "LineString", "coordinates": coordinates}),
    st.lists(LINES, min_size=1, max_size=2).map(
        lambda coordinates: {"type": "MultiLineString", "coordinates": coordinates}
    ),
    POLYGONS.map(lambda coordinates: {"type": "Polygon", "coordinates": coordinates}),
    st.lists(POLYGONS, min_size=1, max_size=2).map(
        lambda coordinates: {"type": "MultiPolygon", "coordinates": coordinates}
    ),
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
        assert isinstance(error.args[0], Message)  # noqa: PT017  some of these are places


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
        (
            "31.5 -110.3",
            "The latitude -110.3 is not between -90 and 90. Write the longitude first, then the latitude.",
        ),
        ([181, 0], "The longitude 181 is not between -180 and 180."),
        ([0, 0, 1, 95], "The latitude 95 is not between -90 and 90."),
        ([0, 10, 1, 5], "The south of the box, 10, is north of its north, 5."),
        ([1, 2, 3], "A place cannot have this many numbers: 3. Write a point as longitude and latitude"),
        ([math.nan, 0], "Coordinates must be finite numbers."),
        ("1e999 0", "Coordinates must be finite numbers."),
        ([10**400, 0], "The longitude"),
        ([True, 0], "Coordinates must be finite numbers."),
        (["x", 0], "Coordinates must be finite numbers."),
        ("Arizona", "This is not a place. Write a point"),
        (7, "This is not a place. Write a point"),
        ("POLYGON ((0 0, 1 0, 1 1))", "The ring must end with the position it begins with."),
        ("POLYGON ((0 0, 1 0, 0 0))", "A ring must have at least four positions"),
        ("LINESTRING (0 0)", "A line must have at least two positions."),
        ("POINT (0 0", "This is not a place. Write a point"),
        ("POINT (0 0))", "A closing parenthesis has no opening one."),
        ("POINT (0 0) (1 1)", "One pair of parentheses must enclose all coordinates."),
        ("LINESTRING ((0 0, 1 1)", "One pair of parentheses must enclose all coordinates."),
        ("POINT (0 ; 0)", "not valid WKT from character"),
        ("POINT (0 0 0)", "longitude and latitude only, not a list of length 3."),
        ("CIRCLE (0 0)", "This type of geometry is not supported: CIRCLE."),
        ("<http://www.opengis.net/def/crs/EPSG/0/4326> POINT (31.5 -110.3)", "EPSG/0/4326 is not supported."),
        ({"type": "Feature", "geometry": POINT}, "without the Feature"),
        ({"type": "GeometryCollection", "geometries": []}, "not supported: GeometryCollection."),
        ({**POINT, "crs": "EPSG:4326"}, "A geometry has a type and coordinates. Leave out crs."),
        ({"type": "Point"}, "The coordinates do not fit the type Point."),
        ({"type": "Polygon", "coordinates": [[0, 0]]}, "The coordinates do not fit the type Polygon."),
        ("{", "This is not valid JSON."),
        ("[" * 5_000, "This is not valid JSON."),
        ("1" * (MOST_BYTES + 1), f"A shape may have at most {MOST_BYTES:,} bytes."),
        (
            {"type": "MultiPoint", "coordinates": [[0, 0]] * (MOST_POSITIONS + 1)},
            f"A shape may have at most {MOST_POSITIONS:,} positions.",
        ),
    ],
)
def test_a_wrong_place_is_refused_with_the_reason(written: object, words: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as refused:
        read_geometry(written)

    assert words in str(refused.value)
