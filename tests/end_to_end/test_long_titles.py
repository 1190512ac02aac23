"""The longest possible titles, uploaded by a steward: the running stack still answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import httpx
import pytest

from infra.local.schedule import publish
from infra.local.stack import Stack
from tests.end_to_end.uploading import upload

AUTHORITY = {"record": "authority", "identifier": "uri-gin/accents/", "title": "Accents"}
NAMES = [f"uri-gin/accents/{number:02d}" for number in range(80)]
TITLE = f"accentuated {'é' * 30_000}"


@pytest.fixture(scope="module")
def client(empty_stack: Stack) -> Iterator[httpx.Client]:
    """A client of the stack in which the titles are registered and published."""
    upload(empty_stack, "_host/accents.jsonl", json.dumps(AUTHORITY).encode())
    lines = [json.dumps({"identifier": name, "title": {"en": TITLE}}) for name in NAMES]
    report = upload(empty_stack, "uri-gin/accents/maps.jsonl", "\n".join(lines).encode())
    assert (report["counts"]["registered"], report["counts"]["warned"]) == (len(NAMES), len(NAMES))
    publish(empty_stack, lambda _: None)
    with httpx.Client(base_url=empty_stack.service, timeout=60) as client:
        yield client


def test_a_search_for_long_titles_is_a_page_of_results(client: httpx.Client) -> None:
    page = client.get("/search", params={"q": "accentuated", "most": 80}, headers={"Accept": "text/html"})

    assert page.status_code == 200
    assert all(f"<code>{name}</code>" in page.text for name in NAMES)
    assert len(page.content) < 500_000


def test_a_search_for_long_titles_ends_its_json_earlier(client: httpx.Client) -> None:
    found, where = [], "/search?q=accentuated&most=80"
    while where:
        answer = client.get(where, headers={"Accept": "application/json"})
        assert answer.status_code == 200
        found += [(result["identifier"], result["title"]) for result in answer.json()["results"]]
        where = answer.links["next"]["url"] if "next" in answer.links else ""

    assert sorted(found) == [(name, TITLE) for name in NAMES]


def test_a_list_of_long_titles_ends_earlier(client: httpx.Client) -> None:
    found, where = [], "/members.csv/uri-gin/accents/"
    while where:
        answer = client.get(where)
        assert answer.status_code == 200
        found += re.findall(r"^(uri-gin/accents/\d\d),", answer.text, re.MULTILINE)
        where = answer.links["next"]["url"] if "next" in answer.links else ""

    assert found == NAMES


def test_identifiers_with_long_titles_are_looked_up_in_small_batches(client: httpx.Client) -> None:
    refused = client.post("/resolve", json=NAMES)

    assert refused.status_code == 413
    [number] = re.findall(r"at most (\d+) of these", refused.json()["detail"])
    answered = client.post("/resolve", json=NAMES[: int(number)])
    assert [item["title"] for item in answered.json()] == [TITLE] * int(number)
