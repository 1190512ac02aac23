"""The published files of the examples, over HTTP: every name in them works."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import httpx
import pytest

from infra.attack.deployed import attack_deployed
from infra.local.schedule import publish
from infra.local.stack import Stack

SITEMAPS = {"": "http://www.sitemaps.org/schemas/sitemap/0.9"}
ATOM = {"": "http://www.w3.org/2005/Atom"}


@pytest.fixture(scope="module")
def client(stack: Stack) -> Iterator[httpx.Client]:
    """A client of the stack with the examples, which are published."""
    told: list[str] = []
    publish(stack, told.append)
    assert told[0].startswith("published: ")
    with httpx.Client(base_url=stack.service, timeout=30) as client:
        yield client


def test_a_crawler_reaches_every_identifier_from_robots_txt(client: httpx.Client) -> None:
    [index] = [
        line.removeprefix("Sitemap: ")
        for line in client.get("/robots.txt").text.splitlines()
        if line.startswith("Sitemap: ")
    ]
    host = urlsplit(index).netloc
    sitemaps = _locations(client.get(urlsplit(index).path).content)
    packed = [client.get(urlsplit(sitemap).path).content for sitemap in sitemaps]
    found = [each for content in packed for each in _locations(gzip.decompress(content))]

    assert len(found) > 100
    assert {urlsplit(each).netloc for each in found} == {host}
    for each in found[::40]:
        assert client.get(urlsplit(each).path).status_code in {200, 301, 302, 303, 307}, each


def test_the_data_set_can_be_registered_again(client: httpx.Client) -> None:
    described = client.get("/registry").json()
    answer = client.get("/registry.jsonl.gz")

    lines = [json.loads(line) for line in gzip.decompress(answer.content).splitlines()]
    assert described["dcat:distribution"]["dcat:byteSize"]["@value"] == str(len(answer.content))
    assert len({line["identifier"] for line in lines}) == described["void:entities"]
    again = client.get("/registry.jsonl.gz", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize("path", ["/registry.jsonl.gz", "/feed.atom", "/sitemaps/1.xml.gz"])
def test_an_interrupted_download_of_published_files_resumes(client: httpx.Client, path: str) -> None:
    whole = client.get(path)
    validator, half = {"If-Range": whole.headers["ETag"]}, len(whole.content) // 2

    rest = client.get(path, headers={**validator, "Range": f"bytes={half}-"})
    beyond = client.get(path, headers={**validator, "Range": f"bytes={len(whole.content)}-"})
    unmodified = client.get(path, headers={"If-Modified-Since": whole.headers["Last-Modified"]})

    assert (rest.status_code, whole.content[:half] + rest.content) == (206, whole.content)
    assert rest.headers["Content-Range"] == f"bytes {half}-{len(whole.content) - 1}/{len(whole.content)}"
    assert (beyond.status_code, unmodified.status_code) == (416, 304)


@pytest.mark.parametrize("path", ["/registry", "/sitemap.xml", "/search?q=map", "/opensearch.xml"])
def test_an_unchanged_answer_from_published_files_is_a_304(client: httpx.Client, path: str) -> None:
    whole = client.get(path)

    known = client.get(path, headers={"If-None-Match": whole.headers["ETag"]})

    assert (known.status_code, known.headers["ETag"]) == (304, whole.headers["ETag"])
    assert "Last-Modified" not in whole.headers


def test_the_feed_leads_to_the_registered_identifiers(client: httpx.Client) -> None:
    feed = ET.fromstring(client.get("/feed.atom").content)  # noqa: S314  our own

    links = {each.get("href") or "" for each in feed.iterfind("entry/link", ATOM)}
    assert links
    for each in links:
        assert client.get(urlsplit(each).path).status_code == 200, each


def test_a_search_finds_an_example_and_a_title_redirects_to_it(client: httpx.Client) -> None:
    found = client.get("/search", params={"q": "arizona geological", "type": "authority"}).json()
    assert "uri-gin/azgs/" in [each["identifier"] for each in found["results"]]

    page = client.get("/search", params={"q": "arizona"}, headers={"Accept": "text/html"})
    assert 'href="/about/uri-gin/azgs/"' in page.text
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]

    thing = client.get("/search", params={"q": "map", "authority": "uri-gin/azgs/"}).json()["results"][0]
    led = client.get("/uri-gin/azgs/", params={"title": thing["title"]})
    assert led.status_code in {300, 301}
    assert thing["identifier"] in led.headers.get("Location", led.text)
    assert client.get("/uri-gin/azgs/", params={"title": "absent"}).status_code == 404


def test_the_attack_on_a_running_stack_finds_nothing(client: httpx.Client) -> None:
    tallies = attack_deployed(str(client.base_url), "make test", 0.05)

    failures = [failure for tally in tallies.values() for failure in tally.failures]
    assert failures == []
    assert all(tally.trials for tally in tallies.values())


def _locations(content: bytes) -> list[str]:
    root = ET.fromstring(content)  # noqa: S314  our own
    return [each.text or "" for each in root.iterfind("*/loc", SITEMAPS)]
