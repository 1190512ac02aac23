"""Are the pages readable in a browser: on a phone and a desktop, light and dark, without scripts?"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from typing import Any, Literal
from urllib.parse import parse_qsl

import httpx
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.identifiers import parse
from ginuri.memory import MemoryRegistry
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications
from ginuri.resolution.finder import RememberingFinder
from ginuri.search.searcher import Searcher
from ginuri.service.describe import Collaborators, answer
from ginuri.service.publications import Published
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from ginuri.web.pages.assets import asset_path
from ginuri.web.pages.colors import color_path
from tests.builders import MAP, register, rest_event
from tests.end_to_end.page_sample import enough
from tests.example_registry import Descriptions, examples
from tests.publishing import published
from tests.styled import styled

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed")

HOST = "resources.example.org"
LONG = "uri-gin/azgs/doc/map/" + "HuachucaMountainN" * 20 + "/"
ROCKS = "uri-gin/azgs/rocks/"
RETIRED = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.0/"
PLACE = "uri-gin/azgs/doc/map/place/"
REPORT, ALIAS, FILE = "uri-gin/azgs/doc/report", "uri-gin/azgs/doc/map/latest/", "uri-gin/azgs/doc/a.pdf"
WFS = "https://example.org/wfs?" + "&".join(f"parameter{number}=value{number}" for number in range(12))
STORED = {
    "key": "k",
    "version": "v",
    "length": 752,
    "sha256": "ab" * 32,
    "stored": "2026-01-01T00:00:00.000Z",
}
PAGES = {
    "front page": "/",
    "host": "/about/",
    "scheme": "/about/uri-gin/",
    "authority": "/about/uri-gin/azgs/",
    "resource type": "/about/uri-gin/azgs/doc/map/",
    "resource": f"/about/{MAP}",
    "retired": f"/about/{RETIRED}",
    "versions": f"/about/{REPORT}",
    "another name": f"/about/{ALIAS}",
    "file": f"/about/{FILE}",
    "long": f"/about/{LONG}",
    "somewhere": f"/about/{PLACE}",
    "register": "/about/uri-gin/azgs/register/resourceType/",
    "list": "/members/uri-gin/azgs/",
    "register of namespaces": "/about/info:",
    "namespace": "/about/info:pmid/",
    "given out": "/about/info:pmid/12376099",
    "explanation": f"/explain/{MAP}",
    "form": "/resolve",
    "search": "/search?q=map&authority=uri-gin/azgs/",
    "found nothing": "/search?q=nothing",
    "cannot be searched": "/search?status=lost",
    "registry": "/registry",
    "not registered": "/about/uri-gin/azgs/doc/map/nothing/",
    "guides": "/docs/",
    "guide": "/docs/search/",
    "found guides": "/docs/?q=upload",
    "found no guides": "/docs/?q=quokka",
    "vocabulary": f"/about/{ROCKS}",
    "concept": f"/about/{ROCKS}granite",
    "malformed": "/about/uri-gin/azgs//" + "x" * 200,
}
VIEWPORT: ViewportSize = {"width": 1280, "height": 720}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_VIOLATED = f"""axe.run(document, {{runOnly: {AXE_TAGS}, resultTypes: ['violations']}})
  .then(found => found.violations.map(rule => [rule.id, rule.nodes.map(node => node.html)]))"""
AA_NORMAL, AA_LARGE = 4.5, 3.0
"""WCAG 2.2, success criterion 1.4.3: the least contrast of text, and of large text."""

# Every element with its own text, with its painted colours.
_PAINTED = """() => {
  const ground = (at) => {
    for (; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (!/, 0\\)$/.test(colour)) return colour;
    }
    return 'rgb(255, 255, 255)';
  };
  const shown = (each) => [...each.childNodes].some(it => it.nodeType === 3 && it.data.trim());
  return [...document.querySelectorAll('body *')].filter(shown).map(each => {
    const style = getComputedStyle(each);
    return {
      text: each.textContent.trim().slice(0, 40), colour: style.color, ground: ground(each),
      size: parseFloat(style.fontSize), weight: Number(style.fontWeight),
    };
  });
}"""


def registry() -> MemoryRegistry:
    """A registry with a record of every kind, some of them long."""
    registry = MemoryRegistry()
    trusted = ["resources.usgin.org", "a-host-with-a-very-long-name." * 4 + "example.org"]
    title = {"en": "The uri-gin identifier scheme", "de": "Das Identifikatorschema uri-gin"}
    named = {"en": "An identifier host", "es": "Servidor de identificadores"}
    register(
        registry,
        str(parse(f"http://{HOST}/")),
        record="host",
        title=named,
        featured=[MAP],
        theme_color="#ffcc33",
    )
    register(registry, "uri-gin/", record="scheme", title=title, trusted_hosts=trusted)
    register(
        registry,
        "uri-gin/azgs/",
        record="authority",
        title={"en": "Arizona Geological Survey", "es": "Servicio Geológico de Arizona"},
        contact="mailto:stewards@example.org",
        homepage="https://azgs.arizona.edu/",
        trusted_hosts=trusted,
    )
    register(
        registry,
        "uri-gin/azgs/doc/map/",
        record="resource-type",
        title={"en": "Map", "ar": "خريطة"},
        definition="A map published by the survey.",
        default_media_type="application/pdf",
    )
    forms = [
        {"part": "mapImageFile.tif", "media_type": "image/tiff", "role": ["canonical"], "location": WFS},
        {"part": "mapImageFile.pdf", "media_type": "application/pdf", "language": "es", "file": STORED},
    ]
    properties = {"source": "Majmundar, H., 1984", "relation": WFS, "x" * 80: "y" * 200}
    for name, fields in {
        MAP: {"part_of": RETIRED},
        LONG: {},
        RETIRED: {"status": "retired", "successor": MAP, "reason": "Replaced by version 1.1."},
    }.items():
        link = {"rel": "license", "href": "https://example.org/licence", "type": "text/html"}
        told: dict[str, Any] = {
            "title": {"en": "Geologic map of Huachuca Mountain N", "es": "Mapa geológico"},
            "description": {"": "One version of the map."},
            "representations": forms,
            "properties": properties,
            "links": {"license": [link]},
        }
        register(registry, name, **told | fields)
    days = ({"valid_from": day, "location": WFS} for day in ("1997-06-01", "2011-08-05", "prospective"))
    here = {"type": "Point", "coordinates": [-110.3, 31.5]}
    register(registry, REPORT, title={"": "A report"}, representations=[*days], spatial=here)
    register(registry, ALIAS, record="alias", stands_for=[MAP])
    register(registry, FILE, title={"": "A file"}, representations=forms[:1])
    register(registry, ROCKS, title={"en": "Rocks", "es": "Rocas"})
    for name, broader in {"igneous": {}, "granite": {"broader": f"{ROCKS}igneous"}, "x" * 60: {}}.items():
        register(registry, f"{ROCKS}{name}", title={"en": name}, part_of=ROCKS, properties=broader)
    register(registry, "info:", record="scheme", title={"en": "The info scheme"})
    register(
        registry,
        PLACE,
        title={"en": "A map of a quadrangle", "es": "Un mapa"},
        spatial={"type": "Point", "coordinates": [-110.3, 31.5]},
    )
    register(
        registry,
        "info:pmid/",
        record="namespace",
        title={"en": "PubMed identifiers", "es": "Identificadores de PubMed"},
        registrant="National Library of Medicine",
        grammar="Digits.",
        services=[{"href": "https://pubmed.ncbi.nlm.nih.gov/{rest}/", "title": "The record"}, {"href": WFS}],
        documentation=[{"href": WFS, "title": "Help"}],
    )
    return registry


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The pages on a loopback address, written by the deployed flow."""
    held = registry()
    store, _ = published(tmp_path_factory.mktemp("published"), dict(held.standing("")))
    answers = DescriptionResponses(DescriptionWriter().write)
    finder = RememberingFinder(held, time.monotonic)
    publications = Publications(store, time.monotonic)
    figures = PublishedFigures(publications)
    using = Collaborators(
        finder,
        held,
        held,
        answers,
        HOST,
        published=lambda: Published(publications, Searcher(publications), held, HOST, figures),
        figures=lambda: figures,
        stamps=held,
    )

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path, _, query = self.path.partition("?")
            sent = {**self.headers, "Accept": "text/html"}
            response = answer(
                read_request(rest_event(path, "GET", sent, dict(parse_qsl(query)))), using
            ).response
            self.send_response(response.status)
            for name, value in response.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(response.body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's chromium, without a network beyond this machine."""
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


# A tab is a process, and a page in the same tab takes a fifth of the time of a new tab.


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Page]:
    """The tab that all pages share."""
    with browser.new_context(viewport=VIEWPORT) as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def looking(browser: Browser) -> Iterator[Page]:
    """The tab of tests that only read a page."""
    with browser.new_context(viewport=VIEWPORT) as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def scriptless(browser: Browser) -> Iterator[Page]:
    """The tab that all pages without scripts share."""
    with browser.new_context(java_script_enabled=False) as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def spanish(browser: Browser) -> Iterator[Page]:
    """The tab of a reader who prefers Spanish."""
    with browser.new_context(locale="es-MX") as context:
        yield context.new_page()


@pytest.fixture(scope="module")
def audited(browser: Browser) -> Iterator[Mapping[str, Page]]:
    """The tabs in which axe checks pages, by language: a light desktop, and a dark phone."""
    with ExitStack() as stack:
        tabs = {
            language: stack.enter_context(
                browser.new_context(
                    locale=language,
                    color_scheme=scheme,
                    viewport={"width": width, "height": 800},
                    reduced_motion="reduce",
                )
            ).new_page()
            for language, width, scheme in (("en", 1280, SCHEMES[0]), ("es", 360, SCHEMES[1]))
        }
        for page in tabs.values():
            page.evaluate(AXE_SCRIPT)  # the script outlives the documents written into the page
        yield tabs


@pytest.fixture
def page(tab: Page) -> Page:
    """The shared tab in the state of a new one: on a light desktop screen."""
    tab.set_viewport_size(VIEWPORT)
    tab.emulate_media(media="null", color_scheme="null")
    return tab


@dataclass(frozen=True)
class Opened:
    """An opened page, and the errors in the browser's console."""

    page: Page
    complaints: Sequence[str]


@contextmanager
def _listening(
    page: Page, event: Literal["request", "console", "pageerror"], hear: Callable[[Any], None]
) -> Iterator[None]:
    page.on(event, hear)
    yield
    page.remove_listener(event, hear)


@pytest.fixture(scope="module", params=PAGES)
def opened(request: pytest.FixtureRequest, looking: Page, service: str) -> Opened:
    """Each page, opened once for all tests that only read it."""
    complaints: list[str] = []
    with (
        _listening(looking, "console", lambda message: complaints.append(message.text)),
        _listening(looking, "pageerror", lambda error: complaints.append(str(error))),
    ):
        looking.goto(service + PAGES[request.param])
    return Opened(looking, complaints)


def test_no_page_scrolls_sideways(opened: Opened) -> None:
    for width in (320, 360, 768, 1280):
        opened.page.set_viewport_size({"width": width, "height": 800})
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def test_long_dates_of_the_front_page_are_broken(spanish: Page, service: str) -> None:
    spanish.set_viewport_size({"width": 320, "height": 800})
    spanish.goto(service)

    assert spanish.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_complete_without_scripts_and_loads_only_its_own_assets(
    scriptless: Page, service: str, name: str
) -> None:
    requested: list[str] = []
    with _listening(scriptless, "request", lambda request: requested.append(request.url)):
        scriptless.goto(service + PAGES[name])

        assert scriptless.get_by_role("heading", level=1).count() == 1
        assert scriptless.get_by_role("main").is_visible()
        codes = [image.get_attribute("src") for image in scriptless.locator("img").all()]
        assert len(codes) <= 1
        land = [image.get_attribute("href") for image in scriptless.locator("svg image").all()]
        icon, asked = asset_path("icon.svg"), {url.removeprefix(service) for url in requested}
        styles = [asset_path("style.css"), *([color_path("#ffcc33")] if name == "front page" else [])]
        assert asked - {icon} == {PAGES[name], *styles, *filter(None, [*codes, *land])}


def test_a_button_copies_the_text_before_it_and_confirms(browser: Browser, service: str) -> None:
    with browser.new_context(permissions=["clipboard-read", "clipboard-write"]) as context:
        page = context.new_page()
        page.goto(service + PAGES["resource"])

        page.get_by_role("button", name="Copy the identifier").press("Enter")

        page.get_by_role("main").get_by_role("status").filter(has_text="Copied").wait_for(state="attached")
        assert page.evaluate("navigator.clipboard.readText()") == f"http://resources.usgin.org/{MAP}"

        page.locator("summary", has_text="BibTeX").click()
        page.get_by_role("button", name="Copy BibTeX").click()

        assert page.evaluate("navigator.clipboard.readText()").startswith("@misc{")
        page.get_by_role("button", name="Copy the identifier").wait_for()


def test_copy_buttons_are_missing_where_copying_is_impossible(scriptless: Page, service: str) -> None:
    scriptless.goto(service + PAGES["resource"])

    assert scriptless.locator(".copy").count() > 1
    assert scriptless.get_by_role("button", name="Copy").count() == 0


def test_a_page_logs_no_error_in_the_browser(opened: Opened) -> None:
    # The browser logs every 404 and 400 in the same words; that is the answer, not a fault of the page.
    known = "Failed to load resource: the server"
    assert [complaint for complaint in opened.complaints if not complaint.startswith(known)] == []


def test_every_text_has_enough_contrast_by_day_and_by_night(opened: Opened) -> None:
    for scheme in SCHEMES:
        opened.page.emulate_media(color_scheme=scheme)
        painted = opened.page.evaluate(_PAINTED)
        assert painted
        assert [each for each in painted if contrast(each["colour"], each["ground"]) < least(each)] == []


def test_a_page_is_dark_for_readers_who_prefer_dark(page: Page, service: str) -> None:
    page.goto(service + PAGES["resource"])
    ground = "getComputedStyle(document.body).backgroundColor"

    page.emulate_media(color_scheme="light")
    by_day = luminance(page.evaluate(ground))
    page.emulate_media(color_scheme="dark")
    by_night = luminance(page.evaluate(ground))

    assert by_day > 0.8
    assert by_night < 0.1


def test_the_keyboard_reaches_the_content_first_with_visible_focus(page: Page, service: str) -> None:
    page.goto(service + PAGES["resource"])

    page.keyboard.press("Tab")

    focused = page.locator(":focus")
    assert focused.inner_text() == "Skip to the content"
    assert focused.evaluate("it => getComputedStyle(it).outlineStyle") != "none"
    box = focused.bounding_box()
    assert box is not None
    assert box["y"] >= 0


def test_a_screen_reader_finds_the_table_on_a_phone_too(page: Page, service: str) -> None:
    page.goto(service + PAGES["resource"])

    page.set_viewport_size({"width": 360, "height": 800})

    assert page.get_by_role("table").count() == 1
    assert page.get_by_role("row").count() >= 2
    assert page.get_by_role("rowheader", name="mapImageFile.tif").count() == 1


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_no_fault_in_a_page(
    audited: Mapping[str, Page], service: str, name: str, language: str
) -> None:
    answered = httpx.get(service + PAGES[name], headers={"Accept-Language": language})
    audited[language].set_content(styled(answered.text))

    assert f'<html lang="{language}"' in answered.text
    assert audited[language].evaluate(_VIOLATED) == []


def test_axe_finds_no_fault_in_the_page_of_any_example(audited: Mapping[str, Page]) -> None:
    descriptions = Descriptions(examples())
    pages = {name: descriptions.write("html", name).decode() for name in descriptions.names()}
    chosen = enough(pages)
    found = {}
    for name, tab in zip(chosen, cycle(audited.values()), strict=False):
        tab.set_content(styled(pages[name]))
        if violated := tab.evaluate(_VIOLATED):
            found[name] = violated

    assert len(pages) > 500
    assert len(chosen) > 30
    assert found == {}


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("not registered", "Este identificador no está registrado"),
        ("malformed", "Este identificador no es válido"),
        ("explanation", "Por qué esta respuesta"),
        ("list", "Servicio Geológico de Arizona"),
        ("search", "Buscar: map"),
        ("form", "Resolver un identificador"),
        ("front page", "Servidor de identificadores"),
        ("registry", "El registro completo"),
    ],
)
def test_pages_other_than_descriptions_are_in_spanish_too(
    spanish: Page, service: str, name: str, heading: str
) -> None:
    spanish.goto(service + PAGES[name])

    assert spanish.locator("html").get_attribute("lang") == "es"
    assert heading in spanish.get_by_role("heading", level=1).inner_text()


def test_a_browser_in_spanish_gets_a_spanish_page(spanish: Page, service: str) -> None:
    answered = spanish.goto(service + PAGES["resource"])

    assert answered is not None
    assert answered.headers["content-language"] == "es"
    assert answered.headers["vary"] == "Accept, Accept-Language"
    assert spanish.locator("html").get_attribute("lang") == "es"
    assert spanish.get_by_role("heading", level=1).inner_text() == "Mapa geológico"
    assert spanish.get_by_role("heading", name="Cómo citar").is_visible()


def test_a_citation_opens_by_the_keyboard_without_scripts(scriptless: Page, service: str) -> None:
    scriptless.goto(service + PAGES["resource"])
    assert not scriptless.get_by_text("@misc{").is_visible()

    scriptless.locator("summary", has_text="BibTeX").focus()
    scriptless.keyboard.press("Enter")

    assert scriptless.get_by_text("@misc{").is_visible()


def test_the_form_leads_to_the_answer_without_scripts(scriptless: Page, service: str) -> None:
    scriptless.goto(service + PAGES["form"])
    scriptless.get_by_label("Identifier, or a web address that contains one").fill(
        f"<http://a.example/{MAP}>"
    )
    scriptless.get_by_role("button", name="Resolve").click()

    assert scriptless.url == f"{service}/{MAP}"


def test_the_front_page_box_works_by_keyboard_without_scripts(scriptless: Page, service: str) -> None:
    scriptless.goto(service + PAGES["front page"])
    assert scriptless.get_by_role("search").count() == 1

    scriptless.get_by_role("searchbox").fill("map")
    scriptless.keyboard.press("Enter")
    scriptless.wait_for_url(f"{service}/search?q=map")

    assert scriptless.get_by_role("heading", level=1).inner_text() == "Search: map"


def test_the_keyboard_reaches_the_box_of_the_front_page_after_the_header(page: Page, service: str) -> None:
    page.goto(service + PAGES["front page"])
    passed = []
    for _ in range(10):
        page.keyboard.press("Tab")
        passed.append(page.locator(":focus").evaluate("it => it.tagName"))
        if passed[-1] == "INPUT":
            break

    assert passed == ["A", "A", "A", "A", "A", "INPUT"]


def test_the_printed_front_page_has_figures_and_no_box(page: Page, service: str) -> None:
    page.goto(service + PAGES["front page"])

    page.emulate_media(media="print")

    assert not page.get_by_role("search").is_visible()
    assert page.get_by_text("How to cite").is_visible()
    assert page.locator(".figures").is_visible()


def test_the_box_reads_an_identifier_while_typing_and_works_by_keyboard(page: Page, service: str) -> None:
    asked: list[str] = []
    page.goto(service + PAGES["authority"])
    box = page.get_by_role("combobox", name="Identifier, URL or words")
    with _listening(page, "request", lambda request: asked.append(request.url)):
        box.press_sequentially(f"http://{HOST}/{MAP}"[:-1], delay=5)
        page.locator(".reading").get_by_role("option").first.wait_for()

    assert len([url for url in asked if "/suggest?" in url]) == 1  # for any number of keys
    assert "resource-specific string" in page.locator(".reading dt").all_inner_texts()
    box.press("ArrowDown")
    chosen = page.locator(".reading").get_by_role("option", selected=True)
    assert chosen.get_attribute("id") == box.get_attribute("aria-activedescendant")
    box.press("Escape")
    assert not page.locator(".reading").get_by_role("option").first.is_visible()
    box.press("End")
    box.press_sequentially("/")
    page.locator(".reading").get_by_role("option").first.wait_for()
    box.press("ArrowDown")
    box.press("Enter")
    page.wait_for_url(f"{service}/about/{MAP}")


def test_a_page_runs_no_script_from_outside_the_assets(page: Page, service: str) -> None:
    page.goto(service + PAGES["resource"])

    refused = page.evaluate(
        """path => new Promise(answer => {
      addEventListener('securitypolicyviolation', event => answer(event.effectiveDirective));
      const script = Object.assign(document.createElement('script'), {src: path, onload: () => answer('')});
      document.head.append(script);
    })""",
        f"/{MAP}script.js",
    )

    assert refused == "script-src-elem"


def test_the_box_works_without_scripts(scriptless: Page, service: str) -> None:
    scriptless.goto(service + PAGES["not registered"])

    scriptless.get_by_label("Identifier, URL or words").fill(f"<http://{HOST}/{MAP}>")
    scriptless.get_by_role("button", name="Look up").click()

    assert scriptless.url == f"{service}/about/{MAP}"


def test_citations_are_open_on_paper(page: Page, service: str) -> None:
    page.goto(service + PAGES["resource"])

    page.emulate_media(media="print")

    assert page.get_by_text("@misc{").bounding_box() is not None


def test_printed_links_show_their_address_once(page: Page, service: str) -> None:
    page.goto(service + PAGES["namespace"])
    after = "[...document.querySelectorAll('{}')].map(it => getComputedStyle(it, '::after').content)"
    assert set(page.evaluate(after.format("main a"))) == {"none"}

    page.emulate_media(media="print")

    assert WFS in str(page.evaluate(after.format("main a.away")))
    assert set(page.evaluate(after.format("main a:not(.away)"))) == {"none"}


def test_printed_pages_are_black_on_white_without_controls(page: Page, service: str) -> None:
    page.goto(service + PAGES["resource"])

    page.emulate_media(media="print", color_scheme="dark")

    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.get_by_role("navigation").is_visible()


def least(painted: dict[str, Any]) -> float:
    # WCAG 2.2: large is 18 point, or 14 point in bold; a point is 4/3 of a CSS pixel
    is_large = painted["size"] >= 24 or (painted["size"] >= 18.66 and painted["weight"] >= 700)
    return AA_LARGE if is_large else AA_NORMAL


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return the relative luminance of `rgb(r, g, b)`, 0 to 1 (WCAG 2.2, "relative luminance")."""
    channels = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
