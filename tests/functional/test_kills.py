"""The process that ingests an upload is killed, by SIGKILL, at any call: the next one finishes the upload."""

from __future__ import annotations

import hashlib
import shutil
import signal
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ginuri.files.reports.report import Upload, refused_key, report_key
from ginuri.ingest.collaborators import Limits
from ginuri.ingest.queue_messages import Begin, write_part
from ginuri.registry.record.entity_tags import entity_tag
from ginuri.registry.transfer import UploadedFile
from ginuri.server.ingest_process import IngestRunner
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.queue import SqliteQueue
from ginuri.sqlite.transfer import SqliteTransfer
from ginuri.sqlite.uploads import BUCKET, SqliteUploads
from infra.attack.processes.killable import Message, ingest_and_kill, working
from tests.steward import HOST, TABLE, TYPES, Report, Steward, line, settled

pytestmark = pytest.mark.untraced

LINES = 5_000
KILLS = 20
WELL = "uri-gin/azgs/doc/well{}"
MANY = {"many": "true"}
CALLS = 5_000
"""A little less than the number of calls to its stores without a kill."""


def _table() -> str:
    """Write 5,000 lines of all sorts: new, known, changed, in two rows far apart, over two lines, refused."""
    rows = ["identifier,record,title,location,status\n"]
    rows += [f"uri-gin/azgs/map{number}/,resource-type,Map,,\n" for number in range(20)]
    rows += ["uri-gin/azgs/old/,rule,,https://a.example/{+rest},\n"]
    while len(rows) < LINES:
        number = len(rows)
        well, title, location = number, f"Well {number}", f"https://a.example/{number}"
        if number % 400 == 0:
            location = "htp://a.example/"
        if number % 250 == 0:  # the second form of a row in the first half of the file
            well, title = number // 2 + 1, f"Well {number // 2 + 1}"
        rows.append(f"{WELL.format(well)},,{title},{location},\n")
    return "".join(rows)


def _known() -> str:
    """Write every tenth well: half of these are unchanged, and the others get another title."""
    return "".join(line(WELL.format(n), title=f"Well {n}" if n % 20 else "?") for n in range(30, LINES, 10))


def _before() -> Steward:
    steward = settled()
    steward.upload("uri-gin/azgs/known.jsonl", _known())
    return steward


@dataclass(frozen=True)
class _Whole:
    """The results of an upload."""

    report: Report
    records: dict[str, Any]
    history: dict[Any, Any]


def _whole(steward: Steward, upload: Any) -> _Whole:
    names = [name for name, _ in steward.memory.standing("")]
    changed = [WELL.format(number) for number in range(40, LINES, 60)]
    return _Whole(
        steward.report(upload),
        dict(steward.memory.read(names)),
        {name: steward.memory.history(name) for name in changed},
    )


@cache
def _undisturbed() -> _Whole:
    steward = _before()
    upload = steward.put(TABLE, _table(), **MANY)
    steward.deliver(upload)
    return _whole(steward, upload)


def _killed(kill_at: dict[int, bool]) -> tuple[_Whole, list[int | None]]:
    """Ingest the table, with kills; return the results, and the exit codes of the processes."""
    chance = Random(1)  # noqa: S311  repeatable by its seed
    steward = _before()
    upload = steward.put(TABLE, _table(), **MANY)
    waiting: list[Message] = [upload]
    with working(steward.collaborators, kill_at) as worker:
        while waiting or steward.queue.waiting:
            waiting += steward.queue.waiting
            steward.queue.waiting.clear()
            message = waiting.pop(chance.randrange(len(waiting)))
            if not worker.ingest_part(message):
                waiting.append(message)  # not acknowledged: the queue delivers it again
    return _whole(steward, upload), worker.killed


def test_a_condition_is_judged_once_however_often_the_process_is_killed() -> None:
    steward, chance = settled(), Random(2)  # noqa: S311  repeatable by its seed
    kill_at = {each: chance.random() < 0.5 for each in chance.sample(range(1, 200), KILLS)}
    with working(steward.collaborators, kill_at) as worker:

        def deliver(upload: Upload) -> Report:
            while not worker.ingest_part(upload):
                pass
            return steward.report(upload)

        for number in range(15):
            name = WELL.format(number)
            new = deliver(steward.put(f"uri-gin/azgs/{number}.jsonl", line(name), **{"only-new": "true"}))
            tag = entity_tag(steward.memory.read([name])[name])
            changed = deliver(
                steward.put(f"uri-gin/azgs/{number}.jsonl", line(name, title="?"), **{"if-match": tag})
            )

            assert (new.counts, changed.counts) == ({"registered": 1}, {"changed": 1})
            assert len(list(steward.memory.history(name).steps())) == 2

    assert worker.killed == [-signal.SIGKILL] * KILLS


def test_the_five_thousand_lines_cover_every_kind() -> None:
    report = _undisturbed().report

    told = [number for verdict in report.verdicts for number in verdict.lines]
    assert sorted(told) == list(range(2, LINES + 1))
    assert report.counts == {"registered": 4483, "changed": 468, "refused": 29}


def test_a_process_killed_anywhere_in_five_thousand_lines_leaves_complete_records() -> None:
    chance = Random(0)  # noqa: S311  repeatable by its seed
    kill_at = {each: chance.random() < 0.5 for each in chance.sample(range(1, CALLS), KILLS)}

    whole, killed = _killed(kill_at)

    assert killed == [-signal.SIGKILL] * KILLS
    assert whole == _undisturbed()


PARTS = Limits(task_rows=400, chunk_rows=400, cut_seconds=0.05)
"""Small parts, so that few are killed five times."""
EARLIER = {"_host/all.jsonl": HOST, "uri-gin/azgs/1-types.jsonl": TYPES, "uri-gin/azgs/known.jsonl": _known()}


def _put(folder: Path, number: int, key: str, text: str) -> Upload:
    """Upload a file with the same time and version in each folder."""
    upload = Upload(BUCKET, key, f"v{number}", f"2011-08-25T17:{number:02d}:00.000Z")
    with closing(Database(folder)) as database:
        body = text.encode()
        file = UploadedFile(
            key, upload.version, upload.put, len(body), hashlib.sha256(body).hexdigest(), MANY
        )
        SqliteTransfer(database).add_uploads([file], lambda _: iter([body]))
        SqliteQueue(database).send([write_part(Begin(upload, 0))])
    return upload


def _work_off(folder: Path) -> None:
    with IngestRunner(folder, limits=PARTS, log=lambda _: None) as runner:
        assert runner.acquire()
        runner.run_until_idle()


def _everything(folder: Path, upload: Upload) -> dict[str, Any]:
    """Return the report, and the rows of the registry with their stamps and history."""
    with closing(Database(folder)) as database:
        uploads = SqliteUploads(database, FileFolder(folder))
        keys = [report_key(upload.key, upload.version), refused_key(upload.key, upload.version)]
        tables = ("record ORDER BY identifier", "history ORDER BY identifier, version")
        return {
            **{key: uploads.reported(key) for key in keys},
            **{table: database.read(f"SELECT * FROM {table}") for table in tables},  # noqa: S608  constants
            "applied": database.read("SELECT key, version, put, counts FROM applied ORDER BY put"),
            "integrity": database.read("PRAGMA integrity_check"),
            "waiting": database.read("SELECT * FROM message"),
            "reports": uploads.reports_under(""),
            "incoming": list((folder / "files" / "incoming").iterdir()),
        }


def test_a_registry_folder_is_complete_after_kills_at_random_moments(tmp_path: Path) -> None:
    chance = Random(2)  # noqa: S311  repeatable by its seed
    undisturbed, folder = tmp_path / "undisturbed", tmp_path / "killed"
    for number, (key, text) in enumerate(EARLIER.items()):
        _put(undisturbed, number, key, text)
        _work_off(undisturbed)
    upload = _put(undisturbed, 10, TABLE, _table())
    shutil.copytree(undisturbed, folder)
    _work_off(undisturbed)

    killed = [
        ingest_and_kill(folder, PARTS, chance.randint(3, 12), chance.uniform(0, 0.02)) for _ in range(KILLS)
    ]
    with closing(Database(folder)) as database:
        list(SqliteQueue(database).redrive())  # a part may have been killed at each of its tries
    _work_off(folder)

    assert killed.count(-signal.SIGKILL) >= KILLS // 2
    assert _everything(folder, upload) == _everything(undisturbed, upload)
