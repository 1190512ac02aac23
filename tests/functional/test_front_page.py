"""Does `/` return the front page to a browser, and the description of the host to all other clients?"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from html import unescape
from pathlib import Path

import pytest

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import parse
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.memory import MemoryRegistry
from ginuri.registry.model import Registered
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators, answer
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from ginuri.web.pages.assets import asset_path
from ginuri.web.response import write_gateway
from infra.published_folder import FolderPublished
from tests.answers import Answer
from tests.builders import register, rest_event
from tests.front import HOST, Front

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
DATA = [
    "application/ld+json",
    "text/turtle",
    "application/rdf+xml",
    "application/n-triples",
    "application/json",
    "text/plain",
    "application/linkset+json",
    "application/linkset",
    "text/turtle, text/html;q=0.5",
    "image/png",
]
MAP = "uri-gin/azgs/doc/map/1/"
MOST_BYTES = 30_000


def registry() -> MemoryRegistry:
    """A registry of a registered host."""
    memory = MemoryRegistry()
    register(
        memory,
        str(parse(f"http://{HOST}/")),
        record="host",
        title={"en": "Identifiers of the geoscience network", "es": "Identificadores de la red"},
        description={"en": "A registry of <maps> & wells."},
    )
    register(memory, "uri-gin/", record="scheme", title={"en": "The uri-gin scheme"})
    survey = {"en": "Arizona", "es": "Servicio de Arizona"}
    register(memory, "uri-gin/azgs/", record="authority", title=survey)
    register(memory, "uri-gin/azgs/doc/map/", record="resource-type", title={"en": "Map"})
    register(memory, MAP, title={"en": "Geologic map of Bisbee"})
    register(memory, "uri-gin/azgs/doc/map/2/")
    return memory


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    return Front(registry(), tmp_path_factory.mktemp("published"))


def greet(front: Front, **headers: str) -> Answer:
    return front.ask("/", headers={"Accept": BROWSER, **headers})


def text_of(answer: Answer) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", answer.content.decode())).split())


@pytest.mark.parametrize("accept", DATA)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_client_of_data_gets_the_description_of_the_host(front: Front, accept: str, method: str) -> None:
    home, described = (front.ask(path, method, headers={"Accept": accept}) for path in ("/", "/about"))

    assert vars(home) == vars(described)


@pytest.mark.parametrize("headers", [{"Accept": BROWSER}, {"Accept": "*/*"}, {"Accept": "text/*"}, {}])
def test_a_browser_gets_the_front_page(front: Front, headers: Mapping[str, str]) -> None:
    answered, head = (front.ask("/", method, headers=headers) for method in ("GET", "HEAD"))

    assert answered.status == 200
    assert answered.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answered.headers["Vary"] == "Accept, Accept-Language"
    assert answered.headers["Cache-Control"].startswith("max-age=60")
    assert "Content-Location" not in answered.headers
    assert answered.linked("describedby") == [f"/about/http://{HOST}/"]
    assert f"/about.ttl/http://{HOST}/" in answered.linked("alternate")
    assert head.headers == answered.headers


@pytest.mark.parametrize("path", ["/about", "/about/", "/about.html", f"/about/http://{HOST}/"])
def test_the_page_that_describes_the_host_is_below_about(front: Front, path: str) -> None:
    described = front.ask(path, headers={"Accept": BROWSER})

    assert described.status == 200
    assert described.linked("describes") == [f"http://{HOST}/"]


@pytest.mark.parametrize(("method", "status"), [("OPTIONS", 204), ("POST", 405), ("DELETE", 405)])
def test_the_front_page_can_only_be_read(front: Front, method: str, status: int) -> None:
    assert front.ask("/", method, headers={"Accept": BROWSER}).status == status


def test_the_front_page_has_the_title_and_description_of_the_host(front: Front) -> None:
    page = greet(front).content.decode()

    assert "<title>Identifiers of the geoscience network</title>" in page
    assert "<h1>Identifiers of the geoscience network</h1>" in page
    assert '<p class="lead">A registry of &lt;maps&gt; &amp; wells.</p>' in page
    assert 'action="/search"' in page
    assert page.count("<form") == 1


def test_the_front_page_counts_registered_identifiers_and_links_examples(front: Front) -> None:
    answered = greet(front)
    page, text = answered.content.decode(), text_of(answered)

    assert "6 identifiers" not in text  # the number follows its name, for screen readers
    assert "identifiers 6 authority 1 resource type 1 URI scheme 1 last change 25 August 2011" in text
    for name, count in (("uri-gin/azgs/", 3), ("uri-gin/azgs/doc/map/", 2), ("uri-gin/", 4)):
        assert re.search(f'href="/about/{name}">[^<]*</a></span> <span class="count">{count}<', page)
    assert f'<a href="/about/{MAP}">Geologic map of Bisbee</a>' in page
    assert f"Arizona.GeologicmapofBisbee.http://{HOST}/{MAP}" in text.replace(" ", "")
    for path in ("/registry", "/feed.atom", "/openapi.json", f"/about/http://{HOST}/"):
        assert f'href="{path}"' in page


def test_the_front_page_shows_the_places_of_registered_identifiers(tmp_path: Path) -> None:
    memory = registry()
    register(memory, "uri-gin/azgs/doc/map/3/", spatial=_point(6))
    register(memory, "uri-gin/azgs/doc/map/4/", spatial=_point(6))

    page = greet(Front(memory, tmp_path)).content.decode()

    assert 'role="img" aria-label="2 identifiers state where they are."' in page
    assert f'<image href="{asset_path("coastline.svg")}"' in page
    assert page.count("<circle") == 1


def test_without_places_there_is_no_map(front: Front) -> None:
    assert "<svg" not in greet(front).content.decode()


def test_the_front_page_is_available_in_spanish(front: Front) -> None:
    answered = greet(front, **{"Accept-Language": "es"})

    page = answered.content.decode()
    assert answered.headers["Content-Language"] == "es"
    assert "<h1>Identificadores de la red</h1>" in page
    assert "Servicio de Arizona" in page
    assert '<span lang="en" dir="auto">Map</span>' in page
    assert 'href="/?lang=en"' in page


def test_types_of_the_same_name_are_distinguished_by_their_authorities(tmp_path: Path) -> None:
    memory = registry()
    register(memory, "uri-gin/cgs/", record="authority", title={"en": "Colorado"})
    register(memory, "uri-gin/cgs/well/", record="resource-type", title={"en": "Well"})
    register(memory, "uri-gin/cgs/map/", record="resource-type", title={"en": "Map"})

    text = text_of(greet(Front(memory, tmp_path)))

    assert "Map Arizona 2 Map Colorado 0 Well 0" in text


def test_longer_lists_continue_at_the_registry_page(tmp_path: Path) -> None:
    memory = registry()
    for number in range(10):
        register(memory, f"uri-gin/a{number}/", record="authority", title={"en": f"Authority {number}"})

    page = greet(Front(memory, tmp_path)).content.decode()

    assert '<a href="/registry#authorities">All 11 authorities</a>' in page
    assert "/registry#types" not in page


def _featuring(folder: Path, **fields: object) -> Front:
    memory = registry()
    register(memory, str(parse(f"http://{HOST}/")), 1, record="host", **fields)
    register(memory, "uri-gin/azgs/doc/map/gone/", title={"en": "Gone"}, status="retired")
    return Front(memory, folder)


@pytest.mark.parametrize("host", [HOST, "127.0.0.1:8000"])
def test_the_examples_are_those_that_the_host_features(tmp_path: Path, host: str) -> None:
    names = ["uri-gin/azgs/", "uri-gin/azgs/doc/map/gone/", "uri-gin/azgs/doc/map/none/", MAP]

    page = greet(_featuring(tmp_path, featured=names), Host=host).content.decode()

    examples = page.partition('class="examples"')[2].partition("</nav>")[0]
    assert re.findall('href="/about/([^"]*)"', examples) == ["uri-gin/azgs/", MAP]
    assert f"Geologic map of Bisbee</a><code>http://{HOST}/" in examples


def test_links_of_the_page_have_the_color_of_the_host(tmp_path: Path) -> None:
    front = _featuring(tmp_path, theme_color="#0a5a78")

    page = greet(front).content.decode()
    [path] = re.findall(r'href="(/assets/color-0a5a78\.[0-9a-f]{12}\.css)"', page)
    style = front.ask(path)

    assert style.status == 200
    assert style.headers["Content-Type"] == "text/css; charset=utf-8"
    assert "immutable" in style.headers["Cache-Control"]
    assert ":root { --link: #0a5a78; --accent: #0a5a78; }" in style.content.decode()


@pytest.mark.parametrize("path", ["color-red.1.css", "color-0a5a78.1.js", "color-.css"])
def test_only_colors_have_a_style(front: Front, path: str) -> None:
    assert front.ask(f"/assets/{path}").status == 404


def test_the_page_explains_the_purpose_of_the_registry(front: Front) -> None:
    assert "What this registry is for An identifier registered here names one thing for good" in text_of(
        greet(front)
    )


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8080", "[::1]:8000", "a.localhost"])
def test_the_page_on_this_machine_has_no_notice(front: Front, host: str) -> None:
    assert greet(front, Host=host).content == greet(front).content


def test_an_unregistered_host_has_the_same_page_with_a_notice(front: Front) -> None:
    host = "elsewhere.example"
    answered, registered = greet(front, Host=host), greet(front)

    notice = re.compile('<p class="notice".*?</p>\n', re.DOTALL)
    assert answered.status == 200
    assert f"Identifiers are cited on {HOST}" in text_of(answered)
    assert host not in answered.content.decode()
    assert notice.sub("", answered.content.decode()) == registered.content.decode()
    assert not notice.search(registered.content.decode())


def test_before_anything_is_registered_there_is_a_front_page(tmp_path: Path) -> None:
    answered = greet(Front(MemoryRegistry(), tmp_path))

    assert answered.status == 200
    assert "<h1>Persistent identifiers</h1>" in answered.content.decode()
    assert "By authority" not in text_of(answered)


@pytest.mark.functions
def test_before_the_first_run_there_are_no_figures(tmp_path: Path) -> None:
    answered = greet(Front(registry(), tmp_path / "a", reader=FolderPublished(tmp_path / "b")))

    assert answered.status == 200
    assert "<dl" not in answered.content.decode()
    assert 'id="examples"' not in answered.content.decode()
    assert 'href="/openapi.json"' in answered.content.decode()


class _Away(FolderPublished):
    def read(self, key: str) -> bytes | None:
        raise RegistryUnavailable(key)


@pytest.mark.functions
def test_the_page_works_without_unavailable_figures(tmp_path: Path) -> None:
    answered = greet(Front(registry(), tmp_path / "a", reader=_Away(tmp_path / "b")))

    assert answered.status == 200
    assert "<h1>Identifiers of the geoscience network</h1>" in answered.content.decode()
    assert "<dl" not in answered.content.decode()


class _NoRegistry(MemoryRegistry):
    def fetch(self, names: object) -> Mapping[str, Registered]:
        raise RegistryUnavailable(str(names))


def test_an_unavailable_registry_asks_to_come_back_later() -> None:
    away = _NoRegistry()
    answers = DescriptionResponses(DescriptionWriter().write)
    using = Collaborators(RememberingFinder(away, time.monotonic), away, away, answers, HOST)

    event = rest_event("/", "GET", {"Host": HOST, "Accept": BROWSER})
    answered = Answer(write_gateway(answer(read_request(event), using).response, "GET"))

    assert answered.status == 503
    assert "Retry-After" in answered.headers


def test_figures_are_read_once_for_several_pages(tmp_path: Path) -> None:
    front = Front(registry(), tmp_path)
    greet(front)
    calls = front.store.calls

    for _ in range(5):
        greet(front)

    assert front.store.calls == calls


@pytest.mark.functions
def test_the_page_of_an_authority_counts_the_identifiers_under_it(tmp_path: Path) -> None:
    memory = registry()
    for number in range(30):
        register(memory, f"uri-gin/azgs/doc/map/{number + 3}/")
    counted, before = (
        Front(memory, tmp_path / "a"),
        Front(memory, tmp_path / "b", reader=_Away(tmp_path / "c")),
    )
    page = {"Accept": BROWSER}

    described = text_of(counted.ask("/about/uri-gin/azgs/", headers=page))
    assert "33 identifiers in the last publication" in described
    assert "32 identifiers" in text_of(counted.ask("/members/uri-gin/azgs/doc/map/", headers=page))
    assert "20 identifiers on this page" in text_of(before.ask("/about/uri-gin/azgs/", headers=page))


def test_the_size_of_the_front_page_does_not_grow_with_the_registry(tmp_path: Path) -> None:
    memory = registry()
    long = dict.fromkeys(("en", "es", "de"), "Geologic Survey " * 15)
    for number in range(30):
        authority = f"uri-gin/{'a' * 100}{number}/"
        register(memory, authority, record="authority", title=long)
        register(memory, f"{authority}doc/", record="resource-type", title=long)
        register(memory, f"{authority}doc/{'x' * 100}", title=long, spatial=_point(number))

    answered = greet(Front(memory, tmp_path))

    assert len(answered.content) <= MOST_BYTES
    assert not re.search(r'(?:src|href|action)="(?:https?:)?//', answered.content.decode())


def _point(number: int) -> Mapping[str, object]:
    return {"type": "Point", "coordinates": [12 * number - 180, 6 * number - 90]}
