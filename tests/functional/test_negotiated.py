"""Do the same preferences apply everywhere: to representations, descriptions, lists and problems?"""

from __future__ import annotations

import time
from collections.abc import Mapping

import pytest

from ginuri.descriptions.writer import DescriptionWriter
from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.resolution.finder import RememberingFinder
from ginuri.service.describe import Collaborators
from ginuri.service.describe import answer as describe
from ginuri.service.resolve import answer as resolve
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.identifiers import IdentifierResponses
from ginuri.web.events import read_request
from ginuri.web.response import write_gateway
from tests.answers import Answer
from tests.builders import MAP, register, rest_event

HOST = "resources.example.org"
REPORT, DATED = "uri-gin/azgs/doc/report", "uri-gin/azgs/doc/dated"
HTML, PDF, TURTLE, JSON, JSON_LD = (
    "text/html",
    "application/pdf",
    "text/turtle",
    "application/json",
    "application/ld+json",
)
PROBLEM, LINKSET, LINK_FORMAT = (
    "application/problem+json",
    "application/linkset+json",
    "application/link-format",
)
PARAMETERS = [
    ";charset=utf-8",
    "; charset=UTF-8",
    ';profile="http://www.w3.org/ns/json-ld#compacted"',
    ";charset=utf-8;q=0.5",
    ";charset=utf-8;q=0.5, image/x-nothing",
    ";charset=utf-8;q=0.5, image/x-nothing;q=0",
]


@pytest.fixture(scope="module")
def registry() -> MemoryRegistry:
    """A registry with a thing, a document in two forms and two languages, and one with versions."""
    registry = MemoryRegistry()
    register(registry, "uri-gin/azgs/", record="authority", title={"en": "Survey", "es": "Servicio"})
    register(registry, MAP, title={"en": "Map", "de": "Karte"}, representations=[_form(TURTLE, ".ttl")])
    forms = [_form(PDF, ".pdf"), _form(HTML, ".en.html", "en"), _form(HTML, ".de.html", "de")]
    register(registry, REPORT, representations=forms)
    days = ("1997-06-01", "2001-01-01")
    register(
        registry, DATED, representations=[_form(HTML, f".{it}.html") | {"valid_from": it} for it in days]
    )
    return registry


def _form(media_type: str, part: str, language: str | None = None) -> dict[str, str]:
    known = {"media_type": media_type, "part": part, "location": f"https://data.example/{part}"}
    return known | ({"language": language} if language else {})


def _ask(registry: MemoryRegistry, path: str, headers: Mapping[str, str]) -> Answer:
    path, _, query = path.partition("?")
    event = rest_event(path, headers={"Host": HOST, **headers})
    if query:
        name, _, value = query.partition("=")
        event |= {
            "queryStringParameters": {name: value},
            "multiValueQueryStringParameters": {name: [value]},
        }
    finder = RememberingFinder(registry, time.monotonic)
    if path.startswith("/uri-gin/"):
        return Answer(
            write_gateway(
                resolve(
                    read_request(event), finder, IdentifierResponses(MemoryContentStore(), HOST)
                ).response,
                "GET",
            )
        )
    answers = DescriptionResponses(DescriptionWriter().write)
    using = Collaborators(finder, registry, registry, answers, HOST)
    return Answer(write_gateway(describe(read_request(event), using).response, "GET"))


def _seen(answer: Answer) -> tuple[int, str | None, str | None, str | None]:
    """The parts of an answer that depend on preferences."""
    headers = answer.headers
    fields = (headers.get(name) for name in ("Location", "Content-Type", "Content-Language"))
    location, media_type, language = fields
    return answer.status, location, media_type, language


NEGOTIATED = [
    (f"/{REPORT}", PDF),
    (f"/{REPORT}", HTML),
    (f"/{MAP}", TURTLE),
    (f"/{MAP}", HTML),  # leads to its description
    (f"/{DATED}/1997-06-01", HTML),
    ("/uri-gin/azgs/doc/nobody", HTML),
    ("/uri-gin/azgs/doc/nobody", JSON),
    ("/uri-gin/azgs/doc/nobody", PROBLEM),
    (f"/about/{MAP}", HTML),
    (f"/about/{MAP}", JSON_LD),
    (f"/about/{MAP}", JSON),
    (f"/about/{MAP}", LINKSET),
    ("/about/uri-gin/azgs//", HTML),
    ("/members/uri-gin/azgs/", "text/csv"),
    ("/members/uri-gin/azgs/", TURTLE),
    (f"/explain/{MAP}", HTML),
    (f"/explain/{MAP}", JSON),
    (f"/timemap/{DATED}", JSON),
    (f"/timemap/{DATED}", LINK_FORMAT),
    (f"/uri-res/N2Ls?{REPORT}", HTML),
    (f"/uri-res/N2L?{REPORT}", PDF),
    (f"/uri-res/N2Rs?{REPORT}", PDF),
]


@pytest.mark.parametrize("parameters", PARAMETERS)
@pytest.mark.parametrize(("path", "media_type"), NEGOTIATED)
def test_an_unstated_parameter_changes_nothing(
    registry: MemoryRegistry, path: str, media_type: str, parameters: str
) -> None:
    plain, stated = (_ask(registry, path, {"Accept": it}) for it in (media_type, media_type + parameters))

    assert _seen(stated) == _seen(plain)
    assert stated.status != 406


@pytest.mark.parametrize("path", sorted({path for path, _ in NEGOTIATED}))
@pytest.mark.parametrize("accept", ["", " ", "\t", ",", " , ,"])
@pytest.mark.untraced
def test_an_empty_accept_counts_as_absent(registry: MemoryRegistry, path: str, accept: str) -> None:
    absent, empty = (_ask(registry, path, headers) for headers in ({}, {"Accept": accept}))

    assert _seen(empty) == _seen(absent)
    assert empty.content == absent.content


@pytest.mark.parametrize("parameters", PARAMETERS[:3])
@pytest.mark.parametrize(("path", "media_type"), NEGOTIATED)
def test_an_unstated_parameter_does_not_lower_the_rank_of_a_range(
    registry: MemoryRegistry, path: str, media_type: str, parameters: str
) -> None:
    plain, stated = (
        _ask(registry, path, {"Accept": f"{it}, */*;q=0.001"}) for it in (media_type, media_type + parameters)
    )

    assert _seen(stated) == _seen(plain)


def test_a_form_with_an_unknown_parameter_comes_before_a_description(registry: MemoryRegistry) -> None:
    answer = _ask(registry, f"/{MAP}", {"Accept": "text/turtle;version=1.1, text/html;q=0.1"})

    assert (answer.status, answer.headers["Location"]) == (303, f"/{MAP}.ttl")


@pytest.mark.parametrize(
    "path", [f"/{REPORT}", f"/about/{MAP}", "/uri-gin/azgs/doc/nobody", f"/explain/{MAP}"]
)
def test_a_refused_parameter_does_not_refuse_the_type(registry: MemoryRegistry, path: str) -> None:
    accept = "text/html;level=1;q=0, text/html;q=0.9, */*;q=0.1"

    answer, plain = (_ask(registry, path, {"Accept": it}) for it in (accept, HTML))

    assert _seen(answer) == _seen(plain)


@pytest.mark.parametrize("header", ["en;q=0", "en;q=0, *", "en;q=0, fr", "*;q=0, de"])
def test_a_refused_language_is_sent_only_without_alternatives(registry: MemoryRegistry, header: str) -> None:
    answer = _ask(registry, f"/{REPORT}", {"Accept": HTML, "Accept-Language": header})

    assert answer.headers["Location"] == f"/{REPORT}.de.html"


@pytest.mark.parametrize(
    "path", [f"/about/{MAP}", f"/explain/{MAP}", "/members/uri-gin/azgs/", "/uri-gin/azgs/no"]
)
def test_a_client_that_refuses_english_gets_spanish(registry: MemoryRegistry, path: str) -> None:
    answer = _ask(registry, path, {"Accept": HTML, "Accept-Language": "en;q=0"})

    assert answer.headers["Content-Language"] == "es"
    assert b'<html lang="es"' in answer.content


def test_a_client_that_refuses_english_sees_titles_in_another_language(registry: MemoryRegistry) -> None:
    page = _ask(registry, f"/about/{MAP}", {"Accept": HTML, "Accept-Language": "en;q=0"}).content.decode()

    assert '<h1 lang="de"' in page or ">Karte</" in page[: page.index("</h1>") + 5]
