"""Patterns of rules, such as `{county}/{id}/`, `HP_{id:digits(7)}`, `releases/{+version}/bds.owl`.

docs/reference/patterns.md has the language, `ginuri.registry.rules.grammar` its grammar. A pattern is about
all text after the prefix of its rule.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ginuri.frozen import Frozen
from ginuri.registry.rules.grammar import (
    ALL,
    ALL_THE_REST,
    REST,
    Element,
    Option,
    Piece,
    Type,
    pieces_of,
    read_elements,
)
from ginuri.registry.rules.matcher import Steps, characters_of, matcher_of

_UNLIMITED = 256
"""The length of a piece without a limit, for comparing: more than any limit."""
_AMBIGUOUS = re.compile(r"\}[^/{}]*\{")


class Pattern(Frozen):
    """The form of an identifier below a prefix; an empty pattern matches every identifier.

    Its text has no faults (`ginuri.registry.rules.faults.fault_of`).
    """

    text: str
    ignore_case: bool = False
    """Whether the letters A to Z match in either case; the pieces keep theirs."""
    is_lazy: bool = False
    """Whether each piece takes as little as possible instead of as much."""

    @property
    def elements(self) -> Sequence[Element]:
        """Its literals, pieces and options; an empty pattern has one piece."""
        return read_elements(self.text)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its pieces, in order, without `rest` and `all`, which always exist."""
        return tuple(piece.name for piece in pieces_of(self.elements) if piece.name not in {REST, ALL})

    @property
    def precedence(self) -> tuple[int, ...]:
        """Its place among patterns that match one text: the greatest wins.

        More literal characters, then fewer pieces and options, then smaller classes, then shorter lengths,
        then no piece that takes slashes. Literal characters within options and words do not count.
        """
        return _precedence(self.text)

    @property
    def takes_the_rest(self) -> bool:
        """Whether it ends in a piece that takes any text, slashes included."""
        last = self.elements[-1]
        return isinstance(last, Piece) and last.type.takes_everything

    @property
    def takes_everything(self) -> bool:
        """Whether it matches any text."""
        return len(self.elements) == 1 and self.takes_the_rest

    @property
    def rank(self) -> tuple[tuple[int, ...], str]:
        """Its place in a total order: by precedence, then by its text."""
        return self.precedence, self.text

    def match(self, rest: str, steps: Steps | None = None) -> dict[str, str] | None:
        """Match the text after the prefix: return the named pieces, `rest` and `all`; None for no match.

        `steps` are those left for all rules of a name. Raises TooManySteps.

        `rest` is the text of `{+rest}`, or the whole text, `all` always the whole text. The pieces of an
        absent option are absent as well.

        >>> Pattern("HP_{id}").match("HP_17")
        {'rest': 'HP_17', 'all': 'HP_17', 'id': '17'}
        >>> Pattern("v{version}[/{+rest}]").match("v1/a/b")
        {'all': 'v1/a/b', 'version': '1', 'rest': 'a/b'}
        """
        if not rest:
            return None
        matcher = matcher_of(self.text, ignore_case=self.ignore_case, is_lazy=self.is_lazy)
        pieces = matcher.match(rest, steps or Steps())
        if pieces is None:
            return None
        return {ALL: rest, **pieces} if ALL_THE_REST in self.text else {REST: rest, ALL: rest, **pieces}

    def example(self, number: int = 1) -> str:
        """Return a matching example with the names of the pieces; each number may give another one.

        >>> Pattern("{county}/HP_{id:digits(3)}[/]").example(), Pattern("").example(2)
        ('county/HP_001/', 'rest-2')
        """
        return "".join(_example(element, number) for element in self.elements)


def is_ambiguous(text: str) -> bool:
    """Return whether two pieces of a pattern are in one segment: a text may be divided in several ways."""
    return _AMBIGUOUS.search(text) is not None


@lru_cache(4096)
def _precedence(text: str) -> tuple[int, ...]:
    # Remembered: the rules of a prefix are sorted by it, and compared with each other.
    elements = read_elements(text)
    pieces = pieces_of(elements)
    literals = sum(len(element) for element in elements if isinstance(element, str)) if text else -1
    options = sum(isinstance(element, Option) for element in elements)
    return (
        literals,
        -len(pieces) - options,
        -sum(_size(piece.type) for piece in pieces),
        -sum(_length(piece.type) for piece in pieces),
        -sum(piece.type.takes_slashes for piece in pieces),
    )


def _size(piece: Type) -> int:
    return len(piece.words) or piece.symbols.bit_count() + piece.takes_escapes


def _length(piece: Type) -> int:
    return max(map(len, piece.words), default=0) or piece.most or _UNLIMITED


def _example(element: Element, number: int) -> str:
    if isinstance(element, str):
        return element
    if isinstance(element, Option):
        return "".join(_example(inner, number) for inner in element.elements)
    return _example_of(element, number)


def _example_of(piece: Piece, number: int) -> str:
    kind = piece.type
    if kind.words:
        return kind.words[(number - 1) % len(kind.words)]
    if kind.takes_escapes:
        return piece.name + (f"-{number}" if number > 1 else "")
    characters = characters_of(kind, ignore_case=False)
    digits = str(number)
    if set(digits) <= set(characters) and len(digits) <= (kind.most or len(digits)):
        return digits.rjust(kind.least, "0" if "0" in characters else digits[0])
    return characters[(number - 1) % len(characters)] * kind.least
