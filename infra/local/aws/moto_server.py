"""moto as a server in a thread of this process, behind access control and S3 notifications."""

import io
import socket
from functools import cache
from http import HTTPStatus
from threading import Thread

from flask import Flask
from moto.backends import SERVICE_NAMES
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import make_server
from werkzeug.wrappers import Response

from ginuri.server.sockets import address
from infra.local.aws.doorbell import Doorbell
from infra.local.aws.guard import RoleGuard
from infra.local.aws.moto_pace import quicken
from infra.local.aws.notifications import Notifier
from infra.local.aws.same_machine import SameMachine
from infra.local.aws.signed_links import SignedLinks
from infra.local.aws.strictness import Strictness

_WITHOUT_BODY = {HTTPStatus.NO_CONTENT, HTTPStatus.NOT_MODIFIED}  # RFC 9110 §6.4.1


class _Dispatcher(DomainDispatcherApplication):
    """Finds the service of a host name once: moto searches all its services for each request."""

    def __init__(self) -> None:
        super().__init__(_create_app)
        self.get_backend_for_host = cache(super().get_backend_for_host)  # type: ignore[method-assign]


def _create_app(service: SERVICE_NAMES) -> Flask:
    """Return moto's application for a service, without debugging and support for browsers."""
    application = create_backend_app(service)
    application.after_request_funcs.clear()  # CORS headers: `SameMachine` refuses other sites
    application.debug = False
    application.config["PROPAGATE_EXCEPTIONS"] = True
    return application


class _Handler(MotoRequestHandler):
    """Keeps connections open, unlike werkzeug's own server: most of a call's time was the connection."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body are sent together
    disable_nagle_algorithm = True

    def run_wsgi(self) -> None:
        """Answer one request. Its body is read to the end, because the next request follows it."""
        environ = self.make_environ()
        body = environ["wsgi.input"]
        is_chunked = environ.get("wsgi.input_terminated", False)
        length = int(environ.get("CONTENT_LENGTH") or 0)
        environ["wsgi.input"] = io.BytesIO(body.read() if is_chunked else body.read(length))
        response = Response.from_app(self.server.app, environ, buffered=True)
        content = response.get_data()
        self.send_response(response.status_code)
        for name, value in response.headers.items():
            self.send_header(name, value)
        if "Content-Length" not in response.headers and response.status_code not in _WITHOUT_BODY:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def handle_expect_100(self) -> bool:
        """Ask for the body, at once."""
        goes_on = super().handle_expect_100()
        self.wfile.flush()
        return goes_on

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Log nothing: a line for each request would hide the output of the functions."""


class MotoServer:
    """An AWS endpoint at `http://127.0.0.1:…`. All servers of one process share one account's resources."""

    def __init__(self, listening: socket.socket) -> None:
        quicken()
        self.doorbell = Doorbell(_Dispatcher())
        self.notifier = Notifier(self.doorbell)
        self.guard = RoleGuard(Strictness(self.notifier))
        self.endpoint = f"http://{address(listening)}"
        host, port = listening.getsockname()
        door = SameMachine(SignedLinks(self.guard), port)
        self._server = make_server(
            host, port, door, threaded=True, request_handler=_Handler, fd=listening.fileno()
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
