"""The grammar of patterns: text → literals, pieces and options, or the fault and its position.

pattern = 1*( literal / piece / option )
literal = 1*( pchar / "/" )                          ; normal form, no empty segment
piece   = "{" [ "+" ] name [ ":" type ] "}"          ; "+": also takes "/", anywhere, and has no type
name    = ( ALPHA / "_" ) *( ALPHA / DIGIT / "_" )
type    = words / ( ( kind / class ) [ length ] )
kind    = "digits" / "letters" / "upper" / "lower" / "alnum" / "word" / "hex"
class   = "[" [ "^" ] [ "-" ] *( one "-" one / one ) [ "-" ] "]"   ; at least one; "^" never takes "/"
one     = ALPHA / DIGIT / "." / "_" / "~" / sub-delims / ":" / "@" / "/"
words   = word "|" word *( "|" word )
word    = 1*( unreserved / ":" / "@" )
length  = "(" 1*DIGIT [ "," [ 1*DIGIT ] ] ")"        ; (7) (1,5) (3,); without: one or more
option  = "[" 1*( literal / piece ) "]"              ; there or not; not nested
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ginuri.frozen import Frozen
from ginuri.identifiers.characters import PCHAR
from ginuri.identifiers.messages import Message, message

REST, ALL = "rest", "all"
"""The predefined variables: the text of `{+rest}`, or else that after the prefix; and always the latter."""
ALL_THE_REST = "{+rest}"
"""The piece that matches all following text, slashes included."""
MOST_LENGTH = 255
"""The largest number in the length of a piece."""

_TOKEN = re.compile(rf"((?:{PCHAR}|/)+)|\{{([^{{}}]*)\}}|\[((?:[^\[\]{{}}]|\{{[^{{}}]*\}})*)\]")
_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_PIECE = re.compile(rf"(\+?)({_NAME})(?::(.*))?", re.DOTALL)
_ONE = r"[A-Za-z0-9._~!$&'()*+,;=:@/]"
_CLASS = rf"\[(\^?)(-?(?:{_ONE}-{_ONE}|{_ONE})*-?)\]"
_LENGTH = r"(?:\(([0-9]+)(,([0-9]*))?\))?"
_TYPE = re.compile(rf"(?:([a-z]+)|{_CLASS}){_LENGTH}")
_WORD = re.compile(r"[A-Za-z0-9\-._~:@]+")
_RANGE = re.compile(rf"({_ONE})-({_ONE})|(.)", re.DOTALL)


def mask_of(characters: str) -> int:
    """Return a set of ASCII characters as an integer, one bit for each."""
    return sum(1 << ord(character) for character in set(characters))


_DIGITS, _UPPER, _LOWER = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
KINDS = {
    "digits": mask_of(_DIGITS),
    "letters": mask_of(_UPPER + _LOWER),
    "upper": mask_of(_UPPER),
    "lower": mask_of(_LOWER),
    "alnum": mask_of(_UPPER + _LOWER + _DIGITS),
    "word": mask_of(_UPPER + _LOWER + _DIGITS + "_"),
    "hex": mask_of(_DIGITS + "ABCDEFabcdef"),
}
SLASH = mask_of("/")
PLAIN = mask_of("".join(map(chr, range(0x21, 0x7F)))) & ~mask_of("/%")
"""The characters that a piece without a type takes as they are: all of a segment."""


class PatternFault(Exception):
    """A pattern that the grammar does not allow: where, and what to write."""

    def __init__(self, position: int, words: Message) -> None:
        super().__init__(words)
        self.position = position
        """The offset of the first character at fault."""
        self.words = words


class Type(Frozen):
    """The texts of a piece: symbols of a set and their number, or words."""

    symbols: int
    """The set of ASCII characters, one bit for each."""
    takes_escapes: bool
    """Whether it also takes any escape, `%` and two digits, as one symbol."""
    least: int = 1
    most: int | None = None
    """None for no limit."""
    words: tuple[str, ...] = ()
    is_inverted: bool = False
    """Whether its set is stated by the characters that are not in it."""

    @property
    def takes_slashes(self) -> bool:
        """Whether its texts may contain slashes."""
        return bool(self.symbols & SLASH)

    @property
    def takes_everything(self) -> bool:
        """Whether it takes any text."""
        return self.takes_escapes and self.takes_slashes


_PLAIN, _ALL = Type(PLAIN, takes_escapes=True), Type(PLAIN | SLASH, takes_escapes=True)


class Piece(Frozen):
    """A named piece of a pattern."""

    name: str
    type: Type

    @property
    def states(self) -> int:
        """The number of states of its automaton."""
        if self.type.words:
            return sum(len(word) + 1 for word in self.type.words) + 1
        return self.type.most or self.type.least


class Option(Frozen):
    """Literals and pieces that are there or not."""

    elements: tuple[str | Piece, ...]


Element = str | Piece | Option


def pieces_of(elements: Sequence[Element]) -> list[Piece]:
    """Return the pieces, those of options included, in order."""
    pieces: list[Piece] = []
    for element in elements:
        if isinstance(element, Option):
            pieces += pieces_of(element.elements)
        elif isinstance(element, Piece):
            pieces.append(element)
    return pieces


@lru_cache(4096)
def read_elements(text: str) -> tuple[Element, ...]:
    """Read a pattern; an empty one is everything. Raises PatternFault."""
    return tuple(_read(text, 0)) if text else (Piece(REST, _ALL),)


def _read(text: str, offset: int, *, is_nested: bool = False) -> Iterator[Element]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise PatternFault(offset + at, _name_fault(text[at]))
        literal, piece, option = found.groups()
        if literal is not None:
            yield literal
        elif piece is not None:
            yield _read_piece(piece, offset + at + 1)
        else:
            if is_nested or not option:
                raise PatternFault(offset + at, _BRACKETS)
            inner = _read(option, offset + at + 1, is_nested=True)
            yield Option(tuple(element for element in inner if not isinstance(element, Option)))
        at = found.end()


_BRACKETS = message("Square brackets must contain text or a named piece, and no square brackets.")


NO_EXPRESSION = message(
    "A pattern is no regular expression. Write {digits} for digits, {text} for any text without a slash, "
    "{rest} for all that follows.",
    digits="{id:digits}",
    text="{id}",
    rest=ALL_THE_REST,
)


def _name_fault(character: str) -> Message:
    match character:
        case "{":
            return message("This brace is not closed. Write a named piece as {example}.", example="{id}")
        case "[":
            return _BRACKETS
        case "}" | "]":
            return message("This is not open. Remove it.")
        case "^" | "\\" | "|":
            return NO_EXPRESSION
        case "%":
            return message('"%" must be followed by two hexadecimal digits')
        case _:
            return message(
                "An identifier cannot contain this character. Write it as an escape, such as {example}.",
                example="%20",
            )


def _read_piece(text: str, offset: int) -> Piece:
    found = _PIECE.fullmatch(text)
    if found is None:
        raise PatternFault(
            offset,
            message(
                "Write a name of letters, digits and _, and perhaps a colon and a type, as in {examples}.",
                examples="{id}, {+rest}, {id:digits(7)}",
            ),
        )
    plus, name, kind = found.groups()
    if kind is None:
        return Piece(name, _ALL if plus else _PLAIN)
    if plus:
        raise PatternFault(
            offset, message("A piece with + takes any text and has no type. Remove the + or the type.")
        )
    try:
        return Piece(name, _read_type(kind))
    except PatternFault as fault:
        raise PatternFault(offset + len(name) + 1 + fault.position, fault.words) from None


@lru_cache(256)
def _read_type(text: str) -> Type:
    found = _TYPE.fullmatch(text)
    if found is None or (found[1] is not None and found[1] not in KINDS):
        return _read_words(text)
    kind, inverted, members, least, to, most = found.groups()
    if kind is None and not members:
        raise PatternFault(
            0,
            message(
                "Put the characters of the piece into the brackets, as in {example}.", example="[A-Z0-9]"
            ),
        )
    symbols = KINDS[kind] if kind else _read_class(members, found.start(3))
    if inverted:
        symbols = PLAIN & ~symbols
    if not symbols:
        raise PatternFault(0, message("No character is left. Name fewer characters after ^."))
    least_number, most_number = (1, None) if least is None else _read_length(least, to, most, found.start(4))
    return Type(
        symbols, takes_escapes=False, least=least_number, most=most_number, is_inverted=bool(inverted)
    )


def _read_length(
    least_digits: str, comma: str | None, most_digits: str, position: int
) -> tuple[int, int | None]:
    least = int(least_digits)
    most = least if comma is None else int(most_digits) if most_digits else None
    if least < 1:
        raise PatternFault(
            position,
            message(
                "A piece has one character or more. Put it into square brackets, [{example}], if it may be "
                "absent.",
                example="{id}",
            ),
        )
    if max(least, most or 0) > MOST_LENGTH:
        raise PatternFault(
            position,
            message(
                "A length may be at most {most}. Write ({least},) for no limit.",
                most=str(MOST_LENGTH),
                least=str(min(least, MOST_LENGTH)),
            ),
        )
    if most is not None and most < least:
        raise PatternFault(
            position,
            message("Write the smaller number first: ({less},{more}).", less=str(most), more=str(least)),
        )
    return least, most


def _read_class(members: str, offset: int) -> int:
    symbols = 0
    for found in _RANGE.finditer(members):
        first, last, single = found.groups()
        if single is None and first > last:
            raise PatternFault(
                offset + found.start(), message("Write the range as {range}.", range=f"{last}-{first}")
            )
        symbols |= mask_of(single) if single else sum(1 << code for code in range(ord(first), ord(last) + 1))
    return symbols & (PLAIN | SLASH)


def _read_words(text: str) -> Type:
    words = tuple(text.split("|"))
    if len(words) == 1:
        raise PatternFault(
            0,
            message(
                "{text} is no type. Write one of {kinds}, or a class such as {example}, each perhaps with a "
                "length such as (7) or (1,5); or write words such as {words}.",
                text=text,
                kinds=", ".join(KINDS),
                example="[A-Z0-9_-]",
                words="2010|2020",
            ),
        )
    at = 0
    for word in words:
        if not _WORD.fullmatch(word):
            raise PatternFault(
                at,
                message(
                    "Between two | there must be a word of letters, digits and {signs}.", signs="- . _ ~ : @"
                ),
            )
        at += len(word) + 1
    return Type(0, takes_escapes=False, words=tuple(dict.fromkeys(words)))
