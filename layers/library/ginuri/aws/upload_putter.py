"""Puts uploads into their bucket, or signs requests with which others put them.

A put with `If-None-Match: *` is refused if the key has a current version
(https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import IO, Any
from urllib.parse import parse_qsl, urlsplit

from ginuri.aws.bucket import Bucket
from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb_http.failures import as_failure
from ginuri.identifiers.errors import UploadExists
from ginuri.registry.content import PresignedPut

_EXISTS = "PreconditionFailed"
_IF_NEW = {"IfNoneMatch": "*"}
_METADATA = "x-amz-meta-"


class S3UploadPutter(Bucket):
    """Puts uploads with the identity of the client, which signs by version 4 (`S3_CONFIG`)."""

    def put(
        self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str], *, is_new: bool = False
    ) -> str:
        """Put an upload, and return its version. Raises UploadExists and RegistryUnavailable.

        A client that tries again after a timeout may find what its first try put.
        """
        condition: Any = _IF_NEW if is_new else {}
        with unavailable():
            try:
                return self.client.put_object(
                    Bucket=self.name, Key=key, Body=body, Metadata=metadata, **condition
                )["VersionId"]
            except Exception as error:
                if (failure := as_failure(error)) is not None and failure.code == _EXISTS:
                    raise UploadExists(key) from error
                raise

    def presign(self, key: str, length: int, metadata: Mapping[str, str], seconds: int) -> PresignedPut:
        """Sign the request that puts the first upload of a key."""
        signed: Any = {
            "Bucket": self.name,
            "Key": key,
            "ContentLength": length,
            "Metadata": metadata,
            **_IF_NEW,
        }
        url = self.client.generate_presigned_url("put_object", Params=signed, ExpiresIn=seconds)
        stated = {f"{_METADATA}{name}": value for name, value in metadata.items()}
        headers = {"content-length": str(length), "if-none-match": "*", **stated}
        query = dict(parse_qsl(urlsplit(url).query))
        if not headers.keys() <= set(query.get("X-Amz-SignedHeaders", "").split(";")):
            raise AssertionError("the client signs fewer headers: give it `S3_CONFIG`")
        return PresignedPut(url, headers)
