"""Checks whether the host and the port of a web address can exist."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address

from ginuri.identifiers.messages import Message, message

_AUTHORITY = re.compile(r"https?://(?:\[([^\]]*)\]|([^/?#:{]*))(?::([0-9]*))?", re.IGNORECASE)
# RFC 1123 §2.1: letters, digits and hyphens within, at most 63 characters; underscores are common in DNS.
_LABEL = re.compile(r"(?!-)[A-Za-z0-9_-]{1,63}(?<!-)")
# URL Standard §3.5, "ends in a number": such a host is an IPv4 address, or none
_NUMBER = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")
_MOST_CHARACTERS = 253
_MOST_PORT = 65_535
_DOTS = re.compile(r"\.{2,}")


def fault_of_host(location: str) -> Message | None:
    """Return the fault of the host or port in a location or its template, if any."""
    if (found := _AUTHORITY.match(location)) is None:
        return None
    address, name, port = found.groups()
    if port and not 0 < int(port) <= _MOST_PORT:
        return message(
            "There is no port {port}. Write a port from 1 to {most}, or none.",
            port=port[:20],
            most=str(_MOST_PORT),
        )
    host = name if address is None else address
    labels = host.removesuffix(".").split(".")
    if address is not None or _NUMBER.fullmatch(labels[-1]):
        try:
            (IPv4Address if address is None else IPv6Address)(host)
        except ValueError:
            return message(
                "{host} is not an IP address. Write the name of the host, or the whole address.", host=host
            )
        return None
    if len(host) > _MOST_CHARACTERS or not all(map(_LABEL.fullmatch, labels)):
        return message(
            "{host} cannot be the name of a host. Each part between dots has 1 to 63 letters, digits and "
            "hyphens, and no hyphen at either end.",
            host=host,
        )
    return None


def repair_host(location: str) -> str | None:
    """Return the location without repeated dots in its host, if that is valid.

    >>> repair_host("https://www..example.org/a..b")
    'https://www.example.org/a..b'
    """
    beginning, slashes, rest = location.partition("//")
    host = re.split("[/?#:{]", rest, maxsplit=1)[0]
    repaired = f"{beginning}{slashes}{_DOTS.sub('.', host.lstrip('.'))}{rest[len(host) :]}"
    return repaired if repaired != location and fault_of_host(repaired) is None else None
