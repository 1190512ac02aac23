"""`ginuri serve` as a process, and uploads to its folder."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

from ginuri.files.reports.report import report_key
from ginuri.files.reports.summary import summary_key
from ginuri.sqlite.database import Database
from ginuri.sqlite.files import FileFolder
from ginuri.sqlite.uploads import SqliteUploads

PATIENCE = 60.0
_READY = re.compile(r"Reports are at (?P<reports>\S+)\.\n.*ready http://\S+:(?P<port>\d+)\n", re.DOTALL)
Seen = TypeVar("Seen")


@dataclass(frozen=True)
class Answer:
    """An answer, its header names in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class OneMachine:
    """A running server."""

    folder: Path
    process: subprocess.Popen[str]
    port: int
    reports: str

    def ask(self, target: str, method: str = "GET", body: bytes | None = None, **headers: str) -> Answer:
        """Send a request with its target as it is, over a connection of its own."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            connection.putrequest(method, target, skip_host="Host" in headers, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name.replace("_", "-"), value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            fields = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, fields, response.read())

    def send_raw(self, sent: bytes, client: str = "127.0.0.1") -> bytes:
        """Send bytes, and return all that comes until the server closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), 30, (client, 0)) as connection:
            connection.sendall(sent)
            return b"".join(iter(lambda: connection.recv(65_536), b""))

    def upload(self, key: str, body: bytes) -> Mapping[str, Any]:
        """Upload a file as a command does, and return its report."""
        with closing(Database(self.folder)) as database:
            uploads = SqliteUploads(database, FileFolder(self.folder))
            upload = uploads.put(key, body, {})
            wait_for(lambda: uploads.reported(summary_key(key, upload.version)))
            report: dict[str, Any] = json.loads(uploads.reported(report_key(key, upload.version)) or b"")
            return report

    def register(self, key: str, *rows: Mapping[str, object]) -> None:
        """Upload registrations; all must be accepted."""
        report = self.upload(key, "".join(f"{json.dumps(row)}\n" for row in rows).encode())
        assert report["counts"]["refused"] == 0, report

    def children(self) -> list[int]:
        """Return the processes that the server started and that still run."""
        command = ["/bin/ps", "-A", "-o", "pid=,ppid=,stat="]
        listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout  # noqa: S603  constant
        rows = [line.split() for line in listed.splitlines()]
        return [
            int(pid) for pid, parent, state in rows if int(parent) == self.process.pid and "Z" not in state
        ]

    def kill(self) -> None:
        """Kill all processes of the server, and wait until they have ended."""
        children = self.children()
        self.process.kill()
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self.process.wait()
        wait_for(lambda: not any(map(runs, children)))

    @property
    def log(self) -> str:
        """Everything that the server wrote to standard output and standard error."""
        return (self.folder.parent / f"{self.folder.name}.log").read_text(encoding="utf-8")


def wait_for(look: Callable[[], Seen | None], seconds: float = PATIENCE) -> Seen:
    """Return what `look` returns as soon as it is true."""
    end = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < end, f"not after {seconds} seconds"
        time.sleep(0.01)
    return seen


def runs(process: int) -> bool:
    """Return whether a process has not ended; one that nobody has waited for yet has."""
    command = ["/bin/ps", "-o", "stat=", "-p", str(process)]
    state = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()  # noqa: S603  a number
    return state != "" and "Z" not in state


@contextmanager
def serving(folder: Path, *options: str) -> Iterator[OneMachine]:
    """Run `ginuri serve` on any free port until the end of the block."""
    file = folder.parent / f"{folder.name}.log"
    with file.open("w", encoding="utf-8") as log:
        process = start(folder, log, *options)

    def read_ready() -> re.Match[str] | None:
        assert process.poll() is None, file.read_text(encoding="utf-8")
        return _READY.search(file.read_text(encoding="utf-8"))

    try:
        ready = wait_for(read_ready)
        yield OneMachine(folder, process, int(ready["port"]), ready["reports"])
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


def start(folder: Path, log: IO[str], *options: str) -> subprocess.Popen[str]:
    """Start `ginuri serve` on any free port."""
    command = [sys.executable, "-m", "ginuri.cli", "serve", str(folder), "--port", "0", *options]
    environment = {**os.environ, "LANGUAGE": "en"}
    return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, text=True, env=environment)  # noqa: S603  the command under test
