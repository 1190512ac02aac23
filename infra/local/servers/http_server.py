"""An ASGI application on a socket, under uvicorn; one event loop may carry several."""

import asyncio
import socket

from ginuri.server.asgi import Application
from ginuri.server.http_server import make_server


class HttpServer:
    """Serves until it is stopped."""

    def __init__(self, application: Application, listening: socket.socket) -> None:
        self._listening = listening
        self._server = make_server(application)
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
