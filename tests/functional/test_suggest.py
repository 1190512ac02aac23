"""`/suggest` and the targets of the box: requested from the describe function over a published registry."""

from __future__ import annotations

import html
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryRegistry
from ginuri.published.figures import PublishedFigures
from ginuri.published.publications import Publications
from ginuri.registry.record.rule_records import merge_rules
from ginuri.resolution.finder import RECORD_SECONDS, RememberingFinder
from ginuri.search.searcher import Searcher
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.publications import Published
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import register, rest_event
from tests.publishing import published

HOST = "resources.example.org"
UNDER = "uri-gin/azgs/map/"
RECORDS: dict[str, dict[str, Any]] = {
    "uri-gin/": {"record": "scheme"},
    "uri-gin/azgs/": {"record": "authority", "title": {"en": "Arizona", "es": "Estado de Arizona"}},
    UNDER: {"record": "resource-type", "title": {"en": "Map"}},
    f"{UNDER}dgm-37/": {"title": {"en": "Geologic map of Bisbee", "es": "Mapa geológico de Bisbee"}},
    f"{UNDER}2/": {
        "title": {"en": "Geologic map of the Tucson Mountains and of everything around them, sheet 2"}
    },
    f"{UNDER}3/": {"title": {"en": "Soils of Tucson, a map"}, "status": "retired"},
    f"{UNDER}4/": {"title": {"en": "Secret tunnels"}},
    f"{UNDER}AB/": {"title": {"en": "Wells"}},
    f"{UNDER}ab/": {"title": {"en": "Springs"}},
    f"{UNDER}none/": {},
}


class Service:
    """The describe function, a registry, and its published files."""

    def __init__(self, folder: Path, records: Mapping[str, Mapping[str, Any]] = RECORDS) -> None:
        self.now = 0.0
        self.registry = MemoryRegistry()
        for name, values in records.items():
            register(self.registry, name, **{"record": "resource", **values})
        self.store, _ = published(folder, merge_rules(self.registry.standing("")))
        publications = Publications(self.store, time.monotonic)
        found = Published(
            publications, Searcher(publications), self.registry, HOST, PublishedFigures(publications)
        )
        finder = RememberingFinder(self.registry, lambda: self.now)
        answers = DescriptionResponses(DescriptionWriter().write)
        self._using = Collaborators(
            finder, self.registry, self.registry, answers, HOST, published=lambda: found
        )

    def ask(self, path: str, language: str = "en", accept: str = "application/json", **query: str) -> Answer:
        """Send a request to the describe function."""
        event = rest_event(path, "GET", {"Host": HOST, "Accept": accept, "Accept-Language": language})
        event["queryStringParameters"] = query
        event["multiValueQueryStringParameters"] = {name: [value] for name, value in query.items()}
        return Answer(write_gateway(describe(read_request(event), self._using).response, "GET"))

    def suggest(self, text: str, language: str = "en") -> dict[str, Any]:
        """Request suggestions."""
        suggested: dict[str, Any] = json.loads(self.ask("/suggest", language, q=text).content)
        return suggested

    def names(self, text: str) -> list[str]:
        """Request the suggested identifiers."""
        return [suggestion["identifier"] for suggestion in self.suggest(text)["suggestions"]]

    def send(self, text: str, **query: str) -> Answer:
        """Send a text from the box of a page."""
        return self.ask("/search", accept="text/html", q=text, **query)


@pytest.fixture
def service(tmp_path: Path) -> Service:
    """A registry that was published."""
    return Service(tmp_path)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("geologic m", [f"{UNDER}dgm-37/", f"{UNDER}2/"]),
        ("Tucs", [f"{UNDER}2/", f"{UNDER}3/"]),
        ("GEOLOGICO de b", [f"{UNDER}dgm-37/"]),
        ("map of the tucson mountains and of everything", [f"{UNDER}2/"]),
        ("map of the tucson mountains and of everything else", []),
        ("dgm-3", [f"{UNDER}dgm-37/"]),
        (f"https://other.example/{UNDER}d", [f"{UNDER}dgm-37/"]),
        (f" <{UNDER}d> ", [f"{UNDER}dgm-37/"]),
        ("eologic", []),
        ("uri-gin//", []),
        ("", []),
        (" ?", []),
    ],
)
def test_titles_and_identifiers_with_the_typed_text_are_suggested(
    service: Service, text: str, names: list[str]
) -> None:
    assert service.names(text) == names


def test_a_suggestion_has_a_title_in_the_language_of_the_reader(service: Service) -> None:
    english, spanish = service.suggest("bisbee"), service.suggest("bisbee", "es")

    assert english["suggestions"] == [
        {
            "title": "Geologic map of Bisbee",
            "identifier": f"{UNDER}dgm-37/",
            "href": f"/about/{UNDER}dgm-37/",
        }
    ]
    assert spanish["suggestions"][0]["title"] == "Mapa geológico de Bisbee"
    assert service.suggest("geologic map of b", "es")["suggestions"][0]["title"] == "Geologic map of Bisbee"
    assert (english["note"], spanish["note"]) == ("1 suggestion", "1 sugerencia")


def test_withheld_and_renamed_identifiers_are_not_suggested(service: Service) -> None:
    before = service.names("secret"), service.names("wells")
    register(service.registry, f"{UNDER}4/", 30, status="withheld")
    register(service.registry, f"{UNDER}AB/", 30, title={"en": "Holes"})
    service.now += RECORD_SECONDS + 1

    assert before == ([f"{UNDER}4/"], [f"{UNDER}AB/"])
    assert (service.names("secret"), service.names("wells"), service.names(f"{UNDER}4")) == ([], [], [])


def test_one_read_of_the_index_suggests_at_most_eight(tmp_path: Path) -> None:
    many = {
        f"uri-gin/azgs/well/{number:03}/": {"title": {"en": f"Well {number:03}"}} for number in range(900)
    }
    service = Service(tmp_path, many)
    service.names("x")

    for text, most in (("well", 8), ("well 07", 8), ("well 899", 1), ("uri-gin/azgs/well/25", 8)):
        service.store.calls = 0
        assert len(service.names(text)) == most
        assert service.store.calls == 1


def test_an_identifier_is_parsed_while_typing(service: Service) -> None:
    read = service.suggest(f"http://other.example/{UNDER}dgm%2d37/a.pdf")["identifier"]
    spanish = service.suggest(f"{UNDER}dgm-37/", "es")["identifier"]

    assert (read["normal_form"], read["about"]) == (f"{UNDER}dgm-37/a.pdf", f"/about/{UNDER}dgm-37/a.pdf")
    assert [(piece["name"], piece["text"]) for piece in read["pieces"]] == [
        ("host", f"http://{HOST}/"),
        ("scheme", "uri-gin/"),
        ("name authority", "azgs/"),
        ("resource path", "map/"),
        ("resource-specific string", "dgm-37/"),
        ("representation part", "a.pdf"),
    ]
    assert [piece["is_identity"] for piece in read["pieces"]] == [False, *[True] * 5]
    assert spanish["pieces"][2]["name"] == "autoridad de nombres"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("uri-gin//x", 'a segment must not be empty ("//")'),
        ("uri-gin/azgs/%zz", '"%" must be followed by two hexadecimal digits'),
        ("wells/springs", None),
        ("geologic map", None),
    ],
)
def test_a_malformed_identifier_is_explained_and_words_are_not(
    service: Service, text: str, said: str | None
) -> None:
    suggested = service.suggest(text)

    assert suggested["identifier"] is None
    assert suggested["error"] is None if said is None else said in suggested["error"]


def test_suggestions_are_cached_for_a_minute_and_readable_from_any_origin(service: Service) -> None:
    answer = service.ask("/suggest", q="bisbee")
    browser = service.ask("/suggest", q="bisbee", format="opensearch")
    described = service.ask("/opensearch.xml").content.decode()

    assert answer.headers["Cache-Control"] == "public, max-age=60"
    assert answer.headers["Vary"] == "Accept-Language"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert browser.headers["Content-Type"] == "application/x-suggestions+json"
    assert json.loads(browser.content) == [
        "bisbee",
        ["Geologic map of Bisbee"],
        [f"{UNDER}dgm-37/"],
        [f"http://{HOST}/about/{UNDER}dgm-37/"],
    ]
    template = f"http://{HOST}/suggest?q={{searchTerms}}&amp;format=opensearch"
    assert f'<Url type="application/x-suggestions+json" template="{template}"/>' in described
    assert service.ask("/suggest", q="x" * 1001).status == 400


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (f"{UNDER}dgm-37/", f"/about/{UNDER}dgm-37/"),
        (f"https://{HOST}/{UNDER}dgm%2D37/", f"/about/{UNDER}dgm-37/"),
        (f"<URL:http://elsewhere.example/{UNDER}dgm-37/>", f"/about/{UNDER}dgm-37/"),
        (f"http://{HOST}/about.ttl/{UNDER}dgm-37/", f"/about/{UNDER}dgm-37/"),
        (f"{UNDER}3/", f"/about/{UNDER}3/"),
        (f"{UNDER}DGM-37", f"/about/{UNDER}dgm-37/"),
        ("uri-gin/azgs", "/about/uri-gin/azgs/"),
        (f"http://{HOST}/", "/"),
    ],
)
def test_an_identifier_in_any_form_leads_to_the_nearest_description(
    service: Service, text: str, path: str
) -> None:
    answer = service.send(text)

    assert (answer.status, answer.headers["Location"]) == (303, path)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"{UNDER}aB/", f'<a rel="alternate" href="/{UNDER}AB/">Did you mean {UNDER}AB/?</a>'),
        (f"{UNDER}nothing/", f"{UNDER}nothing/ is not registered."),
        (f"{UNDER}bisbe/", f'<a href="/about/{UNDER}dgm-37/">Geologic map of Bisbee</a>'),
        (f"{UNDER}tucsno/", "Showing results for:"),
        ("http://nobody.example/x", "nobody.example"),
        ("http://nobody.example/", "nobody.example"),
        ("uri-gin//x", "a segment must not be empty"),
        ("wells/springs", "No results."),
    ],
)
def test_any_other_text_leads_to_results_with_similar_names(service: Service, text: str, shown: str) -> None:
    answer = service.send(text)

    assert answer.status == 200
    assert shown in html.unescape(answer.content.decode())


def test_filtered_searches_and_searches_for_data_never_redirect(service: Service) -> None:
    assert service.send(f"{UNDER}3/", status="retired").status == 200
    assert service.ask("/search", q=f"{UNDER}3/").status == 200
