"""Compares names, with reasons: of every known scheme, and any other URI (RFC 3986 §6.2.2).

Names are compared part by part at the same level of encoding, as the URI draft of 1994 requires ("Reduced
or increased safe character sets"): reserved characters are never decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from ginuri.frozen import Frozen
from ginuri.identifiers.characters import PCT_ENCODED, normalise_escapes
from ginuri.identifiers.comparison.names import Fold, Name, NamePart, read_name
from ginuri.identifiers.messages import Message, message, translatable

_ESCAPE = re.compile(PCT_ENCODED)
_VOID = message('a void fragment means the whole (URI draft of 1994, "Fragment-id")')
_NO_PART = {
    "protocol": message("how it is fetched is no part of the name"),
    "host": message("the host is no part of the name"),
}
_TAKES_PART = {
    "scheme": message("another scheme names something else"),
    "host": message("here the host is a part of the name"),
    "query": message("a query takes part"),
    "fragment": message("a fragment takes part: it names a part of the whole"),
    "final slash": message("x and x/ are two names"),
}


_PIECES = {
    "protocol": translatable("protocol"),
    "scheme": translatable("scheme"),
    "host": translatable("host"),
    "path": translatable("path"),
    "query": translatable("query"),
    "fragment": translatable("fragment"),
    "final slash": translatable("final slash"),
    "name authority": translatable("name authority"),
    "namespace": translatable("namespace"),
    "name": translatable("name"),
}
_ABSENT = NamePart(None, None)


class Remark(Frozen):
    """A part with two spellings: whether they are the same, and the rule that decides it."""

    piece: str
    one: str | None
    """The original spelling; None if absent."""
    other: str | None
    is_same: bool
    reason: Message

    @property
    def why(self) -> str:
        """The rule in English."""
        return str(self.reason)


class Comparison(Frozen):
    """Whether two names are the same, and why."""

    one: Name
    other: Name
    remarks: tuple[Remark, ...]
    """The differences; for equal names, the differences without meaning."""

    @property
    def is_same(self) -> bool:
        """Whether both name the same resource."""
        return self.one == self.other


def compare(one: str, other: str, fold: Fold | None = None) -> Comparison:
    """Compare two URIs, or identifiers in any form. Raises MalformedIdentifier, and UnknownScheme.

    `fold` returns a name of a registered scheme in the case that the scheme states.

    >>> compare("URN:ISBN:0451450523", "urn:isbn:0451450523").is_same
    True
    >>> [remark.why for remark in compare("ftp://a/b%2Fc", "ftp://a/b/c").remarks]
    ['an escaped reserved character is not the character (RFC 3986 §2.2)']
    """
    return compare_names(read_name(one, fold), read_name(other, fold))


def compare_names(one: Name, other: Name) -> Comparison:
    """Compare two parsed names."""
    remarks = tuple(remark for remark in _remarks(one, other) if remark.is_same is (one == other))
    # With different schemes, no other part is comparable.
    another = remarks[:1] if remarks and remarks[0].piece == "scheme" and one != other else remarks
    return Comparison(one, other, another)


def _remarks(one: Name, other: Name) -> Iterator[Remark]:
    is_same_decoded = _decoded(one) == _decoded(other)
    for piece in dict.fromkeys((*one.pieces, *other.pieces)):
        first, second = one.pieces.get(piece, _ABSENT), other.pieces.get(piece, _ABSENT)
        if first.normal != second.normal:
            why = _why_different(piece, first.normal, second.normal, is_same_decoded=is_same_decoded)
            yield Remark(piece, first.written, second.written, is_same=False, reason=why)
        elif first.written != second.written:
            yield Remark(
                piece, first.written, second.written, is_same=True, reason=_why_same(piece, first, second)
            )


def name_piece(piece: str) -> Message:
    """Name a part of an identifier for people; unlisted parts are numbered segments."""
    return (
        Message(_PIECES[piece])
        if piece in _PIECES
        else message("segment {number}", number=piece.removeprefix("segment "))
    )


def _decoded(name: Name) -> str:
    return unquote(str(name), errors="backslashreplace")


def _why_same(what: str, first: NamePart, second: NamePart) -> Message:
    one, other = first.written, second.written
    if one is None or other is None or first.normal is None:
        is_void = what == "fragment" and not (one or other)
        return (
            _VOID
            if is_void
            else _NO_PART.get(
                what, message("in this scheme a {part} is no part of the name", part=name_piece(what))
            )
        )
    if _ESCAPE.sub(_upper, one) == _ESCAPE.sub(_upper, other):
        return message("the hexadecimal digits of an escape have no case (RFC 3986 §6.2.2.1)")
    if normalise_escapes(one) == normalise_escapes(other):
        return message("an escaped unreserved character is the character (RFC 3986 §6.2.2.2)")
    if one.lower() == other.lower():
        return (
            message("case means nothing in this scheme")
            if what == "path"
            else message("a {part} has no case", part=name_piece(what))
        )
    if what == "host":
        return message("a host has no case, and the ports 80 and 443 are left out")
    return message("both are {name} in normal form", name=repr(first.normal))


def _upper(escape: re.Match[str]) -> str:
    return escape[0].upper()


def _why_different(what: str, one: str | None, other: str | None, *, is_same_decoded: bool) -> Message:
    if what in _TAKES_PART:
        return _TAKES_PART[what]
    if one and other and normalise_escapes(one) == normalise_escapes(other):
        return message("in this scheme no escape is undone")
    if is_same_decoded:
        return message("an escaped reserved character is not the character (RFC 3986 §2.2)")
    if one is None or other is None:
        return message("only one of them has it")
    return message("case matters here" if one.lower() == other.lower() else "they are not the same")
