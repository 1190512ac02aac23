"""Stored files for stewards: a link to one, and putting one back so that registrations can name it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginuri.aws.bucket import LINK_SECONDS
from ginuri.aws.clients import unavailable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_s3 import S3Client

    from ginuri.registry.model import StoredFile


class S3StoredFiles:
    """Stored files in S3; the client is that of boto3, which copies long files in parts."""

    def __init__(self, client: S3Client, *, content: str, uploads: str) -> None:
        self._client = client
        self._content, self._uploads = content, uploads

    def link(self, key: str, version: str) -> str:
        """Sign a link to a stored file, valid for `LINK_SECONDS`."""
        return self._client.generate_presigned_url(
            "get_object",
            Params={"Bucket": self._content, "Key": key, "VersionId": version},
            ExpiresIn=LINK_SECONDS,
        )

    def restore(self, file: StoredFile, key: str, metadata: Mapping[str, str]) -> None:
        """Put a stored file as the upload of a key. Raises RegistryUnavailable."""
        replaced = {"Metadata": dict(metadata), "MetadataDirective": "REPLACE", "TaggingDirective": "REPLACE"}
        with unavailable():
            self._client.copy(
                {"Bucket": self._content, "Key": file.key, "VersionId": file.version},
                self._uploads,
                key,
                ExtraArgs=replaced,
            )
