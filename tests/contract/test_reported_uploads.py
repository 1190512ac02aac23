"""Uploads and their reports in AWS, as commands and the function of the API read them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from moto import mock_aws

from ginuri.aws.reported_uploads import S3ReportedUploads
from ginuri.aws.stored_files import S3StoredFiles
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.model import StoredFile
from tests.aws import new_bucket, s3_client

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


@pytest.fixture
def s3() -> Iterator[S3Client]:
    with mock_aws():
        client = s3_client()
        for bucket in ("uploads", "reports", "content"):
            new_bucket(client, bucket)
            client.put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
        yield client


def test_an_upload_has_a_head_a_content_and_metadata(s3: S3Client) -> None:
    uploads = S3ReportedUploads(s3, uploads="uploads", reports="reports")
    version = s3.put_object(Bucket="uploads", Key="a/b.csv", Body=b"abc", Metadata={"reason": "x"})[
        "VersionId"
    ]

    assert [(each.key, each.version) for each in uploads.versions("a/")] == [("a/b.csv", version)]
    assert uploads.head("a/b.csv", version) == (3, {"reason": "x"})
    assert uploads.metadata("a/b.csv", version) == {"reason": "x"}
    assert b"".join(uploads.read("a/b.csv", version)) == b"abc"


def test_a_missing_upload_has_no_head(s3: S3Client) -> None:
    uploads = S3ReportedUploads(s3, uploads="uploads", reports="reports")

    assert uploads.head("a/none.csv", "v") is None
    with pytest.raises(RegistryUnavailable):
        uploads.metadata("a/none.csv", "v")


def test_a_report_is_opened_or_linked(s3: S3Client) -> None:
    uploads = S3ReportedUploads(s3, uploads="uploads", reports="reports")
    s3.put_object(Bucket="reports", Key="a/b.csv/1.json", Body=b"{}")

    assert b"".join(uploads.report("a/b.csv/1.json") or ()) == b"{}"
    assert uploads.report("a/none") is None
    assert "/a/b.csv/1.json?" in uploads.link("a/b.csv/1.json")


def test_an_unusable_bucket_is_unavailable(s3: S3Client) -> None:
    uploads = S3ReportedUploads(s3, uploads="none", reports="none")

    with pytest.raises(RegistryUnavailable):
        uploads.report("a/none")


def test_a_stored_file_is_put_back_with_the_metadata_of_an_upload(s3: S3Client) -> None:
    files = S3StoredFiles(s3, content="content", uploads="uploads")
    version = s3.put_object(Bucket="content", Key="a/m.pdf", Body=b"%PDF", Metadata={"sha256": "0"})[
        "VersionId"
    ]
    files.restore(StoredFile("a/m.pdf", version, 4, "0", "2011"), "a/m.pdf", {"token": "t"})
    restored = s3.get_object(Bucket="uploads", Key="a/m.pdf")

    assert restored["Body"].read() == b"%PDF"
    assert restored["Metadata"] == {"token": "t"}
    assert f"versionId={version}" in files.link("a/m.pdf", version)
