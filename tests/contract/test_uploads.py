"""Is each upload store the same store? In memory, in S3 under moto, and in a registry folder."""

from __future__ import annotations

import datetime as dt
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import boto3
import pytest
from botocore.config import Config
from botocore.stub import Stubber
from moto import mock_aws

from ginuri.aws.botocore_clients import S3_CONFIG
from ginuri.aws.s3 import S3ContentStore, S3Uploads
from ginuri.aws.upload_putter import S3UploadPutter
from ginuri.identifiers.errors import ContentMissing, PartsMissing, RegistryUnavailable, UploadExists
from ginuri.ingest.reports.streams import open_pieces
from ginuri.memory import MemoryContentStore, MemoryUploadPutter, MemoryUploads
from ginuri.registry.content import ContentStore, UploadHead, UploadPutter
from ginuri.sqlite.content import SqliteContentStore
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.uploads import SqliteUploadPutter, SqliteUploads
from tests.aws import new_bucket, s3_client

TABLE = "uri-gin/azgs/wells.csv"
IMAGE = "uri-gin/azgs/files/map.tif"
LARGE = bytes(range(256)) * 40_000
"""Ten megabytes: too much to be copied in one piece."""


@dataclass(frozen=True)
class Desk:
    """An upload store with its content store, and a function that uploads a file like a steward."""

    uploads: MemoryUploads | S3Uploads | SqliteUploads
    content: ContentStore
    put: Callable[..., str]
    """Uploads a file by key and content, with metadata, and returns the version."""
    putter: UploadPutter
    """Puts files on behalf of others."""


def _now() -> str:
    return f"{dt.datetime.now(dt.UTC):%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


def _in_memory() -> Desk:
    content = MemoryContentStore()
    uploads = MemoryUploads(content)

    def put(key: str, body: bytes, **said: str) -> str:
        version = f"v{len(uploads.uploads)}"
        uploads.uploads[key, version] = body
        uploads.metadata_of[key, version] = said
        uploads.puts[key, version] = _now()
        return version

    return Desk(uploads, content, put, MemoryUploadPutter(uploads, "api:server"))


def _in_s3() -> Desk:
    client = s3_client()
    for bucket in ("uploads", "content", "reports"):
        new_bucket(client, bucket)
    uploads = S3Uploads(client, uploads="uploads", content="content", reports="reports")

    def put(key: str, body: bytes, **said: str) -> str:
        return client.put_object(Bucket="uploads", Key=key, Body=body, Metadata=said)["VersionId"]

    putter = S3UploadPutter(lambda: client, "uploads")
    return Desk(uploads, S3ContentStore(lambda: client, "content"), put, putter)


def _in_folder(database: Database) -> Desk:
    files = FileFolder(database.folder)
    uploads = SqliteUploads(database, files)

    def put(key: str, body: bytes, **said: str) -> str:
        return uploads.put(key, body, said).version

    putter = SqliteUploadPutter(uploads, "api:server")
    return Desk(uploads, SqliteContentStore(database, files), put, putter)


@pytest.fixture(params=["memory", "s3", "folder"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    if request.param == "memory":
        yield _in_memory()
    elif request.param == "folder":
        with closing(Database(tmp_path)) as database:
            yield _in_folder(database)
    else:
        with mock_aws():
            yield _in_s3()


def _head(desk: Desk, key: str, version: str) -> UploadHead:
    head = desk.uploads.head(key, version)
    assert head is not None
    return head


@pytest.mark.parametrize("body", [b"", b"identifier,title\r\n\xff", LARGE])
def test_an_upload_is_read_byte_for_byte(desk: Desk, body: bytes) -> None:
    version = desk.put(TABLE, body)

    assert _head(desk, TABLE, version).size == len(body)
    assert b"".join(desk.uploads.read(TABLE, version)) == body


def test_a_large_upload_is_never_read_in_one_piece(desk: Desk) -> None:
    version = desk.put(TABLE, LARGE)

    assert max(len(chunk) for chunk in desk.uploads.read(TABLE, version)) < len(LARGE) / 4


def test_an_upload_is_one_version_of_an_object(desk: Desk) -> None:
    first, second = desk.put(TABLE, b"first"), desk.put(TABLE, b"the second")

    assert b"".join(desk.uploads.read(TABLE, first)) == b"first"
    assert _head(desk, TABLE, first).size == 5
    assert _head(desk, TABLE, second).size == 10


def test_an_absent_upload_has_no_head(desk: Desk) -> None:
    assert desk.uploads.head("uri-gin/azgs/none.csv", desk.put(TABLE, b"")) is None


def test_metadata_belongs_to_one_version_of_an_upload(desk: Desk) -> None:
    first, second = desk.put(TABLE, b"a", **{"dry-run": "true"}), desk.put(TABLE, b"b")

    assert _head(desk, TABLE, first).metadata == {"dry-run": "true"}
    assert _head(desk, TABLE, second).metadata == {}


def test_a_file_is_put_on_behalf_of_somebody_with_its_metadata(desk: Desk) -> None:
    version = desk.putter.put(TABLE, b"identifier", {"principal": "mailto:jane@example.org"})

    assert _head(desk, TABLE, version) == UploadHead(10, {"principal": "mailto:jane@example.org"})
    assert b"".join(desk.uploads.read(TABLE, version)) == b"identifier"


def test_a_file_that_must_be_new_is_put_once(desk: Desk) -> None:
    first = desk.putter.put(TABLE, b"first", {}, is_new=True)

    with pytest.raises(UploadExists, match=TABLE):
        desk.putter.put(TABLE, b"second", {}, is_new=True)
    later = desk.putter.put(TABLE, b"third", {})
    desk.putter.put(f"{TABLE}.gz", b"another", {}, is_new=True)

    assert b"".join(desk.uploads.read(TABLE, first)) == b"first"
    assert b"".join(desk.uploads.read(TABLE, later)) == b"third"


@pytest.mark.untraced
def test_only_one_of_several_simultaneous_new_puts_succeeds(desk: Desk) -> None:
    def put(number: int) -> str | None:
        with suppress(UploadExists):
            return desk.putter.put(TABLE, b"%d" % number, {}, is_new=True)
        return None

    with ThreadPoolExecutor(4) as pool:
        versions = list(filter(None, pool.map(put, range(4))))

    assert len(versions) == 1


def test_a_report_is_read_back(desk: Desk) -> None:
    desk.uploads.report(f"{TABLE}/v1.json", b"{}")
    desk.uploads.report(f"{TABLE}/v1.refused.csv", b"identifier\n\xff")
    desk.uploads.report(f"{TABLE}/v1.json", b'{"counts": {}}')

    assert desk.uploads.reported(f"{TABLE}/v1.json") == b'{"counts": {}}'
    assert desk.uploads.reported(f"{TABLE}/v1.refused.csv") == b"identifier\n\xff"


def test_an_unwritten_report_is_none(desk: Desk) -> None:
    assert desk.uploads.reported(f"{TABLE}/v1.json") is None


@pytest.mark.parametrize("body", [b"", b"II*\x00", LARGE])
@pytest.mark.untraced
def test_a_stored_file_can_be_returned(desk: Desk, body: bytes) -> None:
    desk.put(IMAGE, body)

    kept = desk.uploads.keep(IMAGE, _now())

    assert kept is not None
    assert (kept.key, kept.length, kept.sha256) == (IMAGE, len(body), hashlib.sha256(body).hexdigest())
    assert desk.content.read(kept) == body


def test_a_file_is_stored_once(desk: Desk) -> None:
    desk.put(IMAGE, b"II*")

    assert desk.uploads.keep(IMAGE, _now()) == desk.uploads.keep(IMAGE, _now())


def test_a_newer_file_is_stored_beside_the_older(desk: Desk) -> None:
    desk.put(IMAGE, b"older")
    older = desk.uploads.keep(IMAGE, _now())
    desk.put(IMAGE, b"newer")

    newer = desk.uploads.keep(IMAGE, _now())

    assert older is not None
    assert newer is not None
    assert desk.content.read(older) == b"older"
    assert desk.content.read(newer) == b"newer"


def test_a_file_never_uploaded_cannot_be_stored(desk: Desk) -> None:
    assert desk.uploads.keep(IMAGE, _now()) is None


def test_a_dry_run_of_a_stored_file_reports_its_final_address(desk: Desk) -> None:
    desk.put(IMAGE, b"II*")

    before = desk.uploads.inspect(IMAGE, _now())
    kept = desk.uploads.keep(IMAGE, _now())

    assert kept is not None
    assert before is not None
    assert desk.uploads.inspect(IMAGE, _now()) == kept
    assert (before.key, before.version, before.sha256) == (IMAGE, "", kept.sha256)
    with pytest.raises(ContentMissing):
        desk.content.read(before)


def test_a_dry_run_of_a_newer_file_keeps_the_older(desk: Desk) -> None:
    desk.put(IMAGE, b"older")
    older = desk.uploads.keep(IMAGE, _now())
    desk.put(IMAGE, b"newer!")

    newer = desk.uploads.inspect(IMAGE, _now())

    assert older is not None
    assert newer is not None
    assert (newer.version, newer.length) == ("", 6)
    assert desk.content.read(older) == b"older"


def test_a_dry_run_of_a_file_never_uploaded_fails(desk: Desk) -> None:
    assert desk.uploads.inspect(IMAGE, _now()) is None


def _in_another_second() -> str:
    """Return a time in a second without uploads: S3 dates versions to the second."""
    time.sleep(1.05)
    moment = _now()
    time.sleep(1.05)
    return moment


def test_a_file_is_stored_as_it_was_at_the_moment(desk: Desk) -> None:
    desk.put(IMAGE, b"oldest")
    desk.put(IMAGE, b"older")
    moment = _in_another_second()
    desk.put(f"{IMAGE}.bak", b"another file")
    desk.put(IMAGE, b"newer")

    seen, kept = desk.uploads.inspect(IMAGE, moment), desk.uploads.keep(IMAGE, moment)

    assert kept is not None
    assert seen is not None
    assert desk.content.read(kept) == b"older"
    assert (seen.length, seen.sha256) == (kept.length, kept.sha256)


def test_a_file_uploaded_only_later_is_stored_as_it_is(desk: Desk) -> None:
    moment = _in_another_second()
    desk.put(IMAGE, b"older")
    desk.put(IMAGE, b"newer")

    kept = desk.uploads.keep(IMAGE, moment)

    assert kept is not None
    assert desk.content.read(kept) == b"newer"


@mock_aws()
def test_a_deleted_file_is_stored_as_it_was_before_its_deletion() -> None:
    desk = _in_s3()
    desk.put(IMAGE, b"older")
    before = _in_another_second()
    s3_client().delete_object(Bucket="uploads", Key=IMAGE)
    after = _in_another_second()

    kept = desk.uploads.keep(IMAGE, before)

    assert kept is not None
    assert desk.content.read(kept) == b"older"
    assert desk.uploads.keep(IMAGE, after) is None
    desk.put(IMAGE, b"newer")
    came_again = desk.uploads.keep(IMAGE, after)
    assert came_again is not None
    assert desk.content.read(came_again) == b"newer"


@mock_aws()
def test_the_newest_version_of_one_second_is_stored() -> None:
    # S3 does not order these versions relative to the upload that names the file.
    desk = _in_s3()
    time.sleep(1 - time.time() % 1)
    desk.put(IMAGE, b"older")
    moment = _now()
    desk.put(IMAGE, b"newer")
    time.sleep(1.05)
    desk.put(IMAGE, b"newest")

    kept = desk.uploads.keep(IMAGE, moment)

    assert kept is not None
    assert desk.content.read(kept) == b"newer"


def test_missing_upload_buckets_are_unavailable() -> None:
    with mock_aws():
        uploads = S3Uploads(s3_client(), uploads="none", content="none", reports="none")

        with pytest.raises(RegistryUnavailable):
            S3UploadPutter(s3_client, "none").put(TABLE, b"", {}, is_new=True)

        with pytest.raises(RegistryUnavailable):
            list(uploads.read(TABLE, "v1"))
        with pytest.raises(RegistryUnavailable):
            uploads.report("report.json", b"{}")
        with pytest.raises(RegistryUnavailable):
            uploads.reported("report.json")


def test_a_report_may_be_written_from_a_file_and_read_in_pieces(desk: Desk) -> None:
    with tempfile.TemporaryFile() as file:
        file.write(LARGE)
        file.seek(0)
        desk.uploads.report("_parts/a", file)

    assert desk.uploads.reported_range("_parts/a", 5_000_000, 3) == LARGE[5_000_000:5_000_003]
    assert desk.uploads.reported("_parts/a") == LARGE


@pytest.mark.untraced
@pytest.mark.parametrize("pieces", [[], [b"", b"short"], [LARGE[:9_000_000], b"", LARGE[9_000_000:]]])
def test_a_report_may_be_written_piece_by_piece(desk: Desk, pieces: list[bytes]) -> None:
    desk.uploads.report("a/v1.html", open_pieces(pieces))

    assert desk.uploads.reported("a/v1.html") == b"".join(pieces)


def test_a_report_that_fails_between_two_pieces_is_absent(desk: Desk) -> None:
    def pieces() -> Iterator[bytes]:
        yield LARGE
        raise PartsMissing("_parts/a")

    with pytest.raises(PartsMissing):
        desk.uploads.report("a/v1.json", open_pieces(pieces()))

    assert desk.uploads.reported("a/v1.json") is None


@pytest.mark.untraced
def test_reports_are_listed_in_order_by_the_prefix_of_their_keys(desk: Desk) -> None:
    for number in reversed(range(1_003)):
        desk.uploads.report(f"_parts/a/{number:06d}", b"")
    desk.uploads.report("_parts/b/1", b"")

    assert desk.uploads.reports_under("_parts/a/") == [f"_parts/a/{number:06d}" for number in range(1_003)]
    assert desk.uploads.reports_under("_parts/c/") == []


def test_reading_a_piece_of_an_absent_report_fails_as_missing(desk: Desk) -> None:
    with pytest.raises(PartsMissing):
        desk.uploads.reported_range("_parts/none", 0, 1)


@pytest.mark.parametrize(("status", "code"), [(400, "InvalidArgument"), (405, "MethodNotAllowed")])
def test_a_version_that_s3_cannot_have_has_no_head(status: int, code: str) -> None:
    # moto answers any version with 404.
    assert _refused(status, code).head(TABLE, "no version") is None


def test_a_refusal_for_another_reason_may_work_later() -> None:
    with pytest.raises(RegistryUnavailable):
        _refused(400, "ExpiredToken").head(TABLE, "v1")


def _refused(status: int, code: str) -> S3Uploads:
    """Return uploads in a bucket that answers HEAD without a reason, and GET with this code."""
    client = s3_client()
    stub = Stubber(client)
    stub.add_client_error("head_object", str(status), http_status_code=status)
    stub.add_client_error("get_object", code, http_status_code=status)
    stub.activate()
    return S3Uploads(client, uploads="uploads", content="content", reports="reports")


def _putter(config: Config) -> S3UploadPutter:
    session = boto3.Session("testing", "testing", region_name="us-east-1")
    return S3UploadPutter(lambda: session.client("s3", config=config), "uploads")


def test_a_signed_put_fixes_length_metadata_and_novelty() -> None:
    metadata = {"principal": "mailto:jane@example.org", "reason": "M%C3%A9xico"}

    signed = _putter(S3_CONFIG).presign(TABLE, 5, metadata, 300)

    query = dict(parse_qsl(urlsplit(signed.url).query))
    assert signed.headers == {
        "content-length": "5",
        "if-none-match": "*",
        "x-amz-meta-principal": "mailto:jane@example.org",
        "x-amz-meta-reason": "M%C3%A9xico",
    }
    assert {*query["X-Amz-SignedHeaders"].split(";")} == {"host", *signed.headers}
    assert query["X-Amz-Expires"] == "300"


def test_a_client_that_signs_no_headers_signs_no_put() -> None:
    putter = _putter(S3_CONFIG.merge(Config(signature_version="s3")))

    with pytest.raises(AssertionError, match="signs fewer headers"):
        putter.presign(TABLE, 5, {}, 300)
