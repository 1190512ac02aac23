"""Recognizes the names of the machine itself."""

from __future__ import annotations


def is_loopback(host: str) -> bool:
    """Return whether a host name is that of the machine itself (RFC 6761 §6.3, RFC 1122 §3.2.1.3).

    >>> is_loopback("127.0.0.1:8000"), is_loopback("localhost"), is_loopback("a.example")
    (True, True, False)
    """
    name = host.rpartition(":")[0] if host.rpartition(":")[2].isdecimal() else host
    return name in {"localhost", "[::1]", "::1"} or name.endswith(".localhost") or name.startswith("127.")
