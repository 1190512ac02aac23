r"""Reads regular expressions as Apache httpd writes them (PCRE), as far as patterns may express them.

    expression = branch *( "|" branch )
    branch     = *( atom [ quantifier ] )
    atom       = "(" [ "?:" / "?=" / "?!" / "?<" name ">" ] expression ")" / class
               / "\" escape / "." / "^" / "$" / character
    quantifier = ( "*" / "+" / "?" / "{" least [ "," [ most ] ] "}" ) [ "?" / "+" ]
    class      = "[" [ "^" ] 1*( "[:" name ":]" / character [ "-" character ] / "\" escape ) "]"

Whether a group is captured, and whether a quantifier is lazy, makes no difference for the matched texts.
"""

from __future__ import annotations

import re
import string
import warnings

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
from ginuri.identifiers.messages import message

_QUANTIFIER = re.compile(r"([*+?]|\{(\d+)(,(\d*))?\})([?+]?)")
_GROUP = re.compile(r"\((?:\?(:|=|!|P?<\w+>))?")
_POSIX = re.compile(r"\[:(\w+):\]")
_WORD = string.ascii_letters + string.digits + "_"
_SETS = {"d": string.digits, "w": _WORD, "s": string.whitespace}
_POSIX_SETS = {
    "alpha": string.ascii_letters,
    "digit": string.digits,
    "alnum": string.ascii_letters + string.digits,
    "upper": string.ascii_uppercase,
    "lower": string.ascii_lowercase,
    "xdigit": string.hexdigits,
    "word": _WORD,
    "space": string.whitespace,
    "punct": string.punctuation,
}
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r"}


def read_expression(text: str) -> Node:
    """Read a regular expression. Raises UnsupportedExpression."""
    reader = _Reader(text)
    node = reader.read_choice()
    if reader.at < len(text):
        raise _unsupported(text[reader.at :])
    return node


def compile_expression(text: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """Compile an expression of PCRE for Python. Raises UnsupportedExpression."""
    written = _POSIX.sub(lambda found: _posix_class(found[1]) or found[0], text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about `[[`, which PCRE allows
            return re.compile(written, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise UnsupportedExpression(
            message("{expression} is no regular expression.", expression=text)
        ) from error


def _posix_class(name: str) -> str:
    return re.escape(_POSIX_SETS.get(name, ""))


def _unsupported(text: str) -> UnsupportedExpression:
    return UnsupportedExpression(message("A rule has nothing like {expression}.", expression=text))


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def read_choice(self) -> Node:
        branches = [self._read_branch()]
        while self._skip("|"):
            branches.append(self._read_branch())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _read_branch(self) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            parts.append(self._read_quantified(self._read_atom()))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _read_quantified(self, atom: Node) -> Node:
        found = _QUANTIFIER.match(self.text, self.at)
        if found is None:
            return atom
        self.at = found.end()
        match found[1]:
            case "*":
                return Repeat(atom, 0, None)
            case "+":
                return Repeat(atom, 1, None)
            case "?":
                return Repeat(atom, 0, 1)
            case _:
                least = int(found[2])
                most = least if found[3] is None else int(found[4]) if found[4] else None
                return Repeat(atom, least, most)

    def _read_atom(self) -> Node:  # noqa: PLR0911  one line a sign
        character = self.text[self.at]
        if character == "(":
            return self._read_group()
        self.at += 1
        match character:
            case "[":
                return self._read_class()
            case "\\":
                return self._read_escape()
            case ".":
                return Symbols(EVERYTHING, is_dot=True)
            case "^":
                return Start()
            case "$":
                return End()
            case "*" | "+" | "?":
                raise _unsupported(self.text[self.at - 1 :])
            case _:
                return Literal(character)

    def _read_group(self) -> Node:
        found = _GROUP.match(self.text, self.at)
        if found is None or self.text[found.end() :].startswith("?"):
            raise _unsupported(self.text[self.at :])
        self.at = found.end()
        inner = self.read_choice()
        if not self._skip(")"):
            raise UnsupportedExpression(message("A bracket is not closed."))
        return LookAhead(inner, found[1] == "!") if found[1] in {"=", "!"} else inner

    def _read_escape(self) -> Node:
        if self.at >= len(self.text):
            raise _unsupported("\\")
        character = self.text[self.at]
        self.at += 1
        if character.lower() in _SETS:
            mask = mask_of(_SETS[character.lower()])
            return Symbols(mask if character.islower() else EVERYTHING & ~mask)
        if character in _CONTROLS:
            return Literal(_CONTROLS[character])
        if character.isalnum():
            raise _unsupported(f"\\{character}")
        return Literal(character)

    def _read_class(self) -> Node:
        is_inverted = self._skip("^")
        mask, start = 0, self.at
        while not (self.text.startswith("]", self.at) and self.at > start):
            if self.at >= len(self.text):
                raise UnsupportedExpression(message("A bracket is not closed."))
            mask |= self._read_members()
        self.at += 1
        return Symbols(EVERYTHING & ~mask if is_inverted else mask)

    def _read_members(self) -> int:
        found = _POSIX.match(self.text, self.at)
        if found is not None and found[1] in _POSIX_SETS:
            self.at = found.end()
            return mask_of(_POSIX_SETS[found[1]])
        first = self._read_member()
        is_range = self.text.startswith("-", self.at) and not self.text.startswith("-]", self.at)
        if isinstance(first, Symbols) or not is_range:
            return _mask(first)
        self.at += 1
        last = self._read_member()
        if isinstance(last, Symbols):  # PCRE: the hyphen is a character
            return _mask(first) | last.mask | mask_of("-")
        return sum(1 << code for code in range(ord(first), min(ord(last), 127) + 1))

    def _read_member(self) -> str | Symbols:
        if self.at >= len(self.text):
            raise UnsupportedExpression(message("A bracket is not closed."))
        character = self.text[self.at]
        self.at += 1
        if character != "\\":
            return character
        node = self._read_escape()
        return (
            node if isinstance(node, Symbols) else node.character if isinstance(node, Literal) else character
        )

    def _skip(self, sign: str) -> bool:
        is_next = self.text.startswith(sign, self.at)
        self.at += len(sign) if is_next else 0
        return is_next


def _mask(member: str | Symbols) -> int:
    if isinstance(member, Symbols):
        return member.mask
    return 1 << ord(member) if member.isascii() else 0
