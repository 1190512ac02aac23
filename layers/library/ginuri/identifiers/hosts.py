"""The identifier of a host, `http://resources.usgin.org/`: the source's special URI for its maintainer."""

from __future__ import annotations

import re

from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.identifier import Identifier, Kind
from ginuri.identifiers.messages import message

# uriHost = ( IP-literal / IPv4address / reg-name ) [ ":" port ]
# RFC 3986 §3.2.2  reg-name = *( unreserved / pct-encoded / sub-delims ); a name of DNS is never empty
_HOST = r"(?P<name>\[[0-9A-Fa-f:.]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+)(?::(?P<port>[0-9]*))?"
_DEFAULT_PORTS = {"", "80", "443"}


def parse_host(text: str) -> Identifier:
    """Read `resources.usgin.org[:port]` in any case. Raises MalformedIdentifier.

    The normal form is a network-path reference (RFC 3986 §4.2), which cannot be confused with a scheme.

    >>> str(parse_host("Resources.USGIN.org:80"))
    '//resources.usgin.org/'
    """
    found = re.fullmatch(_HOST, text)
    if found is None:
        raise MalformedIdentifier(
            text, message("a host is a name or an address, with an optional port"), rule="uriHost", value=text
        )
    name, port = found["name"].lower(), found["port"] or ""
    normal_form = f"//{name}/" if port in _DEFAULT_PORTS else f"//{name}:{port}/"
    return Identifier(normal_form, "", (), Kind.THING, written=normal_form, host=text)


def same_host(one: str, other: str) -> bool:
    """Return whether two texts name the same host; a text that is not a host equals nothing.

    >>> same_host("id.example", "ID.example:80"), same_host("", "")
    (True, False)
    """
    try:
        return parse_host(one) == parse_host(other)
    except MalformedIdentifier:
        return False
