"""The words of a text for the search: without case, accents and punctuation."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

LONGEST_WORD = 64
"""The significant characters of a word."""
_WORD = re.compile(r"[^\W_]+")


def fold_text(text: str) -> str:
    """Fold case, accents and compatibility forms (Unicode Standard Annex 15, NFKD without marks).

    >>> fold_text("Águas TERMAIS ﬁn")
    'aguas termais fin'
    """
    if text.isascii():
        return text.lower()
    return "".join(
        character for character in normalize("NFKD", text.casefold()) if not combining(character)
    ).casefold()


def words_of(text: str) -> list[str]:
    """Return the folded words of a text in order: runs of letters and digits.

    >>> words_of("Bear's map, DGM-37 (1997)")
    ['bear', 's', 'map', 'dgm', '37', '1997']
    """
    return [word[:LONGEST_WORD] for word in _WORD.findall(fold_text(text))]
