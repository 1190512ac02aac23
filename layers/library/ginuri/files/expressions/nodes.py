"""The parts of a regular expression."""

from __future__ import annotations

from dataclasses import dataclass

from ginuri.identifiers.messages import Message

EVERYTHING = (1 << 128) - 1
"""The set of all ASCII characters, one bit for each."""


def mask_of(characters: str) -> int:
    """Return a set of ASCII characters as an integer, one bit for each."""
    return sum(1 << ord(character) for character in set(characters))


class UnsupportedExpression(Exception):
    """An expression that no pattern can express, or that cannot be read."""

    def __init__(self, words: Message) -> None:
        super().__init__(words)
        self.words = words


@dataclass(frozen=True, slots=True)
class Literal:
    """One character."""

    character: str


@dataclass(frozen=True, slots=True)
class Symbols:
    """One character of a set of ASCII characters."""

    mask: int
    is_dot: bool = False
    """Whether it is written as a dot."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Parts in their order."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several parts."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part several times."""

    part: Node
    least: int
    most: int | None
    """None for no limit."""


@dataclass(frozen=True, slots=True)
class LookAhead:
    """A part that must follow, or must not follow."""

    part: Node
    is_negative: bool


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of the text."""


@dataclass(frozen=True, slots=True)
class End:
    """The end of the text."""


Node = Literal | Symbols | Sequence | Choice | Repeat | LookAhead | Start | End
