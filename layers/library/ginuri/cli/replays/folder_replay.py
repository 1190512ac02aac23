"""A registry folder whose uploads are processed once more."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from ginuri.cli.terminal import fault
from ginuri.files.reports.listed_uploads import ReportedUploads
from ginuri.identifiers.messages import message
from ginuri.replay.ports import ItemReader, ReplayTarget
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.items import SqliteItems
from ginuri.sqlite.lock import IngestLock
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.settings import CANONICAL_HOST, Settings
from ginuri.sqlite.transfer import SqliteTransfer
from ginuri.sqlite.uploads import SqliteUploads


class FolderReplay:
    """The parts of a registry folder that a replay uses."""

    def __init__(self, database: Database, reported: ReportedUploads) -> None:
        self._database, self.whole, self.reported = database, SqliteTransfer(database), reported
        self.uploads = self.keeper = SqliteUploads(database, FileFolder(database.folder))
        self.target = _target(database)

    @property
    def canonical_host(self) -> str:
        """The canonical host."""
        return Settings(self._database).get(CANONICAL_HOST) or ""

    def clear(self) -> None:
        """Remove all records, their history and the proofs of uploads."""
        self.whole.clear_items()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Hold the lock of ingest. Raises CommandFailed while a server has it."""
        with IngestLock(self._database.folder) as lock:
            if not lock.acquire():
                raise fault(
                    message(
                        "{target} is being served. Stop its server first.", target=str(self._database.folder)
                    )
                )
            yield

    @contextmanager
    def scratch(self) -> Iterator[tuple[ReplayTarget, ItemReader]]:
        """Make an empty registry in a temporary folder."""
        with TemporaryDirectory(prefix="ginuri-") as folder, closing(Database(Path(folder))) as database:
            yield _target(database), SqliteItems(database).read

    def note_drill(self, statements: int, recovered: int) -> None:
        """Do nothing: one machine has no dashboard."""


def _target(database: Database) -> ReplayTarget:
    return ReplayTarget(SqliteRegistry(database), SqliteMemberLister(database), database.map_together)
