"""Uploads that were moved here, in a bucket that notifies nobody: they are not processed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict

from ginuri.aws.moved_uploads import FACTS, NOTE, S3MovedUploads, name_of
from ginuri.aws.object_streams import open_object, read_chunks, read_json, write_chunks, write_json
from ginuri.aws.parallel import map_in_order
from ginuri.aws.s3 import S3Uploads
from ginuri.identifiers.errors import ContentMissing
from ginuri.registry.content import UploadHead
from ginuri.registry.transfer import UploadedFile


class S3UploadArchive(S3MovedUploads):
    """Reads and writes these uploads. Raises RegistryUnavailable."""

    def uploads(self) -> Iterator[UploadedFile]:
        """List all uploads with their facts, in no order, in a call for each."""
        return map_in_order(lambda name: UploadedFile(**read_json(self, name)), self.facts(""))

    def open(self, upload: UploadedFile) -> Iterator[bytes] | None:
        """Return the chunks of an upload; None if it is not here."""
        answer = open_object(self, name_of(upload.key, upload.version))
        return None if answer is None else read_chunks(answer)

    def add(self, upload: UploadedFile, chunks: Iterable[bytes]) -> None:
        """Store an upload, then its facts."""
        name = name_of(upload.key, upload.version)
        write_chunks(self, name, chunks, upload.sha256)
        write_json(self, f"{name}.{upload.put}{FACTS}", asdict(upload))

    def read_note(self) -> str:
        """Return the note on the move that filled the bucket; empty without one."""
        note: str = (read_json(self, NOTE) or {"note": ""})["note"]
        return note

    def write_note(self, note: str) -> None:
        """Store the note."""
        write_json(self, NOTE, {"note": note})


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
