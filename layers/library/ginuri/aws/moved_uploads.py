"""Uploads that were moved here, as they are listed and read.

An upload is the object `<key>/<version>`. Its facts are in `<key>/<version>.<put>.json`, because the
metadata of an object have at most 2 kB; they are written last, so that an upload with facts is complete.
Their names are enough for a list.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import datetime

from ginuri.aws.bucket import Bucket, list_objects
from ginuri.aws.object_streams import read_json
from ginuri.registry.content import UploadVersion
from ginuri.registry.transfer import UploadedFile

FACTS = ".json"
NOTE = "move.json"
"""The note on the move that filled the bucket; every other key contains a slash."""
_LONGEST = 900
"""The most bytes of the key of an upload within the key of an object, which has at most 1,024."""

_MOMENT = len("2011-08-25T17:29:00.000Z")


class S3MovedUploads(Bucket):
    """Reads these uploads. Raises RegistryUnavailable."""

    def versions(self, prefix: str) -> Iterator[UploadVersion]:
        """List the versions of uploads whose keys have a prefix, in no order, in a call for a thousand."""
        for name in self.facts(_shorten(prefix)):
            key, _, rest = name.removesuffix(FACTS).rpartition("/")
            if len(key) > len(_shorten(key)):  # the name has only the beginning of the key
                key = read_json(self, name)["key"]
            if key.startswith(prefix):
                yield UploadVersion(key, rest[: -_MOMENT - 1], datetime.fromisoformat(rest[-_MOMENT:]))

    def upload(self, key: str, version: str) -> UploadedFile | None:
        """Return the facts about an upload; None if it is not here."""
        found = (UploadedFile(**read_json(self, name)) for name in self.facts(f"{name_of(key, version)}."))
        return next((upload for upload in found if upload.version == version), None)

    def facts(self, prefix: str) -> Iterator[str]:
        """List the names of facts with a prefix."""
        names = (item["Key"] for item in list_objects(self, prefix))
        return (name for name in names if name.endswith(FACTS) and name != NOTE)


def name_of(key: str, version: str) -> str:
    """Return the name of the object with an upload."""
    short = _shorten(key)
    unique = "" if short == key else hashlib.sha256(key.encode()).hexdigest()
    return f"{short}{unique}/{version}"


def _shorten(key: str) -> str:
    return key.encode()[:_LONGEST].decode(errors="ignore")
