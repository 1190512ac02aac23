"""The application of one machine over a copy of a registry in memory; called in this process, no sockets."""

from __future__ import annotations

import asyncio
import base64
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from ginuri.memory import MemoryContentStore, MemoryRegistry
from ginuri.published.publications import PublishedStore
from ginuri.registry.record.record import Change, Record
from ginuri.server.application import Service
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.published import SqlitePublishedStore
from ginuri.sqlite.records import SqliteRegistry
from tests.answers import Answer
from tests.builders import stamp

_PEER = ("192.0.2.1", 50_000)


class OneMachine:
    """The application, over a folder that another process writes; `now` is when requests arrive."""

    def __init__(self, folder: Path, host: str, now: datetime) -> None:
        self.now = now
        self._database, self._writing = Database(folder), Database(folder)
        self._writing.connection.execute("PRAGMA synchronous = OFF")  # the folder is temporary
        self._files = FileFolder(folder)
        self._runner = asyncio.Runner()
        self._service = Service(self._database, host, clock=lambda: self.now)

    def close(self) -> None:
        """Stop the machine."""
        self._service.close()
        self._writing.close()
        self._runner.close()

    def copy(
        self, registry: MemoryRegistry, content: MemoryContentStore, published: PublishedStore | None
    ) -> None:
        """Replace everything by copies of the current records, the stored files and the published files."""
        with self._writing.write() as connection:
            for table in ("record", "rule_record", "beginning", "content", "published"):
                connection.execute(f"DELETE FROM {table}")  # noqa: S608  a constant
            self._copy_records(registry)
            self._copy_content(content)
        store = SqlitePublishedStore(self._writing, self._files)
        if published is not None:
            for key in published.list_keys():
                store.write(key, published.read(key) or b"", "")

    def _copy_records(self, registry: MemoryRegistry) -> None:
        names = [name for name, _, _ in registry.stored()]
        copies = SqliteRegistry(self._writing)
        for name, record in registry.read(names).items():
            copies.write(Change(Record(name, {}), record, {}, stamp()))

    def _copy_content(self, content: MemoryContentStore) -> None:
        for (key, version), body in content.files.items():
            with self._files.receive([body]) as incoming:
                self._files.keep(incoming)
                row = (key, version, incoming.sha256, len(body), "2011-08-25T00:00:00Z")
                self._writing.connection.execute(
                    "INSERT INTO content (key, version, sha256, length, stored) VALUES (?, ?, ?, ?, ?)", row
                )

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
        headers: dict[str, list[str]] = {}
        for name, value in start["headers"]:
            headers.setdefault(name.decode(), []).append(value.decode())
        content = base64.b64encode(b"".join(part.get("body", b"") for part in parts)).decode()
        return Answer({"statusCode": start["status"], "multiValueHeaders": headers, "body": content})


class Machines:
    """One machine for each host, with a copy of the registry that a test asks."""

    def __init__(self) -> None:
        self.is_asked = False
        """Whether the current test asks one machine in place of the functions."""
        self._machines: dict[str, tuple[OneMachine, tempfile.TemporaryDirectory[str]]] = {}
        self._copied: dict[str, object] = {}

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Ask one machine as long as the block lasts."""
        self.is_asked = True
        try:
            yield
        finally:
            self.is_asked = False

    def of(
        self,
        host: str,
        now: datetime,
        registry: MemoryRegistry,
        content: MemoryContentStore,
        published: PublishedStore | None = None,
    ) -> OneMachine:
        """Return the machine of a host, with the current registry and files."""
        if host not in self._machines:
            folder = tempfile.TemporaryDirectory()
            self._machines[host] = OneMachine(Path(folder.name), host, now), folder
        machine, _ = self._machines[host]
        state = list(registry.stored()), dict(content.files), published and published.list_keys()
        if self._copied.get(host) != state:
            machine.copy(registry, content, published)
            self._copied[host] = state
        machine.now = now
        return machine

    def close(self) -> None:
        """Stop all machines."""
        for machine, folder in self._machines.values():
            machine.close()
            folder.cleanup()
        self._machines.clear()


MACHINES = Machines()
