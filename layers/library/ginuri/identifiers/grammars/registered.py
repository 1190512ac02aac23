"""Names of registered schemes, such as `doi:10.1000/182`: the scheme's own registration says what it is.

    RFC 3986 §3    URI       = scheme ":" hier-part
                   hier-part = path-absolute / path-rootless / path-empty    ; without query and fragment
             §3.1  scheme    = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
             §3.3  pchar     = unreserved / pct-encoded / sub-delims / ":" / "@"

The normal form is that of RFC 3986 §6.2.2: the scheme in lower case, escapes of unreserved characters undone.
Empty segments are allowed: suffixes of DOIs have some. The case of the rest is for the registration to say
(`ginuri.registry.rules.namespaces`).
"""

from __future__ import annotations

import re

from ginuri.identifiers.characters import PCHAR, normalise_escapes
from ginuri.identifiers.errors import refused_at
from ginuri.identifiers.grammars.gin import BEYOND, check_size, lenient_fault
from ginuri.identifiers.identifier import Identifier, Kind

_SEGMENT = re.compile(rf"{PCHAR}*")


def parse_registered(written: str, *, host: str | None = None, strict: bool = False) -> Identifier:  # noqa: ARG001  lenient and strict are the same
    """Read `doi:10.1000/182`; `doi:` names the scheme, `doi:10.1000/` a namespace.

    The text begins with a scheme (`ginuri.identifiers.roots.registered_scheme`). Raises MalformedIdentifier.
    """
    token, _, rest = written.partition(":")
    begin = len(token) + 1
    for mark, part, reason in BEYOND:
        if mark in rest:
            at = written.index(mark)
            raise refused_at(written, reason, part, at, written[at:])
    _check_segments(written, rest, begin)
    scheme, name = token.lower(), normalise_escapes(rest)
    normal_form = f"{scheme}:{name}"
    segments = tuple(name.removesuffix("/").split("/")) if name else ()
    check_size(written, normal_form, len(segments) + 1)
    return Identifier(normal_form, scheme, segments, Kind.THING, written=written, host=host)


def _check_segments(written: str, rest: str, position: int) -> None:
    for piece in rest.split("/"):
        if piece and not (_SEGMENT.fullmatch(piece) and normalise_escapes(piece) not in {".", ".."}):
            reason, rule, offset = lenient_fault(piece)
            raise refused_at(written, reason, rule, position + offset, piece)
        position += len(piece) + 1
