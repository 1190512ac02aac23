"""The uploads of a registry folder: received, processed, tried again and given up on one machine."""

from __future__ import annotations

import json
import resource
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from ginuri.files.reports.report import report_key
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.collaborators import Limits
from ginuri.registry.transfer import UploadedFile
from ginuri.server.ingest_process import IngestRunner
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.queue import MOST_RECEIVES, SqliteQueue
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.uploads import SqliteUploads
from tests.steward import HOST, LINES, TABLE, TYPES, line

WELL = "uri-gin/azgs/doc/well"
PARTS = Limits(task_rows=10, chunk_rows=10, wait_step=1)


class _Folder:
    """A registry folder in which an authority and a type are registered."""

    def __init__(self, folder: Path) -> None:
        self.path = folder
        self.database = Database(folder)
        self.files = FileFolder(folder)
        self.uploads = SqliteUploads(self.database, self.files)
        self.queue = SqliteQueue(self.database)
        self.registry = SqliteRegistry(self.database)
        self.lines: list[str] = []
        """The log."""
        self.put("_host/all.jsonl", HOST)
        self.put("uri-gin/azgs/1-types.jsonl", TYPES)
        self.work_off()
        self.lines.clear()

    def put(self, key: str, text: str, **metadata: str) -> UploadedFile:
        return self.uploads.put(key, text.encode(), metadata)

    def work_off(self, limits: Limits = PARTS) -> None:
        with self.runner(limits) as runner:
            assert runner.acquire()
            runner.run_until_idle()

    def runner(self, limits: Limits = PARTS) -> IngestRunner:
        return IngestRunner(self.path, limits=limits, log=self.lines.append)

    def report(self, upload: UploadedFile) -> dict[str, Any]:
        body = self.uploads.reported(report_key(upload.key, upload.version))
        assert body is not None
        report: dict[str, Any] = json.loads(body)
        return report

    def parts(self) -> list[str]:
        """Return the parts in the log, in order."""
        return [json.loads(each)["part"] for each in self.lines]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[_Folder]:
    made = _Folder(tmp_path / "registry")
    with closing(made.database):
        yield made


def _wells(number: int, first: int = 0) -> str:
    return "".join(line(f"{WELL}{each}") for each in range(first, first + number))


def test_uploads_of_a_folder_become_records_and_reports(folder: _Folder) -> None:
    upload = folder.put(TABLE, f"identifier,title\n{WELL},Well\nnone,Well\n")

    folder.work_off()

    assert folder.registry.fetch([WELL]).keys() == {WELL}
    assert (folder.report(upload)["counts"]["registered"], folder.report(upload)["counts"]["refused"]) == (
        1,
        1,
    )
    assert folder.report(upload)["upload"]["put"] == upload.put
    assert folder.queue.state().waiting == 0


def test_the_log_names_the_identity_and_the_principal(folder: _Folder) -> None:
    pinned = {"principal": "mailto:jane@example.org", "may": "rw=uri-gin/azgs/", "token": "ab" * 32}
    for identity in ("local:ana", "api:server"):
        folder.uploads.put(TABLE, f"identifier,title\n{WELL},Well\n".encode(), pinned, identity)

    folder.work_off()

    noted = ("identity", "principal", "token")
    by_ana, by_api = ([json.loads(each).get(name) for name in noted] for each in folder.lines)
    assert by_ana == ["local:ana", "local:ana", None]
    assert by_api == ["api:server", "mailto:jane@example.org", "ab" * 32]


def test_each_part_of_a_folders_upload_is_a_line_of_log(folder: _Folder) -> None:
    upload = folder.put(LINES, _wells(25))

    folder.work_off()

    lines = [json.loads(each) for each in folder.lines]
    assert folder.parts()[0] == "the upload"
    assert folder.parts()[-1] == "writing the report"
    assert lines[-1].pop("duration") > 0
    assert lines[-1] == {
        "function": "ingest",
        "key": LINES,
        "version": upload.version,
        "part": "writing the report",
        "registered": 25,
        "changed": 0,
        "unchanged": 0,
        "refused": 0,
        "warned": 0,
    }


def test_work_files_are_removed_when_all_uploads_are_finished(folder: _Folder) -> None:
    upload = folder.put(LINES, _wells(25))

    folder.work_off()

    assert folder.uploads.reports_under("_parts/") == []
    assert folder.report(upload)["counts"]["registered"] == 25


def test_work_files_stay_while_a_part_has_failed(folder: _Folder) -> None:
    folder.put(LINES, _wells(25))
    with folder.runner() as runner:
        assert runner.acquire()
        runner.run_once()
    folder.database.connection.execute("UPDATE message SET failed = 1")

    folder.work_off()

    assert folder.uploads.reports_under("_parts/") != []


def test_a_new_upload_is_processed_before_the_parts_of_another(folder: _Folder) -> None:
    folder.put(LINES, _wells(100))
    with folder.runner() as runner:
        assert runner.acquire()
        assert runner.run_once()
        folder.put(TABLE, f"identifier,title\n{WELL}x,Well\n")
        assert runner.run_once()

    assert folder.registry.fetch([f"{WELL}x"]).keys() == {f"{WELL}x"}
    assert folder.queue.state().waiting > 1


def test_only_one_process_works_on_a_folder(folder: _Folder) -> None:
    with folder.runner() as first, folder.runner() as second:
        assert first.acquire()
        assert not second.acquire()
    with folder.runner() as third:
        assert third.acquire()


def test_an_upload_without_its_content_is_given_up_after_five_tries(folder: _Folder) -> None:
    upload = folder.put(LINES, _wells(1))
    folder.files.path(upload.sha256).rename(folder.path / "away")

    for _ in range(MOST_RECEIVES):
        with pytest.raises(RegistryUnavailable):
            folder.work_off()
    report, failed = folder.report(upload), list(folder.queue.bodies())
    (folder.path / "away").rename(folder.files.path(upload.sha256))
    assert len(list(folder.queue.redrive())) == 1
    folder.work_off()

    assert report["unfinished"]["tries"] == MOST_RECEIVES
    assert "ginuri redrive" in report["unfinished"]["way_out"]
    assert len(failed) == 1
    assert "it will be tried again" in folder.lines[0]
    assert folder.report(upload)["counts"]["registered"] == 1


def test_a_failed_upload_does_not_stop_the_next_one(folder: _Folder) -> None:
    lost = folder.put(LINES, _wells(1))
    folder.files.path(lost.sha256).unlink()
    good = folder.put(TABLE, f"identifier,title\n{WELL}x,Well\n")

    with pytest.raises(RegistryUnavailable):
        folder.work_off()

    assert folder.report(good)["counts"]["registered"] == 1


def test_a_single_upload_does_not_wait_for_prerequisites(folder: _Folder) -> None:
    upload = folder.put("uri-gin/new/wells.jsonl", line("uri-gin/new/1"))

    folder.work_off(Limits())

    assert len(folder.lines) == 1
    assert folder.report(upload)["counts"]["refused"] == 1


def test_an_upload_waits_for_the_authority_in_the_next_one(folder: _Folder) -> None:
    upload = folder.put("uri-gin/new/wells.jsonl", line("uri-gin/new/1"))
    folder.put("_host/new.jsonl", line("uri-gin/new/", record="authority"))

    folder.work_off()

    assert folder.report(upload)["counts"]["registered"] == 1


class _Published:
    """A publication that has ended."""

    def poll(self) -> int:
        return 0

    def terminate(self) -> None:
        pass

    def wait(self) -> int:
        return 0


def test_the_process_goes_on_after_a_full_disk(folder: _Folder) -> None:
    upload = folder.put(LINES, _wells(25))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    restored: list[str] = []

    def is_stopped() -> bool:
        if folder.lines and not restored:
            restored.extend(folder.lines)
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        return bool(restored) and folder.queue.state().waiting == 0

    runner = IngestRunner(folder.path, log=folder.lines.append, start_publishing=lambda _: _Published())
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, limits[1]))  # a file may have one byte
    try:
        with runner:
            runner.run(is_stopped)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    assert "free space" in restored[0]
    assert folder.report(upload)["counts"]["registered"] == 25
