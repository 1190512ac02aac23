"""`python folder_processes.py NAME FOLDER` runs one of these functions: processes that tests start, and kill.

They write lines to the standard output, and wait for lines on the standard input.
"""

from __future__ import annotations

import resource
import signal
import sys
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from ginuri.identifiers.errors import RegistryUnavailable
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.lock import IngestLock
from ginuri.sqlite.queue import SqliteQueue
from ginuri.sqlite.uploads import SqliteUploads

KEY = "uri-gin/azgs/wells.csv"
MEGABYTE = 1024 * 1024
LARGE = [bytes([number]) * 70_000 for number in range(3)]
"""Contents of reports that have no place in their rows."""


def store_slowly(folder: Path) -> None:
    """Write a content up to its first chunk, and wait."""

    def chunks() -> Iterator[bytes]:
        yield bytes(MEGABYTE)
        write("one chunk is written")
        wait()

    with FileFolder(folder).receive(chunks()):
        pass


def fill_the_disk(folder: Path) -> None:
    """Upload a large file, at once and in small chunks, and a small file to a disk with a megabyte."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    files = FileFolder(folder)
    uploads = SqliteUploads(Database(folder), files)
    resource.setrlimit(resource.RLIMIT_FSIZE, (MEGABYTE, MEGABYTE))
    try:
        uploads.put(KEY, bytes(3 * MEGABYTE), {})
    except RegistryUnavailable as error:
        write(str(error))
    try:
        with files.receive(bytes(1_000) for _ in range(3_000)):
            write("stored")
    except RegistryUnavailable as error:
        write(str(error))
    uploads.put(KEY, b"small", {})
    write("uploaded")


def upload_often(folder: Path) -> None:
    """Upload an empty file forty times."""
    uploads = SqliteUploads(Database(folder), FileFolder(folder))
    write("ready")
    wait()
    for _ in range(40):
        write(uploads.put(KEY, b"", {}).put)


def work_without_end(folder: Path) -> None:
    """Upload files of several sizes, replace reports, and finish messages, until killed."""
    database = Database(folder)
    uploads, queue = SqliteUploads(database, FileFolder(folder)), SqliteQueue(database)
    number = 0
    while True:
        number += 1
        upload = uploads.put(f"{KEY}/{number % 7}", b"%d" % number * (number * 7_919 % 40_000), {})
        write(f"put {upload.version}")
        uploads.report(f"report/{number % 3}", b"%d" % number * (number * 104_729 % 50_000))
        if number % 2 and (received := queue.receive(60)):
            write(f"finishing {received.number}")
            queue.done(received.number)


def replace_reports(folder: Path) -> None:
    """Write a report of one of three large contents, and a small one over it, until killed."""
    uploads = SqliteUploads(Database(folder), FileFolder(folder))
    for number in count():
        uploads.report("report", LARGE[number % 3])
        uploads.report("report", b"small")
        if not number:
            write("ready")


def receive_all(folder: Path) -> None:
    """Receive messages until none is due."""
    queue = SqliteQueue(Database(folder))
    write("ready")
    wait()
    while received := queue.receive(60):
        write(received.body)
        time.sleep(0.001)  # for the other consumer
    write("end")


def hold_the_lock(folder: Path) -> None:
    """Acquire the lock of ingest, and wait."""
    write(str(IngestLock(folder).acquire()))
    wait()


def write(line: str) -> None:
    """Write a line for the test."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def wait() -> None:
    """Wait for a line of the test."""
    sys.stdin.readline()


if __name__ == "__main__":
    globals()[sys.argv[1]](Path(sys.argv[2]))
