"""Does the page of a resource with a place show it, for sighted and for blind readers?"""

from __future__ import annotations

import json
import re

import pytest

from tests.front import Front
from tests.steward import settled

DOC = "uri-gin/azgs/doc/"
SOMEWHERE, NOWHERE, WITHHELD = f"{DOC}78/", f"{DOC}79/", f"{DOC}80/"


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """The functions with a map that has a place, and others without one, or with a withheld one."""
    steward = settled()
    lines = [
        {"identifier": SOMEWHERE, "title": "A map", "spatial": [-110.375, 31.5, -110.25, 31.625]},
        {"identifier": NOWHERE, "title": "A thought"},
        {"identifier": WITHHELD, "title": "A secret", "spatial": "-110.3 31.5"},
        {"identifier": WITHHELD, "status": "withheld", "reason": "By order.", "requested_by": "A court"},
    ]
    report = steward.upload("uri-gin/azgs/x.jsonl", "".join(f"{json.dumps(line)}\n" for line in lines))
    assert report.refused == {}
    return Front(steward.memory, tmp_path_factory.mktemp("published"))


def _page(front: Front, name: str, language: str = "en") -> str:
    return front.ask(f"/about.html/{name}", headers={"Accept-Language": language}).content.decode()


def test_a_map_loads_only_the_coastline_of_this_service(front: Front) -> None:
    [figure] = re.findall('<figure class="map">.*?</figure>', _page(front, SOMEWHERE), re.DOTALL)
    addresses = re.findall('(?:href|src)="([^"]*)"', figure)

    assert addresses == [next(iter(addresses)), f"/about.geojson/{SOMEWHERE}"]
    coastline = front.ask(addresses[0])
    assert (coastline.status, coastline.headers["Content-Type"]) == (200, "image/svg+xml")
    assert "immutable" in coastline.headers["Cache-Control"]
    assert "style=" not in figure


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Map of the place: From 31.5° N, 110.375° W to 31.625° N, 110.25° W"),
        ("es", "Mapa del lugar: De 31,5° N, 110,375° O a 31,625° N, 110,25° O"),
    ],
)
def test_a_map_describes_its_place_in_words(front: Front, language: str, words: str) -> None:
    assert f'role="img" aria-label="{words}"' in _page(front, SOMEWHERE, language)


@pytest.mark.parametrize("name", [NOWHERE, WITHHELD])
def test_a_record_without_a_place_or_withheld_has_no_map(front: Front, name: str) -> None:
    assert "coastline" not in _page(front, name)
