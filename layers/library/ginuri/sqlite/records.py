"""Records in SQLite: one row for each identifier, and one for each entry of its history."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from sqlite3 import Connection

from ginuri.identifiers.errors import RevisionConflict
from ginuri.registry.model import Registered
from ginuri.registry.ports import MOST_NEAR
from ginuri.registry.reading import read_stored
from ginuri.registry.record.applied_uploads import AppliedUpload
from ginuri.registry.record.history import History
from ginuri.registry.record.items import Item, items_of
from ginuri.registry.record.record import Change, Entries, Record
from ginuri.registry.record.serialization import read_field_entries, read_record
from ginuri.registry.record.stamps import Stamp
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.database import Database

_SCHEME_ENDS = ("/", ":")
# An update of a row that exists keeps its place in the file, unlike a replacement.
_PUT_RECORD = """
INSERT INTO record (identifier, body, stamps, modified, revision, folded, steward, collection, broader)
VALUES (:identifier, :body, :stamps, :modified, :revision, :folded, :steward, :collection, :broader)
ON CONFLICT (identifier) DO UPDATE SET body = excluded.body, stamps = excluded.stamps,
  modified = excluded.modified, revision = excluded.revision, folded = excluded.folded,
  steward = excluded.steward, collection = excluded.collection, broader = excluded.broader
"""
_PUT_HISTORY = "INSERT INTO history (identifier, version, stamps) VALUES (:identifier, :version, :stamps)"
_PUT_APPLIED = "INSERT OR REPLACE INTO applied (key, version, put, processed, counts) VALUES (?, ?, ?, ?, ?)"


class SqliteReader:
    """Reads records for answering requests."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def fetch(self, names: Sequence[str]) -> Mapping[str, Registered]:
        """Read records in one query. Raises RegistryUnavailable."""
        rows = self._database.read(
            f"SELECT identifier, body, modified FROM record WHERE identifier IN ({_marks(names)})",  # noqa: S608  only marks
            names,
        )
        return {name: read_stored(name, body, modified) for name, body, modified in rows}

    def near(self, folded: str) -> Sequence[str]:
        """Return identifiers that fold to this, or are listed under this scheme.

        Raises RegistryUnavailable.
        """
        attribute = "steward" if folded.endswith(_SCHEME_ENDS) else "folded"
        rows = self._database.read(
            f"SELECT identifier FROM record WHERE {attribute} = ? LIMIT {MOST_NEAR}",  # noqa: S608  one of two columns
            (folded,),
        )
        return [name for (name,) in rows]


class SqliteRegistry(SqliteReader):
    """Reads whole records, writes them, and stores the proofs of applied uploads."""

    def read(self, names: Sequence[str]) -> Mapping[str, Record]:
        """Read whole records in one query. Raises RegistryUnavailable."""
        rows = self._database.read(
            f"SELECT identifier, body, stamps, revision FROM record WHERE identifier IN ({_marks(names)})",  # noqa: S608  only marks
            names,
        )
        return {row[0]: read_record(*row) for row in rows}

    def displaced(self, name: str, stamp: Stamp) -> Entries:
        """Read the values that a registration displaced. Raises RegistryUnavailable."""
        rows = self._database.read(
            "SELECT stamps FROM history WHERE identifier = ? AND version = ?", (name, str(stamp))
        )
        return read_field_entries(rows[0][0], {}) if rows else {}

    def history(self, name: str) -> History:
        """Read the history of an identifier. Raises RegistryUnavailable."""
        return SqliteArchive(self._database).history(name)

    def write(self, change: Change) -> None:
        """Write a record and its displaced values, and check the records that it was judged by.

        Raises RecordTooLarge, RevisionConflict and RegistryUnavailable.
        """
        name, (now, past) = change.after.identifier, items_of(change)
        with self._database.write() as connection:
            if past is not None and _has(connection, past):
                return  # this change was applied before, and others followed
            for seen, revision in {**change.judged_by, name: change.before.revision}.items():
                if _revision(connection, seen) != revision:
                    raise RevisionConflict(name)
            connection.execute(_PUT_RECORD, {"collection": None, "broader": None, **now})
            if past is not None:
                connection.execute(_PUT_HISTORY, past)

    def check(self, change: Change) -> None:
        """Raise RecordTooLarge if a change is too large to be written."""
        items_of(change)

    def applied(self, key: str, version: str) -> AppliedUpload | None:
        """Return the proof that an upload was applied; None without one. Raises RegistryUnavailable."""
        rows = self._database.read(
            "SELECT put, processed, counts FROM applied WHERE key = ? AND version = ?", (key, version)
        )
        for put, processed, counts in rows:
            return AppliedUpload(key, version, put, processed, json.loads(counts))
        return None

    def note_applied(self, upload: AppliedUpload) -> None:
        """Store the proof that an upload was applied. Raises RegistryUnavailable."""
        row = upload.key, upload.version, upload.put, upload.processed, json.dumps(upload.counts)
        with self._database.write() as connection:
            connection.execute(_PUT_APPLIED, row)


def _has(connection: Connection, past: Item) -> bool:
    kept = connection.execute(
        "SELECT 1 FROM history WHERE identifier = :identifier AND version = :version", past
    )
    return kept.fetchone() is not None


def _revision(connection: Connection, name: str) -> int:
    """Return the revision of a record; 0 if it is not registered."""
    row = connection.execute("SELECT revision FROM record WHERE identifier = ?", (name,)).fetchone()
    return row[0] if row else 0


def _marks(names: Sequence[str]) -> str:
    return ",".join("?" * len(names))
