"""Do the GeoJSON files have the places of resources, by the rules of RFC 7946?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from ginuri.identifiers.service_paths import description_path, members_path
from tests.front import HOST, Front
from tests.steward import settled

DOC = "uri-gin/azgs/doc/"
THING = f"{DOC}78/"
POINT = {"type": "Point", "coordinates": [-110.3, 31.5]}
PLACES: dict[str, object] = {
    "a point": "-110.3 31.5",
    "a box": "-114.8 31.3 -109 37",
    "a box across 180°": "177 -20 -178 -16",
    "a box that begins at 180°": "180 -20 -170 -10",
    "a polygon across 180°": "POLYGON ((170 0, -170 0, -170 10, 170 10, 170 0))",
    "a line": "LINESTRING (0 0, 1 1)",
    "a clockwise polygon with a counterclockwise hole": (
        "POLYGON ((0 0, 0 9, 9 9, 9 0, 0 0), (1 1, 2 1, 2 2, 1 2, 1 1))"
    ),
    "clockwise polygons": "MULTIPOLYGON (((0 0, 0 1, 1 1, 0 0)), ((5 5, 5 6, 6 6, 5 5)))",
    "points": "MULTIPOINT ((0 0), (1 1))",
}


def _line(identifier: str, **fields: object) -> str:
    return f"{json.dumps({'identifier': identifier, **fields})}\n"


def _front(lines: str, published: Path) -> Front:
    steward = settled()
    assert steward.upload("uri-gin/azgs/x.jsonl", lines).refused == {}
    return Front(steward.memory, published)


def _read(front: Front, path: str) -> dict[str, Any]:
    answer = front.ask(path)
    assert (answer.status, answer.headers["Content-Type"]) == (200, "application/geo+json")
    document: dict[str, Any] = json.loads(answer.content)
    return document


def _rings(geometry: dict[str, Any]) -> Iterator[tuple[int, Sequence[Sequence[float]]]]:
    polygons = {"Polygon": [geometry["coordinates"]], "MultiPolygon": geometry["coordinates"]}
    for polygon in polygons.get(geometry["type"], []):
        yield from enumerate(polygon)


def _runs_counterclockwise(ring: Sequence[Sequence[float]]) -> bool:
    # The lowest corner, of several the leftmost, is convex: its turn is that of the whole ring.
    corners = ring[:-1]
    at = min(range(len(corners)), key=lambda number: (corners[number][1], corners[number][0]))
    (ax, ay), (bx, by), (cx, cy) = corners[at - 1], corners[at], corners[(at + 1) % len(corners)]
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx) > 0


def test_a_feature_has_its_status_and_its_place(tmp_path: Path) -> None:
    front = _front(
        _line(
            THING,
            title={"en": "A map", "es": "Un mapa"},
            description="Of the mountains.",
            spatial="-110.3 31.5",
            properties={"type": "Image"},
            links=[{"rel": "license", "href": "https://licence.example/"}],
        ),
        tmp_path,
    )

    feature = _read(front, description_path(THING, extension="geojson"))

    assert feature["properties"].pop("modified")
    assert feature == {
        "type": "Feature",
        "id": f"http://{HOST}/{THING}",
        "geometry": POINT,
        "properties": {
            "identifier": THING,
            "record": "resource",
            "status": "valid",
            "about": f"http://{HOST}/about/{THING}",
            "title": "A map",
            "titles": {"en": "A map", "es": "Un mapa"},
            "description": "Of the mountains.",
            "type": "Image",
            "license": "https://licence.example/",
        },
    }


@pytest.mark.parametrize("place", PLACES)
def test_rings_are_closed_and_follow_the_right_hand_rule(place: str, tmp_path: Path) -> None:
    front = _front(_line(THING, title="A map", spatial=PLACES[place]), tmp_path)

    geometry = _read(front, description_path(THING, extension="geojson"))["geometry"]

    for number, ring in _rings(geometry):
        assert ring[0] == ring[-1]
        assert _runs_counterclockwise(ring) == (number == 0)
        # §3.1.9: no shape crosses 180°
        assert max(x for x, _ in ring) - min(x for x, _ in ring) <= 180


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("-110.3 31.5 1402", "heights"),
        ("LINESTRING (170 0, -170 0)", "180th meridian"),
        ({"type": "Point", "coordinates": [-110.3, 31.5, 1402]}, "heights"),
    ],
)
def test_a_changed_place_is_a_warning_at_its_column(place: object, words: str) -> None:
    report = settled().upload("uri-gin/azgs/x.jsonl", _line(THING, title="A map", spatial=place))

    [finding] = [each for each in report.verdicts[0].findings if each["field"] == "spatial"]
    assert (finding["level"], finding["rule"], finding["column"]) == ("warned", "place", "spatial")
    assert words in finding["message"]


def test_an_exported_place_is_unchanged_without_a_warning() -> None:
    steward = settled()
    lines = "".join(
        _line(f"{DOC}{number}", title="A map", spatial=it) for number, it in enumerate(PLACES.values())
    )
    steward.upload("uri-gin/azgs/x.jsonl", lines)

    report = steward.upload("uri-gin/azgs/x.jsonl", "".join(steward.exported("uri-gin/azgs/")), many="true")

    assert report.counts["unchanged"] == len(PLACES) + 1
    assert not [each for told in report.verdicts for each in told.warned if each[0] == "spatial"]


def test_a_record_without_a_place_has_no_geometry(tmp_path: Path) -> None:
    front = _front(_line(THING, title="A map"), tmp_path)

    assert _read(front, description_path(THING, extension="geojson"))["geometry"] is None


def test_a_withheld_record_is_on_no_map(tmp_path: Path) -> None:
    shown = _line(THING, title="A secret", description="Secret.", spatial="-110.3 31.5")
    withheld = _line(THING, status="withheld", reason="By order.", requested_by="https://court.example/")
    front = _front(shown + withheld, tmp_path)
    [listed] = _read(front, members_path(DOC, extension="geojson"))["features"]

    for feature in (_read(front, description_path(THING, extension="geojson")), listed):
        assert feature["geometry"] is None
        assert feature["properties"].keys() == {
            *("identifier", "record", "status", "about", "reason", "modified"),
        }


def test_the_pages_of_a_list_link_each_other_as_geojson(tmp_path: Path) -> None:
    names = [f"{DOC}{number:03}/" for number in range(101)]
    front = _front("".join(_line(name, title=name, spatial="-110.3 31.5") for name in names), tmp_path)

    first = _read(front, members_path(DOC, extension="geojson"))
    [link] = first["links"]
    path, _, query = link["href"].partition("?")
    answer = front.ask(path, query=query)
    second = json.loads(answer.content)

    assert (link["rel"], link["type"]) == ("next", answer.headers["Content-Type"])
    assert [
        feature["properties"]["identifier"] for feature in first["features"] + second["features"]
    ] == names
    assert second["links"] == []


def test_a_thing_without_a_form_as_geojson_leads_to_its_description(tmp_path: Path) -> None:
    front = _front(_line(THING, title="A well", spatial="-110.3 31.5"), tmp_path)

    answer = front.ask(f"/{THING}", headers={"Accept": "application/geo+json"})
    assert (answer.status, answer.headers["Location"]) == (303, f"/about/{THING}")

    described = front.ask(answer.headers["Location"], headers={"Accept": "application/geo+json"})
    assert json.loads(described.content)["geometry"] == POINT
