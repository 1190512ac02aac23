"""Texts in order, sorted on disk: DynamoDB and two buckets have no common order."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

_PRAGMAS = ("journal_mode = OFF", "synchronous = OFF")
_TABLE = "CREATE TABLE line (one TEXT, other TEXT, body TEXT, PRIMARY KEY (one, other)) WITHOUT ROWID"


def sort_on_disk(lines: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """Yield the texts in the order of their two keys; of those with the same keys, the last one.

    All lines are read before the first text comes. The file is in the folder of temporary files (TMPDIR), as
    large as the lines, and is deleted at the end.
    """
    with (
        TemporaryDirectory(prefix="ginuri-") as folder,
        closing(sqlite3.connect(Path(folder) / "lines.sqlite", check_same_thread=False)) as database,
    ):
        for pragma in _PRAGMAS:
            database.execute(f"PRAGMA {pragma}")
        database.execute(_TABLE)
        database.executemany("INSERT OR REPLACE INTO line VALUES (?, ?, ?)", lines)
        database.commit()
        for (body,) in database.execute("SELECT body FROM line ORDER BY one, other"):
            yield body
