r"""Expands a regular expression into variants: literal text, runs of characters, words and options in order.

`x($|/.*)` has the variants `x`, `x/` and `x/…`. Variants can be written as patterns; they match together
what the expression matches, except as the notes say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from urllib.parse import quote

from ginuri.files.expressions.look_ahead import narrow
from ginuri.files.expressions.nodes import (
    EVERYTHING,
    Choice,
    End,
    Literal,
    LookAhead,
    Node,
    Repeat,
    Sequence,
    Start,
    Symbols,
    UnsupportedExpression,
    mask_of,
)
from ginuri.files.expressions.variants import (
    NAME,
    SAFE,
    SLASH,
    Ahead,
    Item,
    Maybe,
    Run,
    Stop,
    Variant,
    Words,
)
from ginuri.identifiers.messages import message

MOST_VARIANTS = 64
"""The most variants of an expression."""
_MOST_COPIES = 8
"""The most copies of a part that is not a single character, if their number is stated."""
_MORE_COPIES = 3
"""The copies beyond the least, if there is no limit."""
_WORD = re.compile(r"[A-Za-z0-9\-._~:@]+")
_NEVER = "#?"
"""The characters that end the path of a request (RFC 3986 §3.3): no name contains them."""


class Note(Enum):
    """A difference between an expression and its patterns."""

    ANCHORED = "anchored"
    """It may start anywhere in a name; the patterns start at its first character."""
    DOT = "dot"
    """An unescaped dot between other characters matches any character; here it is a dot."""
    LIMITED = "limited"
    """It repeats a part without limit; the patterns match some repetitions only."""


@dataclass(slots=True)
class Expansion:
    """The variants of an expression, and what was noted on the way."""

    variants: list[Variant] = field(default_factory=list)
    notes: set[Note] = field(default_factory=set)


def expand_expression(node: Node, *, after_slash: bool = False) -> Expansion:
    """Expand an expression; `after_slash`, if its texts start with a slash that names lack.

    Raises UnsupportedExpression.
    """
    notes: set[Note] = set()
    closed = (_close(variant) for variant in _expand(node, notes))
    variants = [narrowed for variant in closed if variant is not None for narrowed in narrow(variant)]
    if not _is_anchored(node):
        if all(map(_starts_inside, filter(None, variants))):
            variants = [variant and (Run(EVERYTHING, 0, None), *variant) for variant in variants]
        else:
            notes.add(Note.ANCHORED)
    elif after_slash:
        removed = map(_remove_slash, variants)
        variants = [variant for variant in removed if variant is not None]
    return Expansion(list(dict.fromkeys(variants)), notes)


def _starts_inside(variant: Variant) -> bool:
    """Return whether a variant starts with a sign that names do not start with: `.ttl`."""
    return bool(variant) and isinstance(variant[0], str) and not variant[0].isalnum() and variant[0] != "/"


def _remove_slash(variant: Variant) -> Variant | None:
    match variant:
        case ("/" | Maybe(("/",)), *rest):
            return tuple(rest)
        case (Run(mask), *_) if mask & SLASH:
            return variant
        case _:
            return None


def _is_anchored(node: Node) -> bool:
    match node:
        case Start():
            return True
        case Sequence(parts):
            return bool(parts) and _is_anchored(parts[0])
        case Choice(branches):
            return all(map(_is_anchored, branches))
        case Repeat(Symbols(mask), 0 | 1, None):
            return mask == EVERYTHING
        case _:
            return False


def _expand(node: Node, notes: set[Note]) -> list[Variant]:  # noqa: PLR0911  one line a node
    match node:
        case Literal(character):
            return [] if character in _NEVER else [(quote(character, safe=SAFE),)]
        case Symbols(mask, is_dot):
            if is_dot:
                notes.add(Note.DOT)
                return [(".",)]
            return _repeat_symbols(mask, 1, 1)
        case Sequence(parts):
            return _expand_sequence(parts, notes)
        case Choice(branches):
            return _expand_choice(branches, notes)
        case Repeat(part, least, most):
            return _expand_repeat(part, least, most, notes)
        case LookAhead(part, is_negative):
            return _expand_look_ahead(part, notes, is_negative=is_negative)
        case Start():
            return [()]
        case End():
            return [(Stop(),)]


def _expand_look_ahead(part: Node, notes: set[Note], *, is_negative: bool) -> list[Variant]:
    mask = _as_symbols(_expand(part, notes))
    if mask is None:
        raise UnsupportedExpression(
            message(
                "A rule cannot look ahead with {expression}.",
                expression="(?!…)" if is_negative else "(?=…)",
            )
        )
    return [(Ahead(EVERYTHING & ~mask if is_negative else mask, or_end=is_negative),)]


def _expand_sequence(parts: tuple[Node, ...], notes: set[Note]) -> list[Variant]:
    if any(isinstance(part, Start) for part in parts[1:]):
        raise UnsupportedExpression(message("A rule has nothing like {expression}.", expression="^"))
    variants: list[Variant] = [()]
    for part in parts:
        variants = [(*before, *after) for before, after in product(variants, _expand(part, notes))]
        _check_number(variants)
    return variants


def _expand_choice(branches: tuple[Node, ...], notes: set[Note]) -> list[Variant]:
    variants = [variant for branch in branches for variant in _expand(branch, notes)]
    _check_number(variants)
    words = [_as_word(variant) for variant in variants]
    if len(words) > 1 and all(words):
        return [(Words(tuple(dict.fromkeys(filter(None, words)))),)]
    return variants


def _as_word(variant: Variant) -> str | None:
    text = "".join(item for item in variant if isinstance(item, str))
    return text if all(isinstance(item, str) for item in variant) and _WORD.fullmatch(text) else None


def _check_number(variants: list[Variant]) -> None:
    if len(variants) > MOST_VARIANTS:
        raise UnsupportedExpression(
            message("It takes more than {most} patterns to match the same names.", most=str(MOST_VARIANTS))
        )


def _expand_repeat(part: Node, least: int, most: int | None, notes: set[Note]) -> list[Variant]:
    match part:
        case Symbols(mask):
            return _repeat_symbols(mask, least, most)
        case Literal(character) if character.isascii():
            return _repeat_character(character, least, most)
        case _:
            return _repeat_part(part, least, most, notes)


def _repeat_symbols(mask: int, least: int, most: int | None) -> list[Variant]:
    if most == 0:
        return [()]
    if not mask & NAME:
        return [] if least else [()]
    if mask & NAME == SLASH:  # no name has an empty segment
        return [("/",)] if least else [(Maybe(("/",)),)]
    return [(Run(mask, least, most),)]


def _repeat_character(character: str, least: int, most: int | None) -> list[Variant]:
    if most == 1 and character not in {"/", *_NEVER}:
        text = quote(character, safe=SAFE)
        return [(text,)] if least else [(Maybe((text,)),)]
    return _repeat_symbols(mask_of(character), least, most)


def _repeat_part(part: Node, least: int, most: int | None, notes: set[Note]) -> list[Variant]:
    variants = _expand(part, notes)
    if (least, most) == (0, 1):
        is_simple = len(variants) == 1 and all(
            isinstance(item, str | Words) or _is_run(item) for item in variants[0]
        )
        return [(Maybe(variants[0]),)] if is_simple and variants[0] else [(), *variants]
    if not variants:
        return [] if least else [()]
    if least == most and least <= _MOST_COPIES:
        copies = [
            tuple(item for copy in copies for item in copy) for copies in product(variants, repeat=least)
        ]
        _check_number(copies)
        return copies
    single = _as_symbols(variants)
    if single is not None:
        return _repeat_symbols(single, least, most)
    if most is None or most > least + _MORE_COPIES:
        notes.add(Note.LIMITED)
        most = least + _MORE_COPIES
    repeated = [
        tuple(item for copy in copies for item in copy)
        for number in range(least, most + 1)
        for copies in product(variants, repeat=number)
    ]
    _check_number(repeated)
    return repeated


def _as_symbols(variants: list[Variant]) -> int | None:
    """Return the set of characters that single-character variants are; None for others."""
    mask = 0
    for variant in variants:
        match variant:
            case (str() as text,) if len(text) == 1:
                mask |= mask_of(text)
            case (Run(symbols, 1, 1),):
                mask |= symbols
            case (Words(words),) if all(len(word) == 1 for word in words):
                mask |= mask_of("".join(words))
            case _:
                return None
    return mask


def _is_run(item: Item) -> bool:
    return isinstance(item, Run) and item.least > 0


def _shortest(item: Item) -> int:
    match item:
        case str():
            return 1
        case Run():
            return item.least
        case Words(words):
            return min(map(len, words))
        case Maybe() | Stop() | Ahead():
            return 0


def _close(variant: Variant) -> Variant | None:
    """Return the items up to the end of the text, or with a run of any characters; None without a match."""
    at = next((number for number, item in enumerate(variant) if isinstance(item, Stop)), None)
    if at is not None:
        return variant[:at] if all(_shortest(item) == 0 for item in variant[at:]) else None
    last = variant[-1] if variant else None
    is_open = isinstance(last, Run) and last.mask == EVERYTHING and last.most is None
    return variant if is_open else (*variant, Run(EVERYTHING, 0, None))
