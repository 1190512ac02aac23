"""A process that takes in uploads and may be killed anywhere; what it writes to stands in another process.

Each call to a store is a message, which is answered before the next: what the process leaves behind when it
is killed is what it had asked for by then, as with a function and what it calls over a network.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from runpy import run_path
from typing import TYPE_CHECKING, Any

from ginuri.files.reports.report import Upload
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

Message = Upload | str
"""A new upload, or a part of one as it stands in the queue."""
_DONE = "done"
_STORES = ("uploads", "registry", "lister", "keeper", "queue")


class Worker:
    """The process, seen from where the stores are."""

    def __init__(self, collaborators: IngestCollaborators, kill_at: Mapping[int, bool]) -> None:
        self._stores = {name: getattr(collaborators, name) for name in _STORES}
        self._limits = collaborators.limits
        self._calls = 0
        self._kill_at = kill_at
        self.killed: list[int | None] = []
        """The exit codes of processes that are gone."""
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("forkserver")
        self._connection, theirs = context.Pipe()
        told = {"connection": theirs, "limits": self._limits}
        # By its path: installed packages bring a module `tests` of their own.
        self._process = context.Process(target=run_path, args=(__file__, told, "__main__"), daemon=True)
        self._process.start()
        theirs.close()

    def ingest_part(self, message: Message) -> bool:
        """Have a message taken in; whether it was to the end. Where it was not, a new process waits."""
        self._connection.send(message)
        while (asked := self._connection.recv()) != _DONE:
            store, method, arguments = asked
            self._calls += 1
            is_carried_out = self._kill_at.get(self._calls, True)
            answer = getattr(self._stores[store], method)(*arguments) if is_carried_out else None
            if self._calls in self._kill_at:
                self._kill()
                return False
            self._connection.send(list(answer) if isinstance(answer, Iterator) else answer)
        return True

    def stop(self) -> None:
        """End the process when all is done."""
        self._connection.send(None)
        self._process.join()

    def _kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.killed.append(self._process.exitcode)
        self._start()


@contextmanager
def working(collaborators: IngestCollaborators, kill_at: Mapping[int, bool]) -> Iterator[Worker]:
    """Have a process as long as the block lasts.

    `kill_at` says at which of its calls it is killed, counted from one, and whether the call is carried out.
    """
    # What every process needs is imported once, and each begins as a copy of that.
    multiprocessing.get_context("forkserver").set_forkserver_preload(["ginuri.ingest.flow"])
    worker = Worker(collaborators, kill_at)
    try:
        yield worker
    finally:
        worker.stop()


class _Away:
    """A store in the other process."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection, self._name = connection, name

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            read = [each.read() if hasattr(each, "read") else each for each in arguments]
            self._connection.send((self._name, method, read))
            return self._connection.recv()

        return call


def _work(connection: Connection, limits: Limits) -> None:
    stores: Any = {name: _Away(connection, name) for name in _STORES}
    collaborators = IngestCollaborators(**stores, clock=time.monotonic, limits=limits)
    for message in iter(connection.recv, None):
        ingest_part(message if isinstance(message, Upload) else read_part(json.loads(message)), collaborators)
        connection.send(_DONE)


if __name__ == "__main__":
    _work(globals()["connection"], globals()["limits"])
