"""A machine that only follows links finds its way from an identifier: FAIR signposting, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from infra.local import EXAMPLES
from infra.local.stack import Stack
from tests.builders import read_links
from tests.end_to_end.expectations import Examples

MAP = "uri-gin/azgs/doc/map/DGM37-HuachucaMountainNv1.1/"


@pytest.fixture(scope="module")
def client(stack: Stack) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=stack.service, timeout=30) as made:
        yield made


def linked(response: httpx.Response, relation: str) -> list[dict[str, str]]:
    return [link for link in read_links(response.headers["Link"]) if link["rel"] == relation]


def linkset(client: httpx.Client, path: str) -> dict[str, dict[str, Any]]:
    response = client.get(path)
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/linkset+json"
    return {context["anchor"]: context for context in response.json()["linkset"]}


def test_an_identifier_leads_to_its_linkset(client: httpx.Client) -> None:
    (link,) = linked(client.get(f"/{MAP}"), "linkset")

    told = linkset(client, link["href"])

    (cited,) = linked(client.get(f"/{MAP}"), "cite-as")
    assert link["type"] == "application/linkset+json"
    assert cited["href"] in told


def test_the_landing_page_meets_level_two(client: httpx.Client) -> None:
    page = client.get(f"/about/{MAP}", headers={"Accept": "text/html"})

    relations = {link["rel"] for link in read_links(page.headers["Link"])}
    (anchor,) = [link["href"] for link in linked(page, "canonical")]
    context = linkset(client, f"/about.linkset/{MAP}")[anchor]

    assert {"cite-as", "describes", "linkset", "type"} <= relations
    assert context["type"] == [{"href": "https://schema.org/AboutPage"}]
    assert all("type" in each for each in context["describedby"])
    assert context["item"]


def test_every_item_leads_back_to_the_landing_page(client: httpx.Client) -> None:
    told = linkset(client, f"/about.linkset/{MAP}")
    (page,) = [anchor for anchor in told if "/about/" in anchor]

    for item in told[page]["item"]:
        assert [each["href"] for each in told[item["href"]]["collection"]] == [page]


def test_the_linkset_is_negotiated_and_never_the_default(client: httpx.Client) -> None:
    default = client.get(f"/about/{MAP}")
    text = client.get(f"/about/{MAP}", headers={"Accept": "application/linkset"})

    assert default.headers["Content-Type"].startswith("text/html")
    assert text.headers["Content-Type"] == "application/linkset"
    assert text.headers["Content-Location"] == f"/about.links/{MAP}"


def test_a_fragment_survives_resolve(client: httpx.Client) -> None:
    response = client.get("/resolve", params={"uri": f"http://geon.org/{MAP}#p.2"})

    assert response.status_code == 302
    assert response.headers["Location"] == f"/{MAP}#p.2"


def test_an_explanation_agrees_with_the_answer(client: httpx.Client) -> None:
    explained = client.get(f"/explain/{MAP}", headers={"Accept": "application/pdf"}).json()

    answered = client.get(f"/{MAP}", headers={"Accept": "application/pdf"})

    assert explained["status"] == answered.status_code
    assert explained["location"] == answered.headers["Location"]


def test_a_list_agrees_with_the_single_answers(client: httpx.Client) -> None:
    names = [MAP, "uri-gin/azgs/", "uri-gin/nobody/x/", "uri-gin/azgs//"]

    items = client.post("/resolve", content=json.dumps(names)).json()

    for name, item in zip(names, items, strict=True):
        answered = client.get(f"/{name}")
        assert item["status"] == answered.status_code
        assert item["location"] == answered.headers.get("Location")


@pytest.mark.parametrize("language", ["de", "en, de;q=0.5"])
def test_a_list_of_the_examples_matches_their_single_answers(client: httpx.Client, language: str) -> None:
    examples = [name for name in Examples(EXAMPLES).rows if not name.startswith("//")]
    wrong = [f"{name}x" for name in examples[::60]] + [
        name.swapcase().replace("URI-GIN", "uri-gin") for name in examples[::20]
    ]
    headers = {"Accept-Language": language}
    asked = {"wrong": wrong, "examples": examples[::4]}

    different = {}
    for names in (each[:100] for each in asked.values()):
        items = client.post("/resolve", json=names, headers=headers).json()
        for name, item in zip(names, items, strict=True):
            got = client.get(f"/{name}", headers=headers)
            expected = got.status_code, got.headers.get("Location")
            if (item["status"], item["location"]) != expected:
                different[name] = item, expected

    assert different == {}


def test_the_interface_is_served(client: httpx.Client) -> None:
    assert client.get("/openapi.json").json()["openapi"] == "3.1.0"
