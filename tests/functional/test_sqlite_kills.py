"""Processes that write a registry folder, killed by SIGKILL at any moment or two at once: nothing is lost."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ginuri.memory import MemoryRegistry
from ginuri.sqlite.database import Database
from tests.registries import WholeRegistry, WholeSqliteRegistry
from tests.sqlite_writer import DOC, SHARED, names_of, register

pytestmark = pytest.mark.untraced

ROUNDS = 30
MOST = 1_000_000
PROGRAM = Path(__file__).parents[1] / "sqlite_writer.py"


def _start(folder: Path, writer: str, first: int, last: int, *how: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(PROGRAM), str(folder), writer, str(first), str(last), *how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603  our own program


def _kill_after(process: subprocess.Popen[str], batches: int, seconds: float) -> int:
    """Kill a process some time after it committed some batches; return the last one that it printed."""
    assert process.stdout
    lines = [process.stdout.readline() for _ in range(batches)]
    time.sleep(seconds)
    process.kill()
    lines += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    return int(next(line for line in reversed(lines) if line.endswith("\n")))


def _contents(registry: WholeRegistry) -> dict[str, Any]:
    """Return every record with its revision and history."""
    names = [name for name, _ in registry.standing("")]
    return {
        name: (record.revision, record.entries, registry.history(name))
        for name in names
        for record in registry.read([name]).values()
    }


def test_a_killed_writer_loses_no_commit_and_repeats_none(tmp_path: Path) -> None:
    random = Random(48)  # noqa: S311  repeatable by its seed
    folder, expected, printed, written = tmp_path / "registry", MemoryRegistry(), 0, 0
    survivor: Database | None = None
    for _ in range(ROUNDS):
        # The last batch is delivered again, like an upload whose ingest was killed.
        process = _start(folder, "a", printed, MOST, "together")
        printed = _kill_after(process, random.randrange(2, 8), random.uniform(0, 0.01))

        # Without a survivor, the next process recovers the log.
        survivor = Database(folder) if random.random() < 0.5 else None
        reader = survivor or Database(folder)
        committed = WholeSqliteRegistry(reader).count(f"{DOC}a", MOST)
        assert committed in {printed + 1, printed + 2}
        assert reader.read("PRAGMA integrity_check") == [("ok",)]
        for number in range(written, committed):
            for name in names_of("a", number):
                register(expected, name, "a", number)
        written = committed
        del reader

    assert _contents(WholeSqliteRegistry(Database(folder))) == _contents(expected)


def test_two_writers_at_once_lose_no_update(tmp_path: Path) -> None:
    batches = 60
    Database(tmp_path)

    writers = [_start(tmp_path, writer, 0, batches) for writer in "ab"]
    printed = [process.communicate()[0].split() for process in writers]

    assert printed == [list(map(str, range(batches)))] * 2
    registry = WholeSqliteRegistry(Database(tmp_path))
    assert registry.count(DOC, MOST) == SHARED + 2 * batches
    records = registry.read([f"{DOC}{number}/" for number in range(SHARED)])
    assert sum(record.revision for record in records.values()) == 2 * 2 * batches
    steps = [
        statement for name in records for statement in registry.history(name).statements if statement.value
    ]
    titles = {str(each.value) for each in steps if each.key.field == "title"}
    assert titles == {f"{writer} {number}" for writer in "ab" for number in range(batches)}
