"""Uploads that were moved here, in a bucket that notifies nobody: they are not processed again.

An upload is the object `<key>/<version>`. Its facts are in `<key>/<version>.json`, because the metadata of an
object has at most 2 kB; they are written last, so that an upload with facts is complete.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import asdict

from ginuri.aws.bucket import Bucket, list_objects
from ginuri.aws.object_streams import open_object, read_chunks, read_json, write_chunks, write_json
from ginuri.aws.parallel import map_in_order
from ginuri.registry.transfer import UploadedFile

_FACTS = ".json"
_NOTE = "move.json"
"""The note on the move that filled the bucket; every other key contains a slash."""
_LONGEST = 900
"""The most bytes of the key of an upload within the key of an object, which has at most 1,024."""


class S3UploadArchive(Bucket):
    """Reads and writes these uploads. Raises RegistryUnavailable."""

    def uploads(self, prefix: str = "") -> Iterator[UploadedFile]:
        """List the uploads whose keys have a prefix, in the order of their objects, in a call for each."""
        keys = (item["Key"] for item in list_objects(self, _shorten(prefix)))
        facts = (key for key in keys if key.endswith(_FACTS) and key != _NOTE)
        for read in map_in_order(lambda key: read_json(self, key), facts):
            upload = UploadedFile(**read)
            if upload.key.startswith(prefix):
                yield upload

    def upload(self, key: str, version: str) -> UploadedFile | None:
        """Return the facts about an upload; None if it is not here."""
        read = read_json(self, _name(key, version) + _FACTS)
        return None if read is None else UploadedFile(**read)

    def open(self, upload: UploadedFile) -> Iterator[bytes] | None:
        """Return the chunks of an upload; None if it is not here."""
        answer = open_object(self, _name(upload.key, upload.version))
        return None if answer is None else read_chunks(answer)

    def add(self, upload: UploadedFile, chunks: Iterable[bytes]) -> None:
        """Store an upload, then its facts."""
        name = _name(upload.key, upload.version)
        write_chunks(self, name, chunks, upload.sha256, {})
        write_json(self, name + _FACTS, asdict(upload))

    def read_note(self) -> str:
        """Return the note on the move that filled the bucket; empty without one."""
        note: str = (read_json(self, _NOTE) or {"note": ""})["note"]
        return note

    def write_note(self, note: str) -> None:
        """Store the note."""
        write_json(self, _NOTE, {"note": note})

    def is_empty(self) -> bool:
        """Return whether there is no upload."""
        return next(list_objects(self), None) is None


def _name(key: str, version: str) -> str:
    short = _shorten(key)
    unique = "" if short == key else hashlib.sha256(key.encode()).hexdigest()
    return f"{short}{unique}/{version}"


def _shorten(key: str) -> str:
    return key.encode()[:_LONGEST].decode(errors="ignore")
