"""When a registry folder is published, and that its publication is current seconds after an upload."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ginuri.published.publications import CURRENT, read_publication
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.server.ingest_process import IngestRunner
from ginuri.server.publication import publish_folder
from ginuri.server.publisher import LATE_SECONDS, PAUSE, QUIET_SECONDS, Publisher
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.news import VALID, News
from ginuri.sqlite.published import SqlitePublishedStore
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.uploads import SqliteUploads
from tests.steward import HOST

MORNING = datetime(2026, 1, 1, tzinfo=UTC)
PROCESS = "from pathlib import Path; from ginuri.server.ingest_process import ingest; ingest(Path({!r}))"


@dataclass
class _Machine:
    """A publisher whose clock and publications are controlled by the test."""

    database: Database
    now: float = 0.0
    starts: list[float] = field(default_factory=list)
    code: int | None = None
    """The exit code of the publication; None while it runs."""

    def __post_init__(self) -> None:
        self.news = News(self.database, lambda: MORNING + timedelta(seconds=self.now))
        self.publisher = Publisher(self.news, self.start, lambda: self.now)
        self.uploads = 0

    def start(self) -> _Machine:
        self.starts.append(self.now)
        self.code = None
        return self

    def poll(self) -> int | None:
        return self.code

    def terminate(self) -> None:
        self.code = -15

    def wait(self) -> int:
        return self.code or 0

    def upload(self) -> None:
        self.uploads += 1
        proof = AppliedUpload("a.csv", str(self.uploads), "2026-01-01T00:00:00.000Z", "", {})
        SqliteRegistry(self.database).note_applied(proof)
        self.publisher.note_work()

    def finish(self, code: int = 0) -> None:
        self.code = code
        if code == 0:
            self.news.note_published(self.news.newest(), self.news.now())

    def pass_time(self, seconds: float, step: float = 0.5) -> None:
        until = self.now + seconds
        while self.now < until:
            self.now += step
            self.publisher.look()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[_Machine]:
    with closing(Database(tmp_path)) as database:
        yield _Machine(database)


def test_a_folder_without_a_publication_is_published_at_once(machine: _Machine) -> None:
    machine.publisher.look()

    assert machine.starts == [0]


def test_an_upload_is_published_after_two_quiet_seconds(machine: _Machine) -> None:
    machine.publisher.look()
    machine.finish()
    machine.pass_time(5)
    machine.upload()

    machine.pass_time(3)

    assert machine.starts[1:] == [5 + QUIET_SECONDS]


def test_a_folder_without_news_is_published_once_a_day(machine: _Machine) -> None:
    day = VALID.total_seconds()
    machine.publisher.look()
    machine.finish()

    machine.pass_time(1.5 * day, step=60)

    assert machine.starts == [0, day]


def test_a_restart_repeats_no_publication(machine: _Machine) -> None:
    machine.publisher.look()
    machine.finish()
    machine.now += 60

    again = Publisher(machine.news, machine.start, lambda: machine.now)
    again.look()

    assert machine.starts == [0]


def test_uploads_without_a_pause_are_published_after_a_minute(machine: _Machine) -> None:
    machine.publisher.look()
    machine.finish()

    for _ in range(200):
        machine.upload()
        machine.pass_time(0.5)

    assert machine.starts[1:] == [pytest.approx(LATE_SECONDS, abs=1)]


def test_a_publication_waits_ten_times_the_duration_of_the_last(machine: _Machine) -> None:
    machine.publisher.look()
    machine.pass_time(8)
    machine.finish()
    machine.upload()

    machine.pass_time(100)

    assert machine.starts[1:] == [pytest.approx(PAUSE * 8, abs=PAUSE)]


def test_a_publication_that_failed_is_repeated_after_a_minute(machine: _Machine) -> None:
    machine.publisher.look()
    machine.finish(code=1)

    machine.pass_time(LATE_SECONDS + 1)

    assert machine.starts == [0, LATE_SECONDS]


def test_an_upload_during_a_publication_leads_to_another_one(machine: _Machine) -> None:
    machine.publisher.look()
    before = machine.news.newest()
    machine.pass_time(1)
    machine.upload()
    machine.news.note_published(before, machine.news.now())
    machine.code = 0

    machine.pass_time(15)

    assert len(machine.starts) == 2


def test_the_publication_of_a_folder_has_all_records(tmp_path: Path) -> None:
    _upload(tmp_path)
    with IngestRunner(tmp_path, log=lambda _: None) as runner:
        assert runner.acquire()
        runner.run_until_idle()

    publication = publish_folder(tmp_path)

    with closing(Database(tmp_path)) as database:
        assert publication.records == 3
        assert _published(database) == 3
        assert News(database).is_published()


def test_an_upload_is_published_seconds_later_by_the_process(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        process = subprocess.Popen(  # noqa: S603  our own module
            [sys.executable, "-c", PROCESS.format(str(tmp_path))], stdout=subprocess.PIPE
        )
        with process:
            _upload(tmp_path)
            until = time.monotonic() + 30
            while _published(database) != 3 and time.monotonic() < until:
                time.sleep(0.1)
            process.terminate()
            log = process.communicate()[0].decode()

        assert _published(database) == 3
        assert process.returncode == 0
        assert '"function": "publish"' in log


def _upload(folder: Path) -> None:
    with closing(Database(folder)) as database:
        SqliteUploads(database, FileFolder(folder)).put("_host/all.jsonl", HOST.encode(), {})


def _published(database: Database) -> int | None:
    body = SqlitePublishedStore(database, FileFolder(database.folder)).read(CURRENT)
    return None if body is None else read_publication(body).records
