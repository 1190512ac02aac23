"""Published files in S3, in a folder and in a registry folder are the same to readers and writers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from moto import mock_aws

from ginuri.aws.published_files import S3PublishedStore
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.published.publications import PublishedStore
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.published import SqlitePublishedStore
from infra.published_folder import FolderPublished
from tests.aws import s3_client


@pytest.fixture(params=["s3", "folder", "registry"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PublishedStore]:
    """An empty store."""
    if request.param == "folder":
        yield FolderPublished(tmp_path)
        return
    if request.param == "registry":
        with closing(Database(tmp_path)) as database:
            yield SqlitePublishedStore(database, FileFolder(tmp_path))
        return
    with mock_aws():
        client = s3_client()
        client.create_bucket(Bucket="published")
        yield S3PublishedStore(lambda: client, "published")


def test_a_written_file_is_read_back(store: PublishedStore) -> None:
    store.write("run/a.txt", b"0123456789", "text/plain")
    store.write("run/b/c.gz", BytesIO(b"packed"), "application/gzip")

    assert store.read("run/a.txt") == b"0123456789"
    assert store.read("run/b/c.gz") == b"packed"
    assert store.read_range("run/a.txt", 3, 4) == b"3456"
    assert store.read_range("run/a.txt", 8, 40) == b"89"


def test_a_file_is_replaced(store: PublishedStore) -> None:
    store.write("current.json", b"old", "application/json")
    store.write("current.json", b"new", "application/json")

    assert store.read("current.json") == b"new"


def test_an_absent_file_is_none_and_has_no_ranges(store: PublishedStore) -> None:
    assert store.read("absent") is None
    with pytest.raises(RegistryUnavailable):
        store.read_range("absent", 0, 1)


def test_files_are_listed_and_deleted(store: PublishedStore) -> None:
    for key in ("run/a", "run/b/c", "current.json"):
        store.write(key, b"x", "text/plain")

    store.delete(["run/a", "run/b/c"])
    store.delete([])

    assert store.list_keys() == ["current.json"]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize("store", ["s3", "folder"], indirect=True)
def test_a_link_has_the_file_and_its_media_type(
    store: S3PublishedStore | FolderPublished, method: str
) -> None:
    link = store.link("run/a.gz", "application/gzip", method)

    assert link.startswith("https://")
    assert "run/a.gz" in link


@pytest.mark.parametrize("store", ["registry"], indirect=True)
def test_a_published_file_is_streamed(store: SqlitePublishedStore) -> None:
    body = bytes(range(256)) * 10_000
    store.write("run/a.gz", body, "application/gzip")

    assert b"".join(store.chunks("run/a.gz", 1, len(body) - 2)) == body[1:-1]
    with pytest.raises(RegistryUnavailable, match=r"run/b\.gz"):
        store.chunks("run/b.gz")
