"""The uploads of a registry folder, and the reports on them, for the pages of reports and for commands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from ginuri.registry.content import UploadVersion
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.uploads import SqliteUploads


class FolderReports:
    """The uploads of a registry folder, and the reports on them. Its methods raise RegistryUnavailable."""

    def __init__(self, database: Database) -> None:
        self.folder = database.folder
        self._database = database
        self._files = FileFolder(self.folder)
        self._uploads = SqliteUploads(database, self._files)

    def versions(self, prefix: str) -> Iterator[UploadVersion]:
        """List the versions of uploads."""
        for upload in self._uploads.versions(prefix):
            yield UploadVersion(upload.key, upload.version, datetime.fromisoformat(upload.put))

    def metadata(self, key: str, version: str) -> Mapping[str, str]:
        """Read the metadata of an upload."""
        return self._uploads.metadata(key, version)

    def report(self, key: str) -> Iterator[bytes] | None:
        """Open a report, or a file beside it."""
        return self._uploads.report_chunks(key)
