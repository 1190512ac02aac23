"""`urn:` identifiers: RFC 2141 with the changes of RFC 8141.

    RFC 8141 §2  namestring    = assigned-name [ rq-components ] [ "#" f-component ]
                 assigned-name = "urn" ":" NID ":" NSS
                 NID           = (alphanum) 0*30(ldh) (alphanum)
                 NSS           = pchar *(pchar / "/")
                 rq-components = [ "?+" r-component ] [ "?=" q-component ]
                 r-component   = pchar *( pchar / "/" / "?" )
                 q-component   = pchar *( pchar / "/" / "?" )
                 f-component   = fragment

Equivalence is that of §3, without the components. Escapes are never undone, not even of unreserved
characters; the case of their digits has no meaning.
"""

from __future__ import annotations

import re

from ginuri.identifiers.characters import BROKEN_ESCAPE, PCHAR, PCT_ENCODED, broken_escape
from ginuri.identifiers.errors import refused_at
from ginuri.identifiers.grammars.gin import check_size
from ginuri.identifiers.identifier import Identifier, Kind
from ginuri.identifiers.messages import Message, message

SCHEME = "urn"

_NID = re.compile(r"[A-Za-z0-9][A-Za-z0-9\-]{0,30}[A-Za-z0-9]")
# RFC 8141 §5.1, reserved names of namespaces: two characters (countries), "xx-" (also "xn--"), "X-";
# §5.2  InformalNamespaceName = "urn-" Number
_RESERVED_NID = re.compile(r"..|[a-z]{2}-.*|x-.*|urn-(?![1-9][0-9]*\Z).*")
# RFC 2141 §2.2  other = "(" / ")" / "+" / "," / "-" / "." / ":" / "=" / "@" / ";" / "$" / "_" / "!" / "*"
#                         / "'"
_STRICT = re.compile(rf"[A-Za-z0-9()+,\-.:=@;$_!*']|{PCT_ENCODED}")
_LENIENT = re.compile(rf"{PCHAR}|/")
# RFC 2141 §2.3  reserved = "%" / "/" / "?" / "#"
_RESERVED = "/?#"
_IN_COMPONENT = rf"(?:{PCHAR}|[/?])"
_COMPONENTS = re.compile(
    rf"(?:\?\+{PCHAR}{_IN_COMPONENT}*?)?(?:\?={PCHAR}{_IN_COMPONENT}*)?(?:#{_IN_COMPONENT}*)?"
)
_COMPONENT_CHARACTER = re.compile(rf"{_IN_COMPONENT}|#")
_ESCAPE = re.compile(PCT_ENCODED)
_SEPARATOR = re.compile("[:/]")


def parse_urn(written: str, *, host: str | None = None, strict: bool = False) -> Identifier:
    """Read `urn:isbn:0451450523`; `urn:` names the scheme, `urn:isbn:` a namespace.

    The r-, q- and f-component are removed. `strict` is RFC 2141, whose names have no slash, tilde, ampersand
    or component, without the reserved namespaces of RFC 8141. Raises MalformedIdentifier.
    """
    name, components = _take_components(written, strict=strict)
    head, _, rest = name.partition(":")
    nid, colon, nss = rest.partition(":")
    begin = len(head) + 1 + len(nid) + len(colon)
    if components and not nss:
        reason = message("a component must follow a name; there is none here")
        raise refused_at(written, reason, "NSS", len(name), components)
    if not rest:
        return Identifier("urn:", SCHEME, (), Kind.THING, written=written, host=host)
    _check_namespace(written, nid, len(head) + 1, strict=strict)
    if not colon:
        raise refused_at(written, message('":" and a name must follow the namespace'), "NSS", begin, "")
    _check_name(written, nss, begin, strict=strict)
    upper = _ESCAPE.sub(lambda escape: escape[0].upper(), nss)
    normal_form = f"urn:{nid.lower()}:{upper}"
    named = upper[:-1] if upper.endswith((":", "/")) else upper
    segments = (nid.lower(), *(_SEPARATOR.split(named) if upper else ()))
    check_size(written, normal_form, len(segments) + 1)
    return Identifier(normal_form, SCHEME, segments, Kind.THING, written=written, host=host)


def _take_components(written: str, *, strict: bool) -> tuple[str, str]:
    at = next((at for at, character in enumerate(written) if character in "?#"), len(written))
    name, components = written[:at], written[at:]
    if strict and components:
        raise refused_at(written, _reserved(components[0]), "reserved", at, components[0])
    if not _COMPONENTS.fullmatch(components):
        reason, rule, offset, length = _component_fault(components)
        raise refused_at(written, reason, rule, at + offset, components[offset : offset + length])
    return name, components


def _component_fault(text: str) -> tuple[Message, str, int, int]:
    if text[0] == "?" and text[1:2] not in {"+", "="}:
        reason = message('"+" or "=" must follow "?" (RFC 8141 §2.3); in a name, write %3F')
        return reason, "reserved", 0, 2
    broken = broken_escape(text)
    if broken is not None:
        return BROKEN_ESCAPE, "pct-encoded", broken, 3
    for at, character in enumerate(text):
        if character != "%" and (
            not _COMPONENT_CHARACTER.match(character) or (character == "#" and "#" in text[:at])
        ):
            reason = message(
                "write {escape} for {character}", escape=_escaped(character), character=repr(character)
            )
            return reason, "excluded", at, 1
    return message("a component must not start with '/' or '?'"), "rq-components", 0, 3


def _check_namespace(written: str, nid: str, offset: int, *, strict: bool) -> None:
    # RFC 2141 §2.1: "urn" is reserved, and is never used
    if not _NID.fullmatch(nid) or nid.lower() == SCHEME:
        reason = message(
            "a namespace has 2 to 32 letters, digits and hyphens, does not start or end with a hyphen, "
            "and is not 'urn'"
        )
        raise refused_at(written, reason, "NID", offset, nid)
    if strict and _RESERVED_NID.fullmatch(nid.lower()):
        reason = message(
            "this namespace is reserved (RFC 8141 §5.1): two characters, 'xx-…', 'X-…', "
            "or 'urn-…' without a number"
        )
        raise refused_at(written, reason, "NID", offset, nid)


def _check_name(written: str, nss: str, begin: int, *, strict: bool) -> None:
    broken = broken_escape(nss)
    if broken is not None:
        reason = message('"%" must be followed by two hexadecimal digits; write %25 for "%" itself')
        raise refused_at(written, reason, "pct-encoded", begin + broken, nss[broken : broken + 3])
    if "%00" in nss:
        reason = message("the octet 0 is not allowed (RFC 2141 §2.4)")
        raise refused_at(written, reason, "excluded", begin + nss.index("%00"), "%00")
    if nss.startswith("/"):
        reason = message('a name must not start with "/"; write %2F')
        raise refused_at(written, reason, "NSS", begin, "/")
    allowed = _STRICT if strict else _LENIENT
    for at, character in enumerate(nss):
        if character != "%" and not allowed.match(character):
            if character in _RESERVED:
                raise refused_at(written, _reserved(character), "reserved", begin + at, character)
            raise refused_at(written, _excluded(character), "excluded", begin + at, character)


def _reserved(character: str) -> Message:
    return message(
        "{character} is reserved (RFC 2141 §2.3); write {escape}",
        character=repr(character),
        escape=_escaped(character),
    )


def _excluded(character: str) -> Message:
    if character == "\0":
        return message("the octet 0 is not allowed (RFC 2141 §2.4)")
    return message(
        "{character} is not allowed (RFC 2141 §2.4); write {escape}",
        character=repr(character),
        escape=_escaped(character),
    )


def _escaped(character: str) -> str:
    return "".join(f"%{octet:02X}" for octet in character.encode("utf-8", "surrogatepass"))
