"""The process that shows reports, on a listening address of its own: reports name submitters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from socket import socket

from ginuri.files.reports.listed_uploads import UploadVersion
from ginuri.server.asgi import Receive, Scope, Send, reply
from ginuri.server.reports import ReportPages, show_list_only
from ginuri.server.worker import serve_application
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.uploads import SqliteUploads


class FolderReports:
    """The reports of a registry folder."""

    def __init__(self, database: Database) -> None:
        self._uploads = SqliteUploads(database, FileFolder(database.folder))

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


def answer_reports(folder: Path, listening: socket, service: str) -> None:
    """Show reports until SIGTERM, or until the parent has ended."""

    async def lead_to_service(scope: Scope, receive: Receive, send: Send) -> None:
        path: bytes = scope["raw_path"]
        if path in {b"", b"/"}:
            await show_list_only(scope, receive, send)
        else:  # the pages of reports link to identifiers
            await reply(send, 302, [("location", f"{service}{path.decode('latin-1')}")])

    with closing(Database(folder)) as database:
        pages = ReportPages(FolderReports(database), lead_to_service, service=service)
        serve_application(pages, listening)
