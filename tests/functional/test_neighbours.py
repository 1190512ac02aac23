"""A person who requests an unregistered identifier gets its neighbours, by sequence and by spelling."""

from __future__ import annotations

import pytest

from tests.resolving import Service

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
MAPS = "uri-gin/azgs/doc/map/"
NAMES = (
    "DGM-36/",
    "DGM-38/",
    "DGM-38/map.pdf",
    "DGM-120/",
    "DGM41-BisbeeNv1.0/",
    "DGM41-BisbeeNv1.2/",
    "HuachucaMountain",
    "Huachuca",
    "Well-9",
    "Well-11",
    "well-007",
    "well-009",
)


@pytest.fixture
def service() -> Service:
    service = Service()
    service.register("uri-gin/azgs/", record="authority", title={"en": "AZGS"})
    for name in NAMES:
        service.register(f"{MAPS}{name}", title={"en": name})
    return service


def _neighbours(service: Service, name: str, accept: str = BROWSER) -> list[str]:
    page = service.ask(f"/{MAPS}{name}", Accept=accept)
    assert page.status == 404
    near = page.content.decode().partition('<ul class="near">')[2].partition("</ul>")[0]
    return [link.partition('"')[0] for link in near.split(f'href="/{MAPS}')[1:]]


@pytest.mark.parametrize(
    ("name", "neighbours"),
    [
        ("DGM-37", ["DGM-36/", "DGM-38/"]),
        ("DGM-37/", ["DGM-36/", "DGM-38/"]),
        ("DGM-99", ["DGM-38/", "DGM-120/"]),
        ("DGM-1/", ["DGM-36/"]),
        ("DGM41-BisbeeNv1.1/", ["DGM41-BisbeeNv1.0/", "DGM41-BisbeeNv1.2/"]),
        ("Well-10", ["Well-9", "Well-11"]),
        ("well-008", ["well-007", "well-009"]),
        ("HuachucaMountian", ["HuachucaMountain", "Huachuca"]),
        ("Huachuca-2", ["Huachuca"]),
        ("DMG-38", ["DGM-38/"]),
        ("nothing-like-these", []),
    ],
)
def test_a_page_shows_the_neighbours_of_an_unregistered_name(
    service: Service, name: str, neighbours: list[str]
) -> None:
    assert _neighbours(service, name) == neighbours


def test_a_name_above_is_no_neighbour(service: Service) -> None:
    service.register(MAPS, title={"en": "Maps"})

    assert _neighbours(service, "x") == []


@pytest.mark.parametrize("accept", ["text/html", "Text/HTML"])
def test_a_media_type_in_any_case_asks_for_neighbours(service: Service, accept: str) -> None:
    assert _neighbours(service, "DGM-37", accept) == ["DGM-36/", "DGM-38/"]


def test_a_misspelt_authority_gets_the_registered_one(service: Service) -> None:
    page = service.ask("/uri-gin/agzs/", Accept=BROWSER)

    assert 'href="/uri-gin/azgs/"' in page.content.decode()


def test_neighbours_in_a_sequence_of_thousands_are_found() -> None:
    service = Service()
    for number in range(1, 3000):
        if number != 1500:
            service.register(f"{MAPS}W{number:05}", title={"en": "Well"})

    assert _neighbours(service, "W01500") == ["W01499", "W01501"]


def test_opaque_names_have_no_neighbours(service: Service) -> None:
    service.register("info:pmid/", record="namespace", title={"en": "PubMed"})
    service.register("info:pmid/12376098", title={"en": "Article"})

    page = service.ask("/info:pmid/12376099", Accept=BROWSER)

    assert "12376098" not in page.content.decode()


@pytest.mark.functions
def test_only_a_page_takes_two_further_calls() -> None:
    calls = {}
    for accept in (BROWSER, "application/json", "*/*"):
        service = Service()
        service.register(f"{MAPS}DGM-36/", title={"en": "Map"})
        before = service.registry.calls
        service.ask(f"/{MAPS}DGM-37/", Accept=accept)
        calls[accept] = service.registry.calls - before

    assert calls == {BROWSER: 4, "application/json": 2, "*/*": 2}
