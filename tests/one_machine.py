"""The application of one machine over a copy of a registry in memory; called in this process, no sockets."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.published.publications import PublishedReader
from ginuri.registry.record.record import Change, Record
from ginuri.server.application import Service
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.published import SqlitePublishedStore
from ginuri.sqlite.records import SqliteRegistry
from infra.attack.answer import Answer
from tests.builders import stamp

_PEER = ("192.0.2.1", 50_000)


class OneMachine:
    """The application, whose requests arrive at one moment."""

    def __init__(self, folder: Path, host: str, now: datetime) -> None:
        self._database = Database(folder)
        self._files = FileFolder(folder)
        self._runner = asyncio.Runner()
        self._service = Service(self._database, host, clock=lambda: now)

    def __enter__(self) -> Self:
        """Return the machine."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop the machine."""
        self._service.close()
        self._runner.close()

    def copy_records(self, registry: MemoryRegistry) -> None:
        """Copy the current records of a registry."""
        names = [name for name, _, _ in registry.stored()]
        copies = SqliteRegistry(self._database)
        with self._database.write():
            for name, record in registry.read(names).items():
                copies.write(Change(Record(name, {}), record, {}, stamp()))

    def copy_content(self, content: MemoryContentStore) -> None:
        """Copy the stored files, in their versions."""
        for (key, version), body in content.files.items():
            with self._files.receive([body]) as incoming, self._database.write() as connection:
                self._files.keep(incoming)
                row = (key, version, incoming.sha256, len(body), "2011-08-25T00:00:00Z")
                connection.execute(
                    "INSERT INTO content (key, version, sha256, length, stored) VALUES (?, ?, ?, ?, ?)", row
                )

    def copy_published(self, reader: PublishedReader, keys: Iterable[str]) -> None:
        """Copy published files."""
        store = SqlitePublishedStore(self._database, self._files)
        for key in keys:
            store.write(key, reader.read(key) or b"", "")

    def ask(
        self,
        target: str,
        method: str = "GET",
        headers: Iterable[tuple[str, str]] = (),
        body: bytes = b"",
    ) -> Answer:
        """Send a request; `target` is the path with the query, as sent."""
        path, _, query = target.partition("?")
        scope = {
            "type": "http",
            "method": method,
            "raw_path": path.encode("latin-1"),
            "query_string": query.encode("latin-1"),
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers],
            "client": _PEER,
        }
        return self._runner.run(self._call(scope, body))

    async def _call(self, scope: dict[str, Any], body: bytes) -> Answer:
        received, sent = [{"type": "http.request", "body": body}], list[Any]()

        async def receive() -> dict[str, Any]:
            if received:
                return received.pop()
            await asyncio.sleep(3600)  # the client waits for the answer
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self._service(scope, receive, send)
        start, *parts = sent
        fields = tuple((name.decode().lower(), value.decode()) for name, value in start["headers"])
        return Answer(start["status"], fields, b"".join(part.get("body", b"") for part in parts))
