"""Is every sentence of the service's own pages shown, in every language?

Every message in the modules below has to be on a page: a sentence without a case is a failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

from ginuri.i18n.catalogue import spoken_languages
from ginuri.identifiers import parse_host
from ginuri.memory import MemoryRegistry
from ginuri.published.figures import FIGURES, Example, Figures, Group, Place, PublishedFigures, write_figures
from ginuri.published.publications import Publications
from ginuri.publishing.responses import write_published
from ginuri.registry.clock import BEGINNING
from ginuri.registry.model import RecordType, Status
from ginuri.resolution.decision import Question
from ginuri.resolution.descriptions.decision import NoSuchForm, decide_front_page
from ginuri.resolution.explanations.explanation import explain_decision
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.resolution.outcomes import MethodNotAllowed, NotRegistered
from ginuri.resolution.resolve import Resolution
from ginuri.search.searcher import SearchMatches
from ginuri.urn_services.decision import Service
from ginuri.urn_services.responses import NoName, NoSuchService, UrnServiceResponses
from ginuri.web.answers.advice import explain
from ginuri.web.answers.assets import decide_asset
from ginuri.web.answers.descriptions import DescriptionResponses
from ginuri.web.answers.front_page import write_front_page
from ginuri.web.answers.guides import decide_guide
from ginuri.web.answers.services import ServiceResponses
from ginuri.web.answers.timemaps import NoTimeMap
from ginuri.web.conditional.conditions import Selected
from ginuri.web.content import StoredContent, give_stored
from ginuri.web.lookups import (
    MOST_BODY,
    MOST_LISTED,
    Item,
    NoQuestion,
    ResolvedList,
    UnreadableList,
    read_list,
)
from ginuri.web.request import Request
from ginuri.web.response import LARGEST_BODY, Response
from ginuri.web.search.facets import name_facets
from ginuri.web.search.leads import NearNames
from ginuri.web.search.requests import SearchRequest, UnreadableParameter, read_search
from ginuri.web.search.responses import write_search
from ginuri.web.search.results import SearchResult, SearchResults
from infra.catalogues import SOURCES, extract
from infra.published_folder import FolderPublished
from tests.builders import MAP, find, resource
from tests.publishing import HOST, published, title

MODULES = (
    "urn_services/decision.py",
    "web/answers/descriptions.py",
    "publishing/responses.py",
    "web/answers/services.py",
    "urn_services/responses.py",
    "web/content.py",
    "web/lookups.py",
    *(
        f"web/pages/templates/{template}.html"
        for template in ("box", "frame", "problem", "registry", "resolve", "search", "uris")
    ),
    "web/search/page.py",
    "web/search/requests.py",
    "web/search/responses.py",
)
LANGUAGES = spoken_languages()
MADE = "2011-08-26T12:00:00Z"
SEARCHES = (
    {"q": "x" * 1001},
    {"q": "x", "status": "lost"},
    {"q": "x", "type": "book"},
    {"q": "x", "type": "uri-gin/azgs/doc/", "authority": "uri-gin/usgs/"},
    {"q": "x", "page": "0"},
)
FILTERED = {
    "q": "x",
    "authority": "uri-gin/azgs/",
    "type": str(RecordType.RESOURCE),
    "status": str(Status.RETIRED),
    "page": "2",
    "most": "1",
}
GROUPS = [Group(f"uri-gin/{number}/", {}, number) for number in range(6)]
COUNTED = Figures(
    identifiers=36,
    authorities=1_000,
    types=6,
    schemes=6,
    changed=MADE,
    located=2,
    places=[Place(-110.2, 31.6, 2)],
    by_authority=GROUPS,
    by_type=GROUPS,
    by_scheme=GROUPS,
    examples=[Example(MAP, f"http://{HOST}/{MAP}", {"": "Map"}, {}, {"": "Arizona"}, MADE)],
)
FACETS = {"authority": "uri-gin/azgs/", "type": MAP, "record": "resource", "status": "retired"}
BODIES = (
    b" " * (MOST_BODY + 1),
    b"{",
    b"{}",
    ("[" + ",".join(['"x"'] * (MOST_LISTED + 1)) + "]").encode(),
)


def _request(language: str, path: str = "/", **headers: str) -> Request:
    sent = {"accept": "text/html", "accept-language": language, **headers}
    return Request("GET", path, HOST, Preferences("text/html", language), headers=sent)


def _searches(language: str) -> Iterator[Response]:
    request = _request(language, "/search")
    for parameters in SEARCHES:
        unreadable = read_search(parameters)
        assert isinstance(unreadable, UnreadableParameter)
        yield write_search(unreadable, request)
    asked, everything = read_search(FILTERED), read_search({"q": ""})
    assert isinstance(asked, SearchRequest)
    assert isinstance(everything, SearchRequest)
    retired = SearchResult(resource(status=Status.RETIRED))
    facets = name_facets(everything, {name: [(value, 7)] for name, value in FACETS.items()}, {})
    nothing = SearchMatches(MADE, (), 0, counts={"x": 1, "y": 2, "z": 0})
    for matches in (
        SearchMatches(MADE, (MAP,), 1),
        SearchMatches(MADE, (MAP,), 3, is_completed=False),
        SearchMatches(MADE, (MAP,), 3, is_cut=True),
    ):
        yield write_search(SearchResults(asked, matches, (retired,), facets=facets), request)
    for results in (
        SearchResults(asked, None),
        SearchResults(asked, nothing, unfiltered=1),
        SearchResults(asked, nothing, unfiltered=2),
        SearchResults(asked, SearchMatches(MADE, (MAP,), 1), (retired,), ("map", "mat"), is_corrected=True),
        SearchResults(everything, SearchMatches(MADE, (), 0)),
        SearchResults(asked, nothing, near=NearNames(explain(NotRegistered(find(MAP), (MAP,))), "x")),
    ):
        yield write_search(results, request)


def _services(language: str) -> Iterator[Response]:
    answers = ServiceResponses(HOST)
    yield answers.write(NoQuestion(), _request(language, "/resolve"))
    yield answers.write(NoQuestion(), _request(language, "/explain/"))
    yield answers.write(NotRegistered(find(MAP)), _request(language))
    yield answers.write(decide_guide("/docs/none/"), _request(language))
    yield answers.write(decide_asset("/assets/none.css"), _request(language))
    yield answers.write(NoTimeMap(find(MAP).identifier), _request(language))
    for body, content_type in (*((body, "") for body in BODIES), (b"[]", "text/csv")):
        unreadable = read_list(body, content_type)
        assert isinstance(unreadable, UnreadableList)
        yield answers.write(unreadable, _request(language, "/resolve"))
    too_large = ResolvedList((Item("x" * LARGEST_BODY, MethodNotAllowed("POST")),))
    yield answers.write(too_large, _request(language, "/resolve"))
    question = Question(find(MAP).identifier, BEGINNING, (HOST,), Preferences("text/html", language))
    explanation = explain_decision(question, Resolution(MethodNotAllowed("POST"), find(MAP)))
    yield answers.write(explanation, _request(language, f"/explain/{MAP}"))
    resolution = UrnServiceResponses(HOST)
    yield resolution.write(NoSuchService("x"), _request(language))
    yield resolution.write(NoName(Service.LOCATION), _request(language))


def _published(language: str, folder: Path) -> Iterator[Response]:
    records = {MAP: title("Geologic map")}
    store, publication = published(folder / "store", records, reader=MemoryRegistry())
    store.write(publication.key(FIGURES), write_figures(COUNTED), "application/json")
    publications, none = (Publications(kept, lambda: 0) for kept in (store, FolderPublished(folder / "none")))
    for path, standing in (
        ("/registry", publications),
        ("/registry", none),
        ("/sitemaps/99.xml.gz", publications),
    ):
        figures = PublishedFigures(standing)
        _, response = write_published(_request(language, path), standing, figures, HOST, lambda *_: b"")
        yield response
    host = parse_host(HOST)
    greeted = decide_front_page(host, find(host), Preferences(accept_language=language), HOST)
    yield from (
        write_front_page(greeted, figures) for figures in (COUNTED, replace(COUNTED, located=1), None)
    )
    yield write_front_page(greeted, None, is_empty=True)


def _content(language: str) -> Iterator[Response]:
    stored = StoredContent(
        selected=Selected('"a"', None, 10),
        media_type="text/plain",
        shared=(),
        described=(),
        read=lambda _: b"",
        open_long=lambda _: "",
    )
    for headers in ({"if-match": '"b"'}, {"range": "bytes=20-"}):
        yield give_stored(stored, "GET", _request(language, **headers).headers)
    no_such_form = NoSuchForm(find(MAP).identifier, resource())
    yield DescriptionResponses(lambda _: b"").write(no_such_form, _request(language))


def _pages(language: str, folder: Path) -> list[str]:
    responses = [
        *_searches(language),
        *_services(language),
        *_published(language, folder),
        *_content(language),
    ]
    return [str(response.body, "utf-8") for response in responses]


def _shown(english: str, texts: list[str]) -> bool:
    pieces = [re.escape(piece) for piece in re.split(r"\{\w+\}", english) if piece]
    return any(re.search(".{0,200}?".join(pieces), text, re.DOTALL) for text in texts)


def test_every_sentence_of_the_pages_is_on_one_of_them(tmp_path: Path) -> None:
    pages = _pages("en", tmp_path)
    texts = [unescape(re.sub("<[^>]*>", "", page)) for page in pages]
    texts += [
        unescape(label)
        for page in pages
        for label in re.findall('(?:aria-label|data-suggestions)="([^"]*)"', page)
    ]
    extracted = extract([SOURCES[0] / module for module in MODULES])
    forms = {
        form
        for entry in extracted
        if entry.id
        for form in ([entry.id] if isinstance(entry.id, str) else entry.id)
    }

    assert {form for form in forms if not _shown(form, texts)} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_in_one_language(language: str, tmp_path: Path) -> None:
    for page in _pages(language, tmp_path):
        assert f'<html lang="{language}">' in page
        assert '<span lang="en"' not in page
