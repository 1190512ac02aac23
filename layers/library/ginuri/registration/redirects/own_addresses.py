"""Recognizes the web addresses of this registry, and the identifiers they lead to.

A host belongs to this registry if it is the canonical one, if it is registered (`//host/`), or if a scheme, a
host or a name authority trusts it. There is no list of hosts: the records for a location are read on demand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl

from ginuri.identifiers import parse_host, read_identifier
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.service_paths import RESOLVE, URI_RES, is_service_name
from ginuri.registry.model import Host, Registered, Stewarded
from ginuri.registry.ports import MOST_FETCHED, RecordReader
from ginuri.resolution.reserved_paths import gives_up_paths

# RFC 9110 §4.2.1  http-URI = "http" "://" authority path-abempty [ "?" query ]
_LOCATION = re.compile(r"https?://([^/?#]*)([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)
_SCHEME_PATH = re.compile(r"/(?:[^/]*[:%]|uri-)")
"""The beginning of a path that may be an identifier independent of its host."""
_REDIRECTING_SERVICES = {"N2L", "N2R"}
"""The services of RFC 2169 that redirect to the requested identifier."""


class OwnAddresses:
    """Recognizes addresses of this registry by the records read so far. Safe for several threads."""

    def __init__(self, reader: RecordReader, canonical_host: str = "") -> None:
        self.canonical_host = canonical_host
        self._reader = reader
        self._hosts: dict[str, str] = {}
        self._looked_up: set[str] = set()
        self._ours = {self._host(canonical_host)} - {""}
        self._without_pages: set[str] = set()

    def unknown(self, locations: Iterable[str]) -> list[str]:
        """Return the records still to be read to decide whether locations are in this registry."""
        return list(
            dict.fromkeys(name for location in locations for name in self._deciding_records(location))
        )

    def learn(self, names: Iterable[str], records: Iterable[Registered | None]) -> None:
        """Note the names that were looked up, and the records found."""
        self._looked_up.update(names)
        for record in records:
            if isinstance(record, Stewarded):
                self._ours |= {self._host(host) for host in record.trusted_hosts} - {""}
                self._ours |= {record.identifier} if isinstance(record, Host) else set()
                if gives_up_paths(record, self.canonical_host):
                    self._without_pages.add(record.identifier)

    def look_up(self, locations: Iterable[str]) -> None:
        """Read the records that decide whether locations are in this registry. Raises RegistryUnavailable."""
        names = self.unknown(locations)
        for start in range(0, len(names), MOST_FETCHED):
            batch = names[start : start + MOST_FETCHED]
            self.learn(batch, self._reader.fetch(batch).values())

    def has(self, location: str) -> bool:
        """Return whether a location or template is on a host of this registry, by the records read so far."""
        parts = _LOCATION.match(location)
        return parts is not None and self._host(parts[1]) in self._ours

    def target(self, location: str) -> str | None:
        """Return the identifier that a location leads to; None for other hosts and pages of this service.

        `/resolve?uri=` and the services of RFC 2169 lead to the identifier in the request.
        """
        parts = _LOCATION.match(location)
        if parts is None or self._host(parts[1]) not in self._ours:
            return None
        path, query = parts[2], parts[3] or ""
        token = path[1:].partition("/")[0]
        if is_service_name(token) and self._host(parts[1]) not in self._without_pages:
            requested = _requested_identifier(path, query)
            return _normal_form(requested) if requested else None
        # Resolution ignores the query.
        return _normal_form(f"{self._host(parts[1])[:-1]}{path}") if token else None

    def _deciding_records(self, location: str) -> Iterator[str]:
        parts = _LOCATION.match(location)
        host = self._host(parts[1]) if parts else ""
        if parts is None or not host or host in self._ours:
            return
        names = [host]
        if _SCHEME_PATH.match(parts[2]) and (identifier := read_identifier(parts[2])) is not None:
            names += identifier.ancestors[:2]  # the scheme and the authority may each trust hosts
        yield from (name for name in names if name not in self._looked_up)

    def _host(self, text: str) -> str:
        """Return the identifier of a host, normalized in case and port; "" if it is malformed."""
        host = self._hosts.get(text)
        if host is None:
            try:
                # RFC 1034 §3.1: a final dot makes a name absolute, and does not change it.
                host = parse_host(text.removesuffix(".")).normal_form
            except MalformedIdentifier:
                host = ""
            self._hosts[text] = host
        return host


def _requested_identifier(path: str, query: str) -> str:
    """Return the identifier in a request to a redirecting service; "" for other services."""
    _, service, *rest = path.split("/")
    if service == RESOLVE and not rest:
        return dict(parse_qsl(query)).get("uri", "").partition("#")[0]
    return query if service == URI_RES and rest in ([code] for code in _REDIRECTING_SERVICES) else ""


def _normal_form(text: str) -> str | None:
    identifier = read_identifier(text)
    # A host alone is its front page.
    return None if identifier is None or not identifier.scheme else identifier.normal_form
