"""Long titles and many of them: lists and searches still answer completely."""

from __future__ import annotations

import csv
import io
import json
import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from ginuri.registry.texts.titles import MOST_LISTED
from ginuri.web.response import LARGEST_EVENT
from tests.builders import read_links
from tests.hostile import COLLECTION, HOST, TYPE, Registered, Values

TITLE = f"map {'&' * 62_000}"
NAMES = [f"{TYPE}{number:03d}" for number in range(100)]
RECORDS = {name: {"title": {"en": TITLE}, "part_of": COLLECTION} for name in NAMES}
LONG_TYPE: Values = {"record": "resource-type", "title": {"en": TITLE}}
AMPERSANDS = re.compile("(?:&amp;){10,}")


@pytest.fixture(scope="module")
def registered(tmp_path_factory: pytest.TempPathFactory) -> Registered:
    """A hundred records with a title of 62,000 characters that HTML escapes."""
    return Registered(RECORDS, tmp_path_factory.mktemp("published"))


def body_of(event: dict[str, Any]) -> str:
    assert event["statusCode"] == 200
    assert len(json.dumps(event)) <= LARGEST_EVENT
    return b64decode(event["body"]).decode()


def links_of(event: dict[str, Any]) -> dict[str, str]:
    [written] = event["multiValueHeaders"].get("Link", [""])
    return {link["rel"]: link["href"] for link in reversed(read_links(written))}


def follow(registered: Registered, path: str, accept: str = "*/*") -> Iterator[dict[str, Any]]:
    """Yield the pages of a list or a search, each from the Link header of the previous one."""
    where: str | None = path
    while where is not None:
        parts = urlsplit(where)
        event = registered.ask(parts.path, accept, **dict(parse_qsl(parts.query)))
        yield event
        where = links_of(event).get("next")


@pytest.mark.parametrize("path", [f"/members/{TYPE}", f"/about/{TYPE}", f"/about/{COLLECTION}", "/search"])
def test_a_page_shortens_the_titles_that_it_lists(registered: Registered, path: str) -> None:
    query = {"q": "map"} if path == "/search" else {}

    page = body_of(registered.ask(path, "text/html", **query))

    shown = [len(run) // len("&amp;") for run in AMPERSANDS.findall(page)]
    assert len(shown) >= 18
    assert set(shown) == {MOST_LISTED - len("map …")}


def test_a_page_about_a_record_has_its_whole_title(registered: Registered) -> None:
    page = body_of(registered.ask(f"/about/{NAMES[0]}", "text/html"))

    assert f'<h1 lang="en" dir="auto">{TITLE.replace("&", "&amp;")}</h1>' in page


def _read_csv(body: str) -> list[tuple[str, str]]:
    return [(row["identifier"], row["title"]) for row in csv.DictReader(io.StringIO(body))]


def _read_json(body: str) -> list[tuple[str, str]]:
    return [(member["identifier"], member["title"]["en"]) for member in json.loads(body)["members"]]


def _read_geojson(body: str) -> list[tuple[str, str]]:
    features = [feature["properties"] for feature in json.loads(body)["features"]]
    return [(feature["identifier"], feature["title"]) for feature in features]


def _read_ntriples(body: str) -> list[tuple[str, str]]:
    found = re.findall(
        r'^<http://[^/>]+/(\S+)> <http://purl.org/dc/terms/title> "(.*)"@en \.$', body, re.MULTILINE
    )
    return [each for each in found if each[0] in RECORDS]


@pytest.mark.parametrize(
    ("extension", "read"),
    [("csv", _read_csv), ("json", _read_json), ("geojson", _read_geojson), ("nt", _read_ntriples)],
)
@pytest.mark.parametrize("name", [TYPE, COLLECTION])
def test_the_pages_of_a_list_have_every_whole_title_exactly_once(
    registered: Registered, name: str, extension: str, read: Callable[[str], list[tuple[str, str]]]
) -> None:
    pages = [read(body_of(event)) for event in follow(registered, f"/members.{extension}/{name}")]

    listed = [entry for page in pages for entry in page if entry[0] in RECORDS]
    assert len(pages) > 1
    assert listed == [(listed_name, TITLE) for listed_name in NAMES]


@pytest.mark.parametrize("most", [100, 99, 20, 7, 1])
def test_the_pages_of_a_search_have_every_result_once(registered: Registered, most: int) -> None:
    pages = [
        json.loads(body_of(event))
        for event in follow(registered, f"/search?q=map&type=resource&most={most}", "application/json")
    ]

    found = [result["identifier"] for page in pages for result in page["results"]]
    titles = {result["identifier"]: result["title"] for page in pages for result in page["results"]}
    assert sorted(found) == [*NAMES, COLLECTION]
    assert {titles[name] for name in NAMES} == {TITLE}


def test_a_later_page_of_a_search_continues_from_the_one_before(registered: Registered) -> None:
    pages = list(follow(registered, "/search?q=map&type=resource&most=50&page=2", "application/json"))

    found = [result["identifier"] for page in pages for result in json.loads(body_of(page))["results"]]
    assert found == [*NAMES[50:], COLLECTION]


def test_a_shortened_list_is_in_the_order_of_identifiers(registered: Registered) -> None:
    event = registered.ask(f"/members.json/{COLLECTION}", sort="title")

    assert [name for name, _ in _read_json(body_of(event))] == NAMES[: len(_read_json(body_of(event)))]


def test_an_oversized_list_request_is_refused_with_a_smaller_number(registered: Registered) -> None:
    refused = registered.ask("/resolve", body=json.dumps(NAMES))

    assert refused["statusCode"] == 413
    problem = json.loads(b64decode(refused["body"]))
    [number] = re.findall(r"at most (\d+) of these", problem["detail"])
    for start in range(0, len(NAMES), int(number)):
        body_of(registered.ask("/resolve", body=json.dumps(NAMES[start : start + int(number)])))


def test_suggestions_and_facets_have_short_titles(registered: Registered) -> None:
    suggested = json.loads(body_of(registered.ask("/suggest", q="map")))
    found = json.loads(body_of(registered.ask("/search", "application/json", q="map", most="1")))

    assert {len(each["title"]) for each in suggested["suggestions"]} <= {len("Map"), MOST_LISTED}
    assert all(len(value["title"]) <= MOST_LISTED for values in found["facets"].values() for value in values)


def test_a_problem_shows_ancestors_by_short_titles(tmp_path: Path) -> None:
    records = {f"{TYPE}a/": {"title": {"en": TITLE}}}

    event = Registered(records, tmp_path).ask(f"/{TYPE}a/b", "text/html")

    page = b64decode(event["body"]).decode()
    assert event["statusCode"] == 404
    assert {len(run) // len("&amp;") for run in AMPERSANDS.findall(page)} == {MOST_LISTED - len("map …")}


def test_rdf_repeats_no_shortened_title_of_another_record(tmp_path: Path) -> None:
    records: dict[str, Values] = {
        f"{TYPE}a/": {"title": {"en": "Short"}},
        f"{TYPE}b/": {"title": {"en": TITLE}},
        f"{TYPE}c/": {"title": {"en": "C"}, "properties": {"relation": [f"{TYPE}a/", f"{TYPE}b/"]}},
    }

    written = body_of(Registered(records, tmp_path).ask(f"/about.nt/{TYPE}c/"))

    assert f'<http://{HOST}/{TYPE}a/> <http://purl.org/dc/terms/title> "Short"@en' in written
    assert "&&" not in written


def test_a_linkset_ends_before_it_is_too_large(tmp_path: Path) -> None:
    forms = [{"part": f"{number}.x", "location": f"https://e.org/{number}"} for number in range(200)]
    creators = [f"urn:{number}" for number in range(4_000)]
    records = {f"{TYPE}a": {"representations": forms, "properties": {"creator": creators}}}
    registered = Registered(records, tmp_path)

    document = json.loads(body_of(registered.ask(f"/about.linkset/{TYPE}a")))
    text = body_of(registered.ask(f"/about.links/{TYPE}a"))

    itself = document["linkset"][0]
    assert len(itself["author"]) == 4_000
    assert len(itself["alternate"]) == 200
    assert text.count('rel="author"') > 4_000


@pytest.mark.parametrize("accept", ["text/html", "text/csv"])
def test_a_list_of_long_identifiers_links_to_its_next_page(tmp_path: Path, accept: str) -> None:
    names = [f"{TYPE}{'&' * 990}{number:03d}" for number in range(110)]
    registered = Registered({name: {"title": {"en": "map"}} for name in names}, tmp_path)

    event = registered.ask(f"/members/{TYPE}", accept, after=names[2])

    assert event["statusCode"] == 200
    if accept == "text/csv":  # a page contains the link itself
        assert links_of(event)["next"].startswith(f"/members/{TYPE}?after=")


def test_the_front_page_and_the_registry_page_shorten_titles(tmp_path: Path) -> None:
    names = [f"uri-gin/a{number:02d}/" for number in range(30)]
    registered = Registered(
        {name: {"record": "authority", "title": {"en": TITLE}} for name in names}, tmp_path
    )

    for path in ("/", "/registry"):
        runs = AMPERSANDS.findall(body_of(registered.ask(path, "text/html")))
        assert {len(run) // len("&amp;") for run in runs} == {MOST_LISTED - len("map …")}


def test_a_shortened_list_ignores_the_requested_order(tmp_path: Path) -> None:
    # A list of less than a page, which could have another order if it fitted.
    titles = {name: f"{len(NAMES) - at:03d} {TITLE}" for at, name in enumerate(NAMES[:90])}
    registered = Registered(
        {name: {"title": {"en": title}, "part_of": COLLECTION} for name, title in titles.items()}, tmp_path
    )

    listed = _read_json(body_of(registered.ask(f"/members.json/{COLLECTION}", sort="title")))

    assert listed == list(titles.items())[: len(listed)]
    assert len(listed) < len(titles)


def test_a_shortened_later_page_neither_skips_nor_repeats(tmp_path: Path) -> None:
    title = "map " + "\u00e9" * 31_000  # six bytes each in JSON
    registered = Registered({name: {"title": {"en": title}} for name in NAMES}, tmp_path)

    pages = list(follow(registered, "/search?q=map&type=resource&most=29&page=2", "application/json"))

    found = [result["identifier"] for page in pages for result in json.loads(body_of(page))["results"]]
    assert found == [*NAMES[29:], COLLECTION]


def test_a_facet_has_the_short_title_of_a_type(tmp_path: Path) -> None:
    records = {TYPE: LONG_TYPE, NAMES[0]: {"title": {"en": "A map"}}}

    found = json.loads(body_of(Registered(records, tmp_path).ask("/search", "application/json", q="map")))

    assert [len(value["title"]) for value in found["facets"]["type"]] == [MOST_LISTED]


def test_the_list_of_a_long_title_has_a_short_heading(tmp_path: Path) -> None:
    records = {TYPE: LONG_TYPE, NAMES[0]: {"title": {"en": "A map"}}}

    page = body_of(Registered(records, tmp_path).ask(f"/members/{TYPE}", "text/html"))

    assert {len(run) // len("&amp;") for run in AMPERSANDS.findall(page)} == {MOST_LISTED - len("map …")}


def test_a_list_shortens_the_manager_of_a_namespace(tmp_path: Path) -> None:
    records: dict[str, Values] = {"info:": {"record": "scheme", "title": {"en": "Namespaces"}}}
    records |= {
        f"info:n{number:02d}/": {"record": "namespace", "registrant": "&" * 60_000} for number in range(20)
    }

    page = body_of(Registered(records, tmp_path).ask("/members/info:", "text/html"))

    assert [len(run) // len("&amp;") for run in AMPERSANDS.findall(page)] == [MOST_LISTED - 1] * 20


def test_a_list_in_rdf_has_two_hundred_languages_of_a_title(tmp_path: Path) -> None:
    name, titles = f"{TYPE}{'a' * 980}", {f"x-{number}": "map" for number in range(2_900)}
    registered = Registered({name: {"title": titles, "part_of": COLLECTION}}, tmp_path)

    listed = body_of(registered.ask(f"/members.nt/{COLLECTION}"))

    assert listed.count("<http://purl.org/dc/terms/title>") == 200 + 1
    assert len(json.loads(body_of(registered.ask(f"/about.json/{name}")))["title"]) == 2_900


def test_a_value_that_is_registered_twice_is_described_once(tmp_path: Path) -> None:
    other, name = f"{TYPE}a/", f"{TYPE}b/"
    records: dict[str, Values] = {
        other: {"title": {"en": TITLE}},
        name: {"title": {"en": "B"}, "properties": {"relation": [other] * 3_000}},
    }

    page = body_of(Registered(records, tmp_path).ask(f"/about/{name}", "text/html"))

    assert len(AMPERSANDS.findall(page)) == 1
