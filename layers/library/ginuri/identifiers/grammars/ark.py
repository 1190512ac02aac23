"""`ark:` identifiers, Archival Resource Keys: draft-kunze-ark-42.

§2    ark:[/]NAAN/Name[Qualifiers]
§2.3  NAAN = 1*( DIGIT / "b" / "c" / "d" / "f" / … )   ; digits and consonants but "l"
§3.1  Name = 1*( ALPHA / DIGIT / "=" / "~" / "*" / "+" / "@" / "_" / "$" / "%" HEXDIG HEXDIG
               / "-" / "." / "/" )                    ; hyphens have no meaning
"""

from __future__ import annotations

import re

from ginuri.identifiers.characters import BROKEN_ESCAPE, PCHAR, PCT_ENCODED, broken_escape
from ginuri.identifiers.errors import refused_at
from ginuri.identifiers.grammars.gin import check_size
from ginuri.identifiers.identifier import Identifier, Kind
from ginuri.identifiers.messages import message

SCHEME = "ark"

_NAAN = re.compile(r"[0-9bcdfghjkmnpqrstvwxz]+")
_STRICT = re.compile(rf"[A-Za-z0-9=~*+@_$\-./]|{PCT_ENCODED}")
_LENIENT = re.compile(rf"{PCHAR}|/")
_ESCAPE = re.compile(PCT_ENCODED)
_STRUCTURE = re.compile(r"([/.])[/.]+")


def parse_ark(written: str, *, host: str | None = None, strict: bool = False) -> Identifier:
    """Read `ark:12345/x54xz321`, or `ark:/12345/x5-4`; `ark:` names the scheme, `ark:12345/` a namespace.

    The normal form is that of §3.2, which keeps escapes. Raises MalformedIdentifier.
    """
    head, _, rest = written.partition(":")
    begin = len(head) + 1 + rest.startswith("/")  # step 3: "ark:/" is "ark:"
    naan, slash, name = written[begin:].partition("?")[0].partition("/")  # step 2: without the query
    if not (naan or slash):
        return Identifier("ark:", SCHEME, (), Kind.THING, written=written, host=host)
    authority = naan.lower().replace("-", "")  # steps 4 and 6
    if not _NAAN.fullmatch(authority):
        reason = message("a NAAN consists of digits and of consonants other than 'l'")
        raise refused_at(written, reason, "NAAN", begin, naan)
    if not slash:
        raise refused_at(written, message('"/" and a name must follow the NAAN'), "Name", begin, naan)
    _check_name(written, name, begin + len(naan) + 1, strict=strict)
    normal = _normal_name(name)
    if name and not normal:
        reason = message("a name must have a letter or a digit")
        raise refused_at(written, reason, "Name", begin + len(naan) + 1, name)
    normal_form = f"ark:{authority}/{normal}"
    segments = (authority, *(normal.split("/") if normal else ()))
    check_size(written, normal_form, len(segments) + 1)
    return Identifier(normal_form, SCHEME, segments, Kind.THING, written=written, host=host)


def _normal_name(name: str) -> str:
    # §3.2 steps 5, 6 and 8: escapes in capitals, no hyphens, single slashes and periods inside only
    upper = _ESCAPE.sub(lambda escape: escape[0].upper(), name).replace("-", "")
    return _STRUCTURE.sub(r"\1", upper).strip("/.")


def _check_name(written: str, name: str, begin: int, *, strict: bool) -> None:
    broken = broken_escape(name)
    if broken is not None:
        raise refused_at(written, BROKEN_ESCAPE, "pct-encoded", begin + broken, name[broken : broken + 3])
    allowed = _STRICT if strict else _LENIENT
    for at, character in enumerate(name):
        if character == "#":
            reason = message("a fragment is not part of a name; leave it out")
            raise refused_at(written, reason, "fragment", begin + at, character)
        if character != "%" and not allowed.match(character):
            reason = message("{character} must be percent-encoded", character=repr(character))
            raise refused_at(written, reason, "Name", begin + at, character)
