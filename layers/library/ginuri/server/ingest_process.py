"""Processes the uploads of a registry folder: one process at a time, one message after the other."""

from __future__ import annotations

import json
import os
import shlex
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import cached_property, partial
from pathlib import Path
from types import TracebackType
from typing import Self

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.ingest.collaborators import IngestCollaborators, Limits
from ginuri.ingest.processing import note_principal, process, read_deliveries
from ginuri.registry.clock import utc_now
from ginuri.registry.content import WORK_FOLDER
from ginuri.server.publication import start_publication
from ginuri.server.publisher import Publisher, Running
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.lock import IngestLock
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.news import News
from ginuri.sqlite.queue import MOST_RECEIVES, Received, SqliteQueue
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.settings import CANONICAL_HOST, Settings
from ginuri.sqlite.uploads import SqliteUploads

LIMITS = Limits(wait_step=1.0)
REST_SECONDS = 0.05
"""The seconds between two looks for writes of other processes."""
API = "api"
"""The beginning of the identity of uploads through the API; those of commands begin with `local`."""
RETRY_SECONDS = 30.0
"""The seconds after which a part that failed is tried again."""
UNAVAILABLE_SECONDS = 2.0
"""The seconds after which an unusable folder is tried again, such as on a full disk."""
WORK_FILES_KEPT = timedelta(days=30)
"""The time for which the work files of an upload are kept while a part of it waits or has failed."""
# Only the one process that holds the lock receives messages, and it ends all leases when it starts.
_LEASE_SECONDS = 86_400.0
_NICE = 10
_LONG_SECONDS = 86_400.0


def write_line(line: str) -> None:
    """Write a line to the log at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class IngestRunner:
    """Processes the uploads of a registry folder.

    All methods raise RegistryUnavailable if the folder cannot be used; a part that fails is tried again.
    """

    def __init__(
        self,
        folder: Path,
        *,
        reports_address: str = "",
        limits: Limits = LIMITS,
        log: Callable[[str], None] = write_line,
        start_publishing: Callable[[Path], Running] = start_publication,
    ) -> None:
        self._lock = IngestLock(folder)
        self._database = Database(folder)
        self._files = FileFolder(folder)
        self._uploads = SqliteUploads(self._database, self._files)
        self._queue = SqliteQueue(self._database)
        self._log = log
        self._is_stopped: Callable[[], bool] = lambda: False
        self._has_worked, self._is_ready = True, False
        self._publisher = Publisher(News(self._database), partial(start_publishing, folder), time.monotonic)
        self._collaborators = IngestCollaborators(
            self._uploads,
            SqliteRegistry(self._database),
            SqliteMemberLister(self._database),
            self._uploads,
            self._queue,
            self._clock,
            self._database.map_together,
            limits,
            canonical_host=Settings(self._database).get(CANONICAL_HOST) or "",
            reports_address=reports_address,
            option=f" --registry {shlex.quote(str(folder))}",
            api_identity=API,
            is_revoked=lambda token_id: SqliteTokens(self._access).is_revoked(token_id),
        )

    def __enter__(self) -> Self:
        """Return the runner."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the folder."""
        self._publisher.stop()
        self._database.close()
        if "_access" in vars(self):
            self._access.close()
        self._lock.release()

    @cached_property
    def _access(self) -> AccessDatabase:
        """The database of tokens, which only uploads through the API need."""
        return AccessDatabase(self._database.folder)

    def acquire(self) -> bool:
        """Become the one process that processes uploads; return False if there is another one."""
        if not self._lock.acquire():
            return False
        if not self._is_ready:  # the last process was killed, or the disk was full
            self._queue.release()
            self._files.sweep()
            self._is_ready = True
        return True

    def run_once(self) -> bool:
        """Process the next message, and return whether there was one."""
        received = self._queue.receive(_LEASE_SECONDS)
        if received is not None:
            self._process(received, self._collaborators)
        return received is not None

    def run_until_idle(self, seconds: float = float("inf")) -> bool:
        """Process all messages, also those that are delayed, and return whether there was one.

        No message is begun after `seconds`. Raises the last error if a part failed; it is tried again when
        uploads are processed the next time.
        """
        has_worked, end = False, time.monotonic() + seconds
        error: Exception | None = None
        # An upload waits for others to register its prerequisites only while there are others.
        alone = replace(self._collaborators, limits=replace(self._collaborators.limits, wait_seconds=0))
        while (delay := self._queue.seconds_to_next()) is not None and not (error and delay):
            if time.monotonic() + delay > end:
                break
            time.sleep(delay)
            if received := self._queue.receive(_LEASE_SECONDS):
                has_worked = True
                is_alone = self._queue.state().waiting == 1
                error = self._process(received, alone if is_alone else self._collaborators) or error
        self._remove_work_files()
        if error is not None:
            raise error
        return has_worked

    def run(self, is_stopped: Callable[[], bool]) -> None:
        """Process uploads and publish the registry until `is_stopped`, which is asked between two parts."""
        self._is_stopped = is_stopped
        while not is_stopped():
            try:
                if self.acquire():
                    self._work_or_rest()
                else:
                    time.sleep(REST_SECONDS)
            except RegistryUnavailable as error:
                self._write_line(level="ERROR", message=str(error))
                self._sleep(UNAVAILABLE_SECONDS, lambda: False)
                self._is_ready = False
        self._publisher.stop()
        self._lock.release()

    def _work_or_rest(self) -> None:
        version = self._database.data_version()
        if self.run_once():
            self._has_worked = True
            self._publisher.note_work()
        else:
            if self._has_worked:
                self._has_worked = False
                self._remove_work_files()
            # At the latest after a second, a message or a publication may be due.
            self._sleep(1, lambda: self._database.data_version() != version)
        self._publisher.look()

    def _sleep(self, seconds: float, is_over: Callable[[], bool]) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until and not is_over() and not self._is_stopped():
            time.sleep(REST_SECONDS)

    def _process(self, received: Received, collaborators: IngestCollaborators) -> Exception | None:
        """Process a message, and return the error of a failed try."""
        for delivery in read_deliveries(received.body, received.tries, MOST_RECEIVES):
            fields, started = delivery.log_fields(), time.perf_counter()
            noting = replace(collaborators, note_principal=partial(note_principal, fields))
            try:
                counts = process(delivery, noting)
            except Exception as error:  # noqa: BLE001  as in the function, any error leads to another try
                self._write_failure(fields, received.tries)
                self._queue.failed(received.number, RETRY_SECONDS)
                return error
            duration = round((time.perf_counter() - started) * 1000, 3)
            self._write_line(duration=duration, **fields, **counts)
        self._queue.done(received.number)
        return None

    def _write_failure(self, fields: Mapping[str, str], tries: int) -> None:
        text = "it will be tried again"
        self._write_line(level="ERROR", message=text, tries=tries, **fields, exception=traceback.format_exc())

    def _write_line(self, **fields: float | str) -> None:
        self._log(json.dumps({"function": "ingest", **fields}))

    def _remove_work_files(self) -> None:
        """Remove the work files of finished uploads: all, if no part waits or has failed."""
        state = self._queue.state()
        is_finished = not (state.waiting or state.failed)
        self._uploads.delete_reports(WORK_FOLDER, None if is_finished else utc_now() - WORK_FILES_KEPT)

    def _clock(self) -> float:
        # When the process is to stop, the time of a call is up, so that it leaves the rest to the next one.
        return time.monotonic() + (_LONG_SECONDS if self._is_stopped() else 0)


def ingest(folder: Path, reports_address: str = "") -> None:
    """Process the uploads of a registry folder until SIGTERM or SIGINT, or until the parent has ended."""
    os.nice(_NICE)  # answers come first
    parent, is_stopped = os.getppid(), False

    def stop(*_: object) -> None:
        nonlocal is_stopped
        is_stopped = True

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    with IngestRunner(folder, reports_address=reports_address) as runner:
        runner.run(lambda: is_stopped or os.getppid() != parent)
