"""The folders that may register under a prefix handed to another authority, and from which day."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ginuri.files.reports.report import Upload
from tests.steward import Report, Steward, line, settled

CORE = "uri-gin/azgs/core/"
PHOTO = f"{CORE}photo/"
AZGS, USGIN, CGI = "uri-gin/azgs/", "uri-gin/usgin/", "uri-gin/cgi/"
DELEGATED = [("identifier", "delegated")]


@pytest.fixture
def steward() -> Steward:
    made = settled()
    made.upload("_host/cgi.jsonl", '{"record": "authority", "identifier": "uri-gin/cgi/", "title": "CGI"}\n')
    return made


def _handed(prefix: str = CORE, to: str | None = USGIN, **fields: Any) -> str:
    return json.dumps({"record": "delegation", "identifier": prefix, "to": to, **fields}) + "\n"


def _hand_over(steward: Steward, folder: str = AZGS, **fields: Any) -> Report:
    report = steward.upload(f"{folder}delegations.jsonl", _handed(**fields))
    assert not report.refused
    return report


def _may(steward: Steward, folder: str, content: str) -> bool:
    """Whether content may be uploaded to a folder; the check changes nothing."""
    report = steward.try_out(f"{folder}asked.jsonl", content)
    assert all(
        broken in {("identifier", "delegated"), ("identifier", "folder")}
        for each in report.refused.values()
        for broken in each
    )
    return not report.refused


def _who(steward: Steward, identifier: str) -> list[str]:
    return [folder for folder in (AZGS, CORE, USGIN, CGI) if _may(steward, folder, line(identifier))]


def test_only_the_receiver_of_a_prefix_registers_under_it(
    steward: Steward,
) -> None:
    assert _who(steward, f"{CORE}17") == [AZGS, CORE]

    _hand_over(steward)

    assert _who(steward, f"{CORE}17") == _who(steward, CORE) == [USGIN]
    assert _who(steward, "uri-gin/azgs/doc/17") == [AZGS]


def test_an_upload_to_the_wrong_folder_is_refused_with_the_right_one(steward: Steward) -> None:
    _hand_over(steward)

    report = steward.upload("uri-gin/azgs/x.jsonl", line(f"{CORE}17"))

    assert report.refused == {(1,): DELEGATED}
    assert f"Upload this to the folder {USGIN}" in report.verdicts[0].findings[0]["message"]


@pytest.mark.parametrize(
    "content",
    [
        line(f"{CORE}x/", record="resource-type"),
        line(f"{CORE}x", record="alias", stands_for="uri-gin/azgs/doc/x"),
        line(f"{CORE}x/", record="rule", location="https://a.example/{+rest}"),
        line(CORE, record="rule", location="https://a.example/{+rest}"),
        line(f"{CORE}x/", representations=[{"part": "a.pdf", "location": "https://a.example/"}]),
        line(CORE, representations=[{"part": "a.pdf", "location": "https://a.example/"}]),
        _handed(PHOTO, to=CGI),
    ],
)
def test_the_receiver_owns_everything_under_the_prefix(steward: Steward, content: str) -> None:
    _hand_over(steward)

    assert _may(steward, USGIN, content)
    assert not _may(steward, AZGS, content)


def test_the_receiver_stores_files_from_its_own_folder(steward: Steward) -> None:
    _hand_over(steward)
    steward.upload("uri-gin/usgin/a.pdf", b"%PDF")

    report = steward.upload(
        "uri-gin/usgin/x.jsonl", line(f"{CORE}a.pdf", representations=[{"file": "a.pdf"}])
    )

    assert not report.refused


def test_the_delegator_may_still_change_and_end_the_delegation(steward: Steward) -> None:
    _hand_over(steward)

    assert not _may(steward, USGIN, _handed(to=CGI))
    assert not _may(steward, USGIN, _handed(to=None))
    _hand_over(steward, to=CGI)
    assert _who(steward, f"{CORE}17") == [CGI]
    _hand_over(steward, to=None)
    assert _who(steward, f"{CORE}17") == [AZGS, CORE]


def test_the_receiver_may_hand_on_a_narrower_prefix_which_then_wins(steward: Steward) -> None:
    _hand_over(steward)
    _hand_over(steward, USGIN, prefix=PHOTO, to=CGI)

    assert _who(steward, f"{PHOTO}1") == [CGI]
    assert _who(steward, f"{CORE}17") == [USGIN]
    assert not _may(steward, AZGS, _handed(PHOTO, to=None))
    assert not _may(steward, CGI, _handed(PHOTO, to=None))


def test_a_narrower_prefix_may_be_handed_back(steward: Steward) -> None:
    _hand_over(steward)
    _hand_over(steward, USGIN, prefix=PHOTO, to=AZGS)

    assert _who(steward, f"{PHOTO}1") == [AZGS]
    assert _who(steward, f"{CORE}17") == [USGIN]


def test_ending_a_narrower_handover_restores_the_wider_one(steward: Steward) -> None:
    _hand_over(steward)
    _hand_over(steward, USGIN, prefix=PHOTO, to=CGI)
    _hand_over(steward, USGIN, prefix=PHOTO, to=None)

    assert _who(steward, f"{PHOTO}1") == [USGIN]


def test_an_authority_may_hand_over_its_whole_prefix(steward: Steward) -> None:
    _hand_over(steward, prefix=AZGS)

    assert _who(steward, "uri-gin/azgs/doc/17") == [USGIN]
    assert _may(steward, AZGS, _handed(AZGS, to=None))


def _put_on(steward: Steward, day: str, key: str, content: str) -> Upload:
    upload = steward.put(key, content)
    moved = Upload(upload.bucket, upload.key, upload.version, f"{day}T12:00:00.000Z")
    steward.deliver(moved)
    return moved


def test_a_handover_changes_nothing_before_its_day(steward: Steward) -> None:
    _hand_over(steward, to=CGI)
    _hand_over(steward, valid_from="2027-01-01")

    before = _put_on(steward, "2026-12-31", "uri-gin/cgi/x.jsonl", line(f"{CORE}1"))
    too_early = _put_on(steward, "2026-12-31", "uri-gin/usgin/x.jsonl", line(f"{CORE}2"))
    in_time = _put_on(steward, "2027-01-01", "uri-gin/usgin/y.jsonl", line(f"{CORE}3"))
    too_late = _put_on(steward, "2027-01-01", "uri-gin/cgi/y.jsonl", line(f"{CORE}4"))

    assert [bool(steward.report(each).refused) for each in (before, too_early, in_time, too_late)] == [
        False,
        True,
        False,
        True,
    ]


def test_a_prefix_is_returned_on_a_day(steward: Steward) -> None:
    _hand_over(steward)
    _hand_over(steward, to=None, valid_from="2027-01-01")

    back = _put_on(steward, "2027-01-02", "uri-gin/azgs/x.jsonl", line(f"{CORE}1"))

    assert not steward.report(back).refused


def test_an_immediate_handover_replaces_a_planned_one(steward: Steward) -> None:
    _hand_over(steward, valid_from="2011-09-01")
    _hand_over(steward, to=CGI)

    late = _put_on(steward, "2027-01-02", "uri-gin/cgi/x.jsonl", line(f"{CORE}1"))

    assert not steward.report(late).refused


def test_a_restated_handover_changes_nothing(steward: Steward) -> None:
    _hand_over(steward)

    assert _hand_over(steward).counts == {"unchanged": 1}


def test_an_upload_is_judged_by_the_handovers_of_its_own_moment(steward: Steward) -> None:
    before = steward.put("uri-gin/azgs/before.jsonl", line(f"{CORE}1"))
    not_yet = steward.put("uri-gin/usgin/before.jsonl", line(f"{CORE}2"))
    _hand_over(steward)
    between = steward.put("uri-gin/usgin/between.jsonl", line(f"{CORE}3"))
    no_longer = steward.put("uri-gin/azgs/between.jsonl", line(f"{CORE}4"))
    _hand_over(steward, to=None)

    reports = [steward.deliver(each) for each in (no_longer, between, not_yet, before)]

    assert [bool(each.refused) for each in reports] == [True, False, True, False]


def test_a_handover_does_not_apply_to_the_other_lines_of_its_file(steward: Steward) -> None:
    report = steward.upload(
        "uri-gin/azgs/all.jsonl", line(f"{CORE}17") + _handed() + line(CORE, record="resource-type")
    )

    assert not report.refused
    assert _who(steward, f"{CORE}18") == [USGIN]


def test_two_authorities_for_one_prefix_are_refused_together(steward: Steward) -> None:
    report = steward.upload("uri-gin/azgs/x.jsonl", _handed() + _handed(to=CGI))

    assert report.refused == {(1, 2): [("to", "one value")]}


def test_a_delegation_may_name_a_host_and_an_authority(steward: Steward) -> None:
    _hand_over(steward, answered_by="cores.example.org")
    _hand_over(steward, to=None)

    assert steward.registry.fetch([CORE])[CORE].answering_host == "cores.example.org"
