"""DynamoDB Local, which refuses what AWS refuses; `infra/dynamodb_local` fetches it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError

import pytest

_FETCH = Path(__file__).parents[1] / "infra" / "dynamodb_local"
_START_SECONDS = 20


@contextmanager
def running_dynamodb_local() -> Iterator[str]:
    """Run DynamoDB Local on a free port and give its address; skip, and say why, where it cannot be."""
    java = shutil.which("java")
    if java is None:
        pytest.skip("DynamoDB Local: there is no java here")
    fetched = subprocess.run([_FETCH, "--offline"], capture_output=True, text=True, check=False)  # noqa: S603  our own script
    if fetched.returncode != 0:
        pytest.skip(f"DynamoDB Local: {fetched.stderr.strip()}")
    port = _free_port()
    endpoint = f"http://127.0.0.1:{port}"
    # A short life: what compiles and collects least is ready first.
    flags = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.library.path=./DynamoDBLocal_lib"]
    with subprocess.Popen(  # noqa: S603  what was fetched is pinned by its digest
        [java, *flags, "-jar", "DynamoDBLocal.jar", "-inMemory", "-sharedDb", "-port", str(port)],
        cwd=fetched.stdout.strip(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            _wait_for(endpoint, process)
            yield endpoint
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(endpoint: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urllib.request.urlopen(endpoint, timeout=1).close()  # noqa: S310  the address is ours
        except HTTPError as answer:  # it wants a signature: it is there
            answer.close()
            return
        except OSError:
            time.sleep(0.05)
    pytest.fail("DynamoDB Local did not start")
