"""Dated versions over HTTP, read by a client of RFC 7089."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import memento_client
import pytest
import requests
from requests.adapters import HTTPAdapter

from infra.local.stack import Stack
from tests.builders import read_link_values
from tests.end_to_end.uploading import put, upload

ACT, CHART = "uri-gin/azgs/doc/act", "uri-gin/azgs/doc/chart/"
HOST = "resources.usgin.org"
DAYS = ("1991-02-01", "1997-06-01", "2005-01-15")
MOMENT = "Tue, 11 Sep 2001 20:35:00 GMT"


@pytest.fixture(scope="module")
def http(stack: Stack) -> Iterator[httpx.Client]:
    """A client of the running stack, after a steward uploaded the versions of an act and of a chart."""
    lines: list[dict[str, Any]] = []
    for day in DAYS:
        put(stack, f"uri-gin/azgs/acts/{day}.html", f"<h1>The act of {day}</h1>".encode())
        form = {"media_type": "text/html", "file": f"acts/{day}.html", "valid_from": day}
        elsewhere = {"media_type": "image/tiff", "location": f"https://example.org/{day}", "valid_from": day}
        lines.append({"identifier": ACT, "title": "The act", "representations": [form]})
        lines.append({"identifier": CHART, "title": "The chart", "representations": [form, elsewhere]})
    text = "".join(json.dumps(line) + "\n" for line in lines)
    report = upload(stack, "uri-gin/azgs/versions.jsonl", text.encode())
    assert report["counts"]["refused"] == 0, report["verdicts"]
    with httpx.Client(base_url=stack.service, timeout=30) as client:
        yield client


class _Locally(HTTPAdapter):
    """Sends requests for any host to the running stack, with the name of that host."""

    def __init__(self, service: str) -> None:
        super().__init__()
        self._service = service

    def send(self, request: requests.PreparedRequest, *args: Any, **more: Any) -> requests.Response:
        meant = request.url or ""
        where = httpx.URL(meant)
        request.headers["Host"] = where.netloc.decode()
        request.url = self._service + where.raw_path.decode()
        response = super().send(request, *args, **more)
        response.url = request.url = meant
        return response


@pytest.fixture
def memento(http: httpx.Client) -> Iterator[memento_client.MementoClient]:
    """A Memento client that uses the stack as every host, and a document as its own TimeGate."""
    session = requests.Session()
    session.mount("http://", _Locally(str(http.base_url).rstrip("/")))
    yield memento_client.MementoClient(timegate_uri="", check_native_timegate=False, session=session)
    session.close()


@pytest.mark.parametrize(
    ("moment", "chosen"),
    [
        (datetime(2001, 9, 11, 20, 35, tzinfo=UTC), 1),
        (datetime(1997, 6, 1, tzinfo=UTC), 1),
        (datetime(1950, 1, 1, tzinfo=UTC), 0),
        (datetime(2020, 1, 1, tzinfo=UTC), 2),
    ],
)
def test_a_memento_client_finds_the_version_of_a_date(
    memento: memento_client.MementoClient, moment: datetime, chosen: int
) -> None:
    told = memento.get_memento_info(f"http://{HOST}/{ACT}", moment.replace(tzinfo=None))

    assert told["original_uri"] == told["timegate_uri"] == f"http://{HOST}/{ACT}"
    found = told["mementos"]
    assert found["closest"]["uri"] == [f"http://{HOST}/{ACT}/{DAYS[chosen]}"]
    assert found["closest"]["datetime"] == datetime.fromisoformat(DAYS[chosen])
    assert found["closest"]["http_status_code"] == 200
    assert found["first"]["uri"] == [f"http://{HOST}/{ACT}/{DAYS[0]}"]
    assert found["last"]["uri"] == [f"http://{HOST}/{ACT}/{DAYS[-1]}"]


def test_a_memento_client_recognises_timegate_and_mementos(
    memento: memento_client.MementoClient,
) -> None:
    for timegate in (ACT, f"{CHART}current"):
        assert memento.is_timegate(f"http://{HOST}/{timegate}", session=memento.session)
    for version in (f"{ACT}/{DAYS[0]}", f"{CHART}{DAYS[0]}"):
        answer = memento.session.head(f"http://{HOST}/{version}")
        assert memento.is_memento(f"http://{HOST}/{version}", response=answer)


def test_a_version_is_a_memento_that_links_its_neighbours(http: httpx.Client) -> None:
    answer = http.get(f"/{CHART}{DAYS[1]}", headers={"Accept": "text/html"})

    assert (answer.status_code, answer.text) == (200, f"<h1>The act of {DAYS[1]}</h1>")
    assert answer.headers["memento-datetime"] == "Sun, 01 Jun 1997 00:00:00 GMT"
    links = {each["rel"]: each["href"] for each in read_link_values(answer.headers["link"])}
    assert links["original"] == f"http://{HOST}/{CHART}"
    assert links["timegate"] == f"http://{HOST}/{CHART}current"
    assert links["first prev memento"] == f"http://{HOST}/{CHART}{DAYS[0]}"
    assert links["next last memento"] == f"http://{HOST}/{CHART}{DAYS[2]}"
    tiff = http.get(f"/{CHART}{DAYS[1]}", headers={"Accept": "image/tiff"})
    assert (tiff.status_code, tiff.headers["location"]) == (302, f"https://example.org/{DAYS[1]}")


@pytest.mark.parametrize(
    ("name", "status", "day"),
    [
        ("original", 302, DAYS[0]),
        ("2004-12-31", 302, DAYS[1]),
        ("prospective", 404, None),
        ("1991-01-31", 404, None),
    ],
)
@pytest.mark.parametrize("base", [f"{ACT}/", CHART])
def test_a_day_or_a_word_leads_to_its_version_or_the_list(
    http: httpx.Client, base: str, name: str, status: int, day: str | None
) -> None:
    answer = http.get(f"/{base}{name}")

    assert (answer.status_code, answer.headers.get("location")) == (status, day and f"/{base}{day}")
    if status == 404:
        assert f"/{base}{DAYS[0]}" in {each["href"] for each in answer.json()["advice"]}


def test_the_timemap_lists_all_versions_in_both_formats(http: httpx.Client) -> None:
    listed = http.get(f"/timemap/{ACT}")
    document = http.get(f"/timemap.json/{ACT}").json()

    assert listed.headers["content-type"] == "application/link-format"
    read = memento_client.MementoClient.parse_link_header(listed.text.replace(",\n", ", ").strip())
    assert [uri.rpartition("/")[2] for uri, it in read.items() if "memento" in " ".join(it["rel"])] == [*DAYS]
    assert [each["uri"] for each in document["mementos"]["list"]] == [
        f"http://{HOST}/{ACT}/{day}" for day in DAYS
    ]
