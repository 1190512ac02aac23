"""An ASGI scope → a request, the path and the query byte for byte as they were sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from ginuri.identifiers.service_paths import API
from ginuri.registry.clock import Clock, utc_now
from ginuri.resolution.negotiation.negotiation import Preferences
from ginuri.server.asgi import Scope
from ginuri.web.events import FIELDS, PROTOCOLS, STEWARDS_FIELDS, tidy_query
from ginuri.web.query import read_parameters
from ginuri.web.request import Request

Network = IPv4Network | IPv6Network
# Fields of AWS' front doors have no meaning here: neither a gateway nor an edge is in front.
_FIELDS = {name.encode("ascii"): name for name in FIELDS if not name.startswith(("x-", "cloudfront-"))}
# Only the interface for stewards reads a secret.
_STEWARDS_FIELDS = {**_FIELDS, **{name.encode("ascii"): name for name in STEWARDS_FIELDS}}
_FORWARDED = {b"x-forwarded-host": "host", b"x-forwarded-proto": "protocol"}
# RFC 9112 §3.2.2: the host of a whole URI counts, not that of the field.
_ABSOLUTE = re.compile(r"https?://([^/]*)", re.IGNORECASE)
_MOST_PEERS = 4_096


class NamedProxies:
    """The proxies whose `X-Forwarded-Host` and `X-Forwarded-Proto` count, by address or network.

    Any client can send these fields.
    """

    def __init__(self, networks: Sequence[Network] = ()) -> None:
        self._networks = tuple(networks)
        self._knows: Callable[[str], bool] = lru_cache(_MOST_PEERS)(self._find)

    def __contains__(self, address: str) -> bool:
        """Return whether a peer is one of the proxies."""
        return bool(self._networks) and self._knows(address)

    def _find(self, address: str) -> bool:
        try:
            peer = ip_address(address)
        except ValueError:  # such as the path of a socket
            return False
        if isinstance(peer, IPv6Address) and peer.ipv4_mapped is not None:
            peer = peer.ipv4_mapped
        return any(peer in network for network in self._networks)


def read_network(text: str) -> Network:
    """Read `192.0.2.1`, `10.0.0.0/8` or `2001:db8::/32`. Raises ValueError."""
    return ip_network(text.strip())


def read_request(scope: Scope, proxies: NamedProxies, clock: Clock = utc_now) -> Request | None:
    """Read a request without its body; None if its target is no path.

    Its protocol is that of the connection, or what a named proxy states. It is unknown if somebody else
    states one: a proxy that is not named, or a client.
    """
    path, query = scope["raw_path"].decode("latin-1"), tidy_query(scope["query_string"].decode("latin-1"))
    host = None
    if absolute := _ABSOLUTE.match(path):
        path, host = path[absolute.end() :] or "/", absolute[1]
    if not path.startswith("/"):
        return None
    headers: dict[str, str] = {}
    fields = _STEWARDS_FIELDS if f"{path}/".startswith(f"/{API}/") else _FIELDS
    forwarded: dict[str, bytes] = {}
    for name, value in scope["headers"]:
        if field := fields.get(name):
            text = value.decode("latin-1")
            headers[field] = f"{headers[field]}, {text}" if field in headers else text
        elif field := _FORWARDED.get(name):
            forwarded[field] = value
    protocol = scope.get("scheme", "http")
    if forwarded:
        is_trusted = scope["client"] and scope["client"][0] in proxies
        stated = {field: _last(value) for field, value in forwarded.items()} if is_trusted else {}
        host = stated.get("host") or host
        protocol = stated.get("protocol", "" if "protocol" in forwarded else protocol)
    return Request(
        method=scope["method"],
        path=path,
        host=headers.get("host", "") if host is None else host,
        preferences=Preferences(
            headers.get("accept"),
            headers.get("accept-language"),
            headers.get("accept-profile"),
            headers.get("accept-datetime"),
        ),
        parameters=read_parameters(query),
        query=query,
        is_query_as_sent=True,
        headers=headers,
        moment=clock(),
        protocol=protocol if protocol in PROTOCOLS else "",
    )


def _last(value: bytes) -> str:
    # Each proxy of a chain appends its own: the last is of the named one.
    return value.decode("latin-1").rpartition(",")[2].strip()
