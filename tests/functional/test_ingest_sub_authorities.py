"""An authority opens only the folders of its sub-authorities."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.registry.model import NameAuthority, Resource
from tests.steward import HOST, Steward

FOLDER = "uri-gin/azgs/mapping.jsonl"
OPENING = {"identifier": "uri-gin/azgs/authority/azgs.mapping/", "title": "The mapping group"}
AUTHORITY = {"record": "authority", "identifier": "uri-gin/azgs.mapping/", "title": "Mapping group"}
MAP = {"identifier": "uri-gin/azgs.mapping/map/1/", "title": "A map", "location": "https://example.org/1"}


@pytest.fixture
def steward() -> Steward:
    made = Steward()
    made.upload("_host/authorities.jsonl", HOST)
    return made


def _lines(*registrations: dict[str, Any]) -> str:
    return "".join(json.dumps(each) + "\n" for each in registrations)


def test_an_authority_makes_a_sub_authority_and_registers_under_it(steward: Steward) -> None:
    opened = steward.upload("uri-gin/azgs/authorities.jsonl", _lines(OPENING))
    report = steward.upload(FOLDER, _lines(AUTHORITY, MAP))

    assert (opened.refused, report.refused) == ({}, {})
    found = steward.registry.fetch([AUTHORITY["identifier"], MAP["identifier"]])
    assert isinstance(found["uri-gin/azgs.mapping/"], NameAuthority)
    assert isinstance(found["uri-gin/azgs.mapping/map/1/"], Resource)


def test_a_sub_authority_gets_its_own_folder_when_opened(steward: Steward) -> None:
    steward.upload("uri-gin/azgs/authorities.jsonl", _lines(OPENING))
    steward.upload(FOLDER, _lines(AUTHORITY))

    assert steward.upload("uri-gin/azgs.mapping/maps.jsonl", _lines(MAP)).refused == {}


def test_registering_under_an_unopened_sub_authority_is_refused_with_the_remedy(steward: Steward) -> None:
    report = steward.upload(FOLDER, _lines(AUTHORITY, MAP))

    assert report.refused == {(1,): [("record", "folder")], (2,): [("identifier", "folder")]}
    for verdict in report.verdicts:
        assert (
            "once an earlier upload has registered uri-gin/azgs/authority/azgs.mapping/"
            in verdict.findings[0]["message"]
        )


@pytest.mark.parametrize(
    ("opening", "registered"),
    [
        ("uri-gin/azgs/authority/usgin/", "uri-gin/usgin/map/1/"),  # the name of another authority
        ("uri-gin/azgs/authority/usgin.mapping/", "uri-gin/usgin.mapping/map/1/"),
        ("uri-gin/azgs/authority/azgsmapping/", "uri-gin/azgsmapping/map/1/"),  # no dot
        ("uri-gin/azgs/authority/azgs/", "uri-gin/azgs.mapping/map/1/"),
    ],
)
def test_an_authority_opens_only_names_that_extend_its_own_by_a_dot(
    steward: Steward, opening: str, registered: str
) -> None:
    steward.upload("uri-gin/azgs/authorities.jsonl", _lines({"identifier": opening, "title": "X"}))
    authority = registered.removesuffix("map/1/")

    report = steward.upload(
        FOLDER,
        _lines({"record": "authority", "identifier": authority}, {"identifier": registered, "title": "X"}),
    )

    assert list(report.refused) == [(1,), (2,)]


def test_a_narrower_folder_opens_nothing(steward: Steward) -> None:
    steward.upload("uri-gin/azgs/authorities.jsonl", _lines(OPENING))

    assert list(steward.upload("uri-gin/azgs/maps/all.jsonl", _lines(AUTHORITY, MAP)).refused) == [(1,), (2,)]


@pytest.mark.parametrize("status", ["retired", "reserved", "superseded"])
def test_an_invalid_record_no_longer_opens_a_folder(steward: Steward, status: str) -> None:
    steward.upload("uri-gin/azgs/authorities.jsonl", _lines(OPENING))
    steward.upload(FOLDER, _lines(AUTHORITY, MAP))
    steward.upload("uri-gin/azgs/authorities.jsonl", _lines({**OPENING, "status": status}))

    report = steward.upload(FOLDER, _lines({**MAP, "title": "Another"}))

    assert report.refused == {(1,): [("identifier", "folder")]}


def test_an_alias_opens_nothing(steward: Steward) -> None:
    steward.upload("uri-gin/azgs/things.jsonl", _lines({"identifier": "uri-gin/azgs/x/", "title": "X"}))
    alias = {**OPENING, "record": "alias", "stands_for": "uri-gin/azgs/x/"}
    steward.upload("uri-gin/azgs/authorities.jsonl", _lines(alias))

    assert list(steward.upload(FOLDER, _lines(AUTHORITY)).refused) == [(1,)]
