"""Publishes a registry folder, in a process of its own: `python -m ginuri.server.publication FOLDER`.

A publication reads the whole registry, so that uploads and answers should wait neither for its time nor for
its memory.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from ginuri.identifiers.service_paths import TESTS
from ginuri.publishing.flow import MOST_SUMMARIES, publish
from ginuri.publishing.search_index.index_writer import IndexWriter
from ginuri.sqlite.archive import SqliteArchive
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.news import News
from ginuri.sqlite.published import SqlitePublishedStore, SqliteSummaries
from ginuri.sqlite.records import SqliteReader
from ginuri.sqlite.settings import CANONICAL_HOST, Settings

if TYPE_CHECKING:
    from ginuri.published.publications import Publication

KEPT = timedelta(minutes=1)
"""The time for which an old run is kept: on one machine, readers see the new one at once."""


def publish_folder(folder: Path) -> Publication:
    """Publish a registry folder. Raises RegistryUnavailable; the previous publication then stays current."""
    with closing(Database(folder)) as database:
        files, news = FileFolder(folder), News(database)
        newest, moment = news.newest(), news.now()
        publication = publish(
            SqliteArchive(database),
            SqliteSummaries(database, files).newest(MOST_SUMMARIES),
            SqlitePublishedStore(database, files),
            Settings(database).get(CANONICAL_HOST) or "",
            make_index=IndexWriter,
            kept=KEPT,
            reader=SqliteReader(database),
        )
        news.note_published(newest, moment)
        return publication


def start_publication(folder: Path) -> subprocess.Popen[bytes]:
    """Start a process that publishes a registry folder and writes a line to the log."""
    command = [sys.executable, "-m", __spec__.name, str(folder)]
    # In a group of its own: Ctrl-C is for the server, which ends its children.
    return subprocess.Popen(command, process_group=0)  # noqa: S603  our own module


def main(folder: str) -> None:
    """Publish a folder, and write the figures of the run as one line."""
    # An exit by an exception removes the temporary files.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.nice(5)  # uploads come first
    started = time.perf_counter()
    publication = publish_folder(Path(folder))
    line = {
        "function": "publish",
        "duration": round((time.perf_counter() - started) * 1000, 3),
        "run": publication.run,
        "published": publication.records,
        "tests_failed": publication.files[TESTS].lines,
    }
    sys.stdout.write(f"{json.dumps(line)}\n")


if __name__ == "__main__":
    main(sys.argv[1])
