"""An unregistered scheme with registered name authorities."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ginuri.memory import MemoryRegistry
from ginuri.resolution.descriptions.formats import COMMON_FORMATS
from tests.builders import register
from tests.front import HOST, Front

HTML = {"Accept": "text/html"}


@pytest.fixture
def front(tmp_path: Path) -> Front:
    registry = MemoryRegistry()
    register(registry, "uri-gin/azgs/", record="authority", title={"en": "Arizona Geological Survey"})
    register(registry, "uri-gin/azgs/doc/x", title={"en": "A report"})
    return Front(registry, tmp_path)


def test_an_unregistered_scheme_leads_to_its_description(front: Front) -> None:
    answer = front.ask("/uri-gin/")

    assert (answer.status, answer.headers["Location"]) == (303, "/about/uri-gin/")


def test_a_scheme_without_its_slash_is_another_spelling(front: Front) -> None:
    answer = front.ask("/uri-gin")

    assert (answer.status, answer.headers["Location"]) == (302, "/uri-gin/")


@pytest.mark.parametrize("name", ["uri-rock/", "uri-rock", "info:", "urn:", "ark:"])
def test_a_scheme_without_identifiers_is_not_registered(front: Front, name: str) -> None:
    assert front.ask(f"/{name}").status == 404
    assert front.ask(f"/about/{name}").status == 404


def test_a_scheme_of_namespaces_leads_to_its_description(front: Front) -> None:
    register(front.registry, "info:pmid/", record="namespace")

    assert front.ask("/info:").headers["Location"] == "/about/info:"
    assert b"info:pmid/" in front.ask("/about/info:", headers=HTML).content


@pytest.mark.parametrize("extension", sorted(COMMON_FORMATS))
def test_the_description_of_an_unregistered_scheme_has_every_common_format(
    front: Front, extension: str
) -> None:
    answer = front.ask(f"/about.{extension}/uri-gin/")

    assert answer.status == 200
    assert b"uri-gin/" in answer.content
    assert b"modified" not in answer.content.lower() or extension == "html"


def test_the_description_of_an_unregistered_scheme_lists_its_authorities(front: Front) -> None:
    page = front.ask("/about/uri-gin/", headers=HTML).content.decode()
    listed = front.ask("/members.json/uri-gin/")

    assert "Arizona Geological Survey" in page
    assert listed.status == 200
    assert "uri-gin/azgs/" in listed.content.decode()
    assert front.ask("/qr.svg/uri-gin/").status == 200


def test_an_explanation_shows_that_the_scheme_is_not_registered(front: Front) -> None:
    explained = json.loads(front.ask("/explain/uri-gin/").content)
    find = next(step["result"] for step in explained["steps"] if step["step"] == "find")

    assert (explained["outcome"], explained["status"]) == ("SeeDescription", 303)
    assert find["identifier"] == {"identifier": "uri-gin/", "registered": False}
    page = front.ask("/explain/uri-gin/", headers=HTML).content.decode()
    assert "Identifiers under it are registered." in page


def test_a_list_has_the_answer_of_a_request_for_a_scheme(front: Front) -> None:
    names = ["uri-gin/", "uri-gin", "uri-rock/", "uri-gin/none/"]

    listed = json.loads(front.ask("/resolve", "POST", body=json.dumps(names)).content)

    assert [(item["status"], item["location"]) for item in listed] == [
        (303, "/about/uri-gin/"),
        (302, "/uri-gin/"),
        (404, None),
        (404, None),
    ]


@pytest.mark.functions
@pytest.mark.parametrize(
    ("name", "calls"), [("uri-gin/", 2), ("uri-gin", 2), ("uri-rock/", 2), ("uri-rock", 2)]
)
def test_an_unregistered_scheme_takes_two_calls(front: Front, name: str, calls: int) -> None:
    before = front.registry.calls

    front.ask(f"/{name}")
    assert front.registry.calls - before == calls

    front.ask(f"/{name}")
    assert front.registry.calls - before == calls


@pytest.mark.functions
@pytest.mark.parametrize("name", ["uri-gin/", "uri-gin"])
def test_a_registered_scheme_takes_one_call(front: Front, name: str) -> None:
    register(front.registry, "uri-gin/", record="scheme")
    before = front.registry.calls

    assert front.ask(f"/{name}").status in {302, 303}
    assert front.registry.calls - before == 1


def test_the_search_leads_to_an_unregistered_scheme(front: Front) -> None:
    answer = front.ask("/search", query=f"q=http://{HOST}/uri-gin/", headers=HTML)

    assert answer.headers["Location"] == "/about/uri-gin/"


def test_another_spelling_of_a_description_keeps_the_query(front: Front) -> None:
    answer = front.ask("/about/uri-gin/azgs", query="lang=es")

    assert (answer.status, answer.headers["Location"]) == (302, "/about/uri-gin/azgs/?lang=es")
