"""Is each content store the same store? In memory, in S3 under moto, and in a registry folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest
from moto import mock_aws

from ginuri.aws.bucket import LINK_SECONDS
from ginuri.aws.s3 import S3ContentStore
from ginuri.identifiers.errors import ContentMissing, RegistryUnavailable
from ginuri.memory import MemoryContentStore
from ginuri.registry.content import ContentStore, StreamingStore
from ginuri.registry.model import StoredFile
from ginuri.sqlite.content import SqliteContentStore
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.uploads import SqliteUploads
from tests.aws import new_bucket, s3_client

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

KEY = "uri-gin/azgs/files/map image (\u00e9).pdf"
BUCKET = "content"


@dataclass(frozen=True)
class Shelf:
    """A content store, and a function that stores a file in it."""

    store: ContentStore
    put: Callable[[str, bytes], StoredFile]


def _pin(key: str, version: str, body: bytes) -> StoredFile:
    return StoredFile(key, version, len(body), "ab" * 32, "2011-08-25T17:29:00Z")


def _in_memory() -> Shelf:
    store = MemoryContentStore()

    def put(key: str, body: bytes) -> StoredFile:
        version = f"v{len(store.files)}"
        store.files[key, version] = body
        return _pin(key, version, body)

    return Shelf(store, put)


def _in_s3() -> Shelf:
    client = s3_client()
    new_bucket(client, BUCKET)

    def put(key: str, body: bytes) -> StoredFile:
        return _pin(key, client.put_object(Bucket=BUCKET, Key=key, Body=body)["VersionId"], body)

    return Shelf(S3ContentStore(lambda: client, BUCKET), put)


def _in_folder(database: Database) -> Shelf:
    files = FileFolder(database.folder)
    uploads = SqliteUploads(database, files)

    def put(key: str, body: bytes) -> StoredFile:
        kept = uploads.keep(key, uploads.put(key, body, {}).put)
        assert kept is not None
        return kept

    return Shelf(SqliteContentStore(database, files), put)


@pytest.fixture(params=["memory", "s3", "folder"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Shelf]:
    if request.param == "memory":
        yield _in_memory()
    elif request.param == "folder":
        with closing(Database(tmp_path)) as database:
            yield _in_folder(database)
    else:
        with mock_aws():
            yield _in_s3()


@pytest.mark.parametrize("body", [b"%PDF-1.4\x00\xff", b"", bytes(range(256)) * 4096])
def test_a_file_is_read_byte_for_byte(shelf: Shelf, body: bytes) -> None:
    file = shelf.put(KEY, body)

    assert shelf.store.read(file) == body


def test_a_record_pins_one_version_of_a_file(shelf: Shelf) -> None:
    first = shelf.put(KEY, b"first")
    second = shelf.put(KEY, b"second")

    assert shelf.store.read(first) == b"first"
    assert shelf.store.read(second) == b"second"


def test_an_absent_file_is_missing(shelf: Shelf) -> None:
    with pytest.raises(ContentMissing) as missing:
        shelf.store.read(_pin("none.pdf", "v1", b""))

    assert missing.value.key == "none.pdf"


@pytest.mark.parametrize(("first", "last"), [(0, 0), (3, 5), (5, 9)])
def test_a_part_of_a_file_is_read(shelf: Shelf, first: int, last: int) -> None:
    file = shelf.put(KEY, b"0123456789")

    assert shelf.store.read(file, first, last) == b"0123456789"[first : last + 1]


def test_a_registry_folder_streams_its_files(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:
        shelf = _in_folder(database)
        body = bytes(range(256)) * 10_000
        file = shelf.put(KEY, body)

        assert isinstance(shelf.store, StreamingStore)
        chunks = list(shelf.store.chunks(file, 1, len(body) - 2))

    assert len(chunks) > 2
    assert b"".join(chunks) == body[1:-1]


def test_a_lost_file_is_missing_before_its_first_chunk(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database, pytest.raises(ContentMissing):
        SqliteContentStore(database, FileFolder(tmp_path)).chunks(_pin("none.pdf", "v1", b""))


@pytest.mark.parametrize("shelf", ["memory", "s3"], indirect=True)
def test_a_link_is_signed_for_the_file_and_the_method(shelf: Shelf) -> None:
    assert not isinstance(shelf.store, StreamingStore)
    file = shelf.put(KEY, b"first")

    get = shelf.store.link(file, "application/pdf", "GET")
    head = shelf.store.link(file, "application/pdf", "HEAD")

    assert get != head
    assert get.startswith("https://")
    assert file.version in get


@pytest.mark.parametrize("shelf", ["memory", "s3"], indirect=True)
def test_a_link_fits_into_a_header(shelf: Shelf) -> None:
    assert not isinstance(shelf.store, StreamingStore)
    link = shelf.store.link(shelf.put(KEY, b"first"), "application/pdf", "GET")

    assert link.isascii()
    assert " " not in link


def test_a_signed_link_names_version_and_media_type_and_expires_in_minutes() -> None:
    file = _pin(KEY, "v1", b"")
    store = S3ContentStore(s3_client, BUCKET)

    link = urlsplit(store.link(file, "application/pdf", "GET"))

    query = parse_qs(link.query)
    assert query["versionId"] == ["v1"]
    assert query["response-content-type"] == ["application/pdf"]
    assert query["X-Amz-Algorithm"] == ["AWS4-HMAC-SHA256"]
    assert query["X-Amz-Expires"] == [str(LINK_SECONDS)]


@pytest.mark.parametrize(("method", "operation"), [("GET", "GetObject"), ("HEAD", "HeadObject")])
def test_a_link_is_signed_for_its_method(method: str, operation: str) -> None:
    client, signed = s3_client(), []
    client.meta.events.register("before-sign.s3", lambda operation_name, **_: signed.append(operation_name))

    S3ContentStore(lambda: client, BUCKET).link(_pin(KEY, "v1", b""), "application/pdf", method)

    assert signed == [operation]


def test_the_client_is_created_with_the_first_request_for_a_file() -> None:
    made: list[S3Client] = []

    def make() -> S3Client:
        made.append(s3_client())
        return made[-1]

    store = S3ContentStore(make, BUCKET)
    assert made == []

    store.link(_pin(KEY, "v1", b""), "application/pdf", "GET")
    store.link(_pin(KEY, "v2", b""), "application/pdf", "GET")

    assert len(made) == 1


def test_a_missing_content_bucket_is_unavailable() -> None:
    with mock_aws():
        store = S3ContentStore(s3_client, "no-such-bucket")

        with pytest.raises(RegistryUnavailable, match="NoSuchBucket"):
            store.read(_pin(KEY, "v1", b""))
