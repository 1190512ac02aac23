"""The assets of pages, through the deployed flow."""

from __future__ import annotations

import re

import pytest

from ginuri.memory import MemoryRegistry
from ginuri.web.pages.assets import asset_path
from tests.builders import MAP, register
from tests.front import Front


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """The functions with one map."""
    registry = MemoryRegistry()
    register(registry, MAP, title={"en": "A map", "es": "Un mapa"})
    return Front(registry, tmp_path_factory.mktemp("published"))


def test_every_file_that_a_page_loads_exists(front: Front) -> None:
    page = front.ask(f"/about/{MAP}", headers={"Accept": "text/html"}).content.decode()

    loaded = re.findall('(?:href|src)="(/assets/[^"]*)"', page)
    assert {path.rpartition(".")[2] for path in loaded} == {"css", "js", "svg"}
    assert [front.ask(path).status for path in loaded] == [200] * len(loaded)


@pytest.mark.parametrize(
    ("name", "media_type"),
    [
        ("style.css", "text/css; charset=utf-8"),
        ("page.js", "text/javascript; charset=utf-8"),
        ("icon.svg", "image/svg+xml"),
    ],
)
def test_a_file_under_its_own_digest_is_cached_forever(front: Front, name: str, media_type: str) -> None:
    answer = front.ask(asset_path(name))

    assert answer.headers["Content-Type"] == media_type
    assert answer.headers["Cache-Control"] == "max-age=31536000, immutable"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert not answer.headers["ETag"].startswith("W/")


@pytest.mark.parametrize("path", ["/assets/style.000000000000.css", "/assets/style.css"])
def test_pages_of_an_earlier_edition_get_the_current_style(front: Front, path: str) -> None:
    answer = front.ask(path)

    assert answer.content == front.ask(asset_path("style.css")).content
    assert answer.headers["Cache-Control"] == "max-age=60, stale-if-error=86400"


@pytest.mark.parametrize(
    "path", ["/assets/", "/assets/none.css", "/assets/style.js", "/assets/../frame.py", "/assets/style"]
)
def test_only_known_assets_are_served(front: Front, path: str) -> None:
    assert front.ask(path).status == 404


def test_a_page_links_itself_in_the_other_language(front: Front) -> None:
    page = front.ask(f"/about/{MAP}", headers={"Accept": "text/html"}).content.decode()
    [other] = re.findall('<a href="([^"]*)" hreflang="es"', page)
    path, _, query = other.partition("?")

    spanish = front.ask(path, query=query, headers={"Accept": "text/html", "Accept-Language": "en"})

    assert spanish.headers["Content-Language"] == "es"
    assert "Un mapa</h1>" in spanish.content.decode()
