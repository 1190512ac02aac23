"""WSGI middleware before moto: wakes the poller of a queue as soon as a message is sent."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_SENDS = "AmazonSQS.SendMessage"
"""The prefix of the targets of calls that send messages."""


class Doorbell:
    """WSGI middleware that calls back when a message was sent to any queue."""

    def __init__(self, application: "WSGIApplication") -> None:
        self._application = application
        self._listeners: list[Callable[[], object]] = []

    def listen(self, ring: Callable[[], object]) -> Callable[[], None]:
        """Call back from now on, from any thread; return the function that stops it."""
        self._listeners.append(ring)
        return lambda: self._listeners.remove(ring)

    def __call__(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        """Return moto's answer; the message is in its queue by then."""
        answer = self._application(environ, start_response)
        if environ.get("HTTP_X_AMZ_TARGET", "").startswith(_SENDS):
            self.ring()
        return answer

    def ring(self) -> None:
        """Call all listeners."""
        for listener in tuple(self._listeners):
            listener()
