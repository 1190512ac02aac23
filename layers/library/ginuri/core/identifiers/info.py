"""`info:` identifiers, RFC 4452: names of public namespaces, with no promise that they can be dereferenced.

info-URI        = info-scheme ":" info-identifier [ "#" fragment ]
info-scheme     = "info"
info-identifier = namespace "/" identifier
namespace       = scheme
identifier      = path-segments
path-segments   = segment *( "/" segment )
"""

from __future__ import annotations

import re

from ginuri.core.errors import MalformedIdentifier
from ginuri.core.identifiers.characters import PCHAR, broken_escape, normalise_escapes
from ginuri.core.identifiers.gin import check_size
from ginuri.core.identifiers.identifier import Identifier, Kind

SCHEME = "info"

# RFC 3986 §3.1  scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
_NAMESPACE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*")
# RFC 3986 §3.3  segment = *pchar   ; segments may be empty: info:ddc/22/eng//004.678
_IDENTIFIER = re.compile(rf"(?:{PCHAR}|/)*")
_CHARACTER = re.compile(rf"{PCHAR}|/")


def parse_info(written: str, *, host: str | None = None, strict: bool = False) -> Identifier:  # noqa: ARG001  one grammar
    """Read `info:pmid/12376099`; `info:` names the scheme, `info:pmid/` a namespace.

    The normal form is that of §5: scheme and namespace in lower case, escapes of unreserved characters
    undone. Raises MalformedIdentifier.
    """
    head, _, rest = written.partition(":")
    namespace, slash, identifier = rest.partition("/")
    offset = len(head) + 1
    if not rest:
        return Identifier("info:", SCHEME, (), Kind.THING, written=written, host=host)
    for mark, part in (("#", "fragment"), ("?", "query")):
        if mark in rest:
            at = written.index(mark)
            raise _refused(written, f"the {part} is no part of an identifier; leave it out", part, at)
    if not _NAMESPACE.fullmatch(namespace):
        reason = "a namespace begins with a letter and has letters, digits, '+', '-' and '.'"
        raise _refused(written, reason, "namespace", offset, namespace)
    if not slash:
        reason = 'a namespace ends in a "/", and what it names follows'
        raise _refused(written, reason, "info-identifier", offset, namespace)
    begin = offset + len(namespace) + 1
    broken = broken_escape(identifier)
    if broken is not None:
        reason = '"%" must be followed by two hexadecimal digits'
        raise _refused(written, reason, "pct-encoded", begin + broken, identifier[broken : broken + 3])
    if not _IDENTIFIER.fullmatch(identifier):
        at = next(at for at, each in enumerate(identifier) if each != "%" and not _CHARACTER.match(each))
        reason = f"{identifier[at]!r} must be written as an escape"
        raise _refused(written, reason, "pchar", begin + at, identifier[at])
    # §5 a–d
    name = normalise_escapes(identifier)
    normal_form = f"info:{namespace.lower()}/{name}"
    segments = (namespace.lower(), *(name.removesuffix("/").split("/") if name else ()))
    check_size(written, normal_form, len(segments))
    return Identifier(normal_form, SCHEME, segments, Kind.THING, written=written, host=host)


def _refused(text: str, reason: str, rule: str, position: int, value: str = "") -> MalformedIdentifier:
    segment = 1 + text.count("/", 0, position)
    return MalformedIdentifier(
        text, reason, rule=rule, value=value or text[position:], segment=segment, position=position
    )
