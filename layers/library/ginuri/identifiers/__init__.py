"""Parses identifiers: text in any form → a frozen `Identifier`. Read `identifier` first."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

from ginuri.identifiers.characters import BROKEN_ESCAPE, broken_escape, normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier, UnknownScheme
from ginuri.identifiers.grammars.gin import SCHEME as GIN
from ginuri.identifiers.grammars.gin import parse_gin
from ginuri.identifiers.hosts import parse_host
from ginuri.identifiers.identifier import Identifier, Kind
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import NAMESPACED, registered_scheme

__all__ = [
    "KNOWN_ROOTS",
    "Identifier",
    "Kind",
    "describes_unregistered",
    "parse",
    "parse_host",
    "parse_path",
    "read_identifier",
    "read_without_host",
    "unknown_scheme",
]

# Source, "URI syntax": schemes of the generic httpURI syntax are registered as data, without code.
_GENERIC = r"uri-[A-Za-z0-9](?:[A-Za-z0-9.\-]*[A-Za-z0-9])?"
_OF_THE_SERVICE = "uri-res"
"""The path of the resolution services for URNs (RFC 2169 §2)."""
KNOWN_ROOTS = (f"{GIN}/", *(f"{scheme}:" for scheme in NAMESPACED))
"""The identifiers of the URI schemes with a grammar; `uri-*` schemes are registered as data."""

# RFC 3986 §3  URI = scheme ":" hier-part …, and §4.2 the network-path reference "//" authority path-abempty
_URI = r"(?s)(?:(?P<protocol>[A-Za-z][A-Za-z0-9+.\-]*):)?//(?P<host>[^/?#]*)(?P<path>.*)"


def parse(text: str, *, strict: bool = False) -> Identifier:
    """Read an identifier written as an `http` or `https` URI with any host, as a path, or bare.

    `strict` applies the source's ABNF to the letter. Raises MalformedIdentifier with the segment, the broken
    rule and the position, and UnknownScheme for a scheme without a grammar.

    >>> parse("http://geon.org:88/uri-gin/azgs/person/") == parse("uri-gin/azgs/person/")
    True
    """
    found = re.fullmatch(_URI, text)
    if found is None:
        slash = text.startswith("/")
        return _read(text, int(slash), lambda: parse_path(text if slash else f"/{text}", strict=strict))
    if (found["protocol"] or "http").lower() not in {"http", "https"}:
        raise MalformedIdentifier(
            text, message("only http and https URIs are supported"), rule="httpURI", value=found["protocol"]
        )
    host = _read(text, found.start("host"), lambda: parse_host(found["host"]))
    path = found["path"]
    if path in {"", "/"}:
        return host
    # RFC 3986 §3.3: after an authority a path begins with a slash; "http://host?query" has an empty one.
    path = path if path.startswith("/") else f"/{path}"
    offset = found.start("path") + (path == found["path"])
    return _read(text, offset, lambda: parse_path(path, host=found["host"], strict=strict))


def read_identifier(text: str) -> Identifier | None:
    """Read a text that may be an identifier, like `parse`; return None for any other text."""
    try:
        return parse(text)
    except MalformedIdentifier:
        return None


def parse_path(path: str, *, host: str | None = None, strict: bool = False) -> Identifier:
    """Read an identifier from the path of a request, byte for byte: the first slash is not part of it.

    A path without a scheme is an identifier bound to the host, and so is `/doi:10.1000/182`: only the
    registry knows whether `doi:` is a scheme (`read_without_host`). Raises MalformedIdentifier, and
    UnknownScheme without a scheme and a host.
    """
    written = path[1:]
    token = _first_token(written)
    name = normalise_escapes(token) if "%" in token else token
    if name == GIN:
        return parse_gin(written, host=host, strict=strict)
    scheme, colon, _ = name.partition(":")
    scheme = scheme.lower()
    if colon and scheme in NAMESPACED:
        return _load(scheme, f"parse_{scheme}")(written, host=host, strict=strict)
    if re.fullmatch(_GENERIC, name) and name != _OF_THE_SERVICE:
        return parse_gin(written, host=host, strict=strict, scheme=name)
    if host and not _meant(token):
        return _load("bound", "parse_bound")(written, host=host, strict=strict)
    if registered_scheme(written):
        return _load("registered", "parse_registered")(written, strict=strict)
    raise _broken(written) or unknown_scheme(written)


def read_without_host(identifier: Identifier) -> Identifier | None:
    """Read the path of a name bound to a host as a name of a registered scheme; None if it cannot be one.

    >>> str(read_without_host(parse("http://id.example/DOI:10.1000/182")))
    'doi:10.1000/182'
    """
    if not (identifier.is_bound and identifier.segments and ":" in identifier.segments[0]):
        return None
    path = identifier.written[len(identifier.root) :]
    if not registered_scheme(path):
        return None
    return _load("registered", "parse_registered")(path, host=identifier.host)


def describes_unregistered(scheme: str) -> bool:
    """Return whether a scheme describes unregistered identifiers of known namespaces."""
    if scheme not in NAMESPACED:
        return False
    return bool(
        getattr(import_module(f"ginuri.identifiers.grammars.{scheme}"), "DESCRIBES_UNREGISTERED", False)
    )


def _load(module: str, name: str) -> Callable[..., Identifier]:
    # Most requests are for one scheme: the other grammars are imported on first use.
    grammar: Callable[..., Identifier] = getattr(import_module(f"ginuri.identifiers.grammars.{module}"), name)
    return grammar


def _read(text: str, offset: int, read: Callable[[], Identifier]) -> Identifier:
    try:
        return read()
    except MalformedIdentifier as error:
        raise error.within(text, offset) from None


def unknown_scheme(written: str) -> UnknownScheme:
    """Return the error for a text without a known scheme."""
    token = _first_token(written)
    meant = _meant(token)
    if meant:
        reason = message("unknown URI scheme; did you mean {scheme}?", scheme=meant)
    else:
        reason = message("unknown URI scheme; this service knows {schemes}", schemes=", ".join(KNOWN_ROOTS))
    return UnknownScheme(written, reason, rule="URIscheme", value=token, segment=1)


def _first_token(written: str) -> str:
    return written.partition("/")[0].partition("?")[0].partition("#")[0]


def _meant(token: str) -> str | None:
    return GIN if re.sub("[-_ ]", "", token.lower()) == GIN.replace("-", "") else None


def _broken(written: str) -> MalformedIdentifier | None:
    broken = broken_escape(written)
    if broken is None:
        return None
    return MalformedIdentifier(
        written,
        BROKEN_ESCAPE,
        rule="pct-encoded",
        value=written[broken : broken + 3],
        segment=written.count("/", 0, broken) + 1,
        position=broken,
    )
