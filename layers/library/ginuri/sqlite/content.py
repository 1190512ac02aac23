"""The stored files of a registry folder."""

from __future__ import annotations

from collections.abc import Iterator

from ginuri.identifiers.errors import ContentMissing
from ginuri.registry.clock import Clock, utc_now, write_moment
from ginuri.registry.model import StoredFile
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.times import new_version

_COLUMNS = "key, version, length, sha256, stored"


class SqliteContentStore:
    """Reads and names stored files. Its methods raise RegistryUnavailable."""

    def __init__(self, database: Database, files: FileFolder, now: Clock = utc_now) -> None:
        self._database = database
        self._files = files
        self._now = now

    def read(self, file: StoredFile, first: int = 0, last: int | None = None) -> bytes:
        """Read the file or a part of it. Raises ContentMissing."""
        return b"".join(self.chunks(file, first, last))

    def chunks(self, file: StoredFile, first: int = 0, last: int | None = None) -> Iterator[bytes]:
        """Open the file, and return its bytes from the first to the last one. Raises ContentMissing."""
        rows = self._database.read(
            "SELECT sha256 FROM content WHERE key = ? AND version = ?", [file.key, file.version]
        )
        if not rows:
            raise ContentMissing(file.key)
        return self._files.read_chunks(self._files.open(rows[0][0]), first, last)

    def find(self, key: str, version: str) -> StoredFile | None:
        """Return a version of a stored file, if there is one."""
        query = f"SELECT {_COLUMNS} FROM content WHERE key = ? AND version = ?"  # noqa: S608  a constant
        return next((StoredFile(*row) for row in self._database.read(query, [key, version])), None)

    def kept(self, key: str, sha256: str) -> StoredFile | None:
        """Return the stored file of a key with a content, if there is one."""
        query = f"SELECT {_COLUMNS} FROM content WHERE key = ? AND sha256 = ? ORDER BY rowid LIMIT 1"  # noqa: S608  a constant
        return next((StoredFile(*row) for row in self._database.read(query, [key, sha256])), None)

    def add_name(self, key: str, sha256: str, length: int, stored: str = "") -> StoredFile:
        """Store a content that is in the folder already as a new version of a file."""
        moment = write_moment(self._now())
        file = StoredFile(key, new_version(moment), length, sha256, stored or f"{moment[:19]}Z")
        with self._database.write() as connection:
            connection.execute(
                f"INSERT INTO content ({_COLUMNS}) VALUES (?, ?, ?, ?, ?)",  # noqa: S608  a constant
                [file.key, file.version, file.length, file.sha256, file.stored],
            )
        return file
