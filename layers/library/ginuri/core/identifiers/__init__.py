"""Reading identifiers: text in any of its forms → a frozen `Identifier`."""

from __future__ import annotations

import re
from collections.abc import Callable

from ginuri.core.errors import MalformedIdentifier, UnknownScheme
from ginuri.core.identifiers.characters import broken_escape, normalise_escapes
from ginuri.core.identifiers.gin import SCHEME as GIN
from ginuri.core.identifiers.gin import parse_gin
from ginuri.core.identifiers.hosts import parse_host
from ginuri.core.identifiers.identifier import Identifier, Kind

__all__ = ["KNOWN_SCHEMES", "Identifier", "Kind", "parse", "parse_host", "parse_path"]

_GRAMMARS = {GIN: parse_gin}
KNOWN_SCHEMES = tuple(_GRAMMARS)
"""The URI schemes that are answered for here."""

# RFC 3986 §3  URI = scheme ":" hier-part …, and §4.2 the network-path reference "//" authority path-abempty
_URI = re.compile(r"(?:(?P<protocol>[A-Za-z][A-Za-z0-9+.\-]*):)?//(?P<host>[^/?#]*)(?P<path>.*)", re.DOTALL)


def parse(text: str, *, strict: bool = False) -> Identifier:
    """Read an identifier written as an `http` or `https` URI with any host, as a path, or bare.

    `strict` holds it to the source's ABNF to the letter. Raises MalformedIdentifier, which says which segment
    breaks which rule and where, and UnknownScheme where no grammar is known.

    >>> parse("http://geon.org:88/uri-gin/azgs/person/") == parse("uri-gin/azgs/person/")
    True
    """
    found = _URI.fullmatch(text)
    if found is None:
        slash = text.startswith("/")
        return _read(text, int(slash), lambda: parse_path(text if slash else f"/{text}", strict=strict))
    if (found["protocol"] or "http").lower() not in {"http", "https"}:
        raise MalformedIdentifier(
            text, "only http and https URIs are read", rule="httpURI", value=found["protocol"]
        )
    host = _read(text, found.start("host"), lambda: parse_host(found["host"]))
    path = found["path"]
    if path in {"", "/"}:
        return host
    # RFC 3986 §3.3: after an authority a path begins with a slash; "http://host?query" has an empty one.
    path = path if path.startswith("/") else f"/{path}"
    offset = found.start("path") + (path == found["path"])
    return _read(text, offset, lambda: parse_path(path, host=found["host"], strict=strict))


def parse_path(path: str, *, host: str | None = None, strict: bool = False) -> Identifier:
    """Read an identifier from the path of a request, byte for byte: the first slash is not part of it.

    Raises MalformedIdentifier and UnknownScheme.
    """
    written = path[1:]
    token = re.split("[/?#]", written, maxsplit=1)[0]
    grammar = _GRAMMARS.get(normalise_escapes(token))
    if grammar is None:
        raise _unknown(written, token)
    return grammar(written, host=host, strict=strict)


def _read(text: str, offset: int, read: Callable[[], Identifier]) -> Identifier:
    try:
        return read()
    except MalformedIdentifier as error:
        raise error.within(text, offset) from None


def _unknown(written: str, token: str) -> MalformedIdentifier:
    broken = broken_escape(written)
    if broken is not None:
        return MalformedIdentifier(
            written,
            '"%" must be followed by two hexadecimal digits',
            rule="pct-encoded",
            value=written[broken : broken + 3],
            segment=written.count("/", 0, broken) + 1,
            position=broken,
        )
    near = [
        scheme for scheme in KNOWN_SCHEMES if scheme.replace("-", "") == re.sub("[-_ ]", "", token.lower())
    ]
    hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(KNOWN_SCHEMES)}"
    return UnknownScheme(written, f"no such URI scheme; {hint}", rule="URIscheme", value=token, segment=1)
