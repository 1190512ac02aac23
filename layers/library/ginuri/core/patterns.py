"""Patterns of rules: `{county}/{id}/`, `HP_{id}`: named pieces between literal ones.

There are no regular expressions. A named piece takes one character or more, but never a slash.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ginuri.core.identifiers.characters import PCHAR, normalise_escapes
from ginuri.core.identifiers.gin import MOST_BYTES

REST = "rest"
"""The variable that is always there: all that follows the prefix."""
MOST_NAMED = 2
"""How many named pieces one segment may have; more would make matching slow."""
_PIECE = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")
_NAMED = "(?:%[0-9A-F]{2}|[^/%])"
"""What a named piece is made of: whole characters, and whole escapes in normal form."""
_LITERAL = re.compile(rf"(?:{PCHAR}|/)*")


@dataclass(frozen=True, slots=True)
class Pattern:
    """What the part of an identifier below a prefix must look like; an empty text takes everything."""

    text: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its pieces, in order."""
        return tuple(_PIECE.findall(self.text))

    @property
    def literalness(self) -> tuple[int, int]:
        """How literal it is: the more literal characters the better, then the fewer named pieces."""
        if not self.text:
            return -1, 0
        return len(_PIECE.sub("", self.text)), -len(self.names)

    def match(self, rest: str) -> dict[str, str] | None:
        """Match what follows the prefix; give the named pieces and the whole as `rest`, None for no match.

        >>> Pattern("HP_{id}").match("HP_17")
        {'rest': 'HP_17', 'id': '17'}
        """
        if not rest:
            return None
        if not self.text:
            return {REST: rest}
        found = _expression(self.text).fullmatch(rest)
        return None if found is None else {REST: rest, **found.groupdict()}

    def overlaps(self, other: Pattern) -> bool:
        """Tell whether some text matches both."""
        return not self.text or not other.text or _meet(self.tokens, other.tokens)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Its literal characters, and "" for a named piece."""
        tokens: list[str] = []
        for at, piece in enumerate(_PIECE.split(self.text)):
            tokens += [""] if at % 2 else list(piece)
        return tuple(tokens)


def fault_of(text: str) -> str | None:  # noqa: PLR0911  one line a rule
    """Say what is wrong with a pattern; None where nothing is."""
    literals, names = _PIECE.split(text)[::2], _PIECE.findall(text)
    if not all(_LITERAL.fullmatch(literal) for literal in literals):
        return "a pattern is made of named pieces in braces and of characters that identifiers may have"
    if len(set(names)) < len(names) or REST in names:
        return f"each piece has a name of its own, and none is called {REST}"
    if any("" in segment[1:-1] for segment in (_PIECE.split(each)[::2] for each in text.split("/"))):
        return "between two named pieces stands something literal"
    if any(len(_PIECE.findall(segment)) > MOST_NAMED for segment in text.split("/")):
        return f"a segment has at most {MOST_NAMED} named pieces"
    if text.startswith("/") or "//" in text or {".", ".."} & set(text.split("/")):
        return "a pattern has no empty segments, and no dots for names"
    if normalise_escapes(text) != text or len(text) > MOST_BYTES:
        return f"a pattern is written in normal form, with at most {MOST_BYTES} characters"
    return None


@lru_cache(maxsize=1024)
def _expression(text: str) -> re.Pattern[str]:
    # A segment that has matched is never tried again: else a name could be made that takes hours.
    return re.compile("/".join(f"(?>{_segment(each)}(?=/|\\Z))" for each in text.split("/")))


def _segment(text: str) -> str:
    pieces = _PIECE.split(text)
    return "".join(
        f"(?P<{piece}>{_NAMED}+?)" if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)
    )


def _meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Tell whether two rows of tokens have a text in common; a named piece has been begun or not."""
    seen: set[tuple[int, int, bool, bool]] = set()
    todo = [(0, 0, False, False)]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        at, by, begun, begun_too = state
        if at == len(one) and by == len(other):
            return True
        # A named piece that has one character may end here.
        if begun:
            todo.append((at + 1, by, False, begun_too))
        if begun_too:
            todo.append((at, by + 1, begun, False))
        if at < len(one) and by < len(other) and _share(one[at], other[by]):
            todo.append(
                (
                    at + (one[at] != ""),
                    by + (other[by] != ""),
                    one[at] == "",
                    other[by] == "",
                )
            )
    return False


def _share(one: str, other: str) -> bool:
    if one and other:
        return one == other
    return (one or other) != "/"
