"""What is published, in S3 or in a folder; and what it is made of."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from shutil import copyfileobj
from typing import IO, TYPE_CHECKING

from botocore.exceptions import ClientError

from ginuri.aws.clients import unavailable
from ginuri.identifiers.errors import RegistryUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

LINK_SECONDS = 300
_MISSING = {"NoSuchKey", "404"}
_AT_ONCE = 1_000
"""How many objects S3 deletes in one call."""


class S3Published:
    """Reads published files; the client is made when the first is asked for, since it costs 36 ms."""

    def __init__(self, make_client: Callable[[], S3Client], bucket: str) -> None:
        self._make_client = make_client
        self._bucket = bucket
        self._made: S3Client | None = None

    def read(self, key: str) -> bytes | None:
        """Read a file; None where there is none. Raises RegistryUnavailable."""
        with unavailable():
            try:
                return self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
            except ClientError as error:
                if error.response["Error"]["Code"] in _MISSING:
                    return None
                raise

    def read_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises RegistryUnavailable."""
        part = f"bytes={first}-{first + length - 1}"
        with unavailable():
            return self._client.get_object(Bucket=self._bucket, Key=key, Range=part)["Body"].read()

    def link(self, key: str, media_type: str, method: str) -> str:
        """Sign a link to a file for GET or HEAD, good for `LINK_SECONDS`."""
        return self._client.generate_presigned_url(
            "head_object" if method == "HEAD" else "get_object",
            Params={"Bucket": self._bucket, "Key": key, "ResponseContentType": media_type},
            ExpiresIn=LINK_SECONDS,
        )

    @property
    def _client(self) -> S3Client:
        if self._made is None:
            self._made = self._make_client()
        return self._made


class S3PublishedStore(S3Published):
    """Writes them as well; of boto3, whose client takes large files in parts."""

    def write(self, key: str, body: bytes | IO[bytes], media_type: str) -> None:
        """Write a file. Raises RegistryUnavailable."""
        with unavailable():
            if isinstance(body, bytes):
                self._client.put_object(Bucket=self._bucket, Key=key, Body=body, ContentType=media_type)
            else:
                told = {"ContentType": media_type}
                self._client.upload_fileobj(body, self._bucket, key, ExtraArgs=told)

    def list_keys(self) -> Sequence[str]:
        """Give the keys of all files. Raises RegistryUnavailable."""
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket)
        with unavailable():
            return [each["Key"] for page in pages for each in page.get("Contents", ())]

    def delete(self, keys: Sequence[str]) -> None:
        """Delete files. Raises RegistryUnavailable."""
        for begin in range(0, len(keys), _AT_ONCE):
            named = [{"Key": key} for key in keys[begin : begin + _AT_ONCE]]
            with unavailable():
                self._client.delete_objects(Bucket=self._bucket, Delete={"Objects": named})  # type: ignore[typeddict-item]


class S3Summaries:
    """Reads the summaries of reports on uploads."""

    def __init__(self, client: S3Client, bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def newest(self, most: int) -> Iterator[tuple[str, bytes]]:
        """Read the newest summaries with their keys, after listing the whole bucket.

        Raises RegistryUnavailable.
        """
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket)
        with unavailable():
            listed = (
                (each["LastModified"], each["Key"])
                for page in pages
                for each in page.get("Contents", ())
                if each["Key"].endswith(".summary.json")
            )
            for _, key in heapq.nlargest(most, listed):
                yield key, self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()


class FolderPublished:
    """Published files in a folder; `calls` and `bytes_read` count what S3 would have been asked for."""

    def __init__(self, folder: Path) -> None:
        self.calls = 0
        self.bytes_read = 0
        self._folder = folder

    def read(self, key: str) -> bytes | None:
        """Read a file; None where there is none."""
        path = self._folder / key
        return self._count(path.read_bytes()) if path.is_file() else None

    def read_range(self, key: str, first: int, length: int) -> bytes:
        """Read some bytes of a file. Raises RegistryUnavailable where there is none."""
        try:
            with (self._folder / key).open("rb") as file:
                file.seek(first)
                return self._count(file.read(length))
        except FileNotFoundError as error:
            raise RegistryUnavailable(f"there is no {key}") from error

    def link(self, key: str, media_type: str, method: str) -> str:
        """Name a file as a link would."""
        return f"https://published.example/{key}?type={media_type}&method={method}"

    def write(self, key: str, body: bytes | IO[bytes], media_type: str) -> None:  # noqa: ARG002  a folder knows no types
        """Write a file."""
        path = self._folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            if isinstance(body, bytes):
                file.write(body)
            else:
                copyfileobj(body, file)

    def list_keys(self) -> Sequence[str]:
        """Give the keys of all files."""
        files = (path for path in self._folder.rglob("*") if path.is_file())
        return sorted(path.relative_to(self._folder).as_posix() for path in files)

    def delete(self, keys: Sequence[str]) -> None:
        """Delete files."""
        for key in keys:
            (self._folder / key).unlink()

    def _count(self, content: bytes) -> bytes:
        self.calls += 1
        self.bytes_read += len(content)
        return content
