"""An ASGI application on a socket, under uvicorn; one event loop may carry several."""

import asyncio
import socket
from typing import Any, cast

import uvicorn

from ginuri.server.asgi import Application


class HttpServer:
    """Serves until it is stopped. Only the parser h11 passes on the path as sent."""

    def __init__(self, application: Application, listening: socket.socket) -> None:
        self._listening = listening
        self._server = uvicorn.Server(
            uvicorn.Config(
                cast("Any", application),  # uvicorn has a type for each kind of message
                http="h11",
                ws="none",
                lifespan="off",
                loop="none",
                log_config=None,
                log_level="error",
                access_log=False,
                server_header=False,
                proxy_headers=False,  # headers with another client address are not trusted
                timeout_keep_alive=60,
            )
        )
        self._serving: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Answer requests from now on."""
        self._serving = asyncio.create_task(self._server.serve(sockets=[self._listening]))
        while not self._server.started:  # noqa: ASYNC110 - uvicorn signals its start only by this flag
            await asyncio.sleep(0.001)

    async def stop(self) -> None:
        """Close every connection, even if it is waiting."""
        self._server.should_exit = self._server.force_exit = True
        if self._serving:
            await self._serving
