"""Reports on very many faults: limited on disk, exact in their counts, complete in their refused lines."""

from __future__ import annotations

import errno
import io
import json
import os
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import IO, Any

import pytest

from ginuri.cli.uploads.report_text import describe_judged
from ginuri.files.reports.digest import ReportDigest
from ginuri.files.reports.finding_groups import kind_of
from ginuri.files.reports.report import Upload, page_key, refused_key, report_key
from ginuri.files.reports.verdict_lines import group_of, verdict_of
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.memory import MemoryUploads
from ginuri.registration.verdicts import Level
from tests.report_schema import read_report
from tests.steward import LINES, Steward, line, settled

ROWS, FAULTS = 200, 20
PARTS = Limits(task_rows=50, chunk_rows=50)
SHORT = replace(PARTS, detail_bytes=400_000)
DISK = SHORT.detail_bytes + ROWS * 200
WELL = "uri-gin/azgs/doc/well{}"


class SmallDisk:
    """Temporary files with a common limit of so many bytes."""

    def __init__(self, size: int) -> None:
        self.left = size

    def open(self) -> IO[bytes]:
        """Open another file; writing beyond the end of the disk raises OSError."""
        number, name = tempfile.mkstemp()
        Path(name).unlink()
        return io.BufferedRandom(_FileOnDisk(number, self))


class _FileOnDisk(io.FileIO):
    def __init__(self, number: int, disk: SmallDisk) -> None:
        super().__init__(number, "r+b")
        self._disk = disk

    def write(self, content: Any, /) -> int:
        self._disk.left -= len(content)
        if self._disk.left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(content)


def _rows(rows: int = ROWS, faults: int = FAULTS) -> str:
    """Write rows with some faults each; every tenth row has none."""
    lines = []
    for number in range(rows):
        forms = [
            {"part": f".p{fault}", "location": f"htp://a.example/{number}/{fault}"}
            for fault in range(faults if number % 10 else 0)
        ]
        lines.append(line(WELL.format(number), representations=forms))
    return "".join(lines)


def _work_off(steward: Steward, upload: Upload, disk: SmallDisk) -> dict[str, Any]:
    collaborators = replace(steward.collaborators, make_spool=disk.open)
    ingest_part(upload, collaborators)
    while steward.queue.waiting:
        ingest_part(read_part(json.loads(steward.queue.waiting.pop(0))), collaborators)
    report: dict[str, Any] = read_report(steward.files.reports[report_key(upload.key, upload.version)])
    return report


@cache
def _reported(limits: Limits, content: str, *, disk: int = 1 << 30) -> tuple[Steward, Upload, Any]:
    steward = settled()
    steward.limits = limits
    upload = steward.put(LINES, content)
    return steward, upload, _work_off(steward, upload, SmallDisk(disk))


def _faults_of_lines(report: Mapping[str, Any]) -> Counter[tuple[object, ...]]:
    """Count the kinds of findings of each line, listed or grouped."""
    found: Counter[tuple[object, ...]] = Counter()
    for verdict in map(verdict_of, report["verdicts"]):
        for finding in verdict.findings:
            lines = verdict.lines if finding.line is None else (finding.line,)
            found.update((number, kind_of(finding)) for number in lines)
    for group in map(group_of, report.get("finding_groups", ())):
        for first, last in group.lines.ranges():
            found.update((number, kind_of(group.finding)) for number in range(first, last + 1))
    return found


def _number(report: Mapping[str, Any]) -> int:
    listed = sum(len(verdict["findings"]) for verdict in report["verdicts"])
    grouped: int = sum(group["count"] for group in report.get("finding_groups", ()))
    return listed + grouped


def test_the_report_on_many_faults_fits_a_small_disk() -> None:
    _, _, report = _reported(SHORT, _rows(), disk=DISK)

    assert report["is_complete"] is True
    assert report["counts"]["refused"] == ROWS * 9 // 10


def test_without_a_bound_the_same_report_fills_the_disk() -> None:
    with pytest.raises(OSError, match="No space left"):
        _reported(PARTS, _rows(), disk=DISK)


def test_a_bounded_report_has_the_verdicts_and_counts_of_the_whole() -> None:
    _, _, whole = _reported(PARTS, _rows())
    _, _, bounded = _reported(SHORT, _rows())

    def outcomes(report: Mapping[str, Any]) -> list[tuple[object, ...]]:
        return [(each["lines"], each["identifier"], each["verdict"]) for each in report["verdicts"]]

    assert outcomes(bounded) == outcomes(whole)
    for member in ("counts", "rows", "identifiers", "not_in_file"):
        assert bounded[member] == whole[member]
    assert "finding_groups" not in whole
    assert not any("more_findings" in verdict for verdict in whole["verdicts"])


def test_every_line_keeps_its_findings_in_a_bounded_report() -> None:
    _, _, whole = _reported(PARTS, _rows())
    _, _, bounded = _reported(SHORT, _rows())

    assert set(_faults_of_lines(bounded)) == set(_faults_of_lines(whole))
    assert _number(bounded) == _number(whole)
    listed = [verdict for verdict in bounded["verdicts"] if verdict["findings"]]
    assert 5 <= len(listed) < ROWS / 2
    assert sum(each.get("more_findings", 0) for each in bounded["verdicts"]) == sum(
        group["count"] for group in bounded["finding_groups"]
    )


def test_the_refused_lines_of_a_bounded_report_are_complete() -> None:
    whole, of_whole, _ = _reported(PARTS, _rows())
    bounded, upload, _ = _reported(SHORT, _rows())

    refused = bounded.files.reports[refused_key(upload.key, upload.version)]

    assert refused == whole.files.reports[refused_key(of_whole.key, of_whole.version)]
    assert len(refused.splitlines()) == ROWS * 9 // 10


def test_the_page_and_the_terminal_count_the_findings_that_are_grouped() -> None:
    _, _, whole = _reported(PARTS, _rows())
    steward, upload, bounded = _reported(SHORT, _rows())

    digests = []
    for report in (whole, bounded):
        digest = ReportDigest(map(verdict_of, report["verdicts"]))
        for group in report.get("finding_groups", ()):
            digest.add_group(group_of(group))
        digests.append(
            {
                (entry.finding.rule, entry.column): (entry.count, entry.lines.count)
                for level in Level
                for entry in digest.entries(level)
            }
        )

    assert digests[0] == digests[1]
    page = steward.files.reports[page_key(upload.key, upload.version)].decode()
    assert "(180 rows)" in page
    grouped = sum(group["count"] for group in bounded["finding_groups"])
    assert f"{grouped:,} findings are only listed in groups" in page
    assert f"{grouped:,} findings are only listed in groups" in describe_judged(bounded)


def test_warnings_do_not_use_the_space_of_refused_rows() -> None:
    short = replace(PARTS, detail_bytes=40_000)
    few = "".join(line(f"uri-gin/azgs/doc/x{number}", location="htp://a.example/") for number in range(3))
    many = "".join(line(f"uri-gin/azgs/none/{number}") for number in range(ROWS))

    _, _, report = _reported(short, many + few)

    refused = [verdict for verdict in report["verdicts"] if verdict["verdict"] == "refused"]
    assert len(refused) == 3
    assert all(verdict["findings"] for verdict in refused)
    assert any("more_findings" in verdict for verdict in report["verdicts"])


def test_a_bounded_report_begins_with_the_refusal_of_the_upload() -> None:
    steward = settled()
    steward.upload(LINES, "".join(line(WELL.format(number)) for number in range(ROWS)))
    steward.limits = replace(PARTS, detail_bytes=40_000)
    upload = steward.put(LINES, "".join(line(WELL.format(number), title="New") for number in range(ROWS)))

    report = _work_off(steward, upload, SmallDisk(1 << 30))

    assert report["counts"]["refused"] == ROWS + 1
    assert "--many" in report["verdicts"][0]["findings"][0]["message"]
    assert _number(report) >= ROWS + 1
    assert sum(len(each["changes"]) + each["more_changes"] for each in report["verdicts"]) == ROWS
    assert str(ROWS) in steward.files.reports[page_key(upload.key, upload.version)].decode()


def test_a_retired_identifier_is_named_as_such_in_a_bounded_report() -> None:
    steward = settled()
    steward.upload(LINES, "".join(line(WELL.format(number)) for number in range(ROWS)))
    steward.limits = replace(PARTS, detail_bytes=0)
    upload = steward.put(LINES, line(WELL.format(0)), snapshot="uri-gin/azgs/doc/", many="true")

    report = _work_off(steward, upload, SmallDisk(1 << 30))

    changed = [verdict for verdict in report["verdicts"] if verdict["verdict"] == "changed"]
    assert len(changed) == ROWS - 1
    assert all(
        [(change["field"], change["after"]) for change in verdict["changes"]] == [("status", "retired")]
        for verdict in changed
    )


class _Watched(MemoryUploads):
    """A store that records its contents when a report becomes visible."""

    def __init__(self) -> None:
        super().__init__()
        self.beside: dict[str, set[str]] = {}

    def report(self, key: str, body: bytes | IO[bytes]) -> None:
        super().report(key, body)
        self.beside[key] = set(self.reports)


def test_a_report_appears_after_its_page_and_refused_lines() -> None:
    steward = settled()
    watched = _Watched()
    steward.files = watched
    upload = steward.put(LINES, _rows(20))

    steward.deliver(upload)

    beside = watched.beside[report_key(upload.key, upload.version)]
    assert refused_key(upload.key, upload.version) in beside
    assert page_key(upload.key, upload.version) in beside
    assert page_key(upload.key, upload.version, "es") in beside
