"""AWS's own runtime interface emulator, from the aws-sam-cli wheel, around one built function."""

from __future__ import annotations

import json
import os
import platform
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

_INVOKE = "/2015-03-31/functions/function/invocations"
_PATIENCE = 30
"""Seconds that the emulator may take to listen, and the function to answer."""


def find_emulator(root: Path) -> Path | None:
    """Return the emulator for this machine from `.venv-sam`; None if `make build` never ran."""
    machine = {"aarch64": "arm64"}.get(platform.machine(), platform.machine())
    return next(root.glob(f".venv-sam/lib/*/site-packages/samcli/local/rapid/aws-lambda-rie-{machine}"), None)


@dataclass(frozen=True)
class BuiltFunction:
    """A built function of `make build`: the folder of its code, those of its layers, its environment."""

    handler: str
    task: Path
    layers: Sequence[Path]
    variables: Mapping[str, str]


class Emulated:
    """A function that waits under the emulator at a port of this machine."""

    def __init__(self, port: int) -> None:
        self._port = port

    def invoke(self, event: Mapping[str, Any]) -> dict[str, Any]:
        """Send an event, and return the answer of the function or its failure."""
        connection = HTTPConnection("127.0.0.1", self._port, timeout=_PATIENCE)
        try:
            connection.request("POST", _INVOKE, json.dumps(event))
            answer: dict[str, Any] = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        return answer


@contextmanager
def emulated(
    emulator: Path,
    function: BuiltFunction,
    *,
    python: Path = Path(sys.executable),
    log: Path = Path(os.devnull),
) -> Iterator[Emulated]:
    """Run a built function like Lambda: its own code first on the path, then the `python/` of its layers.

    boto3 and the runtime's client, which Lambda provides, come from the interpreter `python`. Output goes to
    the end of the file `log`. Raises RuntimeError or TimeoutError if the emulator does not start.
    """
    outer, inner = _free_port(), _free_port()
    command = [str(emulator), "--log-level", "error"]
    command += ["--runtime-interface-emulator-address", f"127.0.0.1:{outer}"]
    command += ["--runtime-api-address", f"127.0.0.1:{inner}"]
    command += [str(python), "-m", "awslambdaric", function.handler]
    path = os.pathsep.join(
        str(folder) for folder in (function.task, *(layer / "python" for layer in function.layers))
    )
    # The artefact must stay unchanged: the interpreter here need not be the runtime's.
    surroundings = {"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1"}
    with log.open("ab") as output:
        process = subprocess.Popen(  # noqa: S603  our own command
            command,
            cwd=function.task,
            env={**surroundings, **function.variables, "PYTHONPATH": path},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        _wait_for(outer, process)
        yield Emulated(outer)
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # the emulator and the runtime that it started
        process.wait()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
    return port


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"the emulator ended with {process.returncode}")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(f"the emulator does not listen on port {port}")
