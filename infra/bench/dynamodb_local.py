"""DynamoDB Local, which refuses the same calls as AWS; `infra/dynamodb_local` fetches it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError

_FETCH = Path(__file__).parents[1] / "dynamodb_local"
_START_SECONDS = 20


class NotHere(Exception):
    """Raised when a program of a measurement cannot run on this machine, with the reason."""


@dataclass(frozen=True, slots=True)
class DynamoDBLocal:
    """A running DynamoDB Local."""

    endpoint: str
    process: int
    """The id of its process."""


@contextmanager
def running_dynamodb_local(*, is_brief: bool = True) -> Iterator[DynamoDBLocal]:
    """Run DynamoDB Local on a free port as long as the block lasts. Raises NotHere."""
    java = shutil.which("java")
    if java is None:
        raise NotHere("DynamoDB Local: there is no java here")
    fetched = subprocess.run([_FETCH, "--offline"], capture_output=True, text=True, check=False)  # noqa: S603  our own script
    if fetched.returncode != 0:
        raise NotHere(f"DynamoDB Local: {fetched.stderr.strip()}")
    port = free_port()
    endpoint = f"http://127.0.0.1:{port}"
    # For a short run, the settings with the least compilation and garbage collection start fastest.
    brief = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"] if is_brief else []
    flags = [*brief, "-Djava.library.path=./DynamoDBLocal_lib"]
    with subprocess.Popen(  # noqa: S603  the fetched program is pinned by its digest
        [java, *flags, "-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb", "-port", str(port)],
        cwd=fetched.stdout.strip(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            _wait_for(endpoint, process)
            yield DynamoDBLocal(endpoint, process.pid)
        finally:
            process.terminate()


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(endpoint: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(endpoint, timeout=1).close()  # noqa: S310  our own address
        except HTTPError as answer:  # it requires a signature, of any content
            answer.close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError("DynamoDB Local did not start")
