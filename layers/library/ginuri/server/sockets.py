"""Listening sockets, opened before anything else starts, so that a used port is reported first."""

import socket

LOOPBACK = "127.0.0.1"


class PortInUse(OSError):
    """Raised when the requested port is not available."""


def listen(port: int) -> socket.socket:
    """Return a socket that listens on `port` of the loopback interface; 0 is any free one.

    Raises PortInUse, also if the port is reserved for others.
    """
    # asyncio sends small writes at once (TCP_NODELAY) only if the protocol is given: 88 ms a call without it.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # A recently used port is free again, although some of its connections still linger.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise PortInUse(f"port {port} cannot be used: {error.strerror}") from error
    return listening


def listen_near(port: int) -> socket.socket:
    """Return a socket that listens on `port`, or on any free one if that is in use."""
    try:
        return listen(port)
    except PortInUse:
        return listen(0)


def address(listening: socket.socket) -> str:
    """Return `host:port` of the listening socket."""
    host, port = listening.getsockname()
    return f"{host}:{port}"
