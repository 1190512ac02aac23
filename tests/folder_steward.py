"""A steward whose uploads are processed in a registry folder."""

from __future__ import annotations

import hashlib
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ginuri.files.export import prefix_of
from ginuri.files.reports.report import Upload, refused_key, report_key
from ginuri.ingest.collaborators import IngestCollaborators
from ginuri.ingest.processing import process, read_deliveries
from ginuri.ingest.queue_messages import Begin, write_part
from ginuri.registry.transfer import UploadedFile
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.queue import MOST_RECEIVES, SqliteQueue
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.transfer import SqliteTransfer
from ginuri.sqlite.uploads import BUCKET, SqliteUploads
from tests.report_schema import read_report
from tests.steward import SETTLED, SETTLING, Report, Steward, write_registry


class FolderStore(SqliteRegistry, SqliteMemberLister, SqliteArchive):
    """All that reads or writes the records of a registry folder."""


class FolderSteward(Steward):
    """Uploads files with the times and versions of the other steward."""

    def __init__(self, folder: Path, puts: int = 0) -> None:
        """Open a folder, into which so many files were put before."""
        self.database = Database(folder)
        self.store = FolderStore(self.database)
        super().__init__(self.store)
        self._puts = puts
        self.uploads = SqliteUploads(self.database, FileFolder(folder))
        self.waiting = SqliteQueue(self.database)

    @property
    def collaborators(self) -> IngestCollaborators:
        """The collaborators of ingest."""
        stores = (self.uploads, self.store, self.store, self.uploads, self.waiting)
        mapper = self.database.map_together
        return IngestCollaborators(
            *stores,
            time.monotonic,
            mapper,
            limits=self.limits,
            now=self.now,
            api_identity=self.api_identity,
        )

    def put(self, key: str, content: str | bytes, **said: str) -> Upload:
        """Upload a file, with its metadata, without ingesting it."""
        upload = replace(super().put(key, content, **said), bucket=BUCKET)
        body = content.encode() if isinstance(content, str) else content
        digest = hashlib.sha256(body).hexdigest()
        file = UploadedFile(key, upload.version, upload.put, len(body), digest, said, upload.identity)
        SqliteTransfer(self.database).add_uploads([file], lambda _: iter([body]))
        return upload

    def deliver(self, upload: Upload) -> Report:
        """Ingest an upload, for the first time or again."""
        self.waiting.send([write_part(Begin(upload, 0))])
        self.work_off()
        return self.report(upload)

    def work_off(self) -> None:
        """Ingest all uploads in the queue."""
        while received := self.waiting.receive(60):
            for delivery in read_deliveries(received.body, received.tries, MOST_RECEIVES):
                process(delivery, self.collaborators)
            self.waiting.done(received.number)

    def exported(self, folder: str) -> list[str]:
        """Return the lines of an export for a folder."""
        return [f"{each}\n" for each in write_registry(self.store.standing(prefix_of(folder)), folder)]

    def report(self, upload: Upload) -> Report:
        """Read the report on an upload."""
        body = self.uploads.reported(report_key(upload.key, upload.version))
        assert body is not None
        refused = self.uploads.reported(refused_key(upload.key, upload.version))
        return Report(read_report(body), refused)


def settle_one_machine(folder: Path) -> Path:
    """Make a registry folder that is settled, and return it."""
    steward = FolderSteward(folder)
    for key, text in SETTLED.items():
        steward.upload(key, text)
    steward.database.close()
    return folder


@contextmanager
def on_one_machine(settled: Path, folder: Path) -> Iterator[None]:
    """Let settled stewards be in copies of a settled registry folder as long as the block lasts."""
    made: list[FolderSteward] = []

    def settle() -> Steward:
        copy = shutil.copytree(settled, folder / f"registry-{len(made)}")
        made.append(FolderSteward(copy, len(SETTLED)))
        return made[-1]

    SETTLING.append(settle)
    try:
        yield
    finally:
        SETTLING.clear()
        for steward in made:
            steward.database.close()
