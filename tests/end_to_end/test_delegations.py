"""A prefix that another host answers for, from the steward's upload to the redirect."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from infra.local.stack import Stack
from tests.end_to_end.uploading import upload

CORES = "uri-gin/azgs/core/"
PHOTOS = f"{CORES}photo/"


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    """A client of the running stack, after a steward delegated a prefix and took a part of it back."""
    key = "uri-gin/azgs/delegations.csv"
    here = urlsplit(stack.service).netloc
    body = (
        "record,identifier,title,answered_by\n"
        f"delegation,{CORES},The core repository,cores.example.org\n"
        f"delegation,{PHOTOS},,{here}\n"
    )
    report = upload(stack, key, body.encode())
    assert report["counts"]["refused"] == 0, report["verdicts"]
    with httpx.Client(base_url=stack.service, timeout=30) as client:
        yield client


@pytest.mark.parametrize("name", [CORES, f"{CORES}17", f"{CORES}a%2Fb/17.pdf"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_names_under_a_delegated_prefix_redirect_to_the_answering_host(
    http: httpx.Client, method: str, name: str
) -> None:
    answer = http.request(method, f"/{name}")

    assert (answer.status_code, answer.headers["location"]) == (307, f"http://cores.example.org/{name}")
    assert answer.headers["cache-control"] == "max-age=60"


def test_a_prefix_handed_back_is_answered_here(http: httpx.Client) -> None:
    assert http.get(f"/{PHOTOS}17").status_code == 404
    assert http.get(f"/{PHOTOS}").headers["location"] == f"/about/{PHOTOS}"


def test_the_description_and_the_explanation_name_the_host(http: httpx.Client) -> None:
    page = http.get(f"/about.html/{CORES}").text
    told = http.get(f"/about.json/{CORES}").json()
    explained = http.get(f"/explain/{CORES}17", headers={"Accept": "application/json"}).json()

    assert "cores.example.org" in page
    assert "The core repository" in page
    assert told["delegation"] == {"answered_by": "cores.example.org", "title": "The core repository"}
    assert explained["steps"][-1]["result"]["answered_by"] == "cores.example.org"
