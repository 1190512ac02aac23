"""The database of a registry folder: transactions, scans, connections of threads and forked processes."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.sqlite.database import FILE, Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.records import SqliteRegistry
from ginuri.sqlite.uploads import SqliteUploads
from tests.builders import MAP, register

THREADS = 8
_INSERT = "INSERT INTO setting VALUES (?, ?)"


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """A new database."""
    return Database(tmp_path / "registry")


def _set(database: Database, name: str, value: str = "x") -> None:
    with database.write() as connection:
        connection.execute(_INSERT, (name, value))


def _set_and_fail(database: Database, name: str) -> None:
    with database.write():
        _set(database, name)
        raise KeyError


def _names(database: Database) -> list[str]:
    return [name for (name,) in database.read("SELECT name FROM setting ORDER BY name")]


def _open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


# -- transactions


def test_a_transaction_is_visible_to_others_after_its_end(database: Database) -> None:
    other = Database(database.folder)
    before = other.data_version()

    with database.write() as connection:
        connection.execute(_INSERT, ("a", "x"))
        assert _names(database) == ["a"]
        assert _names(other) == []
        assert other.data_version() == before

    assert _names(other) == ["a"]
    assert other.data_version() != before


def test_an_exception_rolls_a_transaction_back(database: Database) -> None:
    with pytest.raises(KeyError):
        _set_and_fail(database, "a")

    assert _names(database) == []
    _set(database, "b")
    assert _names(Database(database.folder)) == ["b"]


def test_a_failed_inner_transaction_is_rolled_back_alone(database: Database) -> None:
    with database.write():
        _set(database, "before")
        with pytest.raises(KeyError):
            _set_and_fail(database, "inner")
        _set(database, "after")

    assert _names(Database(database.folder)) == ["after", "before"]


def test_a_failed_batch_writes_none_of_its_values(database: Database) -> None:
    def set_or_fail(name: str) -> None:
        _set(database, name)
        if name == "c":
            raise KeyError

    with pytest.raises(KeyError):
        database.map_together(set_or_fail, "abcd")
    assert _names(database) == []

    assert list(database.map_together(lambda name: _set(database, name), "abd")) == [None] * 3
    assert _names(Database(database.folder)) == ["a", "b", "d"]


def test_a_broken_constraint_is_not_an_unavailable_registry(database: Database) -> None:
    _set(database, "a")

    with pytest.raises(sqlite3.IntegrityError):
        _set(database, "a")
    with pytest.raises(sqlite3.OperationalError, match="no such column"):
        database.read("SELECT title FROM setting")

    assert _names(database) == ["a"]


def test_a_commit_is_synced_to_the_disk(database: Database) -> None:
    assert database.read("PRAGMA journal_mode") == [("wal",)]
    assert database.read("PRAGMA synchronous") == [(2,)]


# -- scans


def test_a_scan_reads_one_moment_while_others_write(database: Database) -> None:
    for name in "abc":
        _set(database, name)

    rows = database.scan("SELECT name FROM setting ORDER BY name")
    first = next(rows)
    _set(database, "d")

    assert [first, *rows] == [("a",), ("b",), ("c",)]
    assert _names(database) == ["a", "b", "c", "d"]


def test_an_abandoned_scan_closes_its_connection(database: Database) -> None:
    _set(database, "a")
    before = _open_files()

    for _ in range(10):
        assert next(database.scan("SELECT name FROM setting")) == ("a",)

    # SQLite keeps the last one: closing it would release the locks of the other connections.
    assert _open_files() <= before + 1


# -- threads


def test_threads_read_while_one_writes(database: Database) -> None:
    is_written = threading.Event()

    def read_on() -> int:
        seen = 0
        while not is_written.is_set():
            number = len(_names(database))
            assert number >= seen
            seen = number
        return len(_names(database))

    with ThreadPoolExecutor(THREADS) as readers:
        reading = [readers.submit(read_on) for _ in range(THREADS)]
        for number in range(100):
            _set(database, f"{number:03}")
        is_written.set()

    assert [each.result() for each in reading] == [100] * THREADS


def test_the_transactions_of_threads_follow_each_other(database: Database) -> None:
    _set(database, "count", "0")

    def add() -> None:
        with database.write() as connection:
            count = connection.execute("SELECT value FROM setting").fetchone()[0]
            connection.execute("UPDATE setting SET value = ?", (int(count) + 1,))

    with ThreadPoolExecutor(THREADS) as writers:
        for done in [writers.submit(add) for _ in range(200)]:
            done.result()

    assert database.read("SELECT value FROM setting") == [("200",)]


def test_a_writer_finds_its_turn_between_the_batches_of_another(database: Database) -> None:
    is_begun, is_done = threading.Event(), threading.Event()

    def take_long(_: object) -> None:
        is_begun.set()
        is_done.wait(0.13)

    def write_batches() -> None:
        while not is_done.is_set():
            database.map_together(take_long, [None])

    with ThreadPoolExecutor(1) as writer:
        batches = writer.submit(write_batches)
        began = time.monotonic()
        try:
            for number in range(5):
                is_begun.clear()
                is_begun.wait()
                _set(database, str(number))
            waited = time.monotonic() - began
        finally:
            is_done.set()
        batches.result()

    assert waited < 5  # each waits for one batch, or a few


def test_the_connection_of_a_thread_is_closed_with_it(database: Database) -> None:
    before = _open_files()

    for _ in range(50):
        thread = threading.Thread(target=database.data_version)
        thread.start()
        thread.join()

    assert _open_files() == before


def test_closing_a_database_closes_the_connections_of_all_threads(database: Database) -> None:
    with ThreadPoolExecutor(THREADS) as threads:
        barrier = threading.Barrier(THREADS)
        list(threads.map(lambda _: (database.data_version(), barrier.wait()), range(THREADS)))
        database.close()

        assert list(database.folder.iterdir()) == [database.folder / FILE]
        assert threads.submit(_names, database).result() == []


# -- processes


def _in_child(run: Callable[[], str]) -> str:
    """Run a function in a forked process, and return its text."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            text = run()
        except BaseException as error:  # noqa: BLE001  the child ends here
            text = repr(error)
        os.write(write, text.encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as told:
        text = told.read()
    os.waitpid(child, 0)
    return text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_a_forked_process_never_uses_an_inherited_connection(database: Database) -> None:
    _set(database, "a")

    assert "fork first" in _in_child(lambda: str(_names(database)))
    assert "fork first" in _in_child(lambda: str(_names(Database(database.folder))))
    assert _names(database) == ["a"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no forks")
def test_a_database_that_was_closed_before_a_fork_opens_again(database: Database) -> None:
    _set(database, "a")
    database.close()

    def set_and_list() -> str:
        _set(database, "b")
        return " ".join(_names(database))

    assert _in_child(set_and_list) == "a b"
    assert _names(database) == ["a", "b"]


_OPEN = """
import sys, time
from pathlib import Path
from ginuri.sqlite.database import Database
sys.stdin.readline()
database = Database(Path(sys.argv[1]))
with database.write() as connection:
    connection.execute("INSERT INTO setting VALUES (?, '')", (sys.argv[2],))
"""


def test_several_processes_create_one_registry_together(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _OPEN, str(tmp_path / "a" / "registry")]
    processes = [
        subprocess.Popen([*command, str(number)], stdin=subprocess.PIPE, text=True)  # noqa: S603  our own program
        for number in range(6)
    ]
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.close()

    assert [process.wait() for process in processes] == [0] * 6
    assert len(_names(Database(tmp_path / "a" / "registry"))) == 6


# -- files that are no registry


def test_the_database_of_a_newer_version_is_refused(database: Database) -> None:
    database.connection.execute("PRAGMA user_version = 99")

    with pytest.raises(RegistryUnavailable, match=r"version 99 .* newer than this ginuri: update it"):
        Database(database.folder)


def test_the_database_of_an_older_version_gets_the_tables_that_it_lacks(database: Database) -> None:
    register(SqliteRegistry(database), MAP, title={"en": "Map"})
    with database.write() as connection:
        connection.execute("DROP TABLE rule_record")
        connection.execute("DROP TABLE beginning")
        connection.execute("ALTER TABLE upload DROP COLUMN identity")
        connection.execute("PRAGMA user_version = 1")
    database.close()

    newer = SqliteRegistry(Database(database.folder))

    assert newer.beginnings("uri-gin/azgs/").names == ()
    assert newer.read([MAP, "rules uri-gin/"]).keys() == {MAP}


def test_uploads_of_an_older_version_are_kept_without_an_identity(database: Database) -> None:
    SqliteUploads(database, FileFolder(database.folder)).put(MAP, b"{}", {"reason": "first"})
    with database.write() as connection:
        connection.execute("ALTER TABLE upload DROP COLUMN identity")
        connection.execute("PRAGMA user_version = 2")
    database.close()

    uploads = SqliteUploads(Database(database.folder), FileFolder(database.folder))
    uploads.put(MAP, b"{}", {}, "local:jane")

    newer, older = uploads.versions(MAP)
    assert (newer.identity, older.identity, older.metadata) == ("local:jane", "", {"reason": "first"})


def test_the_database_of_another_program_is_refused_unchanged(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("CREATE TABLE song (title TEXT)")
    connection.close()
    before = (tmp_path / FILE).read_bytes()

    with pytest.raises(RegistryUnavailable, match="is not of ginuri: choose another folder"):
        Database(tmp_path)

    assert (tmp_path / FILE).read_bytes() == before
