"""Is every place on the map, and the map on the world?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginuri.published.figures import Place
from ginuri.web.maps.world_map import draw_places

PLACES = st.lists(
    st.builds(Place, st.floats(-180, 180), st.floats(-90, 90), st.integers(1, 10**6)),
    min_size=1,
    max_size=100,
)


@given(PLACES)
def test_every_place_is_within_the_map(places: list[Place]) -> None:
    drawn = draw_places(places)

    assert drawn is not None
    left, top, width, height = map(float, drawn.view_box.split())
    for dot, place in zip(drawn.dots, places, strict=True):
        assert left - 0.02 <= dot.x <= left + width + 0.02
        assert top - 0.02 <= dot.y <= top + height + 0.02
        assert dot.x == pytest.approx(place.longitude * drawn.scale, abs=0.02)
        assert dot.y == pytest.approx(-place.latitude, abs=0.01)


@given(PLACES)
def test_the_map_stays_within_the_world(places: list[Place]) -> None:
    drawn = draw_places(places)

    assert drawn is not None
    left, top, width, height = map(float, drawn.view_box.split())
    assert left >= -180 * drawn.scale - 0.02
    assert left + width <= 180 * drawn.scale + 0.02
    assert top >= -90
    assert top + height <= 90.01


@given(PLACES)
def test_more_identifiers_make_a_larger_dot(places: list[Place]) -> None:
    drawn = draw_places(places)

    assert drawn is not None
    ordered = sorted(drawn.dots, key=lambda dot: dot.identifiers)
    assert [dot.radius for dot in ordered] == sorted(dot.radius for dot in drawn.dots)


def test_without_places_the_map_is_missing() -> None:
    assert draw_places([]) is None
