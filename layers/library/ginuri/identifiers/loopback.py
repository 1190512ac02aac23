"""Recognizes the names of the machine itself."""

from __future__ import annotations

_DOTS = 3
"""The dots of an IPv4 address."""


def is_loopback(host: str) -> bool:
    """Return whether a host name is that of the machine itself (RFC 6761 §6.3, RFC 1122 §3.2.1.3).

    >>> [is_loopback(host) for host in ("127.0.0.1:8000", "localhost", "a.example", "127.a.example", "::1")]
    [True, True, False, False, True]
    """
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    if host == "::1" or name in {"localhost", "[::1]"} or name.endswith(".localhost"):
        return True
    # A name may begin with 127. as well: 127.a.example is another machine.
    return name.startswith("127.") and name.count(".") == _DOTS and name.replace(".", "").isdecimal()
