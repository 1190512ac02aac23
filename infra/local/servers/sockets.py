"""Sockets to listen on, taken before anything is started, so that a port in use is found first."""

import socket

LOOPBACK = "127.0.0.1"


class PortInUse(OSError):
    """The port asked for cannot be had."""


def listen(port: int) -> socket.socket:
    """Return a socket that listens on `port` of the loopback interface; 0 is any free one.

    Raises PortInUse, also where the port is reserved to others.
    """
    # asyncio sends small writes at once (TCP_NODELAY) only where the protocol is said: 88 ms a call without.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # A port that was served a moment ago is free again, although some of its connections still linger.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((LOOPBACK, port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise PortInUse(f"port {port} cannot be used: {error.strerror}") from error
    return listening


def listen_near(port: int) -> socket.socket:
    """Return a socket that listens on `port`, or on any free one where that is in use."""
    try:
        return listen(port)
    except PortInUse:
        return listen(0)


def address(listening: socket.socket) -> str:
    """Return `host:port`, where the socket listens."""
    host, port = listening.getsockname()
    return f"{host}:{port}"
