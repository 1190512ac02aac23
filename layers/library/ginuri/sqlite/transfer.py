"""A whole registry in a folder, to be moved and compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import message
from ginuri.registry.content import WORK_FOLDER
from ginuri.registry.model import StoredFile
from ginuri.registry.transfer import SUMMARY, ContentFile, Item, Open, ReportFile, UploadedFile
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.items import SqliteItems
from ginuri.sqlite.reports import SqliteReports
from ginuri.sqlite.settings import CANONICAL_HOST, PROXIES, Settings

_NOTE = "move"
_SETTINGS = (CANONICAL_HOST, PROXIES)
"""The settings that answers depend on."""
_MOST_IN_MEMORY = 1024 * 1024
"""The bytes of a report that are not written to a temporary file."""
_PUT_UPLOAD = (
    "INSERT OR REPLACE INTO upload (key, version, put, sha256, length, metadata, identity)"
    " VALUES (?, ?, ?, ?, ?, ?, ?)"
)
_PUT_CONTENT = "INSERT INTO content (key, version, sha256, length, stored) VALUES (?, ?, ?, ?, ?)"
_IS_EMPTY = " AND ".join(
    f"NOT EXISTS (SELECT 1 FROM {table})"  # noqa: S608  the names of tables
    for table in ("record", "applied", "upload", "content", "report")
)


class SqliteTransfer:
    """Reads and writes a whole registry."""

    def __init__(self, database: Database) -> None:
        self.name = str(database.folder.resolve())
        self._database, self._files = database, FileFolder(database.folder)
        self._items, self._settings = SqliteItems(database), Settings(database)
        self._reports = SqliteReports(database, self._files)

    @property
    def identity(self) -> str:
        """The identity of the registry, which is made on first use."""
        return self._settings.identity()

    def items(self) -> Iterator[Item]:
        """Read every item, in order."""
        return self._items.read()

    def uploads(self) -> Iterator[UploadedFile]:
        """List the uploads, in order."""
        rows = self._database.scan(
            "SELECT key, version, put, length, sha256, metadata, identity FROM upload ORDER BY key, version"
        )
        return (
            UploadedFile(key, version, put, length, sha256, json.loads(metadata), identity)
            for key, version, put, length, sha256, metadata, identity in rows
        )

    def contents(self) -> Iterator[ContentFile]:
        """List the stored files by key, the oldest version of a key first."""
        rows = self._database.scan(
            "SELECT key, version, length, sha256, stored FROM content ORDER BY key, rowid"
        )
        return (ContentFile(StoredFile(*row), row[1]) for row in rows)

    def reports(self) -> Iterator[ReportFile]:
        """List the reports, in order."""
        rows = self._database.scan(
            "SELECT key, written, length, sha256, body FROM report WHERE key NOT GLOB ? ORDER BY key",
            [f"{WORK_FOLDER}*"],
        )
        return (
            ReportFile(key, written, length, sha256 or hashlib.sha256(body).hexdigest())
            for key, written, length, sha256, body in rows
        )

    def summaries(self) -> Iterator[tuple[ReportFile, bytes]]:
        """Read the summaries of reports; each is written once."""
        for file in self.reports():
            if file.key.endswith(SUMMARY):
                yield file, b"".join(self.open_report(file))

    def clear_items(self) -> None:
        """Remove all items."""
        self._items.clear()

    def open_upload(self, file: UploadedFile, /) -> Iterator[bytes]:
        """Return the chunks of an upload."""
        return self._files.read_chunks(self._files.open(file.sha256))

    def open_content(self, file: StoredFile, /) -> Iterator[bytes]:
        """Return the chunks of a stored file."""
        return self._files.read_chunks(self._files.open(file.sha256))

    def open_report(self, file: ReportFile, /) -> Iterator[bytes]:
        """Return the chunks of a report."""
        chunks = self._reports.report_chunks(file.key)
        if chunks is None:
            raise RegistryUnavailable(message("the report {key} is missing", key=file.key))
        return chunks

    def waiting(self) -> int:
        """Count the messages that are not processed yet, without those that failed too often."""
        number: int = self._database.read("SELECT count(*) FROM message WHERE NOT failed")[0][0]
        return number

    def settings(self) -> Mapping[str, str]:
        """Return the settings that answers depend on."""
        known = {name: self._settings.get(name) for name in _SETTINGS}
        return {name: value for name, value in known.items() if value is not None}

    def is_empty(self) -> bool:
        """Return whether all tables of the registry are empty."""
        return bool(self._database.read(f"SELECT {_IS_EMPTY}")[0][0])

    def moved_from(self) -> str:
        """Return the note on the move that filled this registry."""
        return self._settings.get(_NOTE) or ""

    def note_move(self, note: str) -> None:
        """Store the note as a setting."""
        self._settings.set(_NOTE, note)

    def write_items(self, items: Iterable[Item]) -> None:
        """Write items as they are."""
        self._items.write(items)

    def add_uploads(self, files: Iterable[UploadedFile], read: Open[UploadedFile]) -> None:
        """Store uploads; no message is sent for them."""
        for file in files:
            facts = (file.key, file.version, file.put, file.sha256, file.length)
            row = (*facts, json.dumps(file.metadata), file.identity)
            self._store(file.sha256, read(file), _PUT_UPLOAD, row)

    def add_contents(
        self, files: Iterable[StoredFile], read: Open[StoredFile]
    ) -> Iterator[tuple[StoredFile, str]]:
        """Store files with their versions."""
        for file in files:
            row = (file.key, file.version, file.sha256, file.length, file.stored)
            self._store(file.sha256, read(file), _PUT_CONTENT, row)
            yield file, file.version

    def add_reports(self, files: Iterable[ReportFile], read: Open[ReportFile]) -> None:
        """Store reports with the times when they were written."""
        for file in files:
            with SpooledTemporaryFile(max_size=_MOST_IN_MEMORY) as body:
                digest = hashlib.sha256()
                for chunk in read(file):
                    digest.update(chunk)
                    body.write(chunk)
                _check(file.key, digest.hexdigest(), file.sha256)
                body.seek(0)
                self._reports.report(file.key, cast("IO[bytes]", body), file.written)

    def _store(self, sha256: str, chunks: Iterable[bytes], statement: str, row: Sequence[Any]) -> None:
        with self._files.receive(chunks) as incoming, self._database.write() as connection:
            _check(row[0], incoming.sha256, sha256)
            self._files.keep(incoming)
            connection.execute(statement, row)

    def adopt_settings(self, settings: Mapping[str, str]) -> Mapping[str, str]:
        """Store the settings of a registry folder, and return none."""
        for name in _SETTINGS:
            if name in settings:
                self._settings.set(name, settings[name])
        return {}


def _check(key: str, sha256: str, noted: str) -> None:
    if sha256 != noted:
        raise RegistryUnavailable(
            message("{key} has the SHA-256 {sha256} instead of {noted}", key=key, sha256=sha256, noted=noted)
        )
