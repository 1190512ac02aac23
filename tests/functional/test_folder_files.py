"""The contents of a registry folder: stored once, complete, and removed when no row names them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.reports.streams import open_pieces
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.lock import BACKUP, FolderLock
from ginuri.sqlite.maintenance.check import Check
from ginuri.sqlite.published import SqlitePublishedStore
from tests.folder_processes import LARGE as LARGE_REPORTS
from tests.folder_processes import fill_the_disk, replace_reports, store_slowly
from tests.registry_folder import RegistryFolder, open_folder, running, sha256_of

KEY = "uri-gin/azgs/wells.csv"
LARGE = bytes(range(256)) * 1_000
"""A report that has no place in its row."""
_MEGABYTE = 1024 * 1024


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RegistryFolder]:
    """An empty registry folder."""
    with open_folder(tmp_path) as opened:
        yield opened


def test_equal_contents_are_stored_once(folder: RegistryFolder) -> None:
    first = folder.uploads.put(KEY, LARGE, {})
    second = folder.uploads.put("uri-gin/azgs/copy.csv", LARGE, {})
    folder.uploads.report("report.json", LARGE)

    assert first.sha256 == second.sha256
    assert [path.name for path in folder.stored()] == [sha256_of(LARGE)]


@pytest.mark.parametrize(
    "key", ["a/../../b.csv", "a" * 1_000, "CON", "a:b*?.csv", "\u00e9/\U0001f5fa", "/", "."]
)
def test_names_that_a_file_system_refuses_can_be_stored(folder: RegistryFolder, key: str) -> None:
    version = folder.uploads.put(key, b"body", {}).version
    folder.uploads.report(key, LARGE)

    assert b"".join(folder.uploads.read(key, version)) == b"body"
    assert folder.uploads.reported(key) == LARGE


def test_a_name_may_be_a_file_and_a_folder(folder: RegistryFolder) -> None:
    folder.uploads.report(KEY, b"file")
    folder.uploads.report(f"{KEY}/v1.json", b"below")

    assert folder.uploads.reported(KEY) == b"file"
    assert folder.uploads.reported(f"{KEY}/v1.json") == b"below"


def test_a_large_file_is_stored_and_read_in_little_memory(folder: RegistryFolder) -> None:
    tracemalloc.start()
    try:
        upload = folder.uploads.put(KEY, open_pieces(bytes(_MEGABYTE) for _ in range(64)), {})
        length = sum(len(chunk) for chunk in folder.uploads.read(KEY, upload.version))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert upload.length == length == 64 * _MEGABYTE
    assert most < 8 * _MEGABYTE


def test_an_upload_whose_stream_fails_leaves_no_file(folder: RegistryFolder) -> None:
    def pieces() -> Iterator[bytes]:
        yield LARGE
        raise KeyError("lost")

    with pytest.raises(KeyError):
        folder.uploads.put(KEY, open_pieces(pieces()), {})

    assert folder.stored() == []
    assert list(folder.uploads.versions("")) == []
    assert folder.queue.receive(1) is None


def test_a_content_without_a_name_is_removed(folder: RegistryFolder) -> None:
    folder.uploads.report("a.json", LARGE)
    folder.uploads.report("b.json", LARGE + b"b")

    folder.uploads.report("a.json", b"small")
    folder.uploads.delete_reports("b.")

    assert folder.stored() == []
    assert folder.uploads.reports_under("") == ["a.json"]


def test_a_content_with_another_name_stays(folder: RegistryFolder) -> None:
    version = folder.uploads.put(KEY, LARGE, {}).version
    folder.uploads.report("a.json", LARGE)

    folder.uploads.delete_reports("a")

    assert b"".join(folder.uploads.read(KEY, version)) == LARGE


def test_a_rolled_back_deletion_removes_no_content(folder: RegistryFolder) -> None:
    folder.uploads.report("a.json", LARGE)

    with suppress(KeyError), folder.database.write():
        folder.uploads.delete_reports("a")
        raise KeyError("undone")

    assert folder.uploads.reported("a.json") == LARGE


def test_contents_deleted_in_a_transaction_are_removed_later(folder: RegistryFolder) -> None:
    folder.uploads.report("a.json", LARGE)
    with folder.database.write():
        folder.uploads.delete_reports("a")
    assert len(folder.stored()) == 1

    folder.uploads.report("b.json", b"small")

    assert folder.stored() == []


def test_contents_are_removed_only_after_a_backup(folder: RegistryFolder) -> None:
    folder.uploads.report("a.json", LARGE)
    with FolderLock(folder.database.folder, BACKUP) as lock:
        assert lock.acquire()
        folder.uploads.delete_reports("a")
        assert len(folder.stored()) == 1

    folder.uploads.delete_reports("a")

    assert folder.stored() == []


def test_a_content_stored_again_while_it_is_removed_stays(folder: RegistryFolder) -> None:
    with running(replace_reports, folder.database.folder) as process:
        process.hear()
        for number in range(150):
            body = LARGE_REPORTS[number % 3]
            folder.uploads.report("other report", body)
            assert folder.uploads.reported("other report") == body
            folder.uploads.reported("report")
            folder.uploads.delete_reports("other")

    assert [each for each in Check(folder.database.folder).run() if "names this file" not in str(each)] == []


def test_a_removed_content_is_read_to_its_end(folder: RegistryFolder) -> None:
    store = SqlitePublishedStore(folder.database, folder.files)
    store.write("run/a", bytes(3 * _MEGABYTE), "text/plain")
    chunks = store.chunks("run/a")
    first = next(chunks)

    store.delete(["run/a"])

    assert folder.stored() == []
    assert len(first) + sum(map(len, chunks)) == 3 * _MEGABYTE


def test_a_content_replaced_before_it_is_opened_is_found_again(folder: RegistryFolder) -> None:
    with folder.files.receive([b"newer"]) as incoming:
        folder.files.keep(incoming)
    found = iter(["0" * 64, "1" * 64, incoming.sha256])

    file = folder.files.open_named(lambda: next(found))

    assert file is not None
    with file:
        assert file.read() == b"newer"


def test_a_lost_content_is_unavailable(folder: RegistryFolder) -> None:
    version = folder.uploads.put(KEY, LARGE, {}).version
    folder.stored()[0].unlink()

    with pytest.raises(RegistryUnavailable, match=sha256_of(LARGE)):
        list(folder.uploads.read(KEY, version))


def test_a_damaged_content_is_repaired_by_another_upload(folder: RegistryFolder) -> None:
    version = folder.uploads.put(KEY, LARGE, {}).version
    folder.stored()[0].write_bytes(b"damaged")

    folder.uploads.put(KEY, LARGE, {})

    assert b"".join(folder.uploads.read(KEY, version)) == LARGE


def test_a_file_being_written_is_not_swept(folder: RegistryFolder) -> None:
    with folder.files.receive([LARGE]) as incoming:
        FileFolder(folder.database.folder).sweep()

        assert incoming.path.is_file()


def test_the_incomplete_file_of_a_killed_process_is_swept(folder: RegistryFolder) -> None:
    with running(store_slowly, folder.database.folder) as process:
        process.hear()
        folder.files.sweep()
        assert len(folder.stored()) == 1

    folder.files.sweep()

    assert folder.stored() == []


def test_a_full_disk_is_a_clear_refusal_that_loses_nothing(folder: RegistryFolder) -> None:
    folder.uploads.put(KEY, LARGE, {})

    with running(fill_the_disk, folder.database.folder) as process:
        refusals, end = [process.hear(), process.hear()], process.hear()

    for refusal in refusals:
        assert f"the disk of {folder.database.folder} is full" in refusal
    assert end == "uploaded"
    assert len(folder.stored()) == 2
    assert [upload.length for upload in folder.uploads.versions(KEY)] == [5, len(LARGE)]
    assert folder.queue.state().waiting == 2
