"""Backups of a registry folder: complete, incremental, and never over another registry."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ginuri.access.tokens import Refusal, Refused
from ginuri.identifiers.errors import FolderUnsuitable
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from ginuri.sqlite.database import FILE
from ginuri.sqlite.lock import BACKUP, FolderLock, IngestLock
from ginuri.sqlite.maintenance.backup import back_up
from ginuri.sqlite.maintenance.check import Check
from ginuri.sqlite.published import SqlitePublishedStore
from ginuri.sqlite.records import SqliteRegistry
from tests.access_tokens import NOW, new_token
from tests.builders import MAP, register
from tests.folder_processes import work_without_end
from tests.registry_folder import RegistryFolder, open_folder, running, sha256_of

KEY = "uri-gin/azgs/wells.csv"
LARGE = bytes(range(256)) * 1_000


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RegistryFolder]:
    """A registry folder with a record, an upload and a large report."""
    with open_folder(tmp_path / "registry") as opened:
        register(SqliteRegistry(opened.database), MAP, title={"en": "Map"})
        opened.uploads.put(KEY, b"body", {})
        opened.uploads.report("report.json", LARGE)
        yield opened


def test_a_backup_is_a_complete_registry(folder: RegistryFolder, tmp_path: Path) -> None:
    result = back_up(folder.database.folder, tmp_path / "backup")

    assert (result.copied, result.bytes, result.present, result.damaged) == (2, 4 + len(LARGE), 0, ())
    assert list(Check(tmp_path / "backup").run()) == []
    with open_folder(tmp_path / "backup") as backup:
        assert set(SqliteRegistry(backup.database).fetch([MAP])) == {MAP}
        assert list(backup.uploads.versions("")) == list(folder.uploads.versions(""))
        assert backup.uploads.reported("report.json") == LARGE
        assert backup.queue.state().waiting == 1


def test_a_backup_revives_no_revoked_token(folder: RegistryFolder, tmp_path: Path) -> None:
    token = new_token()
    with closing(AccessDatabase(folder.database.folder)) as database:
        tokens = SqliteTokens(database)
        tokens.add(token)
        back_up(folder.database.folder, tmp_path / "backup")
        tokens.revoke(token.id, NOW)

    with closing(AccessDatabase(tmp_path / "backup")) as database:
        served = SqliteTokens(database)
        assert served.use(token.id, NOW) == Refused(Refusal.UNKNOWN)
        assert served.is_revoked(token.id)
    # A backup that was served for a while is still one.
    back_up(folder.database.folder, tmp_path / "backup")


def test_a_second_backup_copies_only_new_contents(folder: RegistryFolder, tmp_path: Path) -> None:
    back_up(folder.database.folder, tmp_path / "backup")
    folder.uploads.put(KEY, b"newer", {})

    result = back_up(folder.database.folder, tmp_path / "backup")

    assert (result.copied, result.bytes, result.present) == (1, 5, 2)
    with open_folder(tmp_path / "backup") as backup:
        assert len(list(backup.uploads.versions(""))) == 2


def test_a_second_backup_removes_contents_without_a_name(folder: RegistryFolder, tmp_path: Path) -> None:
    back_up(folder.database.folder, tmp_path / "backup")
    folder.uploads.delete_reports("report")

    back_up(folder.database.folder, tmp_path / "backup")

    with open_folder(tmp_path / "backup") as backup:
        assert [path.name for path in backup.stored()] == [sha256_of(b"body")]


def test_a_backup_reports_its_progress(folder: RegistryFolder, tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []

    back_up(folder.database.folder, tmp_path / "backup", lambda done, of: progress.append((done, of)))

    assert progress == [(1, 2), (2, 2)]


def test_a_registry_in_use_can_be_backed_up(tmp_path: Path) -> None:
    with running(work_without_end, tmp_path / "registry") as process:
        for number in range(3):
            for _ in range(20):
                process.hear()
            result = back_up(tmp_path / "registry", tmp_path / "backup")
            assert result.damaged == (), number
            assert list(Check(tmp_path / "backup").run()) == []


def test_contents_deleted_during_a_backup_are_copied(folder: RegistryFolder, tmp_path: Path) -> None:
    store = SqlitePublishedStore(folder.database, folder.files)
    for number in range(5):
        store.write(f"run/{number}", b"%d" % number, "text/plain")

    result = back_up(
        folder.database.folder, tmp_path / "backup", lambda _, __: store.delete(store.list_keys())
    )

    assert (result.copied, result.damaged) == (7, ())


def test_an_interrupted_backup_leaves_the_one_before(folder: RegistryFolder, tmp_path: Path) -> None:
    def interrupt(done: int, of: int) -> None:
        if done < of:
            raise KeyboardInterrupt

    back_up(folder.database.folder, tmp_path / "backup")
    folder.uploads.put(KEY, b"newer", {})

    with pytest.raises(KeyboardInterrupt):
        back_up(folder.database.folder, tmp_path / "backup", interrupt)

    assert list(Check(tmp_path / "backup").run()) == []
    with open_folder(tmp_path / "backup") as backup:
        assert len(list(backup.uploads.versions(""))) == 1


def test_an_interrupted_first_backup_can_be_continued(folder: RegistryFolder, tmp_path: Path) -> None:
    def interrupt(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        back_up(folder.database.folder, tmp_path / "backup", interrupt)

    result = back_up(folder.database.folder, tmp_path / "backup")

    assert result.copied + result.present == 2
    assert list(Check(tmp_path / "backup").run()) == []


def test_a_damaged_content_is_named_and_not_copied(folder: RegistryFolder, tmp_path: Path) -> None:
    folder.files.path(sha256_of(LARGE)).write_bytes(b"damaged")
    folder.files.path(sha256_of(b"body")).unlink()

    result = back_up(folder.database.folder, tmp_path / "backup")

    assert set(result.damaged) == {sha256_of(LARGE), sha256_of(b"body")}
    with open_folder(tmp_path / "backup") as backup:
        assert backup.stored() == []


def test_a_folder_with_other_files_is_not_overwritten(folder: RegistryFolder, tmp_path: Path) -> None:
    target = tmp_path / "photographs"
    target.mkdir()
    (target / "files").mkdir()

    with pytest.raises(FolderUnsuitable, match=r"is no backup of .*registry"):
        back_up(folder.database.folder, target)

    assert [path.name for path in target.iterdir()] == ["files"]


def test_a_fresh_disk_can_hold_a_backup(folder: RegistryFolder, tmp_path: Path) -> None:
    (tmp_path / "disk" / "lost+found").mkdir(parents=True)
    (tmp_path / "disk" / ".Trash").mkdir()

    assert back_up(folder.database.folder, tmp_path / "disk").copied == 2


def test_a_foreign_database_is_not_overwritten(folder: RegistryFolder, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / FILE).write_bytes(b"not a database of SQLite")

    with pytest.raises(FolderUnsuitable, match="is no backup of"):
        back_up(folder.database.folder, tmp_path / "other")


def test_another_registry_is_not_overwritten(folder: RegistryFolder, tmp_path: Path) -> None:
    with open_folder(tmp_path / "other") as other:
        other.uploads.put(KEY, b"other", {})

    with pytest.raises(FolderUnsuitable, match="is no backup of"):
        back_up(folder.database.folder, tmp_path / "other")


def test_a_copy_that_took_uploads_is_not_overwritten(folder: RegistryFolder, tmp_path: Path) -> None:
    back_up(folder.database.folder, tmp_path / "backup")
    with open_folder(tmp_path / "backup") as backup:
        backup.uploads.put(KEY, b"only in the copy", {})

    with pytest.raises(FolderUnsuitable, match=r"has 1 upload that .*registry lacks"):
        back_up(folder.database.folder, tmp_path / "backup")


def test_a_newer_registry_is_not_overwritten_by_its_backup(folder: RegistryFolder, tmp_path: Path) -> None:
    back_up(folder.database.folder, tmp_path / "backup")
    folder.uploads.put(KEY, b"newer", {})

    with pytest.raises(FolderUnsuitable, match="lacks"):
        back_up(tmp_path / "backup", folder.database.folder)


def test_a_registry_is_not_backed_up_into_itself(folder: RegistryFolder, tmp_path: Path) -> None:
    with pytest.raises(FolderUnsuitable, match="the registry itself"):
        back_up(folder.database.folder, tmp_path / "backup" / ".." / "registry")


def test_a_copy_that_is_being_served_is_not_overwritten(folder: RegistryFolder, tmp_path: Path) -> None:
    back_up(folder.database.folder, tmp_path / "backup")

    with IngestLock(tmp_path / "backup") as lock:
        assert lock.acquire()
        with pytest.raises(FolderUnsuitable, match="in use"):
            back_up(folder.database.folder, tmp_path / "backup")


def test_a_copy_that_is_open_is_not_overwritten(folder: RegistryFolder, tmp_path: Path) -> None:
    back_up(folder.database.folder, tmp_path / "backup")

    with open_folder(tmp_path / "backup") as backup:
        assert backup.queue.state().waiting == 1
        with pytest.raises(FolderUnsuitable, match="in use"):
            back_up(folder.database.folder, tmp_path / "backup")


def test_a_second_backup_at_the_same_time_is_refused(folder: RegistryFolder, tmp_path: Path) -> None:
    with FolderLock(folder.database.folder, BACKUP) as lock:
        assert lock.acquire()
        with pytest.raises(FolderUnsuitable, match="Wait for its end"):
            back_up(folder.database.folder, tmp_path / "backup")


def test_a_folder_without_a_registry_cannot_be_backed_up(tmp_path: Path) -> None:
    with pytest.raises(FolderUnsuitable, match="is no registry"):
        back_up(tmp_path / "none", tmp_path / "backup")

    assert not (tmp_path / "none").exists()


def test_a_backup_of_a_copied_folder_is_the_same_registry(folder: RegistryFolder, tmp_path: Path) -> None:
    back_up(folder.database.folder, tmp_path / "backup")
    shutil.copytree(tmp_path / "backup", tmp_path / "restored")

    result = back_up(tmp_path / "restored", tmp_path / "backup")

    assert (result.copied, result.present) == (0, 2)
