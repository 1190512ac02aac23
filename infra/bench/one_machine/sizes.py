"""The start of `ginuri serve`, and the sizes of a registry folder and of the wheel."""

from __future__ import annotations

import subprocess
import sys
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from infra.bench.dynamodb_local import free_port
from infra.bench.one_machine.servers import serve

WORKERS = 2
_ROOT = Path(__file__).parents[3]
_MOST_SECONDS = 60
_STARTS = 5
_OK = 200
_MIB = 1024 * 1024


def measure_start(registry: Path) -> float:
    """Return the seconds from the start of the command to its first answer, the median of several."""
    return median(_start(registry) for _ in range(_STARTS))


def measure_folder(registry: Path) -> float:
    """Return the MiB of a registry folder."""
    return sum(path.stat().st_size for path in registry.rglob("*") if path.is_file()) / _MIB


def _start(registry: Path) -> float:
    port = free_port()
    started = time.perf_counter()
    command, _ = serve(registry, WORKERS, registry, port, 0)
    with subprocess.Popen(  # noqa: S603  our own command
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            while time.perf_counter() < started + _MOST_SECONDS and process.poll() is None:
                if _is_ready(port):
                    return time.perf_counter() - started
                time.sleep(0.005)
        finally:
            process.terminate()
    raise RuntimeError(f"{process.args!r} did not start")


def _is_ready(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=_MOST_SECONDS)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == _OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def weigh_wheel() -> float:
    """Build the wheel of the last commit, and return its MiB."""
    with TemporaryDirectory() as folder:
        archive = subprocess.run(["git", "archive", "HEAD"], check=True, capture_output=True, cwd=_ROOT)  # noqa: S607  git of the developer
        subprocess.run(["tar", "-x", "-C", folder], check=True, input=archive.stdout)  # noqa: S603, S607  our own files
        pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", "--wheel-dir", folder, folder], check=True)  # noqa: S603  pip of this environment
        [wheel] = Path(folder).glob("*.whl")
        return wheel.stat().st_size / _MIB
