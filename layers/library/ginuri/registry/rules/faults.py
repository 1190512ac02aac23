"""The faults of a pattern: those of its grammar, its limits, and the names that it must not form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product

from ginuri.identifiers.characters import PCT_ENCODED, normalise_escapes
from ginuri.identifiers.grammars.gin import MOST_BYTES
from ginuri.identifiers.messages import Message, message
from ginuri.registry.rules.grammar import (
    ALL,
    ALL_THE_REST,
    REST,
    Element,
    Option,
    PatternFault,
    Piece,
    pieces_of,
    read_elements,
)
from ginuri.registry.rules.patterns import Pattern

MOST_PIECES, MOST_OPTIONS, MOST_WORDS, MOST_STATES = 16, 4, 32, 2000
"""The limits of a pattern; beside them, it has at most as many characters as an identifier."""
_SHOWN = 20
"""The number of characters that a message quotes, from the fault on."""
_ANY = "x"
"""Some text of a piece, for checks of the text around it."""

_PIECE = re.compile(r"\{[^}]*\}")
_LIKE_AN_EXPRESSION = re.compile(
    r"\[[^\]{]*[^\W}]-\w[^\]{]*\]"  # a class: here an option with literal text
    r"|[.\])/]\*|(?:^|(?<=\}))\*|[.\])]\+|\(\?|\$$"
)


def fault_of(text: str) -> Message | None:
    """Find the first fault of a pattern, with its position; None if there is none.

    >>> str(fault_of("HP_[{id}"))
    'Character 4, "[{id}": Square brackets must contain text or a named piece, and no square brackets.'
    """
    try:
        if text:
            _check(text)
    except PatternFault as fault:
        at = fault.position
        return message(
            'Character {number}, "{text}": {fault}',
            number=str(at + 1),
            text=text[at : at + _SHOWN],
            fault=fault.words,
        )
    return None


def expression_in(text: str) -> str | None:
    """Return the part of a pattern that reads like a regular expression or a wildcard; None without one.

    >>> [expression_in(text) for text in ("HP_[0-9]+", "doc/*", "C++/{id:[a-z]}[/{+rest}]")]
    ['[0-9]', '/*', None]
    """
    found = _LIKE_AN_EXPRESSION.search(_PIECE.sub("{}", text))
    return found[0] if found else None


def _check(text: str) -> None:
    if len(text) > MOST_BYTES:
        raise PatternFault(
            MOST_BYTES, message("A pattern may have at most {most} characters.", most=f"{MOST_BYTES:,}")
        )
    elements = read_elements(text)
    _check_names(text, elements)
    _check_size(text, elements)
    _check_literals(text, elements)


def _check_names(text: str, elements: Sequence[Element]) -> None:
    names: set[str] = set()
    for piece in pieces_of(elements):
        if (
            piece.name in names
            or piece.name == ALL
            or (piece.name == REST and not piece.type.takes_everything)
        ):
            raise PatternFault(
                _position(text, piece),
                message(
                    "Give each piece of the pattern a name of its own, other than `{all}` and `{rest}`; only "
                    "{piece} may be called so.",
                    all=ALL,
                    rest=REST,
                    piece=ALL_THE_REST,
                ),
            )
        names.add(piece.name)


def _position(text: str, piece: Piece) -> int:
    """Return the offset of the last piece with a name."""
    return [found.start() for found in re.finditer(rf"\{{\+?{piece.name}[:}}]", text)][-1]


def _check_size(text: str, elements: Sequence[Element]) -> None:
    pieces = pieces_of(elements)
    options = [element for element in elements if isinstance(element, Option)]
    if len(pieces) > MOST_PIECES or len(options) > MOST_OPTIONS:
        raise PatternFault(
            len(text),
            message(
                "A pattern may have at most {pieces} named pieces and {options} options.",
                pieces=str(MOST_PIECES),
                options=str(MOST_OPTIONS),
            ),
        )
    longest = max(pieces, key=lambda piece: len(piece.type.words), default=None)
    if longest is not None and len(longest.type.words) > MOST_WORDS:
        raise PatternFault(
            _position(text, longest),
            message("A piece may have at most {most} words.", most=str(MOST_WORDS)),
        )
    if states_of(elements) > MOST_STATES:
        raise PatternFault(
            0,
            message(
                "The lengths and words of the pattern add up to more than {most}.", most=f"{MOST_STATES:,}"
            ),
        )


def states_of(elements: Sequence[Element]) -> int:
    """Return the number of states of the automaton of a pattern."""
    return sum(
        len(element)
        if isinstance(element, str)
        else element.states
        if isinstance(element, Piece)
        else 1 + states_of(element.elements)
        for element in elements
    )


def _check_literals(text: str, elements: Sequence[Element]) -> None:
    for escape in re.finditer(PCT_ENCODED, text):
        if normalise_escapes(escape[0]) != escape[0]:
            raise PatternFault(
                escape.start(),
                message("Write the pattern in normal form: {pattern}.", pattern=normalise_escapes(text)),
            )
    if Pattern(text).takes_everything:
        raise PatternFault(0, message("To match everything, leave the pattern out."))
    for name in _expand(elements):
        if not name:
            raise PatternFault(0, message("Some of the pattern must be outside of square brackets."))
        if name.startswith("/") or "//" in name or {".", ".."} & set(name.split("/")):
            at = max(text.find("//"), 0)
            raise PatternFault(
                at,
                message(
                    "A pattern must not have empty segments, nor segments that are `.` or `..`; this one "
                    "matches {example}.",
                    example=name,
                ),
            )


def _expand(elements: Sequence[Element]) -> Iterator[str]:
    """Yield the literal text of each combination of the options that are there, a letter for each piece."""
    choices = [
        (_text(element.elements), "") if isinstance(element, Option) else (_text([element]),)
        for element in elements
    ]
    return map("".join, product(*choices))


def _text(elements: Sequence[Element]) -> str:
    return "".join(element if isinstance(element, str) else _ANY for element in elements)
