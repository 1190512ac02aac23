"""moto as a server in a thread of this process, behind what it lacks: access control and S3 notifications."""

import socket
from threading import Thread

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server

from infra.local.doorbell import Doorbell
from infra.local.guard import RoleGuard
from infra.local.moto_pace import quicken
from infra.local.notifications import Notifier
from infra.local.same_machine import SameMachine
from infra.local.sockets import address
from infra.local.strictness import Strictness


class _QuietHandler(MotoRequestHandler):
    # Headers and body are two writes: otherwise the second waits for the client to acknowledge the first.
    disable_nagle_algorithm = True

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing: a line for each request would drown what the functions say."""


class MotoServer:
    """An AWS endpoint at `http://127.0.0.1:…`. All servers of one process share one account's resources."""

    def __init__(self, listening: socket.socket) -> None:
        quicken()
        self.doorbell = Doorbell(DomainDispatcherApplication(create_backend_app))
        self.notifier = Notifier(self.doorbell)
        self.guard = RoleGuard(Strictness(self.notifier))
        self.endpoint = f"http://{address(listening)}"
        host, port = listening.getsockname()
        door = SameMachine(self.guard, port)
        self._server = make_server(
            host, port, door, threaded=True, request_handler=_QuietHandler, fd=listening.fileno()
        )
        listening.close()  # the server listens on a copy
        self._thread = Thread(target=self._server.serve_forever, args=(0.05,), name="moto", daemon=True)

    def start(self) -> None:
        """Answer requests from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Answer no more requests."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
