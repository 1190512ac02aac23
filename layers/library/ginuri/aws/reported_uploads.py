"""The uploads of a stack, and the reports on them, read from their buckets."""

from __future__ import annotations

from heapq import merge
from operator import attrgetter
from typing import TYPE_CHECKING

from ginuri.aws.bucket import LINK_SECONDS
from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb_http.failures import as_failure
from ginuri.aws.object_streams import read_chunks
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.registry.content import UploadHead, UploadVersion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mypy_boto3_s3 import S3Client

    from ginuri.aws.moved_uploads import S3MovedUploads

_ABSENT = {"403", "404", "AccessDenied", "NoSuchKey", "NoSuchVersion"}
"""The codes of S3 for a missing object; without permission to list, they mean that it is forbidden."""


class S3ReportedUploads:
    """The uploads of a stack, and the reports on them. All methods raise RegistryUnavailable.

    `moved` are the uploads that were moved here; None in a stack without an archive.
    """

    def __init__(
        self, client: S3Client, *, uploads: str, reports: str, moved: S3MovedUploads | None = None
    ) -> None:
        self._client = client
        self._uploads, self._reports = uploads, reports
        self._moved = moved

    def versions(self, prefix: str) -> Iterator[UploadVersion]:
        """List the versions of uploads: those of the bucket, then the older ones that were moved here."""
        by_key = attrgetter("key")
        return merge(self._uploaded_versions(prefix), self._moved_versions(prefix), key=by_key)

    def _moved_versions(self, prefix: str) -> Iterator[UploadVersion]:
        """List the uploads that were moved here; none without permission, which only moved stacks need."""
        if self._moved is None:
            return
        try:
            moved = list(self._moved.versions(prefix))
        except RegistryUnavailable as error:
            if not _is_absent(error.__cause__):
                raise
            return
        moved.sort(key=attrgetter("put"), reverse=True)
        yield from sorted(moved, key=attrgetter("key"))

    def _uploaded_versions(self, prefix: str) -> Iterator[UploadVersion]:
        lister = self._client.get_paginator("list_object_versions")
        with unavailable():
            for page in lister.paginate(Bucket=self._uploads, Prefix=prefix):
                for version in page.get("Versions", ()):
                    yield UploadVersion(version["Key"], version["VersionId"], version["LastModified"])

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        """Read the metadata of an upload."""
        head = self.head(key, version)
        if head is None:
            raise RegistryUnavailable("NoSuchVersion")
        return head.metadata

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload; None if there is none."""
        with unavailable():
            try:
                answer = self._client.head_object(Bucket=self._uploads, Key=key, VersionId=version)
            except Exception as error:
                if not _is_absent(error):
                    raise
                moved = self._moved.upload(key, version) if self._moved is not None else None
                return UploadHead(moved.length, moved.metadata) if moved is not None else None
            return UploadHead(answer["ContentLength"], answer["Metadata"])

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""
        with unavailable():
            answer = self._client.get_object(Bucket=self._uploads, Key=key, VersionId=version)
        yield from read_chunks(answer)

    def report(self, key: str) -> Iterator[bytes] | None:
        """Open a file of the reports bucket, and return its chunks."""
        with unavailable():
            try:
                return read_chunks(self._client.get_object(Bucket=self._reports, Key=key))
            except Exception as error:
                if _is_absent(error):
                    return None
                raise

    def link(self, key: str) -> str:
        """Sign a link to a report, valid for `LINK_SECONDS`."""
        return self._client.generate_presigned_url(
            "get_object", Params={"Bucket": self._reports, "Key": key}, ExpiresIn=LINK_SECONDS
        )


def _is_absent(error: BaseException | None) -> bool:
    failure = as_failure(error) if isinstance(error, Exception) else None
    return failure is not None and failure.code in _ABSENT
