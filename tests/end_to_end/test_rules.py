"""Rules, aliases, other spellings, conditions and ranges, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from infra.local.stack import Stack
from tests.end_to_end.uploading import upload
from tests.line_breaks import unbroken

MAP = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/"
IMAGE = f"{MAP}mapImageFile.pdf"
# The functions remember for a minute where a scheme has rules: these have a scheme of their own.
WELLS = "uri-wells/azgs/"
SCHEME = [
    {"record": "scheme", "identifier": "uri-wells/", "title": "Wells"},
    {"record": "authority", "identifier": WELLS, "title": "Survey", "contact": "maps@azgs.example"},
    {"record": "rule", "identifier": WELLS, "pattern": "{county}/{id}/", "title": "Wells",
     "location": "https://example.org/{county}?well={id}", "pass_query": True},
    {"record": "rule", "identifier": WELLS, "pattern": "closed/{id}/", "status_code": 410},
]  # fmt: skip
LINES = [
    {"record": "alias", "identifier": "uri-gin/azgs/doc/map/DGM37/current", "title": "The map in force",
     "stands_for": [MAP], "status_code": 302},
    {"record": "alias", "identifier": "uri-gin/azgs/doc/map/huachuca", "title": "Huachuca maps",
     "stands_for": [MAP, "uri-gin/azgs/doc/map/DGM37-HuachucaMountainN/"]},
]  # fmt: skip


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    """A client of the running stack, after a steward uploaded rules and aliases."""
    for key, lines in (("_host/wells.jsonl", SCHEME), ("uri-gin/azgs/rules.jsonl", LINES)):
        body = "".join(json.dumps(line) + "\n" for line in lines).encode()
        report = upload(stack, key, body)
        assert report["counts"]["refused"] == 0, report["verdicts"]
    with httpx.Client(base_url=stack.service, timeout=30) as client:
        yield client


def _seen(answer: httpx.Response) -> tuple[int, str | None]:
    return answer.status_code, answer.headers.get("location")


def test_a_rule_answers_for_all_names_that_match_its_pattern(http: httpx.Client) -> None:
    assert _seen(http.get(f"/{WELLS}Cochise/17/")) == (303, "https://example.org/Cochise?well=17")


def test_a_rule_with_the_option_passes_on_the_query(http: httpx.Client) -> None:
    answer = http.get(f"/{WELLS}Cochise/17/?depth=2&unit=m")

    assert _seen(answer) == (303, "https://example.org/Cochise?well=17&depth=2&unit=m")


def test_the_more_literal_rule_wins(http: httpx.Client) -> None:
    assert _seen(http.get(f"/{WELLS}closed/17/")) == (410, None)


def test_an_alias_redirects_to_its_target(http: httpx.Client) -> None:
    assert _seen(http.get("/uri-gin/azgs/doc/map/DGM37/current")) == (302, f"/{MAP}")


def test_an_alias_with_several_targets_lists_them_as_a_linkset(http: httpx.Client) -> None:
    answer = http.get("/uri-gin/azgs/doc/map/huachuca", headers={"Accept": "application/linkset+json"})

    (context,) = answer.json()["linkset"]
    host = context["anchor"].partition("/uri-gin/")[0]
    assert (answer.status_code, answer.headers["content-type"]) == (300, "application/linkset+json")
    assert context == {
        "anchor": f"{host}/uri-gin/azgs/doc/map/huachuca",
        "alternate": [
            {"href": f"{host}/{MAP}"},
            {"href": f"{host}/uri-gin/azgs/doc/map/DGM37-HuachucaMountainN/"},
        ],
    }


def test_an_unacceptable_request_gets_the_types_and_languages(http: httpx.Client) -> None:
    answer = http.get("/uri-gin/usgin/doc/uriGuide", headers={"Accept": "image/x-none"})

    told = {(each["type"], each.get("hreflang")) for each in answer.json()["advice"]}
    assert answer.status_code == 406
    assert {language for _, language in told} >= {"de", "en"}


@pytest.mark.parametrize("media_type", ["application/linkset+json", "application/linkset"])
def test_an_unacceptable_request_may_get_a_linkset(http: httpx.Client, media_type: str) -> None:
    answer = http.get("/uri-gin/usgin/doc/uriGuide", headers={"Accept": media_type})

    assert (answer.status_code, answer.headers["content-type"]) == (406, media_type)
    assert "Accept" in answer.headers["vary"]
    assert "/uri-gin/usgin/doc/uriGuide" in answer.text


def test_a_browser_gets_several_choices_on_a_page(http: httpx.Client) -> None:
    answer = http.get("/uri-gin/azgs/doc/map/huachuca", headers={"Accept": "text/html"})

    assert answer.status_code == 300
    assert f'<a href="/{MAP}" rel="alternate">{MAP}</a>' in unbroken(answer.text)


@pytest.mark.parametrize(
    "other", ["uri-gin/azgs/PERSON/stephenrichard/", "uri-gin/azgs/person/StephenRichard"]
)
def test_another_spelling_redirects_to_the_registered_one(http: httpx.Client, other: str) -> None:
    answer = http.get(f"/{other}")

    assert _seen(answer) == (302, "/uri-gin/azgs/person/StephenRichard/")
    assert answer.headers["cache-control"] == "max-age=30"


def test_harvested_punctuation_gets_advice_and_no_redirect(http: httpx.Client) -> None:
    answer = http.get("/uri-gin/azgs/person/StephenRichard/).")

    assert answer.status_code == 404
    assert "/uri-gin/azgs/person/StephenRichard/" in [each["href"] for each in answer.json()["advice"]]


def test_content_is_not_sent_twice(http: httpx.Client) -> None:
    etag = http.get(f"/{IMAGE}").headers["etag"]

    answer = http.get(f"/{IMAGE}", headers={"If-None-Match": etag})

    assert (answer.status_code, answer.content) == (304, b"")


def test_a_range_of_content_has_exactly_those_bytes(http: httpx.Client) -> None:
    whole = http.get(f"/{IMAGE}").content

    answer = http.get(f"/{IMAGE}", headers={"Range": "bytes=5-9"})

    assert (answer.status_code, answer.content) == (206, whole[5:10])
    assert answer.headers["content-range"] == f"bytes 5-9/{len(whole)}"


def test_a_range_beyond_the_content_gets_its_length(http: httpx.Client) -> None:
    length = len(http.get(f"/{IMAGE}").content)

    answer = http.get(f"/{IMAGE}", headers={"Range": f"bytes={length}-"})

    assert (answer.status_code, answer.headers["content-range"]) == (416, f"bytes */{length}")
