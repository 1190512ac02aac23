"""An answering process: one event loop on a socket that it shares with others."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ginuri.server.application import Service
from ginuri.server.asgi import Application
from ginuri.server.http_server import find_loop, find_parser, make_server
from ginuri.server.requests import NamedProxies
from ginuri.sqlite.database import Database

_LOOK_SECONDS = 0.5
"""The seconds between two looks whether the parent still lives."""


def answer_requests(
    folder: Path, listening: socket.socket, canonical_host: str, proxies: NamedProxies, *, is_logging: bool
) -> None:
    """Answer requests until SIGTERM, or until the parent has ended; requests are finished then."""
    gc.freeze()
    service = Service(Database(folder), canonical_host, proxies, log=write_line if is_logging else None)
    try:
        serve_application(service, listening)
    finally:
        service.close()


def serve_application(application: Application, listening: socket.socket) -> None:
    """Serve an application until SIGTERM, or until the parent has ended."""
    # The server ends requests at this signal, and raises it again at the end.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with asyncio.Runner(loop_factory=find_loop()) as runner:
        runner.run(_serve(application, listening))


async def _serve(application: Application, listening: socket.socket) -> None:
    server = make_server(application, find_parser())
    watching = asyncio.create_task(_watch(os.getppid(), lambda: setattr(server, "should_exit", True)))
    try:
        await server.serve(sockets=[listening])
    finally:
        watching.cancel()


async def _watch(parent: int, stop: Callable[[], None]) -> None:
    while os.getppid() == parent:  # noqa: ASYNC110  no event comes from another process
        await asyncio.sleep(_LOOK_SECONDS)
    stop()


def write_line(line: str) -> None:
    """Write a line to standard output at once; a reader that is gone stops no request."""
    with suppress(OSError):
        os.write(1, line.encode("utf-8", "surrogateescape"))
