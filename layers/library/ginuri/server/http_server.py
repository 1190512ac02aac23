"""uvicorn as it is used everywhere: the path as sent, and no extras."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import uvicorn

from ginuri.server.asgi import Application

_KEEP_ALIVE_SECONDS = 60
_GRACE_SECONDS = 5
"""The seconds for which requests are finished at the end."""


def make_server(application: Application, parser: type[asyncio.Protocol] | None = None) -> uvicorn.Server:
    """Make a server, to be run in any loop with the sockets that it listens on; the usual parser is h11."""
    return uvicorn.Server(
        uvicorn.Config(
            cast("Any", application),  # uvicorn has a type for each kind of message
            http=parser or "h11",
            ws="none",
            lifespan="off",
            loop="none",
            log_config=None,
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,  # headers with another client address are not trusted
            timeout_keep_alive=_KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=_GRACE_SECONDS,
        )
    )


def find_parser() -> type[asyncio.Protocol] | None:
    """Return the protocol with httptools if it is installed, else None."""
    try:
        from ginuri.server.raw_targets import RawTargets
    except ModuleNotFoundError:
        return None
    return RawTargets


def find_loop() -> Any:  # noqa: ANN401  a loop that may not be installed
    """Return the maker of uvloop's loops if it is installed, else None, which is asyncio's own."""
    try:
        from uvloop import new_event_loop
    except ModuleNotFoundError:
        return None
    return new_event_loop
