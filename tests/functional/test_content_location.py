"""`Content-Location` is the address of the content, in its format and language (RFC 9110 §8.7)."""

from __future__ import annotations

import pytest

from ginuri.memory import MemoryRegistry
from ginuri.web.query import drop_parameters, keep_parameters
from tests.answers import Answer
from tests.builders import MAP, register
from tests.front import Front

AUTHORITY = "uri-gin/azgs/"
FORM = f"{MAP}map.pdf"
ADDRESSES = ["/", f"/about/{AUTHORITY}", f"/about/{MAP}", f"/members/{AUTHORITY}", "/members/uri-gin/"]
ACCEPTS = ["text/html", "application/ld+json", "application/json", "text/turtle", "application/linkset+json"]
QUERIES = [
    "lang=es",
    "lang=ES-mx",
    "lang=es,en;q=0.5",
    "l%61ng=en&lang=es",
    "x=1&lang=es&sort=title",
    "lang=%22%0D%0A",
    "lang=xx",
]


@pytest.fixture(scope="module")
def front(tmp_path_factory: pytest.TempPathFactory) -> Front:
    """A registry with titles in two languages and lists in several orders."""
    registry = MemoryRegistry()
    register(registry, "uri-gin/", record="scheme", title={"en": "A scheme", "es": "Un esquema"})
    register(registry, AUTHORITY, record="authority", title={"en": "Survey", "es": "Servicio"})
    form = {"part": "map.pdf", "media_type": "application/pdf", "location": "https://data.example/map.pdf"}
    register(registry, MAP, title={"en": "A map", "es": "Un mapa"}, representations=[form])
    return Front(registry, tmp_path_factory.mktemp("published"))


def _follow(front: Front, answer: Answer, **headers: str) -> Answer:
    path, _, query = answer.headers["Content-Location"].partition("?")
    return front.ask(path, query=query, headers={name.replace("_", "-"): it for name, it in headers.items()})


@pytest.mark.parametrize("path", ADDRESSES)
@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.parametrize("query", QUERIES)
def test_the_content_location_of_an_answer_has_its_content(
    front: Front, path: str, accept: str, query: str
) -> None:
    answer = front.ask(path, query=query, headers={"Accept": accept, "Accept-Language": "en"})
    if "Content-Location" not in answer.headers:
        assert (path, accept) == ("/", "text/html")  # the front page has no other address
        return

    there = _follow(front, answer, Accept="image/png", Accept_Language="en")

    assert there.status == answer.status == 200
    assert there.content == answer.content
    for name in ("Content-Type", "Content-Language"):
        assert there.headers.get(name) == answer.headers.get(name)


def test_the_content_location_of_a_page_keeps_its_language(front: Front) -> None:
    spanish = {"Accept": "text/html", "Accept-Language": "es"}

    described, listed = (front.ask(path, query="lang=es") for path in (f"/about/{MAP}", "/members/uri-gin/"))
    sorted_ = front.ask("/members/uri-gin/", query="sort=title&lang=es", headers=spanish)
    negotiated = front.ask(f"/about/{MAP}", query="lang=", headers=spanish)

    assert described.headers["Content-Location"] == f"/about.html/{MAP}?lang=es"
    assert listed.headers["Content-Location"] == "/members.html/uri-gin/?lang=es"
    assert sorted_.headers["Content-Location"] == "/members.html/uri-gin/?sort=title&lang=es"
    assert negotiated.headers["Content-Location"] == f"/about.html/{MAP}"


def test_a_redirect_to_a_description_keeps_the_language(front: Front) -> None:
    answer = front.ask(f"/about/{FORM}", query="lang=es")

    assert (answer.status, answer.headers["Location"]) == (303, f"/about/{MAP}?lang=es")


def test_a_query_is_split_into_kept_and_dropped_parameters() -> None:
    query = "a=1&l%61ng=es&&lang&b=lang"

    assert keep_parameters(query, {"lang"}) == "l%61ng=es&lang"
    assert drop_parameters(query, {"lang"}) == "a=1&&b=lang"
