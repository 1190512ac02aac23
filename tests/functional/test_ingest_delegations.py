"""Delegations in uploads: accepted, ended, and refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.registry.model import Delegation, NameAuthority, Prefix, Registered, ResourceType
from tests.steward import Report, Steward, line, settled

DOC = "uri-gin/azgs/doc/"
OLD = "uri-gin/azgs/old/"
KEY = "uri-gin/azgs/delegations.jsonl"


def _delegation(prefix: str = DOC, **fields: Any) -> str:
    stated = {"record": "delegation", "identifier": prefix, "answered_by": "maps.example.org", **fields}
    return json.dumps(stated) + "\n"


def _fetched(steward: Steward, identifier: str) -> Registered:
    return steward.registry.fetch([identifier])[identifier]


def _broken(report: Report) -> list[tuple[str, str]]:
    return [broken for each in report.verdicts if each.verdict == "refused" for broken in each.broken]


def test_a_delegation_changes_no_field_of_the_type_on_its_prefix() -> None:
    steward = settled()

    report = steward.upload(KEY, _delegation(title="Maps are kept there"))

    record = _fetched(steward, DOC)
    assert report.counts == {"changed": 1}
    assert isinstance(record, ResourceType)
    assert (record.titles, record.delegation) == (
        {"": "Document"},
        Delegation("maps.example.org", {"": "Maps are kept there"}),
    )


def test_a_delegated_prefix_without_a_record_is_only_delegated() -> None:
    steward = settled()

    report = steward.upload(KEY, _delegation(OLD))

    assert report.counts == {"registered": 1}
    assert report.verdicts[0].findings == []
    assert isinstance(_fetched(steward, OLD), Prefix)


def test_one_upload_may_delegate_a_prefix_register_it_and_add_rules() -> None:
    steward = settled()

    report = steward.upload(
        KEY,
        _delegation(OLD)
        + line(OLD, record="rule", location="https://a.example/{+rest}")
        + line(OLD, record="resource-type", title="Old"),
    )

    record = _fetched(steward, OLD)
    assert report.counts == {"registered": 2}  # the rule has a verdict of its own
    assert isinstance(record, ResourceType)
    assert (len(record.rules), record.delegation) == (1, Delegation("maps.example.org"))


def test_an_authority_delegates_its_own_prefix_from_its_own_folder() -> None:
    steward = settled()

    report = steward.upload(KEY, _delegation("uri-gin/azgs/"))

    record = _fetched(steward, "uri-gin/azgs/")
    assert _broken(report) == []
    assert isinstance(record, NameAuthority)
    assert record.answering_host == "maps.example.org"


def test_names_under_a_delegated_prefix_may_still_be_registered_here() -> None:
    steward = settled()
    steward.upload(KEY, _delegation())

    assert steward.upload("uri-gin/azgs/x.jsonl", line(f"{DOC}x")).counts == {"registered": 1}


@pytest.mark.parametrize(
    ("key", "content"),
    [
        (KEY, _delegation(answered_by=None)),
        ("uri-gin/azgs/x.csv", f"record,identifier,answered_by\ndelegation,{DOC},-\n"),
    ],
)
def test_clearing_a_delegation_ends_it_and_stating_it_begins_it_again(key: str, content: str) -> None:
    steward = settled()
    steward.upload(KEY, _delegation())

    ended = steward.upload(key, content)
    after_ending = _fetched(steward, DOC)
    steward.upload(KEY, _delegation())

    assert ended.counts == {"changed": 1}
    assert after_ending.delegation is None
    assert _fetched(steward, DOC).delegation == Delegation("maps.example.org")


def test_an_older_late_upload_does_not_revive_an_ended_delegation() -> None:
    steward = settled()
    late = steward.put(KEY, _delegation())
    steward.upload(KEY, _delegation(answered_by=None))

    steward.deliver(late)

    assert _fetched(steward, DOC).delegation is None


def test_a_delegation_stated_again_changes_nothing() -> None:
    steward = settled()
    steward.upload(KEY, _delegation())

    assert steward.upload(KEY, _delegation()).counts == {"unchanged": 1}


def test_two_hosts_for_one_prefix_are_refused_together() -> None:
    report = settled().upload(KEY, _delegation() + _delegation(answered_by="other.example.org"))

    assert report.refused == {(1, 2): [("answered_by", "one value")]}


@pytest.mark.parametrize(
    ("content", "broken"),
    [
        (_delegation("uri-gin/azgs/doc"), ("identifier", "prefix")),
        (_delegation("uri-gin/usgin/doc/"), ("identifier", "folder")),
        (_delegation("uri-gin/"), ("identifier", "folder")),
        (_delegation(answered_by="https://maps.example.org/"), ("answered_by", "value_error")),
        (_delegation(location="https://maps.example.org/"), ("representations", "delegation")),
        (_delegation(stands_for="uri-gin/azgs/x/"), ("stands_for", "delegation")),
        (_delegation(to="uri-gin/nobody/"), ("to", "name authority")),
        (_delegation(to=DOC), ("to", "name authority")),
        (_delegation(to="uri-gin/usgin"), ("to", "name authority")),
        (_delegation(valid_from="2027-01-01"), ("valid_from", "to")),
        (f'{{"record": "delegation", "identifier": "{DOC}"}}\n', ("answered_by", "required")),
        (f'{{"record": "delegation", "identifier": "{DOC}", "title": "x"}}\n', ("answered_by", "required")),
    ],
)
def test_an_invalid_delegation_is_refused(content: str, broken: tuple[str, str]) -> None:
    report = settled().upload(KEY, content)

    assert report.refused == {(1,): [broken]}
