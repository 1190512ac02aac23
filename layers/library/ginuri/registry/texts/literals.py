"""The texts of literals in N-Triples (RDF 1.1 N-Triples, §7)."""

from __future__ import annotations

import re

# §7 STRING_LITERAL_QUOTE, with the required escapes only
QUOTED = r'"((?:[^"\\\n\r]|\\[tbnrf"\\\']|\\u00[0-9A-Fa-f]{2})*)"'
_ESCAPE = re.compile(r"\\(?:u(....)|(.))")
_ESCAPED = re.compile(r'[\x00-\x1f"\\\x7f]')
_LETTERS = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_WRITTEN = {text: f"\\{letter}" for letter, text in _LETTERS.items()}


def read_literal(written: str) -> str:
    r"""Return the text of a literal.

    >>> read_literal(r"a\tb\u0007")
    'a\tb\x07'
    """
    return _ESCAPE.sub(_unescape, written)


def write_literal(text: str) -> str:
    r"""Write the text of a literal, without its quotation marks.

    >>> write_literal('a\tb\x07')
    'a\\tb\\u0007'
    """
    return _ESCAPED.sub(_escape, text)


def _unescape(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _LETTERS.get(found[2], found[2])


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    return f"\\{character}" if character in '"\\' else _WRITTEN.get(character) or f"\\u{ord(character):04X}"
