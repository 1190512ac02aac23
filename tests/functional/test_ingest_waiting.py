"""An upload that needs a concurrent one waits for it, for at most a minute."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ginuri.files.options import UploadOptions, write_options
from ginuri.files.reports.progress import progress_key
from ginuri.files.reports.report import Upload, report_key
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.flow import ingest_part
from ginuri.registry.clock import write_moment
from ginuri.registry.record.rule_records import merge_rules
from tests.steward import Steward, line

BEGIN = datetime(2026, 7, 1, 12, tzinfo=UTC)
AUTHORITY = line("uri-gin/azgs/", record="authority")
OPENING = line("uri-gin/azgs/authority/azgs.mapping/")
SUB_AUTHORITY = line("uri-gin/azgs.mapping/", record="authority")
MAP = line("uri-gin/azgs.mapping/map/1/")
DOC = line("uri-gin/azgs/doc/1")
BOUND = line("http://id.example/net/", record="authority")


class _Waiting(Steward):
    """A steward whose clock follows the queue's; all files are uploaded at its start."""

    def __init__(self, *host: str, limits: Limits | None = None) -> None:
        super().__init__(limits=limits)
        self.passed = 0.0
        self.now = lambda: BEGIN + timedelta(seconds=self.passed)
        self.upload("_host/host.jsonl", "".join(host) or line("uri-gin/", record="scheme"))

    def put(self, key: str, content: str | bytes, **said: str) -> Upload:
        put = write_moment(self.now())
        return replace(super().put(key, content, **said), put=put)

    def begin(self, upload: Upload) -> None:
        ingest_part(upload, self.collaborators)
        self.work_off()

    def pass_time(self, seconds: float) -> None:
        self.passed += seconds
        self.queue.pass_time(seconds)
        self.work_off()

    def is_reported(self, upload: Upload) -> bool:
        return report_key(upload.key, upload.version) in self.files.reports

    def progress(self, upload: Upload) -> Any:
        return json.loads(self.files.reports[progress_key(upload.key, upload.version)])

    def state(self) -> dict[str, Any]:
        return dict(sorted(merge_rules(self.memory.standing("")).items()))


PAIRS = [
    (("_host/azgs.jsonl", AUTHORITY), ("uri-gin/azgs/docs.jsonl", DOC)),
    (("_host/net.jsonl", BOUND), ("id.example/net/x.jsonl", line("http://id.example/net/x"))),
    (
        ("_host/cgi.jsonl", line("uri-gin/cgi/", record="authority")),
        ("uri-gin/usgin/handed.jsonl", line("uri-gin/usgin/x/", record="delegation", to="uri-gin/cgi/")),
    ),
    (("_host/azgs.jsonl", AUTHORITY), ("uri-gin/azgs/r.jsonl", line("uri-gin/azgs/", record="rule"))),
]
USGIN = line("uri-gin/usgin/", record="authority")


@pytest.mark.parametrize(("first", "then"), PAIRS)
@pytest.mark.parametrize("limits", [Limits(), Limits(task_rows=1, chunk_rows=1)])
@pytest.mark.untraced
def test_an_upload_waits_for_its_prerequisites(
    first: tuple[str, str], then: tuple[str, str], limits: Limits
) -> None:
    in_order, overtaken = _Waiting(USGIN, limits=limits), _Waiting(USGIN, limits=limits)
    for key, content in (first, then):
        in_order.begin(in_order.put(key, content))
    before = overtaken.state()
    needed, waiting = overtaken.put(*first), overtaken.put(*then)

    overtaken.begin(waiting)
    assert overtaken.state() == before
    assert not overtaken.is_reported(waiting)
    overtaken.begin(needed)
    overtaken.pass_time(10)

    assert overtaken.report(waiting).refused == {}
    assert overtaken.state() == in_order.state()


def test_a_sub_authority_waits_for_the_authority_that_opens_its_folder() -> None:
    steward = _Waiting()
    uploads = [
        steward.put("uri-gin/azgs/maps.jsonl", DOC + MAP),
        steward.put("uri-gin/azgs/mapping.jsonl", SUB_AUTHORITY),
        steward.put("uri-gin/azgs/authorities.jsonl", OPENING),
        steward.put("_host/azgs.jsonl", AUTHORITY),
    ]

    for upload in uploads:
        steward.begin(upload)
        steward.pass_time(1)
    assert not any(map(steward.is_reported, uploads[:3]))
    for _ in range(3):
        steward.pass_time(10)

    assert [steward.report(upload).refused for upload in uploads] == [{}] * 4


def test_the_missing_authority_is_reported_after_a_minute_of_visible_waiting() -> None:
    steward = _Waiting()
    upload = steward.put("uri-gin/azgs/docs.jsonl", DOC)

    steward.begin(upload)
    assert steward.progress(upload) == {
        "percent": 0.0,
        "done": 0,
        "of": 0,
        "waits_for": ["uri-gin/azgs/"],
    }
    for _ in range(5):
        steward.pass_time(10)
        assert not steward.is_reported(upload)
    steward.pass_time(10)

    assert steward.report(upload).refused == {(1,): [("identifier", "name authority")]}
    assert (steward.queue.waiting, steward.queue.delayed) == ([], [])


def test_an_earlier_upload_waits_for_no_other() -> None:
    steward = _Waiting()
    upload = steward.put("uri-gin/azgs/docs.jsonl", DOC)
    steward.passed = 61

    steward.begin(upload)

    assert steward.report(upload).refused == {(1,): [("identifier", "name authority")]}


@pytest.mark.parametrize(
    "content",
    [
        line("uri-gin/usgin/doc/1"),  # a name of another authority
        OPENING + SUB_AUTHORITY,  # stated in the same file, too late
        line("uri-gin/azgs/doc/1", location="htp://a.example/"),
        "{}\n",
    ],
)
def test_a_fault_that_waiting_cannot_mend_is_reported_at_once(content: str) -> None:
    steward = _Waiting(AUTHORITY if "authority" in content else USGIN)
    upload = steward.put("uri-gin/azgs/docs.jsonl", content)

    steward.begin(upload)

    assert steward.report(upload).refused


def test_a_dry_run_waits_as_the_upload_does() -> None:
    steward = _Waiting()
    tried = steward.put("uri-gin/azgs/docs.jsonl", DOC, **write_options(UploadOptions(is_dry_run=True)))

    steward.begin(tried)
    steward.begin(steward.put("_host/azgs.jsonl", AUTHORITY))
    steward.pass_time(10)

    assert steward.report(tried).refused == {}
    assert steward.values("uri-gin/azgs/doc/1") is None


def test_a_waiting_upload_delivered_again_is_processed_once() -> None:
    steward = _Waiting()
    upload = steward.put("uri-gin/azgs/docs.jsonl", DOC)
    for _ in range(3):
        steward.begin(upload)
    steward.begin(steward.put("_host/azgs.jsonl", AUTHORITY))

    steward.pass_time(10)

    assert steward.report(upload).counts == {"registered": 1, "warned": 1}
    assert steward.registry.read(["uri-gin/azgs/doc/1"])["uri-gin/azgs/doc/1"].revision == 1


def test_an_upload_whose_token_is_revoked_while_it_waits_is_refused() -> None:
    steward, revoked = _Waiting(), set[str]()
    steward.api_identity, steward.identity = "AROAEXAMPLE", "AROAEXAMPLE:api"
    steward.is_revoked = revoked.__contains__
    pinned = {"principal": "mailto:jane@example.org", "may": "w=uri-gin/azgs/", "token": "ab" * 32}
    upload = steward.put("uri-gin/azgs/docs.jsonl", DOC, **pinned)
    steward.begin(upload)
    assert not steward.is_reported(upload)

    revoked.add("ab" * 32)
    steward.pass_time(10)

    assert steward.report(upload).refused == {(1,): [("", "token")]}
