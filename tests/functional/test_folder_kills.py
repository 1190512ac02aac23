"""A process that is killed at any point loses nothing of a registry folder."""

from __future__ import annotations

import json
import time
from pathlib import Path
from random import Random

import pytest

from ginuri.sqlite.maintenance.check import Check
from tests.folder_processes import work_without_end
from tests.registry_folder import open_folder, running


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_process_loses_no_upload_and_no_message(tmp_path: Path, seed: int) -> None:
    random = Random(seed)  # noqa: S311  not secret
    lines: list[str] = []
    for _ in range(2):
        with running(work_without_end, tmp_path) as process:
            lines.append(process.hear())
            time.sleep(random.uniform(0.01, 0.3))
            lines += process.kill()

    with open_folder(tmp_path) as folder:
        folder.files.sweep()
        uploaded = {upload.version for upload in folder.uploads.versions("")}
        messages = folder.database.read("SELECT number, body FROM message")
        first = folder.database.read("SELECT version, rowid FROM upload ORDER BY rowid")
        incomplete = list((tmp_path / "files" / "incoming").iterdir())
    waiting = {json.loads(body)["Records"][0]["s3"]["object"]["versionId"] for _, body in messages}
    finishing = {int(line.split()[1]) for line in lines if line.startswith("finishing")}
    # Each upload sends one message, so that both have the same number.
    finished = {version for version, number in first if number in finishing}

    assert {line.split()[1] for line in lines if line.startswith("put")} <= uploaded
    assert uploaded <= waiting | finished
    assert len(waiting) == len(messages)
    assert incomplete == []
    damages = list(Check(tmp_path, removes=True).run())
    assert {str(damage.remedy) for damage in damages} <= {"It was removed."}
    assert list(Check(tmp_path).run()) == []
