"""The grammar of `uri-gin` identifiers: USGIN URI Policies 1.1, "USGIN URI syntax".

    ginURI     = "http:" "//" uriHost "/uri-gin/" identifier
    identifier = resourcePart [ ( "/" / "/" representationPart ) ]

The syntax does not separate the resource path from the resource-specific string: `divide` uses the
authority's register of resource types.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from ginuri.frozen import Frozen
from ginuri.identifiers.characters import BROKEN_ESCAPE, PCHAR, UNRESERVED, broken_escape, normalise_escapes
from ginuri.identifiers.errors import MalformedIdentifier
from ginuri.identifiers.identifier import Identifier
from ginuri.identifiers.messages import Message, message
from ginuri.identifiers.roots import kind_by_syntax

SCHEME = "uri-gin"
MOST_BYTES = 1024
MOST_SEGMENTS = 32

# safeBoundChar = 1( ALPHA / DIGIT / "_" / "~" )  # noqa: ERA001  ABNF, not code
_BOUND = r"[A-Za-z0-9_~]"
# safeString = safeBoundChar [ *(unreserved / pct-encoded) ] safeBoundChar   ; here one character is enough
_SAFE_STRING = rf"{_BOUND}(?:(?:{UNRESERVED}|%[0-9A-Fa-f]{{2}})*{_BOUND})?"
# RFC 3986 §3.3  segment-nz = 1*pchar   ; the lenient grammar
_LENIENT = rf"{PCHAR}+"
# Fast path for almost all identifiers: segments without escapes or leading dots are in normal form.
_PLAIN = re.compile(r"(?:/[A-Za-z0-9\-_~!$&'()*+,;=:@][A-Za-z0-9\-._~!$&'()*+,;=:@]*+)++/?")
BEYOND = (
    ("#", "fragment", message("an identifier has no fragment; a part of a resource has its own identifier")),
    ("?", "query", message("an identifier has no query; leave it out")),
)
"""The parts of a URI that identifiers do not have: their first character, the rule, the reason."""


def parse_gin(
    written: str, *, host: str | None = None, strict: bool = False, scheme: str = SCHEME
) -> Identifier:
    """Read `uri-gin/…` without host and leading slash; `scheme` may be another one with this syntax.

    Strict is the ABNF to the letter, lenient accepts every RFC 3986 pchar. Raises MalformedIdentifier.
    """
    body = written.removesuffix("/")
    if not strict and written.startswith(scheme) and _PLAIN.fullmatch(written, len(scheme)):
        plain = tuple(body.split("/")[1:])
        check_size(written, written, len(plain) + 1)
        return Identifier(written, scheme, plain, kind_by_syntax(written), written, host)
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
    pieces = body.split("/")
    segments = [scheme]
    position = len(pieces[0]) + 1
    for number, piece in enumerate(pieces[1:], start=2):
        segments.append(_read_segment(written, piece, number, position, strict=strict))
        position += len(piece) + 1
    normal_form = "/".join(segments) + ("/" if body is not written else "")
    check_size(written, normal_form, len(segments))
    if strict and len(segments) <= 2 and body is written:  # noqa: PLR2004  scheme and authority: two segments
        raise MalformedIdentifier(
            written,
            message('a scheme or name authority ends in "/"; its identifiers need a resource path'),
            rule="resourcePart",
            value=pieces[-1],
            segment=len(segments),
            position=len(written) - len(pieces[-1]),
        )
    return Identifier(
        normal_form, scheme, tuple(segments[1:]), kind_by_syntax(normal_form), written=written, host=host
    )


def _read_segment(text: str, piece: str, number: int, position: int, *, strict: bool) -> str:
    segment = normalise_escapes(piece) if "%" in piece else piece
    if re.fullmatch(_LENIENT, segment) and segment not in {".", ".."}:
        if not strict or re.fullmatch(_SAFE_STRING, segment):
            return segment
        reason, rule, offset = _strict_fault(piece)
    else:
        reason, rule, offset = lenient_fault(piece)
    raise MalformedIdentifier(
        text, reason, rule=rule, value=piece, segment=number, position=position + offset
    )


def lenient_fault(piece: str) -> tuple[Message, str, int]:
    """Find the fault of a segment: the reason, the rule, the offset."""
    if not piece:
        return message('a segment must not be empty ("//")'), "segment-nz", 0
    broken = broken_escape(piece)
    if broken is not None:
        return BROKEN_ESCAPE, "pct-encoded", broken
    if normalise_escapes(piece) in {".", ".."}:
        return message('"." and ".." are not allowed as segments'), "dot-segment", 0
    at = next(at for at, character in enumerate(piece) if character != "%" and not re.match(PCHAR, character))
    return message("{character} must be percent-encoded", character=repr(piece[at])), "pchar", at


def _strict_fault(piece: str) -> tuple[Message, str, int]:
    for at, character in enumerate(piece):
        if character != "%" and not re.fullmatch(UNRESERVED, character):
            reason = message("the strict grammar does not allow {character}", character=repr(character))
            return reason, "unreserved", at
    ending = re.search(r"(?:%..|.)\Z", piece)
    at = 0 if not re.match(_BOUND, piece) or ending is None else ending.start()
    reason = message("a segment must start and end with a letter, a digit, '_' or '~'")
    return reason, "safeBoundChar", at


def check_size(written: str, normal_form: str, segments: int) -> None:
    """Check an identifier against the limits of the registry. Raises MalformedIdentifier."""
    if len(normal_form) > MOST_BYTES:
        raise MalformedIdentifier(
            written,
            message(
                "an identifier has at most {most} bytes; this one has {number}",
                most=str(MOST_BYTES),
                number=str(len(normal_form)),
            ),
            rule="length",
        )
    if segments > MOST_SEGMENTS:
        raise MalformedIdentifier(
            written,
            message(
                "an identifier has at most {most} segments; this one has {number}",
                most=str(MOST_SEGMENTS),
                number=str(segments),
            ),
            rule="segments",
        )


class Division(Frozen):
    """The parts of an identifier that the authority's register of resource types separates."""

    resource_path: tuple[str, ...]
    """The registered resource type, `("doc", "map")`; the first segment without a registered one."""
    resource_specific_string: str | None
    representation_part: str | None


def divide(identifier: Identifier, resource_types: Collection[str]) -> Division:
    """Divide the part after the authority by the longest registered type (normal forms with a final slash).

    >>> map_ = parse_gin("uri-gin/azgs/doc/map/DGM37/image.pdf")
    >>> divide(map_, {"uri-gin/azgs/doc/map/"})
    Division(resource_path=('doc', 'map'), resource_specific_string='DGM37', representation_part='image.pdf')
    """
    rest = identifier.segments[1:]
    typed = [prefix for prefix in (*identifier.ancestors, identifier.normal_form) if prefix in resource_types]
    depth = typed[-1].count("/") - 2 if typed else min(1, len(rest))
    path, beyond = rest[:depth], rest[depth:]
    if identifier.is_terminated or len(beyond) < 2:  # noqa: PLR2004  a string and a part are two pieces
        return Division(path, "/".join(beyond) or None, None)
    return Division(path, "/".join(beyond[:-1]), beyond[-1])
