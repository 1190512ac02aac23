"""Only one process processes uploads, and the lock ends with it."""

from __future__ import annotations

from pathlib import Path

from ginuri.sqlite.lock import IngestLock, is_ingesting
from tests.folder_processes import hold_the_lock
from tests.registry_folder import running


def test_a_second_process_cannot_acquire_the_lock(tmp_path: Path) -> None:
    with running(hold_the_lock, tmp_path) as process, IngestLock(tmp_path) as lock:
        assert process.hear() == "True"

        assert is_ingesting(tmp_path)
        assert not lock.acquire()


def test_the_lock_of_a_killed_process_can_be_acquired(tmp_path: Path) -> None:
    with running(hold_the_lock, tmp_path) as process:
        process.hear()
        process.kill()

    with IngestLock(tmp_path) as lock:
        assert not is_ingesting(tmp_path)
        assert lock.acquire()


def test_a_second_lock_of_one_process_waits_for_the_first(tmp_path: Path) -> None:
    with IngestLock(tmp_path) as first, IngestLock(tmp_path) as second:
        assert first.acquire()
        assert first.acquire()
        assert not second.acquire()

        first.release()

        assert second.acquire()


def test_a_folder_that_never_ingested_is_not_ingesting(tmp_path: Path) -> None:
    assert not is_ingesting(tmp_path)
    assert list(tmp_path.iterdir()) == []
