"""Uploads that were moved here, in a bucket that notifies nobody: they are not processed again.

An upload is the object `<key>/<version>`. Its facts are in `<key>/<version>.<put>.json`, because the
metadata of an object have at most 2 kB; they are written last, so that an upload with facts is complete.
Their names are enough for a list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from ginuri.aws.bucket import Bucket, list_objects
from ginuri.aws.object_streams import open_object, read_chunks, read_json, write_chunks, write_json
from ginuri.aws.parallel import map_in_order
from ginuri.aws.s3 import S3Uploads
from ginuri.identifiers.errors import ContentMissing
from ginuri.registry.content import UploadHead
from ginuri.registry.transfer import UploadedFile

_FACTS = ".json"
_NOTE = "move.json"
"""The note on the move that filled the bucket; every other key contains a slash."""
_LONGEST = 900
"""The most bytes of the key of an upload within the key of an object, which has at most 1,024."""

_MOMENT = len("2011-08-25T17:29:00.000Z")


@dataclass(frozen=True, slots=True)
class MovedVersion:
    """A version of an upload in a list, and when it was put, RFC 3339 in UTC with milliseconds."""

    key: str
    version: str
    put: str


class S3UploadArchive(Bucket):
    """Reads and writes these uploads. Raises RegistryUnavailable."""

    def versions(self, prefix: str) -> Iterator[MovedVersion]:
        """List the versions of uploads whose keys have a prefix, in no order, in a call for a thousand."""
        for name in self._facts(_shorten(prefix)):
            key, _, rest = name.removesuffix(_FACTS).rpartition("/")
            if len(key) > len(_shorten(key)):  # the name has only the beginning of the key
                key = read_json(self, name)["key"]
            if key.startswith(prefix):
                yield MovedVersion(key, rest[: -_MOMENT - 1], rest[-_MOMENT:])

    def uploads(self) -> Iterator[UploadedFile]:
        """List all uploads with their facts, in no order, in a call for each."""
        return map_in_order(lambda name: UploadedFile(**read_json(self, name)), self._facts(""))

    def upload(self, key: str, version: str) -> UploadedFile | None:
        """Return the facts about an upload; None if it is not here."""
        found = (UploadedFile(**read_json(self, name)) for name in self._facts(f"{_name(key, version)}."))
        return next((upload for upload in found if upload.version == version), None)

    def open(self, upload: UploadedFile) -> Iterator[bytes] | None:
        """Return the chunks of an upload; None if it is not here."""
        answer = open_object(self, _name(upload.key, upload.version))
        return None if answer is None else read_chunks(answer)

    def add(self, upload: UploadedFile, chunks: Iterable[bytes]) -> None:
        """Store an upload, then its facts."""
        name = _name(upload.key, upload.version)
        write_chunks(self, name, chunks, upload.sha256)
        write_json(self, f"{name}.{upload.put}{_FACTS}", asdict(upload))

    def read_note(self) -> str:
        """Return the note on the move that filled the bucket; empty without one."""
        note: str = (read_json(self, _NOTE) or {"note": ""})["note"]
        return note

    def write_note(self, note: str) -> None:
        """Store the note."""
        write_json(self, _NOTE, {"note": note})

    def _facts(self, prefix: str) -> Iterator[str]:
        names = (item["Key"] for item in list_objects(self, prefix))
        return (name for name in names if name.endswith(_FACTS) and name != _NOTE)


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


def _name(key: str, version: str) -> str:
    short = _shorten(key)
    unique = "" if short == key else hashlib.sha256(key.encode()).hexdigest()
    return f"{short}{unique}/{version}"


def _shorten(key: str) -> str:
    return key.encode()[:_LONGEST].decode(errors="ignore")
