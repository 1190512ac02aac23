"""A registry in a folder, with its server: uploads by `ginuri apply`, requests over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Thread
from typing import Any

CANONICAL_HOST = "id.example.org"
_GINURI = (sys.executable, "-m", "ginuri.cli")
_PATIENCE = 60.0


@dataclass(frozen=True, slots=True)
class Received:
    """The head of an answer."""

    status: int
    location: str


class MeasuredRegistry:
    """A registry that is served on this machine."""

    def __init__(self, folder: Path, port: int) -> None:
        """Take the folder of a served registry."""
        self._folder = folder
        self.port = port
        self._connection: HTTPConnection | None = None

    def upload(self, file: Path, under: str) -> dict[str, Any]:
        """Upload a file, and return its report."""
        options = ("--under", under, "--registry", str(self._folder), "--yes", "--many", "--json")
        written = run_command("upload", str(file), *options, "--wait", "3600")
        report: dict[str, Any] = json.loads(written)
        return report

    def ask(self, host: str, target: str, **headers: str) -> Received:
        """Send a GET for a path with a query, as it is written, and return the head of the answer."""
        for _ in range(2):  # a kept connection may have been closed
            connection = self._connection or HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
            try:
                connection.putrequest("GET", target, skip_host=True, skip_accept_encoding=True)
                for name, value in {"Host": host, **headers}.items():
                    connection.putheader(name, value)
                connection.endheaders()
                response = connection.getresponse()
                response.read()
            except (HTTPException, OSError):
                connection.close()
                self._connection = None
                continue
            self._connection = connection
            return Received(response.status, response.headers.get("Location", ""))
        return Received(0, "")


def run_command(*arguments: str) -> str:
    """Run `ginuri`, and return its standard output. Raises RuntimeError if it could not be carried out."""
    command = [*_GINURI, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  our own command
    if done.returncode not in {0, 1}:
        raise RuntimeError(done.stderr)
    return done.stdout


@contextmanager
def served(folder: Path) -> Iterator[MeasuredRegistry]:
    """Serve an empty registry in a folder on a free port, until the end of the block."""
    options = ("--port", "0", "--workers", "1", "--canonical-host", CANONICAL_HOST)
    with subprocess.Popen(  # noqa: S603  our own command
        [*_GINURI, "serve", str(folder), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield MeasuredRegistry(folder, _read_port(process))
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _read_port(process: subprocess.Popen[str]) -> int:
    if process.stdout is None:
        raise TypeError("The output of the server is not read.")
    seen: list[str] = []
    for line in process.stdout:
        seen.append(line)
        if line.startswith("ready "):
            # The rest of its output must not fill the pipe.
            Thread(target=process.stdout.read, daemon=True).start()
            return int(line.rpartition(":")[2])
    raise RuntimeError("".join(seen))
