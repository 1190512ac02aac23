"""The uploads of a registry folder, the reports on them, and their stored files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple
from typing import IO, Any
from urllib.parse import quote_plus

from ginuri.identifiers.errors import RegistryUnavailable, UploadExists
from ginuri.identifiers.messages import message
from ginuri.registry.clock import Clock, utc_now
from ginuri.registry.content import UploadHead
from ginuri.registry.model import StoredFile
from ginuri.registry.transfer import UploadedFile
from ginuri.sqlite.content import SqliteContentStore
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder, chunks_of
from ginuri.sqlite.queue import SqliteQueue
from ginuri.sqlite.reports import SqliteReports
from ginuri.sqlite.times import new_version, next_moment

BUCKET = "uploads"
"""The name in place of a bucket, in messages and reports."""
MOST_KEY_BYTES, MOST_METADATA_BYTES = 1_024, 2_048
"""The limits of S3 (https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html)."""
_COLUMNS = "key, version, put, length, sha256, metadata, identity"
Query = Callable[[str, Sequence[str]], Iterable[Any]]
"""Returns the rows of a query with parameters."""


class SqliteUploads(SqliteReports):
    """The uploads, the reports on them, and their stored files. All methods raise RegistryUnavailable."""

    def __init__(self, database: Database, files: FileFolder, now: Clock = utc_now) -> None:
        super().__init__(database, files, now)
        self._content = SqliteContentStore(database, files, now)
        self._queue = SqliteQueue(database)

    def put(
        self,
        key: str,
        body: bytes | IO[bytes],
        metadata: Mapping[str, str],
        identity: str = "",
        *,
        is_new: bool = False,
    ) -> UploadedFile:
        """Store an upload together with the message that it is to be processed.

        Its time is later than that of every upload before, even if the clock goes back. An upload that S3
        would refuse is refused, so that the registry can be moved to AWS. With `is_new`, raises UploadExists
        if the key was put before.
        """
        _check_limits(key, metadata)
        with self._files.receive(chunks_of(body)) as incoming, self._database.write() as connection:
            if is_new and connection.execute("SELECT 1 FROM upload WHERE key = ?", [key]).fetchone():
                raise UploadExists(key)
            [last] = connection.execute("SELECT max(put) FROM upload").fetchone()
            put = next_moment(self._now(), last)
            upload = UploadedFile(
                key, new_version(put), put, incoming.length, incoming.sha256, dict(metadata), identity
            )
            self._files.keep(incoming)
            connection.execute(
                f"INSERT INTO upload ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",  # noqa: S608  constants
                [*astuple(upload)[:-2], json.dumps(upload.metadata), identity],
            )
            self._queue.announce(_message_of(upload))
            return upload

    def versions(self, prefix: str) -> Iterator[UploadedFile]:
        """Yield the versions of uploads by key, the newest version of a key first."""
        return self._select(
            self._database.scan, "key >= ? AND key < ? ORDER BY key, put DESC", prefix, f"{prefix}\U0010ffff"
        )

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        """Return the metadata of an upload."""
        return self._upload(key, version).metadata

    def head(self, key: str, version: str) -> UploadHead | None:
        """Return the size and the metadata of an upload; None if it does not exist."""
        upload = next(self._find("key = ? AND version = ?", key, version), None)
        return None if upload is None else UploadHead(upload.length, upload.metadata)

    def read(self, key: str, version: str) -> Iterator[bytes]:
        """Read an upload in chunks."""
        yield from self._files.read_chunks(self._files.open(self._upload(key, version).sha256))

    def keep(self, name: str, put: str) -> StoredFile | None:
        """Store the version of an upload that was current at a moment as content, once."""
        if (upload := self._at(name, put)) is None:
            return None
        with self._database.write():
            return self._content.kept(name, upload.sha256) or self._content.add_name(
                name, upload.sha256, upload.length
            )

    def inspect(self, name: str, put: str) -> StoredFile | None:
        """Return the stored file that `keep` would create."""
        if (upload := self._at(name, put)) is None:
            return None
        second = f"{upload.put[:19]}Z"
        return self._content.kept(name, upload.sha256) or StoredFile(
            name, "", upload.length, upload.sha256, second
        )

    def _at(self, name: str, put: str) -> UploadedFile | None:
        """Find the version that was current at a moment; the current one if there was none."""
        earlier = self._find("key = ? AND put <= ? ORDER BY put DESC LIMIT 1", name, put)
        return next(earlier, None) or next(self._find("key = ? ORDER BY put DESC LIMIT 1", name), None)

    def _upload(self, key: str, version: str) -> UploadedFile:
        if upload := next(self._find("key = ? AND version = ?", key, version), None):
            return upload
        raise RegistryUnavailable(f"there is no upload {key} in version {version}")

    def _find(self, condition: str, *parameters: str) -> Iterator[UploadedFile]:
        return self._select(self._database.read, condition, *parameters)

    @staticmethod
    def _select(query: Query, condition: str, *parameters: str) -> Iterator[UploadedFile]:
        for row in query(f"SELECT {_COLUMNS} FROM upload WHERE {condition}", parameters):  # noqa: S608  constants
            key, version, put, length, sha256, metadata, identity = row
            yield UploadedFile(key, version, put, length, sha256, json.loads(metadata), identity)


class SqliteUploadPutter:
    """Puts uploads for one authenticated identity."""

    def __init__(self, uploads: SqliteUploads, identity: str) -> None:
        self._uploads, self._identity = uploads, identity

    def put(
        self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str], *, is_new: bool = False
    ) -> str:
        """Store an upload with its message, and return its version. Raises UploadExists."""
        return self._uploads.put(key, body, metadata, self._identity, is_new=is_new).version


def _check_limits(key: str, metadata: Mapping[str, str]) -> None:
    if (length := len(key.encode())) > MOST_KEY_BYTES:
        raise RegistryUnavailable(
            message(
                "the name of the upload, {key}, has {length} bytes instead of at most {most}: shorten the "
                "name of the file",
                key=key,
                length=f"{length:,}",
                most=f"{MOST_KEY_BYTES:,}",
            )
        )
    length = sum(len(text.encode()) for pair in metadata.items() for text in pair)
    if length > MOST_METADATA_BYTES:
        raise RegistryUnavailable(
            message(
                "the options of the upload have {length} bytes instead of at most {most}: shorten the reason",
                length=f"{length:,}",
                most=f"{MOST_METADATA_BYTES:,}",
            )
        )


def _message_of(upload: UploadedFile) -> str:
    """Write the event with which S3 announces an upload, so that both are read alike."""
    stored = {"key": quote_plus(upload.key, safe="/"), "versionId": upload.version}
    event = {
        "eventTime": upload.put,
        "userIdentity": {"principalId": upload.identity},
        "s3": {"bucket": {"name": BUCKET}, "object": stored},
    }
    return json.dumps({"Records": [event]})
