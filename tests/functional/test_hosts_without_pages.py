"""A host without pages: its registrations come before the paths of the service, which are elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ginuri.memory import MemoryContentStore, MemoryRegistry
from tests.answers import Answer
from tests.builders import PUT, register
from tests.front import HOST, Front
from tests.functional.test_interface import Away
from tests.resolving import Service

DATA = "environment.data.gov.uk"
WATER = f"//{DATA}/registry/def/water"
PAGES = ("/registry", "/search", "/about", "/docs/", "/feed.atom", "/robots.txt", "/openapi.json", "/explain")


@pytest.fixture
def content() -> MemoryContentStore:
    return MemoryContentStore({("water.ttl", "v1"): b"<a> <b> <c> ."})


@pytest.fixture
def registry() -> MemoryRegistry:
    made = MemoryRegistry()
    register(made, "uri-gin/azgs/", record="authority", title={"en": "Survey"})
    register(made, f"//{DATA}/", record="host", title={"en": "Environment"}, pages=False)
    register(made, WATER, title={"en": "Water"})
    for path in PAGES[:3]:
        location = {"location": f"https://data.example.org{path}"}
        register(made, f"//{DATA}{path}", title={"en": path}, representations=[location])
    return made


@pytest.fixture
def front(registry: MemoryRegistry, content: MemoryContentStore, tmp_path: Path) -> Front:
    return Front(registry, tmp_path, content)


def _ask(front: Front, path: str, query: str = "", host: str = DATA, **more: Any) -> Answer:
    return front.ask(path, query=query, headers={"Host": host, **more.pop("headers", {})}, **more)


@pytest.mark.parametrize("path", PAGES[:3])
def test_a_registered_name_beats_a_path_of_the_service(front: Front, path: str) -> None:
    answer = _ask(front, path)

    assert (answer.status, answer.headers["Location"]) == (302, f"https://data.example.org{path}")


def test_a_name_below_a_path_of_the_service_is_answered(front: Front) -> None:
    answer = _ask(front, "/registry/def/water")

    described = f"http://{HOST}/about/http://{DATA}/registry/def/water"
    assert (answer.status, answer.headers["Location"]) == (303, described)
    assert answer.linked("describedby") == [described]
    assert answer.linked("cite-as") == [f"http:{WATER}"]
    assert front.ask(f"/about/http:{WATER}", headers={"Accept": "application/json"}).status == 200


def test_a_stored_file_at_a_path_of_the_service_is_given(front: Front) -> None:
    file = {"key": "water.ttl", "version": "v1", "length": 13, "sha256": "ab" * 32, "stored": PUT.format(0)}
    forms = [{"part": ".ttl", "media_type": "text/turtle", "file": file}]
    register(front.registry, f"//{DATA}/docs", kind="document", representations=forms)

    answer = _ask(front, "/docs.ttl")
    page = _ask(front, "/docs")

    assert (answer.status, answer.content) == (200, b"<a> <b> <c> .")
    assert (page.status, page.headers["Location"]) == (302, f"http://{DATA}/docs.ttl")


def test_a_rule_beats_a_path_of_the_service(front: Front) -> None:
    rule: dict[str, Any] = {"location": "https://old.example.org/{+rest}", "form": 302}
    Service(front.registry).rule(f"//{DATA}/members/", "{+rest}", **rule)

    answer = _ask(front, "/members/a/b")

    assert (answer.status, answer.headers["Location"]) == (302, "https://old.example.org/a/b")


@pytest.mark.parametrize(
    ("path", "query", "where"),
    [
        ("/docs/", "", "/docs/"),
        ("/search", "q=a%20b", "/search?q=a%20b"),
        ("/robots.txt", "", "/robots.txt"),
        ("/about.json", "", f"/about.json/http://{DATA}/"),
        ("/about/uri-gin/azgs/", "lang=es", "/about/uri-gin/azgs/?lang=es"),
        ("/about/registry/def/water", "", f"/about/http://{DATA}/registry/def/water"),
        (f"/about/http://{DATA}/x", "", f"/about/http://{DATA}/x"),
        ("/explain/net/x", "", f"/explain/http://{DATA}/net/x"),
        ("/explain", "", "/explain"),
        ("/timemap.json/net/x", "", f"/timemap.json/http://{DATA}/net/x"),
        ("/members/chebi:1", "", f"/members/http://{DATA}/chebi:1"),
        ("/qr.svg/ark:12345/x8", "", "/qr.svg/ark:12345/x8"),
        ("/resolve", "uri=ark:12345/x8", "/resolve?uri=ark:12345/x8"),
    ],
)
def test_other_paths_of_the_service_lead_to_the_canonical_host(
    tmp_path: Path, path: str, query: str, where: str
) -> None:
    registry = MemoryRegistry()
    register(registry, f"//{DATA}/", record="host", pages=False)

    answer = _ask(Front(registry, tmp_path), path, query=query)

    assert (answer.status, answer.headers["Location"]) == (307, f"http://{HOST}{where}")
    assert answer.headers["Cache-Control"] == "max-age=30"


def test_the_front_page_leads_to_the_description_of_the_host(front: Front) -> None:
    answer = _ask(front, "/", headers={"Accept": "text/html"})

    assert (answer.status, answer.headers["Location"]) == (303, f"http://{HOST}/about/http://{DATA}/")


def test_a_list_to_look_up_is_sent_to_the_canonical_host(front: Front) -> None:
    answer = _ask(front, "/resolve", method="POST", body=json.dumps(["uri-gin/azgs/"]))

    assert (answer.status, answer.headers["Location"]) == (307, f"http://{HOST}/resolve")
    assert _ask(front, "/search", method="PUT").status == 405
    assert _ask(front, "/search", method="OPTIONS").status == 204


@pytest.mark.parametrize("path", ["/assets/style.css", "/assets/none", "/api/x", "/desk", "/health"])
def test_a_kept_path_is_never_given_up(front: Front, path: str) -> None:
    register(front.registry, f"//{DATA}{path}", representations=[{"location": "https://a.example/"}])

    assert "Location" not in _ask(front, path).headers


def test_the_canonical_host_gives_nothing_up(front: Front) -> None:
    register(front.registry, f"//{HOST}/", record="host", pages=False)
    register(front.registry, f"//{HOST}/docs/x", representations=[{"location": "https://a.example/"}])

    assert _ask(front, "/docs/", host=HOST).status == 200
    assert _ask(front, "/docs/x", host=HOST).status == 404


@pytest.mark.parametrize("pages", [None, True])
def test_a_host_with_pages_keeps_the_paths_of_the_service(front: Front, *, pages: bool | None) -> None:
    register(front.registry, f"//{DATA}/", 1, pages=pages)

    for path in ("/registry/def/water", f"/about/http:{WATER}", f"/resolve?uri=http:{WATER}"):
        answer = _ask(front, *path.partition("?")[::2])
        assert "reserved for the service itself" in answer.content.decode(), path
    explained = json.loads(_ask(front, f"/explain/http:{WATER}").content)
    assert (explained["outcome"], explained["status"]) == ("NoSuchScheme", 404)
    assert explained["steps"][-1]["result"]["because"] == "The path is one of the service itself."
    assert _ask(front, "/docs/").status == 200
    assert _ask(front, "/about").status == 200


def test_a_fallback_gets_the_paths_but_no_page_about_an_identifier(front: Front) -> None:
    register(front.registry, f"//{DATA}/", 1, fallback="legacy.example.net")

    assert _ask(front, "/search", query="q=a").headers["Location"] == "https://data.example.org/search"
    assert _ask(front, "/docs/").headers["Location"] == "http://legacy.example.net/docs/"
    assert _ask(front, "/members/x").headers["Location"] == "http://legacy.example.net/members/x"
    page = f"/about/http://{DATA}/x"
    assert _ask(front, page).headers["Location"] == f"http://{HOST}{page}"


# Calls of the registry: as many as on the canonical host, except where that needs none.
@pytest.mark.functions
@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/about.json/uri-gin/azgs/", ""),
        ("/about.json/http://id.example.org/x", ""),
        ("/explain/uri-gin/azgs/", ""),
        ("/members.json/uri-gin/azgs/", ""),
        ("/resolve", "uri=http://id.example.org/x"),
        ("/uri-res/N2L", "uri-gin/azgs/"),
        ("/", ""),
    ],
)
def test_a_host_with_pages_needs_no_further_call(tmp_path: Path, path: str, query: str) -> None:
    calls = {}
    for host in (HOST, "id.example.org"):
        registry = MemoryRegistry()
        register(registry, "uri-gin/azgs/", record="authority", title={"en": "Survey"})
        register(registry, "//id.example.org/", record="host", title={"en": "Ids"})
        register(registry, "//id.example.org/x", title={"en": "X"})
        front = Front(registry, tmp_path)
        registry.calls = 0
        _ask(front, path, query, host)
        calls[host] = registry.calls

    assert calls["id.example.org"] == calls[HOST]


@pytest.mark.functions
def test_the_record_of_a_host_is_remembered(tmp_path: Path) -> None:
    registry = MemoryRegistry()
    register(registry, "//id.example.org/", record="host")
    front = Front(registry, tmp_path)
    registry.calls = 0

    for path in ("/docs/", "/openapi.json", "/docs/", "/explain"):
        _ask(front, path, host="id.example.org")

    assert registry.calls == 1


@pytest.mark.functions
@pytest.mark.parametrize(("path", "calls"), [("/docs/", 0), ("/search/x", 0), ("/registry/def/water", 0)])
def test_a_path_on_the_canonical_host_needs_no_call(tmp_path: Path, path: str, calls: int) -> None:
    registry = MemoryRegistry()
    front = Front(registry, tmp_path)
    registry.calls = 0

    _ask(front, path, host=HOST)

    assert registry.calls == calls


@pytest.mark.functions
def test_an_unavailable_registry_answers_503_on_other_hosts(tmp_path: Path) -> None:
    away = Front(Away(), tmp_path)

    assert _ask(away, "/docs/", host="id.example.org").status == 503
    assert _ask(away, "/docs/", host=HOST).status == 200
    assert _ask(away, "/assets/style.css", host="id.example.org").status == 200
