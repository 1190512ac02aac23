"""Names bound to a host: PURLs, URI sets, Cool URIs, any `http` URI whose host is part of the name.

    RFC 3986 §3  URI           = "http" ":" "//" authority path-abempty
             §3.3 path-abempty = *( "/" segment ),  segment = *pchar

The normal form is the network-path reference (§4.2) `//purl.example.org/net/x`, as `http` and `https` are
equivalent.
"""

from __future__ import annotations

import re

from ginuri.identifiers.characters import PCHAR, normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier, UnknownScheme
from ginuri.identifiers.grammars.gin import BEYOND, check_size, lenient_fault
from ginuri.identifiers.hosts import parse_host
from ginuri.identifiers.identifier import Identifier
from ginuri.identifiers.messages import message
from ginuri.identifiers.roots import kind_by_syntax
from ginuri.identifiers.service_paths import KEPT_NAMES

SCHEME = "http"
RESERVED = "reserved"
"""The rule that a path of the service breaks."""

_SEGMENT = re.compile(rf"{PCHAR}*")


def parse_bound(written: str, *, host: str, strict: bool = False) -> Identifier:  # noqa: ARG001  lenient and strict are the same
    """Read the path of a name, after the host and its slash. Raises MalformedIdentifier and UnknownScheme."""
    root = parse_host(host).normal_form
    for mark, part, reason in BEYOND:
        if mark in written:
            at = written.index(mark)
            raise MalformedIdentifier(
                written,
                reason,
                rule=part,
                value=written[at:],
                position=at,
            )
    position = 0
    for number, piece in enumerate(written.split("/"), start=1):
        _check_segment(written, piece, number, position)
        position += len(piece) + 1
    path = normalise_escapes(written)
    segments = tuple(path.removesuffix("/").split("/"))
    if segments[0].partition(".")[0] in KEPT_NAMES:
        raise reserved_path(written, segments[0])
    normal_form = f"{root}{path}"
    check_size(written, normal_form, len(segments))
    return Identifier(
        normal_form, SCHEME, segments, kind_by_syntax(normal_form), written=f"{root}{written}", host=host
    )


def reserved_path(written: str, segment: str) -> UnknownScheme:
    """Return the error for a path of the service, which cannot be a name of its host."""
    reason = message("{path} is reserved for the service itself", path=f"/{segment}")
    return UnknownScheme(written, reason, rule=RESERVED, value=segment, segment=1)


def _check_segment(text: str, piece: str, number: int, position: int) -> None:
    segment = normalise_escapes(piece)
    if _SEGMENT.fullmatch(segment) and segment not in {".", ".."}:  # empty segments are allowed
        return
    reason, rule, offset = lenient_fault(piece)
    raise MalformedIdentifier(
        text, reason, rule=rule, value=piece, segment=number, position=position + offset
    )
