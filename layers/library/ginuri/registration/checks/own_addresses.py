"""Which web addresses are our own, and which identifier each of them leads to.

A host is ours where it is the canonical one, where it is registered (`//host/`), or where a scheme, a host or
a name authority trusts it. Nobody lists all of them: for each location the records are read that would tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from urllib.parse import parse_qsl

from ginuri.identifiers import Identifier, parse, parse_host
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.service_paths import RESOLVE, SERVICE_NAMES, URI_RES
from ginuri.registry.model import Host, Registered, Stewarded
from ginuri.registry.ports import MOST_FETCHED, RecordReader

# RFC 9110 §4.2.1  http-URI = "http" "://" authority path-abempty [ "?" query ]
_LOCATION = re.compile(r"https?://([^/?#]*)([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)
_OF_A_SCHEME = re.compile(r"/(?:[^/]*[:%]|uri-)")
"""Begins a path that may name an identifier of which the host is no part."""
_REDIRECTING = {"N2L", "N2R"}
"""The services of RFC 2169 that answer with a redirect to what they are asked for."""


class OwnAddresses:
    """Tells our own addresses from others, by what it was given to read. Safe to ask from several threads."""

    def __init__(self, reader: RecordReader, canonical_host: str = "") -> None:
        self.canonical_host = canonical_host
        self._reader = reader
        self._hosts: dict[str, str] = {}
        self._seen: set[str] = set()
        self._ours = {self._host(canonical_host)} - {""}

    def unknown(self, locations: Iterable[str]) -> list[str]:
        """Name the records that tell whether locations are ours, other than those that were read before."""
        return list(dict.fromkeys(name for each in locations for name in self._telling(each)))

    def learn(self, names: Iterable[str], read: Iterable[Registered | None]) -> None:
        """Take in what was read, and that it was looked for."""
        self._seen.update(names)
        for record in read:
            if isinstance(record, Stewarded):
                self._ours |= {self._host(host) for host in record.trusted_hosts} - {""}
                self._ours |= {record.identifier} if isinstance(record, Host) else set()

    def look_up(self, locations: Iterable[str]) -> None:
        """Read what tells whether locations are ours. Raises RegistryUnavailable."""
        names = self.unknown(locations)
        for start in range(0, len(names), MOST_FETCHED):
            some = names[start : start + MOST_FETCHED]
            self.learn(some, self._reader.fetch(some).values())

    def has(self, location: str) -> bool:
        """Tell whether a location, or a template of one, is on a host of ours as far as is known."""
        found = _LOCATION.match(location)
        return found is not None and self._host(found[1]) in self._ours

    def target(self, location: str) -> str | None:
        """Give the identifier that a location of ours leads to; None for any other, and for other pages.

        `/resolve?uri=` and the services of RFC 2169 lead on to what they are asked for.
        """
        found = _LOCATION.match(location)
        if found is None or self._host(found[1]) not in self._ours:
            return None
        path, query = found[2], found[3] or ""
        token = path[1:].partition("/")[0]
        if token.partition(".")[0] in SERVICE_NAMES:
            asked = _asked(path, query)
            return _normal_form(asked) if asked else None
        # The query is none of the identifier's: it is found with any.
        return _normal_form(f"{self._host(found[1])[:-1]}{path}") if token else None

    def _telling(self, location: str) -> Iterator[str]:
        found = _LOCATION.match(location)
        host = self._host(found[1]) if found else ""
        if found is None or not host or host in self._ours:
            return
        names = [host]
        if _OF_A_SCHEME.match(found[2]) and (identifier := _read(found[2])) is not None:
            names += identifier.ancestors[:2]  # the scheme and the authority, each with hosts that it trusts
        yield from (name for name in names if name not in self._seen)

    def _host(self, text: str) -> str:
        """Give the identifier of a host, in whatever case and with the usual port or without; else ""."""
        known = self._hosts.get(text)
        if known is None:
            try:
                # RFC 1034 §3.1: a name that ends in a dot is the same name, written in full.
                known = parse_host(text.removesuffix(".")).normal_form
            except MalformedIdentifier:
                known = ""
            self._hosts[text] = known
        return known


def _asked(path: str, query: str) -> str:
    """Give what a service is asked for that answers with a redirect to it."""
    _, service, *rest = path.split("/")
    if service == RESOLVE and not rest:
        return dict(parse_qsl(query)).get("uri", "").partition("#")[0]
    return query if service == URI_RES and rest in ([each] for each in _REDIRECTING) else ""


def _normal_form(text: str) -> str | None:
    identifier = _read(text)
    # A host alone is its front page.
    return None if identifier is None or not identifier.scheme else identifier.normal_form


def _read(text: str) -> Identifier | None:
    try:
        return parse(text)
    except MalformedIdentifier:  # an answer of 400 or 404, which leads nowhere
        return None
