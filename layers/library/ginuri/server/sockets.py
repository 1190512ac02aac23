"""Listening sockets, opened before anything else starts, so that a used port is reported first."""

from __future__ import annotations

import socket

LOOPBACK = "127.0.0.1"
_BACKLOG = 2_048


class PortInUse(OSError):
    """Raised when the requested port is not available."""


def listen(port: int, host: str = LOOPBACK) -> socket.socket:
    """Return a socket that listens on a port of an address, IPv4 or IPv6; 0 is any free port.

    Raises PortInUse, also if the port is reserved for others or the address is of another machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
    except OSError as error:
        raise PortInUse(f"{host} is no address of this machine: {error.strerror}") from error
    # asyncio sends small writes at once (TCP_NODELAY) only if the protocol is given: 88 ms a call without it.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    # A recently used port is free again, although some of its connections still linger.
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(_BACKLOG)
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
    host, port = listening.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
