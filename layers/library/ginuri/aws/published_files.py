"""Published files in S3, and the reports for the feed."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import IO

from ginuri.aws.bucket import LINK_SECONDS, Bucket, list_objects, read_object
from ginuri.aws.clients import unavailable
from ginuri.identifiers.errors import RegistryUnavailable

_AT_ONCE = 1_000
"""The most objects that one call deletes."""


class S3PublishedReader(Bucket):
    """Reads published files."""

    def read(self, key: str) -> bytes | None:
        """Read a file; None if it does not exist. Raises RegistryUnavailable."""
        return read_object(lambda: self.client.get_object(Bucket=self.name, Key=key))

    def read_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises RegistryUnavailable, also for a missing file."""
        part = f"bytes={first}-{first + length - 1}"
        body = read_object(lambda: self.client.get_object(Bucket=self.name, Key=key, Range=part))
        if body is None:
            raise RegistryUnavailable(f"there is no {key}")
        return body

    def link(self, key: str, media_type: str, method: str) -> str:
        """Sign a link to a file for GET or HEAD, valid for `LINK_SECONDS`."""
        return self.client.generate_presigned_url(
            "head_object" if method == "HEAD" else "get_object",
            Params={"Bucket": self.name, "Key": key, "ResponseContentType": media_type},
            ExpiresIn=LINK_SECONDS,
        )


class S3PublishedStore(S3PublishedReader):
    """Also writes them; with boto3, whose client uploads large files in parts."""

    def write(self, key: str, body: bytes | IO[bytes], media_type: str) -> None:
        """Write a file. Raises RegistryUnavailable."""
        with unavailable():
            if isinstance(body, bytes):
                self.client.put_object(Bucket=self.name, Key=key, Body=body, ContentType=media_type)
            else:
                self.client.upload_fileobj(body, self.name, key, ExtraArgs={"ContentType": media_type})

    def list_keys(self) -> Sequence[str]:
        """Return the keys of all files. Raises RegistryUnavailable."""
        return [item["Key"] for item in list_objects(self)]

    def delete(self, keys: Sequence[str]) -> None:
        """Delete files. Raises RegistryUnavailable."""
        for begin in range(0, len(keys), _AT_ONCE):
            named = [{"Key": key} for key in keys[begin : begin + _AT_ONCE]]
            with unavailable():
                self.client.delete_objects(Bucket=self.name, Delete={"Objects": named})  # type: ignore[typeddict-item]


class S3Summaries(Bucket):
    """Reads the summaries of reports on uploads."""

    def newest(self, most: int) -> Iterator[tuple[str, bytes]]:
        """Read the newest summaries with their keys, after listing the whole bucket.

        Raises RegistryUnavailable.
        """
        summaries = (item for item in list_objects(self) if item["Key"].endswith(".summary.json"))
        for summary in heapq.nlargest(most, summaries, key=itemgetter("LastModified", "Key")):
            with unavailable():
                yield (
                    summary["Key"],
                    self.client.get_object(Bucket=self.name, Key=summary["Key"])["Body"].read(),
                )
