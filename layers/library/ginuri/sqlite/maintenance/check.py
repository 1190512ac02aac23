"""Checks a registry folder completely: the database, the contents, the records and their history."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.identifiers.messages import Message, message, translatable
from ginuri.registry.record.items import item_of
from ginuri.registry.record.record import Entries
from ginuri.registry.record.rule_records import is_rule_record, listed_beginnings
from ginuri.registry.record.serialization import read_field_entries, read_record
from ginuri.registry.rules.beginnings import STORED
from ginuri.sqlite.database import FILE, Database, open_existing
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.members import SqliteBeginnings
from ginuri.sqlite.unused import NAMING, is_named, named_contents, remove_unused

_RESTORE = translatable("Take the registry from its newest backup, or move its records into a new folder.")
_EVERY = 1_000
"""The rows or files between two reports of the progress."""
Progress = Callable[[str, int], None]
"""Receives the part that is checked, and the number of its rows or files so far."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A damaged part of a registry, and the remedy."""

    place: str
    """The file, identifier or table."""
    reason: Message
    remedy: Message


@dataclass(frozen=True, slots=True)
class Check:
    """A complete check of a registry folder, which may be in use meanwhile."""

    folder: Path
    report: Progress = lambda *_: None
    removes: bool = False
    """Whether contents that no row names are removed."""

    def run(self) -> Iterator[Damage]:
        """Yield the damages.

        Raises FolderUnsuitable, and RegistryUnavailable if the database cannot be opened.
        """
        files = FileFolder(self.folder)
        with closing(open_existing(self.folder)) as database:
            for part in (
                self._check_database(database),
                self._check_contents(database, files),
                self._find_unnamed(database, files),
                self._check_records(database),
                self._check_history(database),
                self._check_other_rows(database),
            ):
                try:
                    yield from part
                except RegistryUnavailable as error:
                    yield Damage(FILE, error.words, message(_RESTORE))

    def _check_database(self, database: Database) -> Iterator[Damage]:
        self.report("database", 0)
        for (text,) in database.scan("PRAGMA integrity_check"):
            if text != "ok":
                yield Damage(FILE, message("SQLite reports: {text}", text=text), message(_RESTORE))

    def _check_contents(self, database: Database, files: FileFolder) -> Iterator[Damage]:
        for number, (sha256, length) in enumerate(named_contents(database.scan)):
            self._count("files", number)
            reason = _fault_of(sha256, length, files)
            if reason is not None and is_named(database.connection, sha256):  # still: it may be in use
                yield Damage(
                    str(files.path(sha256)),
                    reason,
                    message(
                        "Copy this file from a backup, or upload {names} again.",
                        names=", ".join(_names(database, sha256)),
                    ),
                )

    def _find_unnamed(self, database: Database, files: FileFolder) -> Iterator[Damage]:
        remove_unused(database, files)
        for number, path in enumerate(files.contents()):
            self._count("unnamed files", number)
            if is_named(database.connection, path.name):
                continue
            with database.write() as connection:  # no process is storing it now
                if is_named(connection, path.name):
                    continue
                if self.removes:
                    files.remove(path.name)
            yield Damage(
                str(path),
                message(
                    "Nothing in the registry names this file: it was stored when a process was killed or the "
                    "disk was full."
                ),
                message("It was removed.") if self.removes else message("Run `ginuri check --remove`."),
            )

    def _check_records(self, database: Database) -> Iterator[Damage]:
        records = database.scan(f"SELECT {', '.join(_COLUMNS)} FROM record")  # noqa: S608  constants
        of_rules = database.scan(f"SELECT name, {', '.join(_COLUMNS[1:5])} FROM rule_record")  # noqa: S608  constants
        for number, row in enumerate(chain(records, of_rules)):
            self._count("records", number)
            yield from _check_record(database, dict(zip(_COLUMNS, row, strict=False)))
        for prefix, beginning in database.scan(_UNUSED_BEGINNINGS, (STORED,)):
            reason = message(
                "It lists rules that begin with {beginning}, and there are none.", beginning=beginning
            )
            yield Damage(prefix, reason, message(_RESTORE))

    def _check_history(self, database: Database) -> Iterator[Damage]:
        rows = database.scan(
            "SELECT identifier, version, stamps, EXISTS (SELECT 1 FROM record"
            " WHERE record.identifier = history.identifier) OR EXISTS (SELECT 1 FROM rule_record"
            " WHERE rule_record.name = history.identifier) FROM history"
        )
        for number, (identifier, version, stamps, has_record) in enumerate(rows):
            self._count("history", number)
            place = f"{identifier} {version}"
            if not has_record:
                yield Damage(place, message("Its identifier has a history and no record."), message(_RESTORE))
            try:
                entries = read_field_entries(stamps, {})
            except _UNREADABLE as error:
                yield _unreadable(place, error)
            else:
                yield from _check_files(database, place, entries)

    def _check_other_rows(self, database: Database) -> Iterator[Damage]:
        for table, name, text in _TEXTS:
            query = f"SELECT {name} FROM {table} WHERE NOT json_valid({text})"  # noqa: S608  constants
            for (value,) in database.scan(query):
                reason = message("{column} of this row is no JSON.", column=f"{table}.{text}")
                yield Damage(str(value), reason, message(_RESTORE))

    def _count(self, part: str, number: int) -> None:
        if number % _EVERY == 0:
            self.report(part, number)


_COLUMNS = (
    "identifier",
    "body",
    "stamps",
    "modified",
    "revision",
    "folded",
    "steward",
    "collection",
    "broader",
)
_UNUSED_BEGINNINGS = """
SELECT prefix, beginning FROM beginning
WHERE NOT EXISTS (SELECT 1 FROM rule_record WHERE name = ? || lower(prefix) || beginning)
"""
_TEXTS = (
    ("upload", "key", "metadata"),
    ("applied", "key", "counts"),
    ("message", "number", "body"),
)
"""Tables with JSON: the column that names a row, and the one with the text."""
_UNREADABLE = (ValueError, KeyError, TypeError, IndexError, AttributeError)
"""The errors of texts that are no statements."""


def _fault_of(sha256: str, length: int, files: FileFolder) -> Message | None:
    try:
        file = files.open(sha256)
    except RegistryUnavailable:
        return message("The file is missing or cannot be read.")
    digest, found = hashlib.sha256(), 0
    for chunk in files.read_chunks(file):
        digest.update(chunk)
        found += len(chunk)
    if found != length:
        return message(
            "The file has {found} bytes instead of {length}.", found=f"{found:,}", length=f"{length:,}"
        )
    if digest.hexdigest() != sha256:
        return message("The file has another content than its name, the SHA-256, says.")
    return None


def _names(database: Database, sha256: str) -> Iterator[str]:
    for table in NAMING:
        for (key,) in database.read(f"SELECT DISTINCT key FROM {table} WHERE sha256 = ?", [sha256]):  # noqa: S608  a constant
            yield key


def _check_record(database: Database, row: dict[str, Any]) -> Iterator[Damage]:
    identifier = row["identifier"]
    try:
        record = read_record(identifier, row["body"], row["stamps"], row["revision"])
        expected = item_of(record)
    except _UNREADABLE as error:
        yield _unreadable(identifier, error)
        return
    stored = {name: str(value) for name, value in row.items() if value is not None}
    differing = sorted(name for name in {*stored, *expected} if stored.get(name) != expected.get(name))
    if differing:
        yield Damage(
            identifier,
            message("{fields}: not the values of its statements.", fields=", ".join(differing)),
            message(_RESTORE),
        )
    for prefix, beginning in listed_beginnings(record) if is_rule_record(identifier) else ():
        if beginning not in SqliteBeginnings(database).beginnings(prefix, beginning, most=1).names:
            yield Damage(
                prefix,
                message("Its rules that begin with {beginning} are not listed.", beginning=beginning),
                message(_RESTORE),
            )
    yield from _check_files(database, identifier, record.entries)


def _check_files(database: Database, place: str, entries: Entries) -> Iterator[Damage]:
    for key, entry in entries.items():
        if key.field != "file" or not isinstance(entry.value, dict):
            continue
        name, version = str(entry.value.get("key")), str(entry.value.get("version"))
        if not database.read("SELECT 1 FROM content WHERE key = ? AND version = ?", [name, version]):
            yield Damage(
                place,
                message("The stored file {key} in version {version} is missing.", key=name, version=version),
                message("Upload {key} again, then the registration that names it.", key=name),
            )


def _unreadable(place: str, error: Exception) -> Damage:
    return Damage(place, message("It cannot be read: {error}", error=repr(error)), message(_RESTORE))
