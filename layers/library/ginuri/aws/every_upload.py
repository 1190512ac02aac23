"""The uploads of a stack, and those that were moved to it, behind one reader."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.aws.s3 import S3Uploads
from ginuri.aws.upload_archive import S3UploadArchive
from ginuri.identifiers.errors import ContentMissing
from ginuri.registry.content import UploadHead


class EveryUpload:
    """Reads uploads of both buckets. Raises RegistryUnavailable."""

    def __init__(self, uploads: S3Uploads, archive: S3UploadArchive) -> None:
        self._uploads, self._archive = uploads, archive

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload; None if neither bucket has it."""
        if (head := self._uploads.head(key, version)) is not None:
            return head
        moved = self._archive.upload(key, version)
        return None if moved is None else UploadHead(moved.length, moved.metadata)

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks. Raises ContentMissing."""
        if self._uploads.head(key, version) is not None:
            return self._uploads.read(key, version)
        moved = self._archive.upload(key, version)
        chunks = None if moved is None else self._archive.open(moved)
        if chunks is None:
            raise ContentMissing(key)
        return chunks
