"""The process that shows reports, on a listening address of its own: reports name submitters."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from socket import socket

from ginuri.server.asgi import Receive, Scope, Send, reply
from ginuri.server.folder_reports import FolderReports
from ginuri.server.reports import ReportPages, show_list_only
from ginuri.server.worker import serve_application
from ginuri.sqlite.database import Database

_NAMES = {"127.0.0.1", "localhost"}
"""The names of this machine. A page on the web may give its own name this address, to read what is here."""


def answer_reports(folder: Path, listening: socket, service: str) -> None:
    """Show reports until SIGTERM, or until the parent has ended."""

    async def lead_to_service(scope: Scope, receive: Receive, send: Send) -> None:
        path: bytes = scope["raw_path"]
        if path in {b"", b"/"}:
            await show_list_only(scope, receive, send)
        else:  # the pages of reports link to identifiers
            await reply(send, 302, [("location", f"{service}{path.decode('latin-1')}")])

    with closing(Database(folder)) as database:
        pages = ReportPages(FolderReports(database), lead_to_service, service=service, hosts=_NAMES)
        serve_application(pages, listening)
