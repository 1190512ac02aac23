"""The uploads and reports of a registry folder: times that rise, and messages that belong to uploads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.sqlite.published import SqliteSummaries
from ginuri.sqlite.settings import Settings
from tests.folder_processes import upload_often
from tests.registry_folder import RegistryFolder, open_folder, running

KEY = "uri-gin/azgs/wells.csv"
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[RegistryFolder]:
    """An empty registry folder."""
    with open_folder(tmp_path) as opened:
        yield opened


def test_upload_times_rise_when_the_clock_goes_back(tmp_path: Path) -> None:
    moments = iter([NOON, NOON, NOON - timedelta(hours=1), NOON + timedelta(seconds=1)])
    with open_folder(tmp_path, lambda: next(moments)) as folder:
        uploads = [folder.uploads.put(KEY, b"", {}) for _ in range(4)]

    assert [upload.put[11:] for upload in uploads] == [
        "12:00:00.000Z",
        "12:00:00.001Z",
        "12:00:00.002Z",
        "12:00:01.000Z",
    ]


def test_upload_times_rise_after_a_restart(tmp_path: Path) -> None:
    with open_folder(tmp_path, lambda: NOON) as folder:
        folder.uploads.put(KEY, b"", {})
    with open_folder(tmp_path, lambda: NOON - timedelta(days=1)) as folder:
        assert folder.uploads.put(KEY, b"", {}).put == "2026-11-23T12:00:00.001Z"


def test_versions_sort_like_their_times(folder: RegistryFolder) -> None:
    uploads = [folder.uploads.put(KEY, b"", {}) for _ in range(20)]

    assert sorted(upload.version for upload in uploads) == [upload.version for upload in uploads]
    assert all(len(upload.version) == 26 and upload.version.isalnum() for upload in uploads)


def test_upload_times_of_two_processes_differ(folder: RegistryFolder) -> None:
    path = folder.database.folder
    with running(upload_often, path) as one, running(upload_often, path) as other:
        for process in (one, other):
            process.hear()
        for process in (one, other):
            process.say()
        puts = [process.hear() for _ in range(40) for process in (one, other)]

    stored = folder.database.read("SELECT put FROM upload ORDER BY rowid")
    assert len(set(puts)) == 80
    assert [put for (put,) in stored] == sorted(puts)


def test_an_upload_is_announced_like_those_of_aws(folder: RegistryFolder) -> None:
    upload = folder.uploads.put("uri-gin/azgs/new wells+1.csv", b"", {})

    received = folder.queue.receive(60)

    assert received is not None
    [event] = json.loads(received.body)["Records"]
    assert event["eventTime"] == upload.put
    assert event["s3"]["object"] == {
        "key": "uri-gin/azgs/new+wells%2B1.csv",
        "versionId": upload.version,
    }


def test_an_upload_and_its_message_are_stored_together(folder: RegistryFolder) -> None:
    with suppress(KeyError), folder.database.write():
        folder.uploads.put(KEY, b"", {})
        raise KeyError("undone")

    assert folder.queue.receive(60) is None
    assert list(folder.uploads.versions("")) == []


@pytest.mark.parametrize(
    ("key", "metadata", "refusal"),
    [
        ("\u00fc" * 513, {}, "has 1,026 bytes instead of at most 1,024"),
        (KEY, {"reason": "x" * 2_043}, "have 2,049 bytes instead of at most 2,048"),
    ],
)
def test_uploads_that_aws_would_refuse_are_refused(
    folder: RegistryFolder, key: str, metadata: dict[str, str], refusal: str
) -> None:
    with pytest.raises(RegistryUnavailable, match=refusal):
        folder.uploads.put(key, b"", metadata)

    folder.uploads.put("\u00fc" * 512, b"", {"reason": "x" * 2_042})


def test_versions_are_listed_by_key_the_newest_first(folder: RegistryFolder) -> None:
    first = folder.uploads.put(KEY, b"1", {})
    second = folder.uploads.put(KEY, b"2", {})
    other = folder.uploads.put("uri-gin/azgs/a.csv", b"3", {})
    folder.uploads.put("uri-gin/usgin/a.csv", b"4", {})

    assert list(folder.uploads.versions("uri-gin/azgs/")) == [other, second, first]


def test_an_absent_version_of_an_upload_is_unavailable(folder: RegistryFolder) -> None:
    with pytest.raises(RegistryUnavailable, match="wells"):
        list(folder.uploads.read(KEY, "none"))


def test_a_stored_file_is_the_content_of_its_upload(folder: RegistryFolder) -> None:
    upload = folder.uploads.put(KEY, b"body", {})

    kept = folder.uploads.keep(KEY, upload.put)

    assert kept is not None
    assert folder.content.read(kept) == b"body"
    assert len(folder.stored()) == 1


def test_a_file_is_stored_as_it_was_to_the_millisecond(tmp_path: Path) -> None:
    with open_folder(tmp_path, lambda: NOON) as folder:
        older = folder.uploads.put(KEY, b"older", {})
        newer = folder.uploads.put(KEY, b"newer", {})

        seen = [folder.uploads.keep(KEY, upload.put) for upload in (older, newer)]

        assert [folder.content.read(file) for file in seen if file] == [b"older", b"newer"]


def test_the_newest_summaries_come_first(tmp_path: Path) -> None:
    moments = (NOON + timedelta(seconds=number) for number in range(10))
    with open_folder(tmp_path, lambda: next(moments)) as folder:
        for key in ("b/v1.summary.json", "a/v2.summary.json", "a/v2.json", "c/v3.summary.json"):
            folder.uploads.report(key, key.encode())

        newest = list(SqliteSummaries(folder.database, folder.files).newest(2))

    assert newest == [(key, key.encode()) for key in ("c/v3.summary.json", "a/v2.summary.json")]


def test_reports_are_deleted_by_prefix_and_age(tmp_path: Path) -> None:
    moments = (NOON + timedelta(seconds=number) for number in range(3))
    with open_folder(tmp_path, lambda: next(moments)) as folder:
        for key in ("_parts/old", "_parts/new", "report.json"):
            folder.uploads.report(key, b"")

        assert folder.uploads.delete_reports("_parts/", NOON + timedelta(seconds=1)) == 1

        assert folder.uploads.reports_under("") == ["_parts/new", "report.json"]


def test_settings_and_the_identity_persist(tmp_path: Path) -> None:
    with open_folder(tmp_path) as folder:
        Settings(folder.database).set("canonical_host", "id.example")
        Settings(folder.database).set("proxies", "none")
        Settings(folder.database).set("proxies", None)
        identity = Settings(folder.database).identity()
    with open_folder(tmp_path) as folder:
        settings = Settings(folder.database)

        assert settings.get("canonical_host") == "id.example"
        assert settings.get("proxies") is None
        assert settings.identity() == identity
