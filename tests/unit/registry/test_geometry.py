"""Is a place accepted in all usual spellings, and refused with the fault?"""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.identifiers.messages import Message
from ginuri.registry.metadata.antimeridian import doubled_area
from ginuri.registry.metadata.geometry import (
    bounds_of,
    is_box,
    is_point,
    lines_of,
    positions_of,
    write_box_wkt,
    write_wkt,
)
from ginuri.registry.metadata.geometry_reader import MOST_BYTES, MOST_POSITIONS, read_geometry, read_place

DEGREES = st.integers(-180_000_000, 180_000_000).map(lambda micro: micro / 1_000_000)
NEAR = st.integers(-90_000_000, 90_000_000).map(lambda micro: micro / 1_000_000)
LATITUDES = st.integers(-90_000_000, 90_000_000).map(lambda micro: micro / 1_000_000)
POSITIONS = st.tuples(DEGREES, LATITUDES).map(list)
PLANE = st.tuples(NEAR, LATITUDES).map(list)
"""Positions between which no edge spans more than half a turn."""
LINES = st.lists(PLANE, min_size=2, max_size=5)
RINGS = st.lists(PLANE, min_size=3, max_size=5).map(lambda ring: [*ring, ring[0]])
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
def test_a_shape_is_read_back_from_its_wkt_and_geojson(shape: dict[str, Any]) -> None:
    assert read_geometry(shape) == shape
    assert read_geometry(json.dumps(shape)) == shape
    assert read_geometry(write_wkt(shape)) == shape


@given(DEGREES, LATITUDES, DEGREES, LATITUDES)
def test_a_box_is_kept_as_stated(west: float, one: float, east: float, other: float) -> None:
    stated = [west, min(one, other), east, max(one, other)]
    box = read_geometry(stated)
    kept = [
        -180 if west == 180 else west,
        stated[1],
        180 if east == -180 and west != 180 else east,
        stated[3],
    ]

    assert is_box(box)
    assert list(bounds_of(box)) == (kept if west > east else stated)
    assert read_geometry(json.loads(json.dumps(box))) == box
    assert read_geometry(" ".join(map(str, stated))) == box


@given(st.text() | st.recursive(st.none() | st.floats() | st.text(), st.lists))
def test_every_refusal_of_a_geometry_has_a_message(anything: object) -> None:
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
def test_a_point_has_many_notations(written: object) -> None:
    assert read_geometry(written) == POINT
    assert is_point(read_geometry(written))


def test_a_box_across_180_degrees_is_cut_there() -> None:
    fiji = read_geometry([177, -20, -178, -16])

    assert fiji["type"] == "MultiPolygon"
    assert bounds_of(fiji) == (177, -20, -178, -16)


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
        (
            [1, 2, 3, 4, 5],
            "A place cannot have this many numbers: 5. Write a point as longitude and latitude",
        ),
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
        ("POINT (0 0 0 0 0)", "longitude and latitude, not a list of length 5."),
        ("POINT (0 0 x)", "not valid WKT from character"),
        ("LINESTRING (0 0, 361 0)", "The longitude 361 is not between -180 and 180."),
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
def test_an_invalid_place_is_refused_with_the_reason(written: object, words: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as refused:
        read_geometry(written)

    assert words in str(refused.value)


# Heights, which GPS devices add.


@pytest.mark.parametrize(
    "written",
    [
        *("-110.3 31.5 1402", "-110.3, 31.5, 1402.5", "POINT Z (-110.3 31.5 1402)", "POINTZ(-110.3 31.5 7)"),
        *("POINT (-110.3 31.5 1402)", "point zm (-110.3 31.5 1402 1)", "POINT M (-110.3 31.5 1)"),
        *([-110.3, 31.5, 1402], {"type": "Point", "coordinates": [-110.3, 31.5, 1402]}),
    ],
)
def test_a_height_is_dropped_with_a_remark(written: object) -> None:
    place = read_place(written)

    assert place.geometry == POINT
    assert ["heights" in str(remark) for remark in place.remarks] == [True]


def test_the_heights_of_lines_rings_and_boxes_are_dropped() -> None:
    assert read_geometry("LINESTRING Z (0 0 5, 1 2 5)") == read_geometry("LINESTRING (0 0, 1 2)")
    assert read_geometry("POLYGON Z ((0 0 1, 1 0 1, 0 1 1, 0 0 1))") == read_geometry(
        "POLYGON ((0 0, 1 0, 0 1, 0 0))"
    )
    assert read_geometry([0, 1, -5, 2, 3, 5]) == read_geometry([0, 1, 2, 3])


@pytest.mark.parametrize("height", ["x", [1], None])
def test_a_height_that_is_no_number_is_refused(height: object) -> None:
    with pytest.raises(ValueError, match=r"Coordinates|fit"):
        read_geometry({"type": "Point", "coordinates": [0, 0, height]})


# The 180th meridian.


@given(st.tuples(DEGREES, LATITUDES, DEGREES, LATITUDES).filter(lambda box: box[0] % 360 != box[2] % 360))
def test_every_ring_of_a_box_has_a_width(stated: tuple[float, float, float, float]) -> None:
    west, one, east, other = stated
    box = read_geometry([west, min(one, other), east, max(one, other)])

    widths = [max(x for x, _ in ring) - min(x for x, _ in ring) for ring in lines_of(box)]

    assert min(widths) > 0
    assert sum(widths) == pytest.approx((east - west) % 360)


def test_a_box_that_begins_at_180_degrees_is_one_ring() -> None:
    box = read_geometry("180 -20 -170 -10")

    assert box == read_geometry("-180 -20 -170 -10")
    assert read_geometry("170 -20 -180 -10") == read_geometry("170 -20 180 -10")


def test_a_box_cut_by_a_former_version_is_read_whole() -> None:
    former = {
        "type": "MultiPolygon",
        "bbox": [180, 0, -170, 1],
        "coordinates": [
            [[[180, 0], [180, 0], [180, 1], [180, 1], [180, 0]]],
            [[[-180, 0], [-170, 0], [-170, 1], [-180, 1], [-180, 0]]],
        ],
    }

    assert read_geometry(former) == read_geometry([180, 0, -170, 1])


def _has_no_half_turn(angles: set[int]) -> bool:
    ordered = [*sorted(angles), min(angles) + 36]
    return all(after - before < 18 for before, after in pairwise(ordered))


ANGLES = st.sets(st.integers(0, 35), min_size=3).filter(_has_no_half_turn)


@st.composite
def around(draw: st.DrawFn) -> list[list[float]]:
    """Draw a ring around a centre anywhere on the equator, counterclockwise, as continuous longitudes."""
    centre, angles = draw(st.integers(-180, 180)), draw(ANGLES)
    ring = [
        [centre + radius * math.cos(angle / 18 * math.pi), radius * math.sin(angle / 18 * math.pi)]
        for angle in sorted(angles)
        for radius in [draw(st.integers(5, 80))]
    ]
    return [[round(x, 6), round(y, 6)] for x, y in [*ring, ring[0]]]


def _wrapped(ring: list[list[float]]) -> list[list[float]]:
    return [[round((x + 180) % 360 - 180, 6), y] for x, y in ring]


@given(around())
def test_a_ring_across_180_degrees_is_cut_without_losing_area(ring: list[list[float]]) -> None:
    place = read_place({"type": "Polygon", "coordinates": [_wrapped(ring)]})

    pieces = list(lines_of(place.geometry))
    assert all(-180 <= x <= 180 for x, _ in positions_of(place.geometry))
    assert sum(map(doubled_area, pieces)) == pytest.approx(doubled_area(ring), abs=1e-3)
    assert all(doubled_area(piece) > 0 for piece in pieces)
    assert bool(place.remarks) == (len(pieces) > 1 or [list(it) for it in pieces[0]] != _wrapped(ring))
    assert read_place(place.geometry).geometry == place.geometry


@given(around())
def test_longitudes_beyond_180_degrees_are_cut_as_those_within(ring: list[list[float]]) -> None:
    geometry = read_geometry({"type": "Polygon", "coordinates": [ring]})

    assert all(-180 <= x <= 180 for x, _ in positions_of(geometry))
    assert sum(map(doubled_area, lines_of(geometry))) == pytest.approx(doubled_area(ring), abs=1e-3)


def test_a_polygon_across_180_degrees_keeps_its_holes() -> None:
    outer = [[170, 0], [-170, 0], [-170, 10], [170, 10], [170, 0]]
    across = [[175, 2], [175, 4], [-175, 4], [-175, 2], [175, 2]]
    beyond = [[-179, 8], [-179, 9], [-178, 9], [-178, 8], [-179, 8]]

    place = read_place({"type": "Polygon", "coordinates": [outer, across, beyond]})

    assert [len(rings) for rings in place.geometry["coordinates"]] == [2, 3]
    assert sum(map(doubled_area, lines_of(place.geometry))) == 2 * (200 - 20 - 1)


def test_a_ring_around_a_pole_is_closed_over_the_pole() -> None:
    ring = [[0, 80], [120, 80], [-120, 80], [0, 80]]

    geometry = read_geometry({"type": "Polygon", "coordinates": [ring]})

    assert sum(map(doubled_area, lines_of(geometry))) == 2 * 360 * 10
    assert bounds_of(geometry) == (-180, 80, 180, 90)


def test_a_line_across_180_degrees_is_cut_there() -> None:
    place = read_place("LINESTRING (170 0, -170 10, 170 20)")

    assert place.geometry == {
        "type": "MultiLineString",
        "coordinates": [
            [[170, 0], [180, 5]],
            [[-180, 5], [-170, 10], [-180, 15]],
            [[180, 15], [170, 20]],
        ],
    }
    assert len(place.remarks) == 1
    assert bounds_of(place.geometry) == (170, 0, -170, 20)


@pytest.mark.parametrize(
    ("written", "remarks"),
    [
        ("POLYGON ((-180 -90, 180 -90, 180 90, -180 90, -180 -90))", 0),
        ("POLYGON ((-180 0, 10 0, 10 10, -180 10, -180 0))", 0),
        ("POLYGON ((-170 -80, 170 -80, 170 80, -170 80, -170 -80))", 1),
    ],
)
def test_a_wide_polygon_that_runs_counterclockwise_stays_as_it_is(written: str, remarks: int) -> None:
    place = read_place(written)

    assert write_wkt(place.geometry) == written
    assert len(place.remarks) == remarks


@given(SHAPES.filter(lambda shape: not shape["type"].endswith("Point")))
def test_the_bounding_box_in_wkt_is_one_polygon(shape: dict[str, Any]) -> None:
    assert write_box_wkt(shape).startswith("POLYGON ((")


def test_a_box_across_180_degrees_is_written_beyond_them_and_read_again() -> None:
    fiji = read_geometry([177, -20, -178, -16])

    written = write_box_wkt(fiji)

    assert written == "POLYGON ((177 -20, 182 -20, 182 -16, 177 -16, 177 -20))"
    assert read_geometry(written)["coordinates"] == fiji["coordinates"]
