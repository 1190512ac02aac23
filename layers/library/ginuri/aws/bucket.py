"""One S3 bucket, with absent objects as None."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from ginuri.aws.clients import unavailable
from ginuri.aws.dynamodb_http.failures import as_failure

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import GetObjectOutputTypeDef, ObjectTypeDef

LINK_SECONDS = 300
"""The validity of a signed link, in seconds."""
MISSING = frozenset({"NoSuchKey", "NoSuchVersion", "404"})
"""The codes of S3 for an object that does not exist."""
_Found = TypeVar("_Found")


class Bucket:
    """A bucket; the client is made on first use, because it takes 36 ms."""

    def __init__(self, make_client: Callable[[], S3Client], name: str) -> None:
        self._make_client = make_client
        self.name = name

    @cached_property
    def client(self) -> S3Client:
        """The client of S3."""
        return self._make_client()


def find(ask: Callable[[], _Found], missing: Collection[str] = MISSING) -> _Found | None:
    """Call S3; None if the object does not exist, by these codes. Raises RegistryUnavailable."""
    with unavailable():
        try:
            return ask()
        except Exception as error:
            if (failure := as_failure(error)) is None or failure.code not in missing:
                raise
            return None


def read_object(ask: Callable[[], GetObjectOutputTypeDef]) -> bytes | None:
    """Read the requested object; None if there is none. Raises RegistryUnavailable."""
    with unavailable():
        answer = find(ask)
        return None if answer is None else answer["Body"].read()


def list_objects(bucket: Bucket, prefix: str = "") -> Iterator[ObjectTypeDef]:
    """List the objects whose keys have this prefix, in the order of the keys. Raises RegistryUnavailable."""
    pages = bucket.client.get_paginator("list_objects_v2").paginate(Bucket=bucket.name, Prefix=prefix)
    with unavailable():
        for page in pages:
            yield from page.get("Contents", ())
