"""In front of moto: answers programs on this machine, and refuses websites open in a browser on it.

moto checks no credentials, and a browser sends whatever a page wants to any address, loopback included.
What a page cannot choose are the headers in which the browser says where a request comes from:

- `Host` is the name that was asked (RFC 9110 §7.2). A website that has its own name lead here (DNS
  rebinding) keeps that name.
- `Origin` is the page that asks (Fetch Standard §3.2); `null` where the browser hides it.
- `Sec-Fetch-Site` marks requests from another site (Fetch Metadata §2.3), also those without an `Origin`.

Buckets are addressed by path, as SDKs do with an endpoint that is an IP address, never by host.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from werkzeug.wrappers import Response

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

NAMES = ("127.0.0.1", "localhost", "[::1]")
"""The names by which programs on this machine address it."""


class SameMachine:
    """WSGI middleware for a server at `port` of the loopback interface."""

    def __init__(self, application: "WSGIApplication", port: int) -> None:
        self._application = application
        self._hosts = frozenset(f"{name}:{port}" for name in NAMES)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Answer the request, or refuse it with 403."""
        if refused := self._foreign(environ):
            return _refusal(refused)(environ, start_response)
        return self._application(environ, start_response)

    def _foreign(self, environ: "WSGIEnvironment") -> str:
        """Return the header that shows a foreign request; empty if none does."""
        host, origin = environ.get("HTTP_HOST", ""), environ.get("HTTP_ORIGIN")
        if host.lower() not in self._hosts:
            return f"Host: {host}"
        if origin is not None and origin.lower() not in {f"http://{name}" for name in self._hosts}:
            return f"Origin: {origin}"
        if environ.get("HTTP_SEC_FETCH_SITE", "").lower() == "cross-site":
            return "Sec-Fetch-Site: cross-site"
        return ""


def _refusal(header: str) -> Response:
    advice = f"Only programs on this machine may call this endpoint, as {', '.join(NAMES)} with its port."
    return Response(f"{advice} Refused: {header}\n", 403, content_type="text/plain")
