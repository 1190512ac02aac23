"""A registry folder that is full, locked, damaged or forbidden: RegistryUnavailable with the way out."""

from __future__ import annotations

import os
import resource
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.sqlite.database import FILE, Database
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.records import SqliteRegistry
from tests.builders import MAP, changed, register, stamp

NOBODY = 65_534
LARGE = "x" * 60_000


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """A database with one record."""
    database = Database(tmp_path / "registry")
    register(SqliteRegistry(database), MAP, 1, title={"en": "Map"})
    return database


@contextmanager
def _limited_files(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _unprivileged() -> Iterator[None]:
    """Act as a user whom the modes of files concern."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def _fill(registry: SqliteRegistry, refusal: str) -> int:
    """Register identifiers until one is refused; return their number."""
    for number in range(1_000):
        try:
            register(registry, f"uri-gin/azgs/doc/{number}", 1, description={"en": LARGE})
        except RegistryUnavailable as full:
            assert refusal in str(full)  # noqa: PT017  the number is needed
            return number
    raise AssertionError("the disk is large")


def _assert_whole(database: Database, number: int) -> None:
    """Assert that a registry has these records, and that more can be written."""
    assert database.read("PRAGMA integrity_check") == [("ok",)]
    assert SqliteMemberLister(database).count("uri-gin/azgs/doc/", 10_000) == number + 1
    register(SqliteRegistry(database), "uri-gin/azgs/doc/last", 1, description={"en": LARGE})


def test_a_full_database_refuses_a_record_and_loses_none(database: Database) -> None:
    database.connection.execute("PRAGMA max_page_count = 1000")

    number = _fill(SqliteRegistry(database), "is full, and nothing was written: free some space")

    assert number > 10
    database.connection.execute("PRAGMA max_page_count = 100000")
    _assert_whole(database, number)


def test_a_quota_of_the_disk_refuses_a_record_and_loses_none(database: Database) -> None:
    with _limited_files(2_000_000):
        number = _fill(SqliteRegistry(database), "check its disk, free space and quota")

    assert number > 10
    _assert_whole(database, number)
    _assert_whole(Database(database.folder), number + 1)


def test_a_batch_on_a_full_disk_is_rolled_back_as_a_whole(database: Database) -> None:
    registry = SqliteRegistry(database)
    database.connection.execute("PRAGMA max_page_count = 1000")

    with pytest.raises(RegistryUnavailable, match="is full"):
        database.map_together(
            lambda number: register(registry, f"uri-gin/azgs/doc/{number}", 1, description={"en": LARGE}),
            range(200),
        )

    assert not database.connection.in_transaction
    assert SqliteMemberLister(database).members("uri-gin/azgs/doc/").names == (MAP,)


def test_a_writer_that_waits_too_long_names_the_other_process(database: Database) -> None:
    other = Database(database.folder, wait_seconds=0.01)

    with database.write(), pytest.raises(RegistryUnavailable, match="another process is writing to"):
        SqliteRegistry(other).write(changed("uri-gin/azgs/doc/1", 1))

    SqliteRegistry(other).write(changed("uri-gin/azgs/doc/1", 1))


@pytest.mark.parametrize(
    "damage", [b"This is a text, not a database. " * 200, b"SQLite format 3\0" + b"\xff" * 8_000]
)
def test_a_file_that_is_no_database_is_named_as_damaged(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / FILE).write_bytes(damage)

    with pytest.raises(RegistryUnavailable, match=r"is damaged \(.*\): restore a backup"):
        Database(tmp_path)

    assert (tmp_path / FILE).read_bytes() == damage


def test_a_damaged_page_is_an_unavailable_registry(database: Database) -> None:
    database.close()
    file = database.folder / FILE
    whole = file.read_bytes()
    file.write_bytes(whole[:4_096] + b"\xaa" * (len(whole) - 4_096))

    with pytest.raises(RegistryUnavailable, match="is damaged"):
        SqliteRegistry(database).fetch([MAP])


def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR | stat.S_IROTH | stat.S_IXOTH)
    for above in list(tmp_path.parents)[:2]:
        above.chmod(above.stat().st_mode | stat.S_IXOTH | stat.S_IXGRP)

    with _unprivileged(), pytest.raises(RegistryUnavailable, match="make it and its files writable"):
        Database(tmp_path / "registry")


def test_a_database_that_may_not_be_written_is_still_read(database: Database) -> None:
    database.connection.execute("PRAGMA query_only = ON")
    registry = SqliteRegistry(database)

    with pytest.raises(RegistryUnavailable, match="make it and its files writable"):
        register(registry, MAP, 2, title={"en": "Chart"})

    assert registry.read([MAP])[MAP].latest == stamp(1)


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "registry").write_text("")

    with pytest.raises(RegistryUnavailable, match="registry cannot be read or written"):
        Database(tmp_path / "registry")


def test_a_folder_in_place_of_the_database_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()

    with pytest.raises(RegistryUnavailable, match="make it and its files writable"):
        Database(tmp_path)


def test_a_closed_connection_is_a_fault_of_the_program(database: Database) -> None:
    database.connection.close()

    with pytest.raises(sqlite3.ProgrammingError):
        database.data_version()
