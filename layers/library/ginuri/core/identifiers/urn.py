"""`urn:` identifiers: RFC 2141, and RFC 8141 where it is newer.

    RFC 8141 §2  assigned-name = "urn" ":" NID ":" NSS
                 NID           = (alphanum) 0*30(ldh) (alphanum)
                 NSS           = pchar *(pchar / "/")

What equals what: §3. Escapes are never undone, not even of unreserved characters; their case means nothing.
"""

from __future__ import annotations

import re

from ginuri.core.errors import MalformedIdentifier
from ginuri.core.identifiers.characters import PCHAR, PCT_ENCODED, broken_escape
from ginuri.core.identifiers.gin import check_size
from ginuri.core.identifiers.identifier import Identifier, Kind

SCHEME = "urn"

_NID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9\-]{0,30}[A-Za-z0-9])")
_NSS = re.compile(rf"{PCHAR}(?:{PCHAR}|/)*")
_CHARACTER = re.compile(rf"{PCHAR}|/")
# RFC 2141 §2.2  other = "(" / ")" / "+" / "," / "-" / "." / ":" / "=" / "@" / ";" / "$" / "_" / "!" / "*"
#                         / "'"
_STRICT = re.compile(rf"(?:[A-Za-z0-9()+,\-.:=@;$_!*']|{PCT_ENCODED})+")
_ESCAPE = re.compile(PCT_ENCODED)


def parse_urn(written: str, *, host: str | None = None, strict: bool = False) -> Identifier:
    """Read `urn:isbn:0451450523`; `urn:` names the scheme, `urn:isbn:` a namespace.

    `strict` is RFC 2141, whose names have no slash, no tilde and no ampersand. Raises MalformedIdentifier.
    """
    head, _, rest = written.partition(":")
    nid, colon, nss = rest.partition(":")
    offset = len(head) + 1
    if not rest:
        return Identifier("urn:", SCHEME, (), Kind.THING, written=written, host=host)
    for mark, part in (("#", "f-component"), ("?", "r- or q-component")):
        if mark in rest:
            at = written.index(mark)
            raise _refused(written, f"the {part} is no part of the name; leave it out", part, at)
    if not _NID.fullmatch(nid) or nid.lower() == "urn":
        reason = "a namespace has 2 to 32 letters, digits and hyphens, none at either end, and is not 'urn'"
        raise _refused(written, reason, "NID", offset, nid)
    if not colon:
        raise _refused(written, 'a namespace ends in ":", and what it names follows', "NSS", offset, nid)
    begin = offset + len(nid) + 1
    broken = broken_escape(nss)
    if broken is not None:
        reason = '"%" must be followed by two hexadecimal digits'
        raise _refused(written, reason, "pct-encoded", begin + broken, nss[broken : broken + 3])
    if "%00" in nss:
        reason = "the octet 0 is never used (RFC 2141 §2.4)"
        raise _refused(written, reason, "excluded", begin + nss.index("%00"), "%00")
    grammar = _STRICT if strict else _NSS
    if nss and not grammar.fullmatch(nss):
        at = next((at for at, each in enumerate(nss) if each != "%" and not _CHARACTER.match(each)), 0)
        reason = f"{nss[at]!r} must be written as an escape"
        raise _refused(written, reason, "NSS", begin + at, nss[at])
    name = _ESCAPE.sub(lambda escape: escape[0].upper(), nss)
    normal_form = f"urn:{nid.lower()}:{name}"
    segments = (nid.lower(), *(re.split("[:/]", name.rstrip(":/")) if name else ()))
    check_size(written, normal_form, len(segments))
    return Identifier(normal_form, SCHEME, segments, Kind.THING, written=written, host=host)


def _refused(text: str, reason: str, rule: str, position: int, value: str = "") -> MalformedIdentifier:
    return MalformedIdentifier(
        text, reason, rule=rule, value=value or text[position:], segment=1, position=position
    )
