"""Patterns of rules as regular expressions of Apache httpd (PCRE), for addresses as they were sent."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from ginuri.registry.rules.comparison import CHARACTERS
from ginuri.registry.rules.grammar import ALL, ALL_THE_REST, REST, Element, Option, Piece, Type, pieces_of
from ginuri.registry.rules.matcher import characters_of
from ginuri.registry.rules.patterns import Pattern

MOST_GROUPS = 9
"""The most back references: %1 to %9."""
RESERVED = ":/@!$&'()*+,;="
"""The characters of identifiers that RFC 6570 escapes in the value of `{id}`."""
_ESCAPE = "%[0-9A-Fa-f]{2}"
_SPECIAL = re.compile(r"[.^$*+?()\[\]{}|\\]")
_RANGES = ("A-Z", "a-z", "0-9")


@dataclass(frozen=True, slots=True)
class Expression:
    """A regular expression, and the number of the group of each variable."""

    text: str
    groups: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The variables of a location."""

    names: Collection[str]
    limited: Collection[str]
    """Those whose reserved characters are escaped, which Apache cannot do: they match only texts without."""


def escape(text: str) -> str:
    """Write literal text."""
    return _SPECIAL.sub(r"\\\g<0>", text)


def expressions_of(pattern: Pattern, wanted: Wanted) -> Iterator[Expression]:
    """Yield the expressions of a pattern, to be tried in this order.

    Variables of an absent option expand to nothing, so that an option with one is either in an expression or
    not in it.
    """
    elements = pattern.elements
    open_options = [
        at
        for at, element in enumerate(elements)
        if isinstance(element, Option) and {piece.name for piece in pieces_of([element])} & {*wanted.names}
    ]
    for chosen in product((True, False), repeat=len(open_options)):
        is_present = dict(zip(open_options, chosen, strict=True))
        kept: list[Element] = []
        for at, element in enumerate(elements):
            if isinstance(element, Option) and at in is_present:
                kept += element.elements if is_present[at] else ()
            else:
                kept.append(element)
        yield _Writer(pattern, wanted).write(kept)


class _Writer:
    """Writes one expression, and numbers its groups."""

    def __init__(self, pattern: Pattern, wanted: Wanted) -> None:
        self._pattern, self._wanted = pattern, wanted
        self._groups: dict[str, int] = {}

    def write(self, elements: Sequence[Element]) -> Expression:
        whole = [ALL] if ALL in self._wanted.names else []
        if REST in self._wanted.names and ALL_THE_REST not in self._pattern.text and self._pattern.text:
            whole.append(REST)  # without a piece of this name, it is the whole text
        for name in whole:
            self._groups[name] = len(self._groups) + 1
        text = "".join(map(self._write, elements))
        for _ in whole:
            text = f"({text})"
        return Expression(f"(?i:{text})" if self._pattern.ignore_case else text, self._groups)

    def _write(self, element: Element) -> str:
        if isinstance(element, str):
            return escape(element)
        if isinstance(element, Option):
            return f"(?:{''.join(map(self._write, element.elements))})?"
        return self._write_piece(element)

    def _write_piece(self, piece: Piece) -> str:
        text = self._write_type(piece.type, is_limited=piece.name in self._wanted.limited)
        if piece.name not in self._wanted.names:
            return text
        self._groups[piece.name] = len(self._groups) + 1
        return f"({text})"

    def _write_type(self, kind: Type, *, is_limited: bool) -> str:
        if kind.words:
            return f"(?:{'|'.join(map(escape, kind.words))})"
        allowed = [each for each in characters_of(kind, ignore_case=False) if each in CHARACTERS]
        characters = [each for each in allowed if each not in RESERVED or not is_limited]
        unit = _write_class(characters)
        if kind.takes_escapes:
            unit = f"(?:{unit}|{_ESCAPE})"
        return f"{unit}{_write_length(kind)}{'?' if self._pattern.is_lazy else ''}"


def takes_reserved(kind: Type) -> bool:
    """Return whether the texts of a piece may contain characters that are escaped."""
    return any(each in RESERVED for each in characters_of(kind, ignore_case=False))


def _write_class(characters: Sequence[str]) -> str:
    """Write a set of characters, with the ranges of letters and digits."""
    rest, ranges = set(characters), ""
    for each in _RANGES:
        members = {chr(code) for code in range(ord(each[0]), ord(each[2]) + 1)}
        if members <= rest:
            rest -= members
            ranges += each
    return f"[{ranges}{''.join(f'{chr(92)}{each}' if each in '-]^' else each for each in sorted(rest))}]"


def _write_length(kind: Type) -> str:
    if kind.most is None:
        return "+" if kind.least == 1 else f"{{{kind.least},}}"
    return f"{{{kind.least}}}" if kind.least == kind.most else f"{{{kind.least},{kind.most}}}"
