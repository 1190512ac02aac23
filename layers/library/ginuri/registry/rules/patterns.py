"""Patterns of rules, such as `{county}/{id}/`, `HP_{id:digits}`, `v{version}/{+rest}`.

There are no regular expressions. A named piece matches one character or more, but never a slash, and with
`:digits` only digits; `{+rest}` at the end matches all following text, slashes included.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ginuri.frozen import Frozen
from ginuri.identifiers.characters import PCHAR, normalise_escapes
from ginuri.identifiers.grammars.gin import MOST_BYTES
from ginuri.identifiers.messages import Message, message

REST = "rest"
"""The predefined variable: everything after the prefix."""
MOST_NAMED = 2
"""The most named pieces of a segment; more would make matching slow."""
ALL_THE_REST = "{+rest}"
"""The piece that matches all following text, slashes included."""
_DIGITS = ":digits"
_PIECE = rf"\{{(\+{REST}|[A-Za-z_][A-Za-z0-9_]*(?:{_DIGITS})?)\}}"
_NAMED = "(?:%[0-9A-F]{2}|[^/%])"
"""The units of a named piece: whole characters, and whole escapes in normal form."""
_LITERAL = rf"(?:{PCHAR}|/)*"


class Pattern(Frozen):
    """The form of an identifier below a prefix; an empty pattern matches every identifier."""

    text: str

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its pieces, in order, without `rest`, which always exists."""
        return tuple(
            piece.removesuffix(_DIGITS) for piece in re.findall(_PIECE, self.text) if piece != f"+{REST}"
        )

    @property
    def literalness(self) -> tuple[int, int, int, bool]:
        """Its literalness: more literal characters, then fewer pieces, then digits, then no `{+rest}`."""
        return _literalness(self.text)

    @property
    def takes_the_rest(self) -> bool:
        """Whether it matches all text after its last literal character, slashes included."""
        return not self.text or self.text.endswith(ALL_THE_REST)

    def match(self, rest: str) -> dict[str, str] | None:
        """Match the text after the prefix: return the named pieces and `rest`; None for no match.

        `rest` is the text of `{+rest}`, or the whole text.

        >>> Pattern("HP_{id}").match("HP_17")
        {'rest': 'HP_17', 'id': '17'}
        >>> Pattern("v{version}/{+rest}").match("v1/a/b")
        {'rest': 'a/b', 'version': '1'}
        """
        if not rest:
            return None
        if not self.text:
            return {REST: rest}
        found = _expression(self.text).fullmatch(rest)
        return None if found is None else {REST: rest, **found.groupdict()}

    def example(self, number: int = 1) -> str:
        """Return a matching example with the names of the pieces; each number gives another one.

        >>> Pattern("{county}/HP_{id:digits}/").example(), Pattern("").example(2)
        ('county/HP_1/', 'rest-2')
        """
        return re.sub(_PIECE, lambda found: _example(found[1], number), self.text or f"{{+{REST}}}")

    def overlaps(self, other: Pattern) -> bool:
        """Return whether some text matches both."""
        return not self.text or not other.text or _meet(self.tokens, other.tokens)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Its literal characters, one by one, and a longer token for each piece."""
        tokens: list[str] = []
        for at, piece in enumerate(re.split(_PIECE, self.text)):
            tokens += [_token(piece)] if at % 2 else list(piece)
        return tuple(tokens)


@lru_cache(1024)
def _literalness(text: str) -> tuple[int, int, int, bool]:
    # Remembered: a rule is compared with all others of its prefix.
    pieces = re.findall(_PIECE, text)
    digits = sum(piece.endswith(_DIGITS) for piece in pieces)
    literals = len(re.sub(_PIECE, "", text)) if text else -1
    return literals, -len(pieces), digits, not Pattern(text).takes_the_rest


def fault_of(text: str) -> Message | None:  # noqa: PLR0911  one line a rule
    """Find the fault of a pattern; None if there is none."""
    literals, names = re.split(_PIECE, text)[::2], Pattern(text).names
    if not all(re.fullmatch(_LITERAL, literal) for literal in literals):
        return message("A pattern may contain named pieces in braces, and the characters of identifiers.")
    if len(set(names)) < len(names) or REST in names:
        return message("Give each piece of the pattern a name of its own, other than `{rest}`.", rest=REST)
    if ALL_THE_REST in text.removesuffix(ALL_THE_REST) or text == ALL_THE_REST:
        return message(
            "{rest} must be at the end of the pattern, after something else. To match everything, leave the "
            "pattern out.",
            rest=ALL_THE_REST,
        )
    if any("" in segment[1:-1] for segment in (re.split(_PIECE, part)[::2] for part in text.split("/"))):
        return message("Put some text between two named pieces of a pattern.")
    if any(len(re.findall(_PIECE, segment)) > MOST_NAMED for segment in text.split("/")):
        return message(
            "Between two slashes, a pattern may have at most {most} named pieces.", most=str(MOST_NAMED)
        )
    if text.startswith("/") or "//" in text or {".", ".."} & set(text.split("/")):
        return message("A pattern must not have empty segments, nor segments that are `.` or `..`.")
    if normalise_escapes(text) != text or len(text) > MOST_BYTES:
        return message(
            "Write the pattern in normal form, with at most {most} characters.", most=f"{MOST_BYTES:,}"
        )
    return None


@lru_cache(maxsize=512)  # like the cache of `re`; the longest takes 70 kB, most take two
def _expression(text: str) -> re.Pattern[str]:
    # A segment that has matched is never tried again: otherwise some names would take hours.
    *above, last = text.removesuffix(ALL_THE_REST).split("/")
    ends = f"(?P<{REST}>.+)" if text.endswith(ALL_THE_REST) else r"(?=/|\Z)"
    segments = [*(rf"{_segment(segment)}(?=/|\Z)" for segment in above), f"{_segment(last)}{ends}"]
    return re.compile("/".join(f"(?>{segment})" for segment in segments))


def _segment(text: str) -> str:
    pieces = re.split(_PIECE, text)
    return "".join(_named(piece) if at % 2 else re.escape(piece) for at, piece in enumerate(pieces))


def _named(piece: str) -> str:
    characters = "[0-9]" if piece.endswith(_DIGITS) else _NAMED
    return f"(?P<{piece.removesuffix(_DIGITS)}>{characters}+?)"


def _example(piece: str, number: int) -> str:
    if piece.endswith(_DIGITS):
        return str(number)
    return piece.removeprefix("+") + (f"-{number}" if number > 1 else "")


def _token(piece: str) -> str:
    if piece.startswith("+"):
        return ALL_THE_REST
    return _DIGITS if piece.endswith(_DIGITS) else ""


def _meet(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Return whether some text matches both sequences of tokens."""
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
        # A piece with one character may end here.
        if begun:
            todo.append((at + 1, by, False, begun_too))
        if begun_too:
            todo.append((at, by + 1, begun, False))
        if at < len(one) and by < len(other) and _share(one[at], other[by]):
            todo.append(
                (
                    at + is_literal(one[at]),
                    by + is_literal(other[by]),
                    not is_literal(one[at]),
                    not is_literal(other[by]),
                )
            )
    return False


def is_literal(token: str) -> bool:
    """Return whether a token is a literal character."""
    return len(token) == 1


def _share(one: str, other: str) -> bool:
    """Return whether some character matches both tokens."""
    if is_literal(one) and is_literal(other):
        return one == other
    literal = next((token for token in (one, other) if is_literal(token)), None)
    if literal is None:
        return True
    return _takes(other if literal == one else one, literal)


def _takes(piece: str, character: str) -> bool:
    return character in "0123456789" if piece == _DIGITS else piece == ALL_THE_REST or character != "/"
