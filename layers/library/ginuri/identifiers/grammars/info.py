"""`info:` identifiers, RFC 4452: names of public namespaces, which need not be dereferenceable.

    RFC 4452 §4.1  info-URI        = info-scheme ":" info-identifier [ "#" fragment ]
                   info-identifier = namespace "/" identifier
                   identifier      = *( pchar / "/" )

A slash is no hierarchy delimiter (§4.1: "semantic interpretation … as a hierarchy delimiter MUST NOT be
assumed"), so segments may be empty, and "." and ".." are ordinary names.
"""

from __future__ import annotations

import re

from ginuri.identifiers.characters import BROKEN_ESCAPE, PCHAR, broken_escape, normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.grammars.gin import check_size
from ginuri.identifiers.identifier import Identifier, Kind
from ginuri.identifiers.messages import Message, message

SCHEME = "info"
DESCRIBES_UNREGISTERED = True
"""§1: names of a namespace may be referred to "without additional action"."""

# RFC 3986 §3.1  namespace = scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
_NAMESPACE = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*")
_IDENTIFIER = re.compile(rf"(?:{PCHAR}|/)*")
_CHARACTER = re.compile(rf"{PCHAR}|/")
_DOT_SEGMENT = re.compile(r"(?:^|/)((?:\.|%2[Ee]){1,2})(?=/|$)")
_BEYOND = {
    "#": (message("an identifier has no fragment; leave it out"), "fragment"),
    "?": (message('an identifier has no query; write %3F for "?"'), "query"),
}


def parse_info(written: str, *, host: str | None = None, strict: bool = False) -> Identifier:
    """Read `info:pmid/12376099`; `info:` names the scheme, `info:pmid/` a namespace.

    `strict` refuses dot segments, which many clients remove from requests (§4.1). Raises
    MalformedIdentifier.
    """
    head, _, rest = written.partition(":")
    if not rest:
        return Identifier("info:", SCHEME, (), Kind.THING, written=written, host=host)
    for mark, (reason, rule) in _BEYOND.items():
        if mark in rest:
            at = written.index(mark)
            raise _refused(written, reason, rule, at, written[at:])
    namespace, slash, identifier = rest.partition("/")
    offset = len(head) + 1
    begin = offset + len(namespace) + 1
    # §5 a–d: scheme and namespace in lower case; unreserved characters unescaped, other escapes in capitals.
    authority, name = normalise_escapes(namespace).lower(), normalise_escapes(identifier)
    if not _NAMESPACE.fullmatch(authority):
        reason = message("a namespace starts with a letter and has letters, digits, '+', '-' and '.'")
        raise _refused(written, reason, "namespace", offset, namespace)
    if not slash:
        reason = message('"/" and a name must follow the namespace')
        raise _refused(written, reason, "info-identifier", offset, namespace)
    if not _IDENTIFIER.fullmatch(identifier):
        raise _fault(written, identifier, begin)
    if strict and (dots := _DOT_SEGMENT.search(identifier)):
        reason = message('many clients remove "." and ".." segments before they send a request')
        raise _refused(written, reason, "dot-segment", begin + dots.start(1), dots[1])
    normal_form = f"info:{authority}/{name}"
    segments = (authority, *(name.removesuffix("/").split("/") if name else ()))
    check_size(written, normal_form, len(segments))
    return Identifier(normal_form, SCHEME, segments, Kind.THING, written=written, host=host)


def _fault(written: str, identifier: str, begin: int) -> MalformedIdentifier:
    broken = broken_escape(identifier)
    if broken is not None:
        value = identifier[broken : broken + 3]
        return _refused(written, BROKEN_ESCAPE, "pct-encoded", begin + broken, value)
    at = next(
        at for at, character in enumerate(identifier) if character != "%" and not _CHARACTER.match(character)
    )
    reason = message("{character} must be percent-encoded", character=repr(identifier[at]))
    return _refused(written, reason, "pchar", begin + at, identifier[at])


def _refused(text: str, reason: Message, rule: str, position: int, value: str) -> MalformedIdentifier:
    segment = 1 + text.count("/", 0, position)
    return MalformedIdentifier(text, reason, rule=rule, value=value, segment=segment, position=position)
