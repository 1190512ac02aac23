"""A process that registers one batch after the other, and prints the number of each that it committed.

    python tests/sqlite_writer.py FOLDER WRITER FIRST LAST [together]

`together` commits each batch at once; otherwise each record is read and written on its own, so that writers
come into conflict.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from ginuri.identifiers.errors import RevisionConflict
from ginuri.registry.ports import Registry
from ginuri.registry.record.history import apply_with_history
from ginuri.registry.record.record import Record
from ginuri.registry.record.serialization import read_statements
from ginuri.registry.record.stamps import Stamp
from ginuri.sqlite.database import Database
from ginuri.sqlite.records import SqliteRegistry

DOC = "uri-gin/azgs/doc/"
SHARED = 5
"""The number of identifiers that every batch may change."""


def names_of(writer: str, number: int) -> Sequence[str]:
    """Return the identifiers of a batch: a new one, and two of those that change again and again."""
    return f"{DOC}{writer}{number}/", f"{DOC}{number % SHARED}/", f"{DOC}{(number + 2) % SHARED}/"


def register(registry: Registry, name: str, writer: str, number: int) -> None:
    """Register the title that a batch gives an identifier."""
    stamp = Stamp(f"2026-07-01T12:00:00.{number % 1000:03d}Z", f"{DOC}{writer}.csv", f"v{number:06d}", 1)
    title = read_statements([(("title", "en"), f"{writer} {number}")])
    while True:
        before = registry.read([name]).get(name, Record(name, {}))
        change = apply_with_history(before, title, stamp, lambda: registry.history(name))
        try:
            if change.touches:
                registry.write(change)
        except RevisionConflict:
            continue
        return


def _run(folder: str, writer: str, first: str, last: str, *together: str) -> None:
    database = Database(Path(folder))
    registry = SqliteRegistry(database)
    mapper = database.map_together if together else map
    for number in range(int(first), int(last)):
        list(mapper(lambda name: register(registry, name, writer, number), names_of(writer, number)))  # noqa: B023  called at once
        print(number, flush=True)  # noqa: T201  read by the test


if __name__ == "__main__":
    _run(*sys.argv[1:])
