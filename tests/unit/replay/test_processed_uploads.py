"""The order in which uploads were processed, from their summaries, their reports, or their own times."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, cast

import pytest

from ginuri.files.reports.report import report_key
from ginuri.files.reports.summary import summary_key
from ginuri.registry.clock import write_moment
from ginuri.registry.content import UploadVersion
from ginuri.registry.transfer import ReportFile
from ginuri.replay.ports import ReplayStack
from ginuri.replay.processed_uploads import MARGIN, UploadOrder, order_uploads

_NOON = datetime.fromisoformat("2026-11-27T12:00:00.000Z")


@dataclass
class Reported:
    """Uploads with their reports and summaries, each of which may be missing."""

    puts: dict[str, datetime] = field(default_factory=dict)
    reports: dict[str, bytes] = field(default_factory=dict)
    written: dict[str, str] = field(default_factory=dict)
    said: dict[str, Mapping[str, str]] = field(default_factory=dict)
    messages: int = 0

    def upload(self, key: str, minute: float) -> None:
        """Add an upload that was put some minutes after noon."""
        self.puts[key] = _NOON + timedelta(minutes=minute)

    def summarize(self, key: str, minute: float, *, is_timed: bool = True, **members: object) -> None:
        """Add the summary of an upload that was processed some minutes after noon."""
        processed = write_moment(_NOON + timedelta(minutes=minute))
        timed = {"processed": processed} if is_timed else {}
        body = {"put": write_moment(self.puts[key]), "counts": {"registered": 1, "refused": 0}}
        self.written[summary_key(key, "v")] = f"{processed[:19]}Z"
        self.reports[summary_key(key, "v")] = json.dumps(body | timed | members).encode()

    def report_on(self, key: str, **members: object) -> None:
        """Add a report without its summary."""
        body = {
            "upload": {"put": write_moment(self.puts[key])},
            "is_complete": True,
            "dry_run": False,
            "counts": {"registered": 2},
        }
        self.reports[report_key(key, "v")] = json.dumps(body | members).encode()

    def order(self, since: float | None = None) -> UploadOrder:
        """Order the uploads."""
        moment = None if since is None else _NOON + timedelta(minutes=since)
        return order_uploads(cast("ReplayStack", self), moment)

    @property
    def reported(self) -> Reported:
        return self

    @property
    def whole(self) -> Reported:
        return self

    def versions(self, prefix: str) -> Iterator[UploadVersion]:
        return (
            UploadVersion(key, "v", put) for key, put in sorted(self.puts.items()) if key.startswith(prefix)
        )

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        assert version == "v"
        return self.said.get(key, {})

    def report(self, key: str) -> Iterator[bytes] | None:
        return iter([self.reports[key]]) if key in self.reports else None

    def summaries(self) -> Iterator[tuple[ReportFile, bytes]]:
        for key, written in self.written.items():
            yield ReportFile(key, written, 0, ""), self.reports[key]

    def waiting(self) -> int:
        return self.messages


def _keys(order: UploadOrder) -> list[str]:
    return [each.upload.key for each in order.uploads]


def _three(**members: Any) -> Reported:
    """Return uploads that were processed in the order b, c, a."""
    reported = Reported()
    for key, put, processed in (("a", 0, 9), ("b", 1, 2), ("c", 2, 5)):
        reported.upload(key, put)
        reported.summarize(key, processed, **members)
    return reported


@pytest.mark.parametrize("is_timed", [True, False])
def test_the_time_of_processing_decides_the_order(*, is_timed: bool) -> None:
    order = _three(is_timed=is_timed).order()

    assert _keys(order) == ["b", "c", "a"]
    assert order.uploads[0].upload.put == "2026-11-27T12:01:00.000Z"
    assert order.uploads[0].counts == {"registered": 1}


def test_uploads_of_the_margin_before_a_moment_are_replayed() -> None:
    reported = _three()
    margin = MARGIN.total_seconds() / 60

    assert _keys(reported.order(5 + margin)) == ["c", "a"]
    assert _keys(reported.order(5.01 + margin)) == ["a"]


@pytest.mark.parametrize("is_summarized", [True, False])
def test_the_identity_of_a_replayed_upload_is_that_of_its_report(*, is_summarized: bool) -> None:
    reported = Reported()
    through_api: dict[str, Any] = {"identity": "AROAOLD:api", "token": "ab" * 32}
    by_jane: dict[str, Any] = {"identity": "AROAOLD:jane"}
    for key, members in (("a", through_api), ("b", by_jane), ("c", dict[str, Any]())):
        reported.upload(key, 0)
        if is_summarized:
            reported.summarize(key, 1, **members)
        else:
            reported.report_on(key, **members)

    uploads = reported.order().uploads

    assert [(each.upload.identity, each.api_identity) for each in uploads] == [
        ("AROAOLD:api", "AROAOLD"),
        ("AROAOLD:jane", ""),
        ("", ""),
    ]


@pytest.mark.parametrize("member", ["dry_run", "stored", "denied"])
def test_an_upload_that_changed_nothing_is_left_out(member: str) -> None:
    reported = _three()
    reported.summarize("c", 5, **{member: True})

    assert _keys(reported.order()) == ["b", "a"]


def test_without_a_summary_the_report_has_the_exact_time() -> None:
    reported = _three()
    reported.upload("d", 2.5)
    reported.report_on("d")

    order = reported.order()

    assert _keys(order) == ["b", "d", "c", "a"]
    assert order.uploads[1].counts == {"registered": 2}
    assert order.uploads[1].upload.put == "2026-11-27T12:02:30.000Z"


def test_without_a_report_the_listed_time_counts_once_the_queue_is_empty() -> None:
    reported = _three()
    reported.upload("d", 3)
    reported.upload("dry", 3)
    reported.said["dry"] = {"dry-run": "true"}

    idle = reported.order()
    reported.messages = 1
    busy = reported.order()

    assert _keys(idle) == ["b", "d", "c", "a"]
    assert idle.uploads[1].counts is None
    assert _keys(busy) == ["b", "c", "a"]
    assert [upload.key for upload in busy.unfinished] == ["d", "dry"]


def test_an_upload_with_a_part_that_failed_is_left_to_the_queue() -> None:
    reported = _three()
    reported.upload("d", 3)
    reported.report_on("d", is_complete=False)

    order = reported.order()

    assert _keys(order) == ["b", "c", "a"]
    assert [upload.key for upload in order.unfinished] == ["d"]
