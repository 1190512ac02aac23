"""Objects of any size in S3, read and written in bounded memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from tempfile import SpooledTemporaryFile
from typing import TYPE_CHECKING, Any

from ginuri.aws.bucket import Bucket, find
from ginuri.aws.clients import unavailable
from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import message

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef

_CHUNK = 1024 * 1024
_MOST_IN_MEMORY = 8 * 1024 * 1024
"""The bytes that one request sends; a larger object is sent in parts."""
_TYPES = {"json": "application/json", "html": "text/html; charset=utf-8"}
_OTHER_TYPE = "text/plain; charset=utf-8"


def open_object(bucket: Bucket, key: str, version: str | None = None) -> GetObjectOutputTypeDef | None:
    """Open an object; None if it does not exist. Raises RegistryUnavailable."""
    named: Any = {"Bucket": bucket.name, "Key": key, **({"VersionId": version} if version else {})}
    return find(lambda: bucket.client.get_object(**named))


def read_chunks(answer: GetObjectOutputTypeDef) -> Iterator[bytes]:
    """Return the chunks of an open object. Raises RegistryUnavailable."""
    with unavailable(), closing(answer["Body"]) as body:  # even if only the beginning is read
        yield from body.iter_chunks(_CHUNK)


def digest_of(answer: GetObjectOutputTypeDef) -> str:
    """Return the SHA-256 of an open object, in hexadecimal digits. Raises RegistryUnavailable."""
    digest = hashlib.sha256()
    for chunk in read_chunks(answer):
        digest.update(chunk)
    return digest.hexdigest()


def read_json(bucket: Bucket, key: str) -> Any:
    """Read an object that is JSON; None if there is none. Raises RegistryUnavailable."""
    answer = open_object(bucket, key)
    return None if answer is None else json.loads(b"".join(read_chunks(answer)))


def write_json(bucket: Bucket, key: str, value: Mapping[str, Any]) -> None:
    """Write an object that is JSON. Raises RegistryUnavailable."""
    body = json.dumps(value, ensure_ascii=False).encode()
    with unavailable():
        bucket.client.put_object(Bucket=bucket.name, Key=key, Body=body, ContentType=_TYPES["json"])


def write_chunks(
    bucket: Bucket, key: str, chunks: Iterable[bytes], sha256: str, metadata: Mapping[str, str]
) -> str:
    """Write an object, and return its version; nobody else may write to the key at the same time.

    Raises RegistryUnavailable; also if the chunks have another SHA-256, and then nothing was written.
    """
    digest = hashlib.sha256()
    with SpooledTemporaryFile(max_size=_MOST_IN_MEMORY) as spooled:
        for chunk in chunks:
            digest.update(chunk)
            spooled.write(chunk)
        if digest.hexdigest() != sha256:
            found = digest.hexdigest()
            raise RegistryUnavailable(
                message(
                    "{key} has the SHA-256 {sha256} instead of {noted}", key=key, sha256=found, noted=sha256
                )
            )
        size = spooled.tell()
        spooled.seek(0)
        kind = _TYPES.get(key.rpartition(".")[2], _OTHER_TYPE)
        with unavailable():
            if size > _MOST_IN_MEMORY:
                return _write_in_parts(bucket, key, spooled, {"Metadata": metadata, "ContentType": kind})
            return bucket.client.put_object(
                Bucket=bucket.name, Key=key, Body=spooled.read(), Metadata=metadata, ContentType=kind
            )["VersionId"]


def _write_in_parts(bucket: Bucket, key: str, body: Any, described: Any) -> str:
    from boto3.s3.transfer import TransferConfig

    in_sequence = TransferConfig(use_threads=False)  # piece by piece, to limit memory
    bucket.client.upload_fileobj(body, bucket.name, key, ExtraArgs=described, Config=in_sequence)
    return bucket.client.head_object(Bucket=bucket.name, Key=key)["VersionId"]
