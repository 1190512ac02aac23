"""The local stacks that run on this machine, each with a file that lives as long as it."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from pathlib import Path

FOLDER = "ginuri-local-stacks"
"""The folder beside the interpreter's own, with a file for each port."""
_SECONDS = 0.5


def stack_file(prefix: Path, port: int) -> Path:
    """Return the file of the stack on a port, for the interpreter of a prefix."""
    return prefix / FOLDER / f"{port}.json"


def running_stacks(prefix: Path) -> Mapping[int, Path]:
    """Return the files of the stacks that run, by port; a killed one leaves its file."""
    files = (prefix / FOLDER).glob("*.json")
    ports = {int(file.stem): file for file in files if file.stem.isdecimal()}
    return {port: ports[port] for port in sorted(ports) if _listens(port)}


def _listens(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=_SECONDS):
            return True
    except OSError:
        return False
