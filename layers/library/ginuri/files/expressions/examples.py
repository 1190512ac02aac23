"""Examples of the names that a pattern matches: short and long, with and without each option."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginuri.registry.rules.grammar import Element, Option, Piece, Type, read_elements

_SEGMENTS = ("Abc-12", "x", "Zeta_9.q", "R2D2", "m-n.o", "K7", "long-Name_of.9", "q")
_PATHS = ("Abc/d-12", "x", "Zeta_9.q/y", "R2/D2/", "m-n.o", "K7/u", "long-Name/of.9", "q/")
_COMMON = "aB3cD5eF7gH9kM2nP4qR6sT8uVwXyZ01"
_FEWEST = 3
"""The fewest characters that examples of a class choose from, unless it has fewer."""
_STEP = 97
"""The step between examples: a prime greater than every class, so that their characters differ."""
_LONGEST = 12
"""The longest text of a piece that is chosen if its length has no limit."""


def examples(pattern: str, number: int = 8) -> Iterator[str]:
    """Yield names that a pattern matches, without empty and dot segments."""
    elements = read_elements(pattern)
    seen: set[str] = set()
    for turn in range(number):
        name = "".join(_write(elements, turn))
        if name not in seen and "//" not in name and {".", ".."}.isdisjoint(name.split("/")):
            seen.add(name)
            yield name


def _write(elements: Sequence[Element], turn: int) -> Iterator[str]:
    options = 0
    for at, element in enumerate(elements):
        if isinstance(element, str):
            yield element
        elif isinstance(element, Option):
            # The first two examples have all options, and none.
            if turn == 0 or (turn > 1 and (turn + options) % 2):
                yield from _write(element.elements, turn)
            options += 1
        else:
            yield _write_piece(element, turn, at)


def _write_piece(piece: Piece, turn: int, at: int) -> str:
    kind = piece.type
    if kind.words:
        return kind.words[turn % len(kind.words)]
    if kind.takes_escapes:
        return (_PATHS if kind.takes_slashes else _SEGMENTS)[(turn + at) % len(_PATHS)]
    return "".join(_choose_characters(kind, turn, at))


def _choose_characters(kind: Type, turn: int, at: int) -> Iterator[str]:
    allowed = [chr(code) for code in range(128) if kind.symbols >> code & 1]
    common = [character for character in _COMMON if character in allowed]
    if len(common) < min(_FEWEST, len(allowed)):
        common = allowed
    odd = [character for character in allowed if character not in common] or common
    length = _length(kind, turn)
    for position in range(length):
        # An unusual character is in the middle, if there is one.
        is_odd = 0 < position < length - 1 and position % 3 == 2  # noqa: PLR2004  every third
        chosen = odd if is_odd else common
        yield chosen[(turn * _STEP + at * 3 + position * 5) % len(chosen)]


def _length(kind: Type, turn: int) -> int:
    longest = max(kind.least, min(kind.most or _LONGEST, _LONGEST))
    return (min(max(kind.least, 5), longest), kind.least, longest, min(max(kind.least, 3), longest))[turn % 4]
