"""A process that ingests uploads and may be killed at any call; its stores are in another process.

Each call to a store is a message, which is answered before the next. So a killed process leaves the effects
of its calls until then, like a function that calls its stores over a network.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

from ginuri.files.reports.report import Upload
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.flow import ingest_part
from ginuri.ingest.queue_messages import read_part
from ginuri.server.ingest_process import IngestRunner
from ginuri.sqlite.database import Database

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

Message = Upload | str
"""A new upload, or a part of one as a message of the queue."""
_DONE = "done"
_LOOK_SECONDS = 0.001
"""The seconds between two looks for commits."""
_STORES = ("uploads", "registry", "lister", "keeper", "queue")


class Worker:
    """The process, from the side of the owner of the stores."""

    def __init__(self, collaborators: IngestCollaborators, kill_at: Mapping[int, bool]) -> None:
        self._stores = {name: getattr(collaborators, name) for name in _STORES}
        self._limits = collaborators.limits
        self._calls = 0
        self._kill_at = kill_at
        self.killed: list[int | None] = []
        """The exit codes of the killed processes."""
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("forkserver")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs, self._limits), daemon=True)
        self._process.start()
        theirs.close()

    def ingest_part(self, message: Message) -> bool:
        """Ingest a message; return False if the process was killed, and a new one waits."""
        self._connection.send(message)
        while (asked := self._connection.recv()) != _DONE:
            store, method, arguments, named = asked
            self._calls += 1
            is_carried_out = self._kill_at.get(self._calls, True)
            answer = getattr(self._stores[store], method)(*arguments, **named) if is_carried_out else None
            if self._calls in self._kill_at:
                self._kill()
                return False
            self._connection.send(list(answer) if isinstance(answer, Iterator) else answer)
        return True

    def stop(self) -> None:
        """End the process."""
        self._connection.send(None)
        self._process.join()

    def _kill(self) -> None:
        self._process.kill()
        self._process.join()
        self.killed.append(self._process.exitcode)
        self._start()


@contextmanager
def working(collaborators: IngestCollaborators, kill_at: Mapping[int, bool]) -> Iterator[Worker]:
    """Run a process as long as the block lasts.

    `kill_at` has the calls at which it is killed, counted from one, and whether each is carried out.
    """
    _preload()
    worker = Worker(collaborators, kill_at)
    try:
        yield worker
    finally:
        worker.stop()


def ingest_and_kill(folder: Path, limits: Limits, commits: int, seconds: float) -> int | None:
    """Process the uploads of a registry folder, and return the exit code of the process.

    It is killed some seconds after the number of its commits, so that slow machines get as far as fast ones.
    """
    _preload()
    process = multiprocessing.get_context("forkserver").Process(target=_ingest, args=(folder, limits))
    with closing(Database(folder)) as database:
        seen = database.data_version()
        process.start()
        while commits and process.is_alive():
            time.sleep(_LOOK_SECONDS)
            version = database.data_version()
            commits -= version != seen
            seen = version
    process.join(seconds)
    process.kill()
    process.join()
    return process.exitcode


def _ingest(folder: Path, limits: Limits) -> None:
    with IngestRunner(folder, limits=limits, log=lambda _: None) as runner:
        if runner.acquire():
            runner.run_until_idle()


def _preload() -> None:
    # Each process is a fork of one that has imported all modules.
    multiprocessing.get_context("forkserver").set_forkserver_preload(["ginuri.ingest.flow", __name__])


class _Away:
    """A store in the other process."""

    most_written = 100
    """As in DynamoDB."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection, self._name = connection, name

    def __getattr__(self, method: str) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:  # noqa: ANN401  passed on
            read = [each.read() if hasattr(each, "read") else each for each in arguments]
            self._connection.send((self._name, method, read, named))
            return self._connection.recv()

        return call


def _work(connection: Connection, limits: Limits) -> None:
    stores: Any = {name: _Away(connection, name) for name in _STORES}
    collaborators = IngestCollaborators(**stores, clock=time.monotonic, limits=limits)
    for message in iter(connection.recv, None):
        ingest_part(message if isinstance(message, Upload) else read_part(json.loads(message)), collaborators)
        connection.send(_DONE)
