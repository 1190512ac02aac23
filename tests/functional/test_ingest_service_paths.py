"""Uploads of names under the paths of the service, and of hosts that give these paths up."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ginuri.ingest.flow import ingest_part
from tests.steward import Report, Steward, line, settled

KEY, HOST = "_host/data.jsonl", "http://environment.data.gov.uk/"
FOLDER = "environment.data.gov.uk"
WATER = f"{HOST}registry/def/water"


def _host(**fields: Any) -> str:
    return line(HOST, record="host", title="Environment", **fields)


def _upload_for(steward: Steward, canonical_host: str, key: str, content: str) -> Report:
    upload = steward.put(key, content)
    ingest_part(upload, replace(steward.collaborators, canonical_host=canonical_host))
    return steward.report(upload)


@pytest.mark.parametrize(
    "stated",
    [
        {"identifier": WATER, "title": "Water"},
        {"identifier": f"{HOST}search", "title": "Search", "location": "https://a.example/"},
        {"identifier": f"{HOST}about/", "record": "rule", "location": "https://a.example/{+rest}"},
        {"identifier": f"{HOST}docs/", "record": "delegation", "answered_by": "a.example"},
        {"identifier": f"{HOST}explain", "record": "alias", "stands_for": f"{HOST}x"},
    ],
)
def test_a_path_of_the_service_needs_a_host_without_pages(stated: dict[str, Any]) -> None:
    steward = settled()
    steward.upload(KEY, _host())

    refused = steward.upload(f"{FOLDER}/names.jsonl", line(**stated))
    steward.upload("_host/later.jsonl", _host(pages=False))
    registered = steward.upload(f"{FOLDER}/again.jsonl", line(**stated))

    assert refused.refused[(1,)] == [("identifier", "service")]
    assert registered.refused == {}


def test_an_authority_at_a_path_of_the_service_has_names_too() -> None:
    steward = settled()
    domain = line(f"{HOST}registry/", record="authority", title="Registers")
    early = steward.upload("_host/early.jsonl", _host() + domain)
    steward.upload("_host/later.jsonl", _host(pages=False))

    late = steward.upload("_host/again.jsonl", domain)
    named = steward.upload(f"{FOLDER}/registry/names.jsonl", line(WATER, title="Water"))

    assert early.refused == {(2,): [("identifier", "service")]}
    assert late.refused == named.refused == {}


@pytest.mark.parametrize("path", ["assets/x.js", "api/v1", "desk", "health"])
def test_some_paths_are_never_given_up(path: str) -> None:
    steward = settled()
    steward.upload(KEY, _host(pages=False))

    report = steward.upload(f"{FOLDER}/names.jsonl", line(f"{HOST}{path}", title="X"))

    assert report.refused == {(1,): [("identifier", "reserved")]}


def test_the_canonical_host_keeps_its_pages() -> None:
    steward = settled()

    report = _upload_for(steward, FOLDER, KEY, _host(pages=False))

    assert report.refused == {(1,): [("pages", "canonical host")]}


def test_a_host_that_became_canonical_gives_nothing_up() -> None:
    steward = settled()
    steward.upload(KEY, _host(pages=False))

    report = _upload_for(steward, FOLDER, f"{FOLDER}/names.jsonl", line(WATER, title="Water"))

    assert report.refused == {(1,): [("identifier", "service")]}


@pytest.mark.parametrize("pages", [True, None])
def test_a_host_that_takes_its_pages_back_gets_a_warning(pages: Any) -> None:
    steward = settled()
    steward.upload(KEY, _host(pages=False))
    steward.upload(f"{FOLDER}/names.jsonl", line(WATER, title="Water"))

    report = steward.upload("_host/later.jsonl", _host(pages=pages))
    unrelated = steward.upload("_host/other.jsonl", _host(pages=pages, description="Data"))

    assert ("pages", "names") in report.verdicts[0].warned
    assert ("pages", "names") not in unrelated.verdicts[0].warned
    assert steward.values(WATER.removeprefix("http:")) is not None


def test_only_a_host_states_its_pages() -> None:
    report = settled().upload(KEY, line("uri-gin/azgs/", record="authority", pages=False))

    assert report.refused == {(1,): [("pages", "authority")]}


def test_a_table_states_pages_in_a_cell() -> None:
    steward = settled()

    report = steward.upload("_host/data.csv", f"record,identifier,title,pages\nhost,{HOST},Data,false\n")

    assert report.refused == {}
    assert (steward.values(f"//{FOLDER}/") or {})["pages"] is False


def test_a_redirect_to_a_given_up_path_is_followed() -> None:
    steward = settled()
    steward.upload(KEY, _host(pages=False))
    steward.upload(f"{FOLDER}/names.jsonl", line(WATER, title="Water", location=f"{HOST}search"))

    report = steward.upload(f"{FOLDER}/more.jsonl", line(f"{HOST}search", title="Back", location=WATER))

    assert report.refused == {(1,): [("location", "itself")]}
