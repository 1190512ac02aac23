"""The registries for tests of behaviour that must not depend on the store: in memory, and in SQLite."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from ginuri.memory import MemoryRegistry
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.database import Database
from ginuri.sqlite.members import SqliteMemberLister
from ginuri.sqlite.records import SqliteRegistry


class WholeSqliteRegistry(SqliteRegistry, SqliteMemberLister, SqliteArchive):
    """Reads, writes, lists and archives records, like the registry in memory."""


WholeRegistry = MemoryRegistry | WholeSqliteRegistry
NewRegistry = Callable[[], WholeRegistry]


def new_sqlite_registry() -> WholeSqliteRegistry:
    """Return an empty registry in a folder that is deleted with it."""
    folder = Path(tempfile.mkdtemp(prefix="ginuri-"))
    database = Database(folder)
    weakref.finalize(database, shutil.rmtree, folder, ignore_errors=True)
    return WholeSqliteRegistry(database)


on_every_registry = pytest.mark.parametrize(
    "new_registry", [MemoryRegistry, new_sqlite_registry], ids=["memory", "sqlite"]
)
"""Runs a test on a new registry of each kind."""
