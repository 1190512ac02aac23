"""Uploads with a `fallback`: beside `answered_by`, to this registry, and where it never applies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ginuri.ingest.flow import ingest_part
from tests.steward import Steward, line, settled

KEY, LEGACY = "_host/moved.jsonl", "legacy.example.net"
PURLS = "http://purl.example.org/"


def _host(identifier: str = PURLS, **fields: Any) -> str:
    return line(identifier, record="host", title="PURLs", **fields)


def _fallback(steward: Steward, name: str = "//purl.example.org/") -> object:
    return (steward.values(name) or {}).get("fallback")


@pytest.mark.parametrize(
    ("record", "identifier"), [("host", PURLS), ("scheme", "uri-soil/"), ("namespace", "ark:12345/")]
)
def test_a_host_scheme_and_namespace_have_a_fallback(record: str, identifier: str) -> None:
    steward = settled()

    report = steward.upload(
        KEY,
        line("ark:", record="scheme", title="ARK")
        + line(identifier, record=record, title="It", fallback=LEGACY.upper(), authority="uri-gin/azgs/")
        if record == "scheme"
        else line("ark:", record="scheme", title="ARK", authority="uri-gin/azgs/")
        + line(identifier, record=record, title="It", fallback=LEGACY.upper()),
    )

    assert report.refused == {}
    assert _fallback(steward, identifier.removeprefix("http:")) == LEGACY


def test_an_authority_has_no_fallback() -> None:
    report = settled().upload(KEY, line("uri-gin/azgs/", record="authority", fallback=LEGACY))

    assert report.refused == {(1,): [("fallback", "authority")]}


def test_one_row_with_both_is_refused() -> None:
    report = settled().upload(KEY, _host(fallback=LEGACY, answered_by="other.example.net"))

    assert report.refused == {(1,): [("fallback", "one of two")]}


@pytest.mark.parametrize(("first", "second"), [("answered_by", "fallback"), ("fallback", "answered_by")])
def test_the_second_of_two_uploads_is_refused(first: str, second: str) -> None:
    steward = settled()
    steward.upload(KEY, _host(**{first: "first.example.net"}))

    report = steward.upload("_host/later.jsonl", _host(**{second: "second.example.net"}))

    assert report.refused == {(1,): [(second, "one of two")]}
    assert steward.upload("_host/other.jsonl", _host(description="PURLs")).refused == {}


def test_one_upload_may_replace_one_by_the_other() -> None:
    steward = settled()
    steward.upload(KEY, _host(answered_by=LEGACY))

    report = steward.upload("_host/later.jsonl", _host(answered_by=None, fallback=LEGACY))

    assert report.refused == {}
    assert _fallback(steward) == LEGACY


def test_a_delegation_of_the_whole_host_contradicts_its_fallback() -> None:
    steward = settled()
    steward.upload(KEY, _host(fallback=LEGACY))
    stated = line(PURLS, record="delegation", answered_by="other.example.net")

    report = steward.upload("purl.example.org/handed.jsonl", stated)

    assert report.refused == {(1,): [("answered_by", "one of two")]}


@pytest.mark.parametrize("host", ["purl.example.org", "PURL.example.org:80", "old.example.org"])
def test_a_fallback_to_a_host_of_this_registry_is_refused(host: str) -> None:
    steward = settled()
    steward.upload("_host/old.jsonl", _host("http://old.example.org/"))

    report = steward.upload(KEY, _host(fallback=host))

    assert report.refused == {(1,): [("fallback", "leads back")]}


def test_a_fallback_to_a_host_of_the_same_file_is_refused() -> None:
    old = "http://old.example.org/"

    report = settled().upload(KEY, _host(old) + _host(fallback="old.example.org"))

    assert report.refused == {(2,): [("fallback", "leads back")]}


def test_a_fallback_to_the_canonical_host_is_refused() -> None:
    steward = settled()
    upload = steward.put(KEY, _host(fallback="ids.example.org"))

    ingest_part(upload, replace(steward.collaborators, canonical_host="ids.example.org"))
    report = steward.report(upload)

    assert report.refused == {(1,): [("fallback", "leads back")]}


def test_a_fallback_to_a_trusted_host_is_refused() -> None:
    steward = settled()
    scheme = {"record": "scheme", "title": "ARK", "authority": "uri-gin/azgs/"}
    own = steward.upload(KEY, line("ark:", **scheme, fallback=LEGACY, trusted_hosts=[LEGACY]))
    steward.upload(KEY, line("ark:", **scheme, trusted_hosts=[LEGACY]))

    below = steward.upload(KEY, line("ark:12345/", record="namespace", title="It", fallback=LEGACY))
    steward.upload(KEY, line("ark:54321/", record="namespace", title="It", fallback="other.example.net"))
    later = steward.upload(KEY, line("ark:54321/", record="namespace", trusted_hosts=["other.example.net"]))

    assert own.refused == below.refused == {(1,): [("fallback", "leads back")]}
    assert later.refused == {(1,): [("trusted_hosts", "leads back")]}


def test_a_fallback_of_described_identifiers_is_a_warning() -> None:
    steward = settled()
    steward.upload(KEY, line("info:", record="scheme", title="info", authority="uri-gin/azgs/"))

    report = steward.upload(KEY, line("info:pmid/", record="namespace", title="It", fallback=LEGACY))

    assert report.refused == {}
    assert ("fallback", "never applies") in report.verdicts[0].warned


def test_a_fallback_is_a_host_without_a_protocol() -> None:
    report = settled().upload(KEY, _host(fallback=f"https://{LEGACY}/"))

    assert report.refused == {(1,): [("fallback", "value_error")]}
