"""uvicorn as it is used everywhere: the path as sent, and no extras."""

from __future__ import annotations

from typing import Any, Literal, cast

import uvicorn

from ginuri.server.asgi import Application

_KEEP_ALIVE_SECONDS = 60
_GRACE_SECONDS = 5
"""The seconds for which requests are finished at the end."""


def make_server(application: Application, parser: Literal["auto", "h11"] = "h11") -> uvicorn.Server:
    """Make a server, to be run in any loop with the sockets that it listens on.

    The parser `auto` is httptools if it is installed, which takes a third of the time of h11.
    """
    return uvicorn.Server(
        uvicorn.Config(
            cast("Any", application),  # uvicorn has a type for each kind of message
            http=parser,
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
