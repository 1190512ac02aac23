"""wrk, the client of all servers: https://github.com/wg/wrk (Debian's `wrk`)."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from infra.bench.peers.rules import Asked
from infra.bench.peers.servers import Command, find_program
from infra.bench.records import registered

CONNECTIONS = 8
_SCRIPT = Path(__file__).with_name("requests.lua")
_NAMES = f"/{registered(0).replace('0' * 7, '%07d')}"
_HEADERS = {"Accept": Asked("").accept, "Accept-Language": "en-GB,en;q=0.7", "User-Agent": "bench"}


@dataclass(frozen=True, slots=True)
class Sent:
    """The requests of a run."""

    requests: int
    seconds: float
    failed: int
    """Connections that broke, and answers that are neither of success nor redirects."""
    median: float
    """Milliseconds."""
    p99: float
    """Milliseconds."""


def send(port: int, size: int, seconds: int, *, is_kept: bool, seed: int = 1) -> Sent:
    """Ask for random names, one request after the other on each connection.

    Without `is_kept`, each request has a connection of its own. Raises NotHere without wrk, and RuntimeError
    if a request failed.
    """
    headers = _HEADERS if is_kept else {**_HEADERS, "Connection": "close"}
    command: Command = [
        *(find_program("wrk"), "--threads", "1", "--connections", str(CONNECTIONS)),
        *("--duration", f"{seconds}s", "--script", _SCRIPT),
        *(part for name, value in headers.items() for part in ("--header", f"{name}: {value}")),
        *(f"http://127.0.0.1:{port}/", "--", _NAMES, str(size), str(seed)),
    ]
    run = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  Debian's own
    sent = Sent(**json.loads(run.stdout.splitlines()[-1]))
    if sent.failed or not sent.requests:
        raise RuntimeError(f"{sent.failed} of {sent.requests} requests failed:\n{run.stdout}")
    return sent
