"""A registry folder on this machine, with or without a server that runs."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import cached_property
from getpass import getuser
from pathlib import Path
from socket import gethostname
from typing import IO, TYPE_CHECKING

from ginuri.cli.access.operators import OperatorTokens
from ginuri.cli.next_steps import report_command
from ginuri.cli.ports import IngestReaders
from ginuri.cli.stack import explaining_failures
from ginuri.cli.terminal import fault, localize
from ginuri.files.formats import stored_as
from ginuri.identifiers.errors import ContentMissing, FolderUnsuitable, RegistryUnavailable
from ginuri.identifiers.messages import Words, message
from ginuri.identifiers.service_paths import report_path
from ginuri.registry.model import StoredFile
from ginuri.server.folder_reports import FolderReports
from ginuri.sqlite.access.database import AccessDatabase
from ginuri.sqlite.access.tokens import SqliteTokens
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.content import SqliteContentStore
from ginuri.sqlite.database import Database, open_existing
from ginuri.sqlite.lock import is_ingesting
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.queue import SqliteQueue
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.settings import ADDRESS, CANONICAL_HOST, REPORTS_ADDRESS, Settings
from ginuri.sqlite.transfer import SqliteTransfer

if TYPE_CHECKING:
    from ginuri.replay.ports import ReplayStack
    from ginuri.server.ingest_process import IngestRunner


class FolderStack(FolderReports):
    """A registry folder as a stack: a server that runs processes the uploads, otherwise the command does."""

    served_hosts = None
    edge = ""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._queue = SqliteQueue(database)
        self._settings = Settings(database)

    @property
    def name(self) -> str:
        """The name in messages."""
        return localize(message("the registry {folder}", folder=str(self.folder)))

    @property
    def option(self) -> str:
        """The option with the folder."""
        return f" --registry {shlex.quote(str(self.folder))}"

    @property
    def has_ingest(self) -> bool:
        """Whether a server processes the uploads."""
        return is_ingesting(self.folder)

    @property
    def service(self) -> str:
        """The address of the server. Raises CommandFailed if none runs."""
        if address := self._address(ADDRESS):
            return address
        raise fault(
            message(
                "No server answers for the registry {folder}. Start it with {command}.",
                folder=str(self.folder),
                command=f"`ginuri serve {shlex.quote(str(self.folder))}`",
            )
        )

    @property
    def archive(self) -> SqliteArchive:
        """The registry."""
        return SqliteArchive(self._database)

    @property
    def readers(self) -> IngestReaders:
        """The adapters that judge a file before it is uploaded."""
        return IngestReaders(
            SqliteRegistry(self._database),
            SqliteMemberLister(self._database),
            self._uploads,
            self._settings.get(CANONICAL_HOST) or "",
        )

    @property
    def whole(self) -> SqliteTransfer:
        """The whole registry."""
        return SqliteTransfer(self._database)

    @property
    def replaying(self) -> ReplayStack:
        """The parts with which uploads are processed once more."""
        from ginuri.cli.replays.folder_replay import FolderReplay

        return FolderReplay(self._database, self)

    @cached_property
    def tokens(self) -> OperatorTokens:
        """The access tokens, in the name of the account on this machine."""
        store = SqliteTokens(AccessDatabase(self.folder))
        return OperatorTokens(store, self.readers.registry, _identify)

    @property
    def dead_letters(self) -> FolderStack:
        """The messages that failed too often."""
        return self

    def bodies(self) -> Iterator[str]:
        """Yield the body of each failed message."""
        return self._queue.bodies()

    def redrive(self) -> Iterator[str]:
        """Move the failed messages back to the queue, and process it if no server does."""
        yield from self._queue.redrive()
        with self._open_runner() as runner:
            if runner.acquire():
                runner.run_until_idle()

    def explain(self, error: RegistryUnavailable) -> Words:
        """Describe a failure."""
        return error.words

    def put(self, key: str, body: bytes | IO[bytes], metadata: Mapping[str, str]) -> str:
        """Store an upload and its message in one transaction, in the name of the user of this machine."""
        return self._uploads.put(key, body, metadata, f"local:{getuser()}").version

    def work(self, seconds: float) -> None:
        """Process uploads for some seconds; wait if there are none, or while a server processes them."""
        with self._open_runner() as runner:
            if not (runner.acquire() and runner.run_until_idle(seconds)):
                time.sleep(seconds)

    def report_location(self, key: str) -> str:
        """Write the address of a report if a server runs, otherwise the command that reads it."""
        if reports := self._address(REPORTS_ADDRESS):
            return f"{reports.removesuffix('/reports/')}{report_path(key)}"
        return report_command(key, self.option)

    report_address = report_location

    def content(self, file: StoredFile) -> Iterator[bytes]:
        """Open a stored file. Raises OSError if it is missing."""
        try:
            return SqliteContentStore(self._database, self._files).chunks(file)
        except ContentMissing as error:
            raise OSError(str(error)) from error

    def restore(self, file: StoredFile) -> None:
        """Upload a stored file once more."""
        with self._files.open(file.sha256) as body:
            self.put(stored_as(file.key), body, {})

    def _open_runner(self) -> IngestRunner:
        # Imported on first use: most commands process no upload.
        from ginuri.server.ingest_process import IngestRunner

        return IngestRunner(self.folder, log=lambda _line: None)

    def _address(self, name: str) -> str | None:
        # The settings stay after the server was stopped or killed.
        return self._settings.get(name) if is_ingesting(self.folder) else None


def _identify() -> str:
    return f"{getuser()}@{gethostname()}"


@contextmanager
def open_folder(folder: Path) -> Iterator[FolderStack]:
    """Open a registry folder. Raises CommandFailed if it is none; no command but `serve` creates one."""
    with explaining_folder(message("The registry {folder} cannot be opened", folder=str(folder))):
        database = open_existing(folder)
    with closing(database):
        yield FolderStack(database)


@contextmanager
def explaining_folder(failure: Words) -> Iterator[None]:
    """Raise CommandFailed with the remedy if a folder cannot be used."""
    try:
        with explaining_failures(failure, lambda error: error.words):
            yield
    except FolderUnsuitable as error:
        raise fault(error.words) from error
