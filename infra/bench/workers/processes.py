"""The processes of a run: the stub, a worker for each handler, and cold starts, apart from each other."""

from __future__ import annotations

import http.client
import json
import os
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection, socket
from typing import IO, Any

from infra.bench.cases import Case
from infra.bench.records import ADDRESSES, REGISTRY
from infra.bench.workers.certificates import Certificates
from infra.bench.workers.stub import COUNTS, HOST

ROOT = Path(__file__).parents[3]
BARE, OURS, DESCRIBE = "infra.bench.workers.bare", "resolve.handler", "describe.handler"
GATEWAY = "infra.bench.workers.gateway"
"""The modules of the handlers."""
_AUTHORITIES = ("AWS_CA_BUNDLE", "SSL_CERT_FILE")
"""The file of trusted certificate authorities of the clients."""
_RUNTIME = ROOT / ".venv-runtime"
_IS_INSTALLED = (_RUNTIME / "installed.lock").exists()
PYTHON = str(_RUNTIME / "bin" / "python") if _IS_INSTALLED else sys.executable
"""The environment of measured handlers: the runtime's Python, if `infra/runtime_environment` installed it."""
_LAYERS = sorted(_RUNTIME.glob("layers/*/python")) if _IS_INSTALLED else []
_SOURCES = (ROOT, ROOT / "functions", ROOT / "layers" / "library")


class Stub:
    """The running stub of DynamoDB, from the side of this process."""

    def __init__(self, port: int, authorities: Path | None = None) -> None:
        self.authorities = authorities
        """The authorities that its clients trust; None without TLS."""
        self._port = port
        self._host = f"{HOST}:{port}"

    @property
    def endpoint(self) -> str:
        """The address of the stub."""
        return f"{'http' if self.authorities is None else 'https'}://{self._host}"

    def connect(self) -> socket:
        """Connect to the stub, for raw bytes."""
        return create_connection((HOST, self._port))

    def calls(self) -> int:
        """Return the number of calls so far."""
        return sum(self.counts().values())

    def counts(self) -> Mapping[str, int]:
        """Return the number of calls of each operation."""
        connection = (
            http.client.HTTPConnection(self._host, timeout=10)
            if self.authorities is None
            else http.client.HTTPSConnection(
                self._host, timeout=10, context=ssl.create_default_context(cafile=self.authorities)
            )
        )
        try:
            connection.request("GET", COUNTS)
            counts: Mapping[str, int] = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        return counts


class Worker:
    """A handler that stays loaded, as Lambda keeps it."""

    def __init__(self, requests: IO[str], answers: IO[str]) -> None:
        self._requests = requests
        self._answers = answers

    def spend(self, case: Case, start: int, count: int) -> float:
        """Answer `count` requests of a case and return their CPU time in microseconds each.

        Raises RuntimeError if the worker has failed; the reason is on its standard error.
        """
        self._requests.write(f"{json.dumps([case, start, count])}\n")
        self._requests.flush()
        answer = self._answers.readline()
        if not answer:
            raise RuntimeError(f"the worker failed at {case}")
        return float(answer)


@contextmanager
def running_stub(certificates: Certificates | None = None) -> Iterator[Stub]:
    """Run the stub, over TLS with certificates, as long as the block lasts.

    Raises RuntimeError if it does not start.
    """
    arguments = [] if certificates is None else [str(certificates.server)]
    command = [sys.executable, "-m", "infra.bench.workers.stub", *arguments]
    with _running(command, _environment()) as (_, output):
        port = output.readline()
        if not port:
            raise RuntimeError("the stub did not start")
        yield Stub(int(port), certificates.authorities if certificates else None)


@contextmanager
def running_worker(handler: str, stub: Stub) -> Iterator[Worker]:
    """Keep a handler loaded as long as the block lasts."""
    command = [PYTHON, "-m", "infra.bench.workers.worker", handler]
    with _running(command, lambda_environment(handler, stub)) as (requests, answers):
        yield Worker(requests, answers)


def start_cold(handler: str, event: Mapping[str, object], stub: Stub) -> tuple[float, float]:
    """Import a handler and answer an event in a fresh process; CPU and wall time in milliseconds.

    Raises CalledProcessError if that fails; the reason is on its standard error.
    """
    process = subprocess.run(  # noqa: S603  our own module
        [PYTHON, "-m", "infra.bench.workers.cold_start", handler, json.dumps(event)],
        env=lambda_environment(handler, stub),
        check=True,
        stdout=subprocess.PIPE,
    )
    cpu, wall = json.loads(process.stdout)
    return cpu, wall


def replay(handler: str, batch: Sequence[Mapping[str, object]], stub: Stub) -> tuple[list[Any], int]:
    """Answer events in a fresh process; return the answers, and the resident bytes at the end.

    Raises CalledProcessError if that fails; the reason is on its standard error.
    """
    process = subprocess.run(  # noqa: S603  our own module
        [PYTHON, "-m", "infra.bench.workers.replay", handler],
        env=lambda_environment(handler, stub),
        check=True,
        text=True,
        input="".join(f"{json.dumps(event)}\n" for event in batch),
        stdout=subprocess.PIPE,
    )
    *answers, resident = map(json.loads, process.stdout.splitlines())
    return answers, resident


def take_in_fresh(records: int, warming: int, stub: Stub, folder: Path | None = None) -> Mapping[str, float]:
    """Ingest a file of so many records in a fresh process, after a small one: seconds, and bytes of memory.

    Without a folder for the file, the bare side writes as many items: seconds. Raises CalledProcessError if
    that fails; the reason is on its standard error.
    """
    process = subprocess.run(  # noqa: S603  our own module
        [
            PYTHON,
            "-m",
            "infra.bench.workers.ingest_worker",
            str(records),
            str(warming),
            *([folder] if folder else []),
        ],
        env=lambda_environment(OURS, stub),
        check=True,
        stdout=subprocess.PIPE,
    )
    measured: Mapping[str, float] = json.loads(process.stdout)
    return measured


@contextmanager
def _running(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[tuple[IO[str], IO[str]]]:
    with subprocess.Popen(  # noqa: S603  our own modules
        command,
        env=environment,
        text=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both are pipes")
        try:
            yield process.stdin, process.stdout
        finally:
            process.terminate()


def _environment(*more: Path) -> dict[str, str]:
    # Without the caller's variables: settings of Python or of AWS would change the measurement.
    return {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(map(str, (*_SOURCES, *more)))}


def lambda_environment(handler: str, stub: Stub) -> dict[str, str]:
    """Return the environment of a handler whose DynamoDB is a stub."""
    trusted = {} if stub.authorities is None else dict.fromkeys(_AUTHORITIES, str(stub.authorities))
    return {
        **_environment(*_LAYERS),
        **trusted,
        "AWS_ACCESS_KEY_ID": "bench",
        "AWS_SECRET_ACCESS_KEY": "bench",
        "AWS_SESSION_TOKEN": "bench",
        "AWS_REGION": "us-west-2",
        "AWS_DEFAULT_REGION": "us-west-2",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
        "AWS_ENDPOINT_URL_DYNAMODB": stub.endpoint,
        "REGISTRY_TABLE": ADDRESSES if handler == BARE else REGISTRY,
        "CONTENT_BUCKET": "content",
        "PUBLISHED_BUCKET": "published",
        "STACK": "ginuri",
        "CANONICAL_HOST": "resources.usgin.org",
        "EDGE_SECRET": "",
    }
