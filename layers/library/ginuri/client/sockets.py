"""Opens connections to servers: with TLS, and through the proxy that the environment names."""

from __future__ import annotations

import ssl
from base64 import b64encode
from functools import cache
from http.client import HTTPConnection, HTTPSConnection
from urllib.parse import SplitResult, unquote, urlsplit
from urllib.request import getproxies, proxy_bypass

from ginuri.identifiers.loopback import is_loopback

_HTTPS_PORT = 443


def is_safe(service: str) -> bool:
    """Return whether a token may be sent to a service: over `https`, or to this machine itself.

    >>> is_safe("https://id.example.org"), is_safe("http://127.0.0.1:8000"), is_safe("http://id.example.org")
    (True, True, False)
    """
    parts = urlsplit(service)
    host = parts.hostname or ""
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))


def open_connection(address: str, timeout: float) -> HTTPConnection:
    """Connect to the server of an address. Raises OSError."""
    parts = urlsplit(address)
    connection = _prepare(parts, timeout)
    try:
        connection.connect()
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(parts: SplitResult, timeout: float) -> HTTPConnection:
    host = parts.hostname or ""
    if parts.scheme == "http":
        return HTTPConnection(host, parts.port, timeout=timeout)
    proxy = urlsplit("" if proxy_bypass(host) else getproxies().get("https", ""))
    if not proxy.hostname:
        return HTTPSConnection(host, parts.port, timeout=timeout, context=_context())
    connection = HTTPSConnection(proxy.hostname, proxy.port, timeout=timeout, context=_context())
    # RFC 9110 §9.3.6: the proxy passes on bytes, and TLS is with the service itself.
    connection.set_tunnel(host, parts.port or _HTTPS_PORT, _authorize(proxy))
    return connection


def _authorize(proxy: SplitResult) -> dict[str, str]:
    """Return the header with the name and password in the address of a proxy (RFC 7617), if there are any."""
    if proxy.username is None:
        return {}
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return {"Proxy-Authorization": f"Basic {b64encode(pair.encode()).decode('ascii')}"}


@cache
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()
